// The method BestMove.
#ifndef SITTUYIN_SERVICE_HANDLERS_BEST_MOVE_H_
#define SITTUYIN_SERVICE_HANDLERS_BEST_MOVE_H_

#include <functional>

#include "google/rpc/status.pb.h"
#include "service/admission/search_pool.h"
#include "service/api/call_context.h"
#include "service/handlers/settings.h"
#include "sittuyin/v1/sittuyin.pb.h"

namespace sittuyin::service {

// Searches on `pool` and calls `done` once, there or, for what is refused at
// once, here.
void HandleBestMove(
    const HandlerSettings& settings, SearchPool& pool, CallContext context,
    const v1::BestMoveRequest& request,
    std::function<void(google::rpc::Status, v1::BestMoveResponse)> done);

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_HANDLERS_BEST_MOVE_H_
