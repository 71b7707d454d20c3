// Moves as answers.
#ifndef SITTUYIN_SERVICE_CONVERT_MOVE_H_
#define SITTUYIN_SERVICE_CONVERT_MOVE_H_

#include <optional>

#include "engine/board/move.h"
#include "engine/game/game.h"
#include "engine/rules/position.h"
#include "sittuyin/v1/sittuyin.pb.h"

namespace sittuyin::service {

using MoveAnswers = google::protobuf::RepeatedPtrField<v1::Move>;

// Precondition: `move` is legal in `position`.
void WriteMove(const Position& position, Move move, v1::Move* answer);

// Which moves are wanted; all of them when nothing is set.
struct MoveFilter {
  std::optional<Square> from;     // Board moves that begin here.
  std::optional<PieceType> drop;  // Drops of this man.
};

// The legal moves of `game` in the engine's order; none when it is over.
void WriteLegalMoves(const Game& game, MoveAnswers* answer,
                     const MoveFilter& filter = {});

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_CONVERT_MOVE_H_
