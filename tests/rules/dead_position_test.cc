// Dead positions: the list, and what is not on it.
#include <string>

#include "engine/rules/ending.h"
#include "gtest/gtest.h"
#include "tests/testing/positions.h"

namespace sittuyin {
namespace {

using testing::At;
using testing::Flipped;
using testing::GameAt;

class DeadPositionTest : public testing::EveryRuleSetTest {
 protected:
  void ExpectDead(const std::string& fen, bool dead) {
    for (const std::string& text : {fen, Flipped(fen)}) {
      EXPECT_EQ(IsDeadPosition(At(GetParam(), text)), dead) << text;
      EXPECT_EQ(GameAt(GetParam(), text).Ending() == Termination::kDeadPosition,
                dead)
          << text;
    }
  }
  // Whether the rule set takes the whole list.
  bool All() const {
    return GetParam() != RuleSetId::kYouzai && GetParam() != RuleSetId::kVchess;
  }
};

TEST_P(DeadPositionTest, BareKings) {
  ExpectDead("4k3/8/8/8/8/8/8/4K3[] w - - 0 1",
             GetParam() != RuleSetId::kVchess);
}

TEST_P(DeadPositionTest, OneGeneralHorseOrSoldier) {
  ExpectDead("4k3/8/8/8/8/8/8/4K2F[] w - - 0 1", All());
  ExpectDead("4k3/8/8/8/8/8/8/4K2N[] w - - 0 1", All());
  ExpectDead("4k3/8/8/8/8/7P/8/4K3[] w - - 0 1", All());
  ExpectDead("4k3/8/8/8/8/8/8/4K2F[] b - - 0 1", All());
  ExpectDead("4k3/8/8/8/8/8/8/4K2N[] b - - 0 1", All());
  ExpectDead("4k3/8/8/8/8/7P/8/4K3[] b - - 0 1", All());
}

TEST_P(DeadPositionTest, GeneralsOnSquaresOfOneParity) {
  ExpectDead("4k2f/8/8/8/8/8/8/F3K3[] w - - 0 1", All());   // a1, h8.
  ExpectDead("4kf2/8/8/8/8/8/8/F3K3[] w - - 0 1", All());   // a1, f8.
  ExpectDead("4k3/7f/8/8/8/8/8/1F2K3[] b - - 0 1", All());  // b1, h7.
}

TEST_P(DeadPositionTest, GeneralsOfDifferentParity) {
  ExpectDead("4k1f1/8/8/8/8/8/8/F3K3[] w - - 0 1", false);  // a1, g8.
  ExpectDead("4k2f/8/8/8/8/8/8/1F2K3[] w - - 0 1", false);  // b1, h8.
}

TEST_P(DeadPositionTest, AllElseIsAlive) {
  for (const char* fen :
       {"4k3/8/8/8/8/8/8/4K2S[] w - - 0 1", "4k3/8/8/8/8/8/8/4K2R[] w - - 0 1",
        "4k3/8/8/8/8/8/8/4KN1N[] w - - 0 1",
        "4k3/8/8/8/8/8/8/4KN1F[] w - - 0 1",
        "4k3/8/8/8/8/8/7P/4K2F[] w - - 0 1",
        "4k3/8/8/8/8/8/7P/4K2N[] w - - 0 1",
        "4k3/8/8/8/8/8/6PP/4K3[] w - - 0 1",
        "4k2n/8/8/8/8/8/8/4K2N[] w - - 0 1",
        "4k2n/8/8/8/8/8/8/4K2F[] w - - 0 1",
        "4k3/7p/8/8/8/8/7P/4K3[] w - - 0 1",
        "4k3/7p/8/8/8/8/8/4K2F[] w - - 0 1",
        "4k3/7p/8/8/8/8/8/4K2N[] w - - 0 1"}) {
    ExpectDead(fen, false);
  }
}

TEST_P(DeadPositionTest, AnotherReasonIsNone) {
  // Nothing can ever move but the kings.
  ExpectDead("4k3/8/8/8/8/8/8/1pp1K3[] w - - 0 1", false);
}

TEST_P(DeadPositionTest, NeverWhileAHandHoldsAMan) {
  ExpectDead("4k3/8/8/8/8/8/8/4K3[F] w - - 0 1", false);
  ExpectDead("4k3/8/8/8/8/8/8/4K3[n] w - - 0 1", false);
  ExpectDead("4k3/8/8/8/8/8/8/8[K] w - - 0 1", false);
}

SITTUYIN_EVERY_RULE_SET(DeadPositionTest);

}  // namespace
}  // namespace sittuyin
