// One move: legal, or why not.
#ifndef SITTUYIN_ENGINE_RULES_LEGALITY_H_
#define SITTUYIN_ENGINE_RULES_LEGALITY_H_

#include <variant>

#include "engine/board/move.h"
#include "engine/rules/position.h"
#include "engine/rules/violation.h"

namespace sittuyin {

// Is this move among the legal ones? For any bits whatever, so that moves from
// hash tables can be tried without trust.
bool IsLegal(const Position& position, Move move);

// The legal move that `written` means in `position`, or the reason for which it
// is none that ViolationReason has first. `written` is a move as somebody
// writes it, any at all: a drop, a board move, or with a suffix a promotion.
// Gives never kMalformedMove, kGameOver or kAmbiguousMove: those are for who
// reads the text.
std::variant<Move, Violation> Judge(const Position& position, Move written);

}  // namespace sittuyin

#endif  // SITTUYIN_ENGINE_RULES_LEGALITY_H_
