#include "service/handlers/validate_move.h"

#include "service/convert/game.h"
#include "service/convert/move.h"
#include "service/handlers/request_game.h"

namespace sittuyin::service {

google::rpc::Status HandleValidateMove(const HandlerSettings& settings,
                                       Call& call,
                                       const v1::ValidateMoveRequest& request,
                                       v1::ValidateMoveResponse* answer) {
  auto read = RequestGame(settings, call, request.game());
  if (auto* refusal = std::get_if<google::rpc::Status>(&read)) return *refusal;
  Game& game = std::get<Game>(read);

  const auto judged = game.Read(request.move());
  if (const Move* move = std::get_if<Move>(&judged)) {
    answer->set_legal(true);
    WriteMove(game.position(), *move, answer->mutable_move());
    game.PlayUnchecked(*move);
  } else {
    const auto& violation = std::get<Violation>(judged);
    WriteViolation(violation, answer->mutable_violation());
    call.SetIllegal(ReasonName(violation.reason));
  }
  answer->set_fen(ToFen(game.position()));
  WriteState(game, answer->mutable_state());
  if (request.include_legal_moves()) {
    WriteLegalMoves(game, answer->mutable_legal_moves());
  }
  return {};
}

}  // namespace sittuyin::service
