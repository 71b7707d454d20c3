// What a value promises: the chances of winning, drawing and losing.
#ifndef SITTUYIN_ENGINE_EVAL_OUTCOME_H_
#define SITTUYIN_ENGINE_EVAL_OUTCOME_H_

#include "engine/eval/value.h"

namespace sittuyin {

// Thousandths; they sum to 1000.
struct Outcome {
  int win = 0;
  int draw = 1000;
  int loss = 0;
  friend bool operator==(const Outcome&, const Outcome&) = default;
};

// Certain for a mate; otherwise rises and falls with `value`, and swaps win
// and loss with its sign.
Outcome ExpectedOutcome(Value value);

}  // namespace sittuyin

#endif  // SITTUYIN_ENGINE_EVAL_OUTCOME_H_
