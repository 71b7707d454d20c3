#include "service/handlers/game_status.h"

#include "service/convert/game.h"
#include "service/convert/move.h"
#include "service/handlers/request_game.h"

namespace sittuyin::service {

google::rpc::Status HandleGameStatus(const HandlerSettings& settings,
                                     Call& call,
                                     const v1::GameStatusRequest& request,
                                     v1::GameStatusResponse* answer) {
  const auto read = RequestGame(settings, call, request.game());
  if (auto* refusal = std::get_if<google::rpc::Status>(&read)) return *refusal;
  const Game& game = std::get<Game>(read);

  answer->set_fen(ToFen(game.position()));
  WriteState(game, answer->mutable_state());
  if (request.include_legal_moves()) {
    WriteLegalMoves(game, answer->mutable_legal_moves());
  }
  return {};
}

}  // namespace sittuyin::service
