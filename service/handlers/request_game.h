// The first step of every handler.
#ifndef SITTUYIN_SERVICE_HANDLERS_REQUEST_GAME_H_
#define SITTUYIN_SERVICE_HANDLERS_REQUEST_GAME_H_

#include <variant>

#include "engine/game/game.h"
#include "google/rpc/status.pb.h"
#include "service/handlers/settings.h"
#include "service/telemetry/call.h"
#include "sittuyin/v1/sittuyin.pb.h"

namespace sittuyin::service {

// The request's game, noted in `call`, or why it is refused.
std::variant<Game, google::rpc::Status> RequestGame(
    const HandlerSettings& settings, Call& call, const v1::Game& request);

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_HANDLERS_REQUEST_GAME_H_
