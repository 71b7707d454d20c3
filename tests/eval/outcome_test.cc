#include "engine/eval/outcome.h"

#include <gtest/gtest.h>

namespace sittuyin {
namespace {

TEST(ExpectedOutcomeTest, AnyValue_SumsToThousand) {
  for (Value value = -kMate; value <= kMate; value += 7) {
    const Outcome outcome = ExpectedOutcome(value);
    EXPECT_EQ(outcome.win + outcome.draw + outcome.loss, 1000) << value;
    EXPECT_GE(outcome.win, 0) << value;
    EXPECT_GE(outcome.draw, 0) << value;
    EXPECT_GE(outcome.loss, 0) << value;
  }
}

TEST(ExpectedOutcomeTest, HigherValue_NeverWinsLess) {
  for (Value value = -3000; value < 3000; ++value) {
    EXPECT_LE(ExpectedOutcome(value).win, ExpectedOutcome(value + 1).win);
    EXPECT_GE(ExpectedOutcome(value).loss, ExpectedOutcome(value + 1).loss);
  }
}

TEST(ExpectedOutcomeTest, OppositeValue_SwapsWinAndLoss) {
  for (const Value value : {0, 1, 90, 500, 2000, kMate - 3}) {
    const Outcome ours = ExpectedOutcome(value);
    const Outcome theirs = ExpectedOutcome(-value);
    EXPECT_EQ(ours.win, theirs.loss);
    EXPECT_EQ(ours.draw, theirs.draw);
  }
}

TEST(ExpectedOutcomeTest, Mate_IsCertain) {
  EXPECT_EQ(ExpectedOutcome(kMate - 5), (Outcome{1000, 0, 0}));
  EXPECT_EQ(ExpectedOutcome(-kMate + 4), (Outcome{0, 0, 1000}));
}

}  // namespace
}  // namespace sittuyin
