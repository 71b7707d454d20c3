// Where other programs err, and the law's own examples.
#include <string>

#include "engine/notation/fen.h"
#include "engine/rules/ending.h"
#include "engine/rules/movegen.h"
#include "gtest/gtest.h"
#include "tests/testing/positions.h"

namespace sittuyin {
namespace {

using testing::At;
using testing::FenAfter;
using testing::Flipped;
using testing::GameAt;
using testing::Moves;
using testing::MovesFrom;
using testing::Promotions;
using testing::Texts;
using testing::Verdict;

class TrapTest : public testing::EveryRuleSetTest {};

TEST_P(TrapTest, AnElephantChecksStraightAheadAsItsOwnSideSees) {
  for (const std::string mate :
       {"k7/B7/1K6/8/8/8/8/1R6 b", "k7/S7/1K6/8/8/8/8/1R6[] b - - 0 1"}) {
    EXPECT_EQ(GameAt(GetParam(), mate).Ending(), Termination::kCheckmate);
    EXPECT_EQ(GameAt(GetParam(), Flipped(mate)).Ending(),
              Termination::kCheckmate);
  }
  const std::string stalemate = "8/8/8/8/8/K7/B7/k7 b";
  EXPECT_EQ(GameAt(GetParam(), stalemate).Ending(), Termination::kStalemate);
  EXPECT_EQ(GameAt(GetParam(), Flipped(stalemate)).Ending(),
            Termination::kStalemate);
}

TEST_P(TrapTest, ElephantAndKing_GeometryOfChecks) {
  EXPECT_TRUE(At(GetParam(), "3k4/8/8/8/8/3S4/3s4/3K4[] w - - 0 1").InCheck());
  EXPECT_TRUE(At(GetParam(), "3k4/3S4/8/8/8/8/8/3K4[] b - - 0 1").InCheck());
  // Straight behind and beside it the elephant attacks nothing.
  EXPECT_FALSE(At(GetParam(), "8/8/8/3S4/3k4/8/8/6K1[] b - - 0 1").InCheck());
  EXPECT_FALSE(At(GetParam(), "8/8/8/3Sk3/8/8/8/6K1[] b - - 0 1").InCheck());
}

TEST_P(TrapTest, AShortStepOfTwoSoldiersIsAmbiguous) {
  const Position position = At(GetParam(), "7k/1P6/8/3P4/8/8/8/K7[] w - - 0 1");
  EXPECT_EQ(Verdict(position, "c6=F"), "AMBIGUOUS_MOVE");
  EXPECT_EQ(Verdict(position, "d5c6=F"), "LEGAL");
  EXPECT_EQ(Verdict(position, "b7c6=F"), "LEGAL");
}

TEST_P(TrapTest, Vectors_PromotionsOfThePublishedPositions) {
  const auto promotions = [&](const char* fen) {
    return Promotions(At(GetParam(), fen));
  };
  EXPECT_EQ(promotions("4k3/8/8/3P4/8/8/P7/4K3[] w - - 0 1"),
            (Texts{"d5d5f", "d5c4f", "d5e4f", "d5c6f", "d5e6f"}));
  EXPECT_EQ(promotions("4k3/8/2p5/3P4/8/8/P7/4K3[] w - - 5 10"),
            (Texts{"d5c4f", "d5e4f", "d5e6f"}));
  EXPECT_EQ(
      Verdict(At(GetParam(), "4k3/8/2p5/3P4/8/8/P7/4K3[] w - - 5 10"), "d5c6"),
      "LEGAL");
  EXPECT_EQ(promotions("3rk3/8/8/3P4/8/8/P7/3RK3[] w - - 0 1").size(), 5);
  EXPECT_EQ(promotions("P3k3/8/8/8/8/8/P7/4K3[] w - - 0 1"),
            (Texts{"a8a8f", "a8b7f"}));
  EXPECT_EQ(promotions("8/8/8/8/7k/8/2P5/K6r[] w - - 0 1"),
            (Texts{"c2b1f", "c2d1f"}));
  EXPECT_EQ(promotions("8/8/8/K2P3r/8/8/8/7k[] w - - 0 1"), Texts{"d5d5f"});
  EXPECT_EQ(
      MovesFrom(At(GetParam(), "2P1k3/8/8/8/8/8/P7/4K3[] w - - 0 1"), "c8"),
      Texts{});
}

TEST_P(TrapTest, Vector_CaptureOfTheLastManStartsTheCount) {
  EXPECT_EQ(
      FenAfter(GetParam(), "4k3/8/8/8/8/8/r7/R3K3[] w - - 5 10", {"a1a2"}),
      Laws(GetParam()).counting ? "4k3/8/8/8/8/8/R7/4K3[] b - 32 0 10"
                                : "4k3/8/8/8/8/8/R7/4K3[] b - - 0 10");
}

SITTUYIN_EVERY_RULE_SET(TrapTest);

}  // namespace
}  // namespace sittuyin
