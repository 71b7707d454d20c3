#include "service/handlers/legal_moves.h"

#include <optional>
#include <variant>

#include "service/convert/enums.h"
#include "service/convert/game.h"
#include "service/convert/move.h"
#include "service/errors/errors.h"
#include "service/errors/wanted.h"
#include "service/handlers/request_game.h"

namespace sittuyin::service {
namespace {

using google::rpc::Status;

std::variant<MoveFilter, Status> ReadFilter(
    const v1::LegalMovesRequest& request) {
  MoveFilter filter;
  if (!request.from_square().empty()) {
    filter.from = SquareFromName(request.from_square());
    if (!filter.from) {
      return FieldOutOfRange("from_square", "a square, a1 to h8, or nothing");
    }
  }
  if (request.drop() != v1::PIECE_TYPE_UNSPECIFIED) {
    filter.drop = FromProto(request.drop());
    if (!filter.drop) {
      return FieldOutOfRange("drop", OneOf(*v1::PieceType_descriptor()));
    }
  }
  if (filter.from && filter.drop) {
    return FieldOutOfRange("drop", "nothing beside from_square");
  }
  return filter;
}

}  // namespace

Status HandleLegalMoves(const HandlerSettings& settings, Call& call,
                        const v1::LegalMovesRequest& request,
                        v1::LegalMovesResponse* answer) {
  const auto filter = ReadFilter(request);
  if (auto* refusal = std::get_if<Status>(&filter)) return *refusal;
  const auto read = RequestGame(settings, call, request.game());
  if (auto* refusal = std::get_if<Status>(&read)) return *refusal;
  const Game& game = std::get<Game>(read);

  WriteLegalMoves(game, answer->mutable_moves(), std::get<MoveFilter>(filter));
  answer->set_fen(ToFen(game.position()));
  WriteState(game, answer->mutable_state());
  return {};
}

}  // namespace sittuyin::service
