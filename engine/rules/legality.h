// One move: legal, or why not.
#ifndef SITTUYIN_ENGINE_RULES_LEGALITY_H_
#define SITTUYIN_ENGINE_RULES_LEGALITY_H_

#include <optional>
#include <variant>

#include "engine/board/move.h"
#include "engine/board/types.h"
#include "engine/rules/position.h"
#include "engine/rules/violation.h"

namespace sittuyin {

// A move as somebody means it, free of any position: a drop of `dropped`, or
// a board move from `from`, with or without the wish to promote.
struct MoveIntent {
  std::optional<PieceType> dropped = std::nullopt;
  Square from{};  // Unused for a drop.
  Square to{};
  bool promotes = false;  // Written with a promotion suffix.
};

// The legal move that `intent` means in `position`, or the first reason, in
// the order of the enum, for which it is none. Gives never kMalformedMove,
// kGameOver or kAmbiguousMove: those are for who reads the text.
std::variant<Move, Violation> Judge(const Position& position,
                                    const MoveIntent& intent);

}  // namespace sittuyin

#endif  // SITTUYIN_ENGINE_RULES_LEGALITY_H_
