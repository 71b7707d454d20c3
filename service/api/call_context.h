// What a door knows of a call beside its request.
#ifndef SITTUYIN_SERVICE_API_CALL_CONTEXT_H_
#define SITTUYIN_SERVICE_API_CALL_CONTEXT_H_

#include <chrono>
#include <memory>
#include <optional>

#include "engine/search/search.h"
#include "service/telemetry/call.h"

namespace sittuyin::service {

struct CallContext {
  // Lives until the call is done.
  Call& call;
  // When the caller stops waiting.
  std::optional<std::chrono::steady_clock::time_point> deadline;
  // The door requests a stop when the caller leaves. Null for calls that
  // cannot be stopped.
  std::shared_ptr<StopToken> stop;
};

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_API_CALL_CONTEXT_H_
