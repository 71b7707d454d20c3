// How near a side is to mating a king that has nothing left.
#ifndef SITTUYIN_ENGINE_EVAL_BARE_KING_H_
#define SITTUYIN_ENGINE_EVAL_BARE_KING_H_

#include "engine/eval/value.h"
#include "engine/rules/position.h"

namespace sittuyin {

// Does `color` own its king alone, board and hand together, with both kings on
// the board and no man in hand anywhere?
bool IsBare(const Position& position, Color color);

// Worth to `attacker` of chasing the other side's bare king: the mating
// material, the king's way to the edge or the right corner, and less the
// further the count has run. Precondition: IsBare(position,
// Opponent(attacker)).
Value EvaluateChase(const Position& position, Color attacker);

}  // namespace sittuyin

#endif  // SITTUYIN_ENGINE_EVAL_BARE_KING_H_
