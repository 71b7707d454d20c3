// The method GameStatus.
#ifndef SITTUYIN_SERVICE_HANDLERS_GAME_STATUS_H_
#define SITTUYIN_SERVICE_HANDLERS_GAME_STATUS_H_

#include "google/rpc/status.pb.h"
#include "service/handlers/settings.h"
#include "service/telemetry/call.h"
#include "sittuyin/v1/sittuyin.pb.h"

namespace sittuyin::service {

// Refuses nothing but a game that cannot be replayed.
google::rpc::Status HandleGameStatus(const HandlerSettings& settings,
                                     Call& call,
                                     const v1::GameStatusRequest& request,
                                     v1::GameStatusResponse* answer);

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_HANDLERS_GAME_STATUS_H_
