#include "engine/eval/outcome.h"

#include <cmath>

namespace sittuyin {
namespace {

// The value at which a win is as likely as not, and how fast that changes.
constexpr double kEvenChance = 180.0;
constexpr double kSpread = 90.0;

int WinThousandths(Value value) {
  return static_cast<int>(
      std::lround(1000.0 / (1.0 + std::exp((kEvenChance - value) / kSpread))));
}

}  // namespace

Outcome ExpectedOutcome(Value value) {
  if (IsMate(value)) {
    return value > 0 ? Outcome{1000, 0, 0} : Outcome{0, 0, 1000};
  }
  const int win = WinThousandths(value);
  const int loss = WinThousandths(-value);
  return {.win = win, .draw = 1000 - win - loss, .loss = loss};
}

}  // namespace sittuyin
