// The method Analyze.
#ifndef SITTUYIN_SERVICE_HANDLERS_ANALYZE_H_
#define SITTUYIN_SERVICE_HANDLERS_ANALYZE_H_

#include <functional>

#include "google/rpc/status.pb.h"
#include "service/admission/search_pool.h"
#include "service/api/call_context.h"
#include "service/handlers/settings.h"
#include "sittuyin/v1/sittuyin.pb.h"

namespace sittuyin::service {

// Searches on `pool`. Calls `write` for each finished depth and for the
// result, then `done` once: all there, or `done` here for what is refused at
// once.
void HandleAnalyze(const HandlerSettings& settings, SearchPool& pool,
                   CallContext context, const v1::AnalyzeRequest& request,
                   std::function<void(const v1::AnalyzeResponse&)> write,
                   std::function<void(google::rpc::Status)> done);

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_HANDLERS_ANALYZE_H_
