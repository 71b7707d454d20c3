// What a door knows of a call beside its request.
#ifndef SITTUYIN_SERVICE_API_CALL_CONTEXT_H_
#define SITTUYIN_SERVICE_API_CALL_CONTEXT_H_

#include <chrono>
#include <memory>
#include <optional>

#include "service/api/caller.h"
#include "service/telemetry/call.h"

namespace sittuyin::service {

struct CallContext {
  // Lives until the call is done.
  Call& call;
  // When the caller stops waiting.
  std::optional<std::chrono::steady_clock::time_point> deadline;
  // Null for calls that are answered at once.
  std::shared_ptr<Caller> caller;
};

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_API_CALL_CONTEXT_H_
