// The hand-made judgement of a position that nobody searches further.
#ifndef SITTUYIN_ENGINE_EVAL_EVALUATE_H_
#define SITTUYIN_ENGINE_EVAL_EVALUATE_H_

#include "engine/eval/value.h"
#include "engine/rules/position.h"

namespace sittuyin {

// Worth of `position` to the side to move, within kMaxEvaluation: material,
// placement, mobility, safety of the king, threats, prospects of promotion;
// the technique of mating against a bare king. Draws by the law are the
// search's to see, but what is hard to win counts little here. Kings may be in
// hand. Equal for a position and its half-turn with colours swapped.
Value Evaluate(const Position& position);

}  // namespace sittuyin

#endif  // SITTUYIN_ENGINE_EVAL_EVALUATE_H_
