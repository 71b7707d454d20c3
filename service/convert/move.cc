#include "service/convert/move.h"

#include <string>
#include <utility>

#include "engine/notation/move_text.h"
#include "engine/rules/movegen.h"
#include "service/convert/enums.h"

namespace sittuyin::service {
namespace {

v1::MoveKind KindOf(const Position& position, Move move) {
  if (move.IsDrop()) return v1::MOVE_KIND_DROP;
  if (move.IsPromotion()) {
    return move.from() == move.to() ? v1::MOVE_KIND_PROMOTION_IN_PLACE
                                    : v1::MOVE_KIND_PROMOTION_STEP;
  }
  return position.IsCapture(move) ? v1::MOVE_KIND_CAPTURE : v1::MOVE_KIND_STEP;
}

bool Wanted(Move move, const MoveFilter& filter) {
  if (filter.from) return !move.IsDrop() && move.from() == *filter.from;
  if (filter.drop) return move.IsDrop() && move.dropped() == *filter.drop;
  return true;
}

}  // namespace

void WriteMove(const Position& position, Move move, v1::Move* answer) {
  answer->set_uci(ToUci(move));
  std::string san = ToSan(position, move);
  // SAN marks every check, and mate with a sign of its own.
  answer->set_gives_check(san.back() == '+' || san.back() == '#');
  answer->set_san(std::move(san));
  answer->set_kind(KindOf(position, move));
  answer->set_to_square(Name(move.to()));
  if (move.IsDrop()) {
    answer->set_piece(ToProto(move.dropped()));
    return;
  }
  answer->set_from_square(Name(move.from()));
  answer->set_piece(ToProto(position.TypeAt(move.from())));
  if (position.IsCapture(move)) {
    answer->set_captured(ToProto(position.TypeAt(move.to())));
  }
}

void WriteLegalMoves(const Game& game, MoveAnswers* answer,
                     const MoveFilter& filter) {
  if (game.IsOver()) return;
  for (const Move move : LegalMoves(game.position())) {
    if (Wanted(move, filter)) WriteMove(game.position(), move, answer->Add());
  }
}

}  // namespace sittuyin::service
