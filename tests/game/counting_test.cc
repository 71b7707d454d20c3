// Counting against a bare king, under the rule sets that know it.
#include <optional>
#include <string>
#include <vector>

#include "engine/game/game.h"
#include "engine/notation/fen.h"
#include "gtest/gtest.h"
#include "tests/testing/positions.h"

namespace sittuyin {
namespace {

using testing::FenAfter;
using testing::Flipped;
using testing::FlippedMove;
using testing::GameAt;
using testing::TerminationName;

class CountingTest : public testing::EveryRuleSetTest {
 protected:
  // The fourth and fifth field after the moves, for either colour.
  void ExpectCount(const std::string& fen,
                   const std::vector<std::string>& moves,
                   const std::string& fields) {
    EXPECT_EQ(Fields(FenAfter(GetParam(), fen, moves)), fields) << fen;
    std::vector<std::string> flipped;
    for (const std::string& move : moves) flipped.push_back(FlippedMove(move));
    EXPECT_EQ(Fields(FenAfter(GetParam(), Flipped(fen), flipped)), fields)
        << Flipped(fen);
  }

 private:
  static std::string Fields(const std::string& fen) {
    const std::size_t start = fen.find(" - ") + 3;
    return fen.substr(start, fen.rfind(' ') - start);
  }
};

TEST_P(CountingTest, Start_ByTheAttackersBestMan) {
  ExpectCount("4k3/8/8/8/8/8/r7/R3K3[] w - - 5 10", {"a1a2"}, "32 0");
  ExpectCount("4k3/8/8/8/8/8/r7/R3KSNF[] w - - 5 10", {"a1a2"}, "32 0");
  ExpectCount("4k3/8/8/8/8/8/n7/1S2K3[] w - - 5 10", {"b1a2"}, "88 0");
  ExpectCount("4k3/8/8/8/8/8/n7/1S2KNNF[] w - - 5 10", {"b1a2"}, "88 0");
  ExpectCount("4k3/8/8/8/8/8/n7/2N1KN2[] w - - 5 10", {"c1a2"}, "128 0");
  ExpectCount("4k3/8/8/8/8/8/n7/2N1KF2[] w - - 5 10", {"c1a2"}, "128 0");
}

TEST_P(CountingTest, Start_NoneForAGeneralAlone) {
  ExpectCount("4k3/8/8/8/8/8/n7/1F2K3[] w - - 5 10", {"b1a2"}, "- 0");
}

TEST_P(CountingTest, Start_NoneWhileASoldierStands) {
  ExpectCount("4k3/8/8/8/8/7P/r7/R3K3[] w - - 5 10", {"a1a2"}, "- 0");
  ExpectCount("4k3/7p/8/8/8/8/r7/R3K3[] w - - 5 10", {"a1a2"}, "- 0");
}

TEST_P(CountingTest, Start_NoneWhileBothHaveMen) {
  ExpectCount("4k2n/8/8/8/8/8/r7/R3K3[] w - - 5 10", {"a1a2"}, "- 0");
}

TEST_P(CountingTest, Start_NoneWhileAHandHoldsAMan) {
  ExpectCount("4k3/8/8/8/8/8/R7/4K3[n] w - - 5 10", {"a2a3"}, "- 6");
}

TEST_P(CountingTest, Start_ByTheDropThatEmptiesTheHand) {
  ExpectCount("4k3/8/8/8/8/8/8/4K3[R] w - - 5 10", {"R@a1"}, "32 0");
}

TEST_P(CountingTest, Start_ByCaptureOfTheLastSoldier) {
  ExpectCount("4k3/8/8/8/8/8/p7/R3K3[] w - - 5 10", {"a1a2"}, "32 0");
}

TEST_P(CountingTest, Start_ByPromotionOfTheLastSoldier) {
  ExpectCount("4k3/8/8/3P4/8/8/8/R3K3[] w - - 5 10", {"d5d5f"}, "32 0");
  ExpectCount("4k3/8/8/3P4/8/8/8/R3K3[] w - - 5 10", {"d5e6f"}, "32 0");
  EXPECT_EQ(
      FenAfter(GetParam(), "4k3/8/8/3P4/8/8/8/R3K3[] w - - 0 1", {"d5d5f"}),
      "4k3/8/8/3F4/8/8/8/R3K3[] b - 32 0 1");
}

TEST_P(CountingTest, Start_BareKingTakesTheLastSoldier_AfterTheNextMove) {
  ExpectCount("7R/8/8/4k3/4P3/8/8/4K3[] b - - 5 10", {"e5e4"}, "- 0");
  ExpectCount("7R/8/8/4k3/4P3/8/8/4K3[] b - - 5 10", {"e5e4", "h8h7"}, "32 0");
  ExpectCount("7R/8/8/4k3/4P3/8/8/4K3[] b - - 5 10", {"e5e4", "h8h7", "e4d4"},
              "32 1");
}

TEST_P(CountingTest, Start_BareKingToMoveWithoutACount_AfterTheNextMove) {
  const std::string fen = "4k3/8/8/8/8/8/R7/4K3[] b - - 5 10";
  ExpectCount(fen, {}, "- 5");
  ExpectCount(fen, {"e8d8"}, "- 6");
  ExpectCount(fen, {"e8d8", "a2a3"}, "32 0");
  ExpectCount(fen, {"e8d8", "a2a3", "d8e8"}, "32 1");
}

TEST_P(CountingTest, Start_AttackerToMoveWithoutACount_AfterThatMove) {
  ExpectCount("4k3/8/8/8/8/8/R7/4K3[] w - - 5 10", {"a2a3"}, "32 0");
}

TEST_P(CountingTest, Runs_EveryPly) {
  ExpectCount("4k3/8/8/8/8/8/r7/R3K3[] w - - 5 10",
              {"a1a2", "e8d8", "a2a3", "d8e8", "a3a2"}, "32 4");
}

TEST_P(CountingTest, Runs_OnFromAFen) {
  ExpectCount("4k3/8/8/8/8/8/R7/4K3[] b - 32 7 10", {}, "32 7");
  ExpectCount("4k3/8/8/8/8/8/R7/4K3[] b - 32 7 10", {"e8d8"}, "32 8");
  // With the limit of the FEN, whatever the best man is now.
  ExpectCount("4k3/8/8/8/8/8/N2N4/4K3[] b - 32 7 10", {"e8d8"}, "32 8");
  ExpectCount("4k3/8/8/8/8/8/R7/4K3[] b - 128 7 10", {"e8d8"}, "128 8");
}

TEST_P(CountingTest, Runs_TheBareKingsCapturesKeepCountAndLimit) {
  ExpectCount("8/8/8/8/8/1k6/R5SN/4K3[] b - 32 7 10", {"b3a2"}, "32 8");
  ExpectCount("8/8/8/8/8/1k6/R5SN/4K3[] b - 32 7 10", {"b3a2", "e1e2"}, "32 9");
}

TEST_P(CountingTest, Exhausted_WhenTheCountExceedsTwiceTheLimit) {
  const std::string fen = "4k3/8/8/8/8/8/R7/4K3[] b - 32 31 60";
  EXPECT_EQ(GameAt(GetParam(), fen, {"e8d8"}).Ending(), Termination::kNone);
  const GameState state = GameAt(GetParam(), fen, {"e8d8", "a2a3"}).State();
  EXPECT_EQ(state.termination, Termination::kCountExhausted);
  EXPECT_EQ(state.result, Result::kDraw);
  EXPECT_EQ(state.phase, Phase::kFinished);
  EXPECT_TRUE(state.claims.empty());
  for (const char* limit : {"32 32", "88 88", "128 128"}) {
    const std::string full =
        "4k3/8/8/8/8/8/RR6/4K3[] b - " + std::string(limit) + " 60";
    EXPECT_EQ(GameAt(GetParam(), full).Ending(), Termination::kNone);
    EXPECT_EQ(GameAt(GetParam(), full, {"e8d8"}).Ending(),
              Termination::kCountExhausted);
  }
  for (const char* plies : {"33", "65535", "65536", "999999"}) {
    const std::string over =
        "4k3/8/8/8/8/8/R7/4K3[] b - 32 " + std::string(plies) + " 60";
    const Game game = GameAt(GetParam(), over);
    EXPECT_EQ(game.Ending(), Termination::kCountExhausted);
    EXPECT_EQ(ToFen(game.position()), over);
  }
}

TEST_P(CountingTest, Exhausted_PliesPlayedOneByOne) {
  std::vector<std::string> moves = {"a1a2"};
  const std::vector<std::string> round = {"e8d8", "a2a3", "d8e8", "a3a2"};
  for (int i = 0; i < 32; ++i) moves.push_back(round[i % 4]);
  Game game = GameAt(GetParam(), "4k3/8/8/8/8/8/r7/R3K3[] w - - 5 10", moves);
  EXPECT_EQ(game.Ending(), Termination::kNone);
  EXPECT_EQ(game.State().counting->moves_left, 0);
  game.Play("e8d8");
  EXPECT_EQ(game.Ending(), Termination::kCountExhausted);
}

TEST_P(CountingTest, State_AttackerLimitPliesAndMovesLeft) {
  const std::string fen = "4k3/8/8/8/8/8/R7/4K3[] b - 32 7 10";
  const GameState red = GameAt(GetParam(), fen).State();
  ASSERT_TRUE(red.counting.has_value());
  EXPECT_EQ(red.counting->attacker, Color::kRed);
  EXPECT_EQ(red.counting->limit_moves, 16);
  EXPECT_EQ(red.counting->plies_counted, 7);
  EXPECT_EQ(red.counting->moves_left, 16 - 3);
  const GameState black = GameAt(GetParam(), Flipped(fen)).State();
  ASSERT_TRUE(black.counting.has_value());
  EXPECT_EQ(black.counting->attacker, Color::kBlack);
  EXPECT_FALSE(GameAt(GetParam(), "4k3/8/8/8/8/8/R7/4K3[] b - - 7 10")
                   .State()
                   .counting.has_value());
  EXPECT_EQ(GameAt(GetParam(), "4k3/8/8/8/8/8/S7/4K3[] b - 88 8 10")
                .State()
                .counting->moves_left,
            44 - 4);
  EXPECT_EQ(GameAt(GetParam(), "4k3/8/8/8/8/8/N6N/4K3[] b - 128 9 10")
                .State()
                .counting->moves_left,
            64 - 4);
}

TEST_P(CountingTest, Clock_RunsBesideTheCount) {
  const Game game = GameAt(GetParam(), "4k3/8/8/8/8/8/NN6/4K3[] w - - 40 10",
                           {"e1d1", "e8d8"});
  EXPECT_EQ(game.State().halfmove_clock, 42);
  EXPECT_EQ(game.State().counting->plies_counted, 1);
}

TEST_P(CountingTest, Clock_StartsAtZeroFromAFenThatCounts) {
  const Game game =
      GameAt(GetParam(), "4k3/8/8/8/8/8/NN6/4K3[] b - 128 60 10", {"e8d8"});
  EXPECT_EQ(game.State().halfmove_clock, 1);
  EXPECT_EQ(game.State().counting->plies_counted, 61);
}

TEST_P(CountingTest, Clock_TheHundredPlyClaimStandsBesideTheCount) {
  const Game game =
      GameAt(GetParam(), "4k3/8/8/8/8/8/NN6/4K3[] w - - 99 90", {"e1d1"});
  EXPECT_EQ(testing::ClaimNames(game.State().claims),
            std::vector<std::string>{"HUNDRED_PLIES"});
  EXPECT_EQ(game.State().counting->limit_moves, 64);
}

INSTANTIATE_TEST_SUITE_P(Sets, CountingTest,
                         ::testing::Values(RuleSetId::kChessplayx,
                                           RuleSetId::kPychess,
                                           RuleSetId::kTraditional),
                         testing::RuleSetName);

class NoCountingTest : public testing::EveryRuleSetTest {};

TEST_P(NoCountingTest, NoCountStarts) {
  const Game game =
      GameAt(GetParam(), "4k3/8/8/8/8/8/r7/R3K3[] w - - 5 10", {"a1a2"});
  EXPECT_FALSE(game.State().counting.has_value());
  EXPECT_EQ(ToFen(game.position()), "4k3/8/8/8/8/8/R7/4K3[] b - - 0 10");
}

TEST_P(NoCountingTest, ACountInTheFenIsIgnoredAndTheClockIsZero) {
  const Game game = GameAt(GetParam(), "4k3/8/8/8/8/8/R7/4K3[] b - 32 33 10");
  EXPECT_EQ(game.Ending(), Termination::kNone);
  EXPECT_EQ(game.State().halfmove_clock, 0);
  EXPECT_FALSE(game.State().counting.has_value());
  EXPECT_EQ(ToFen(game.position()), "4k3/8/8/8/8/8/R7/4K3[] b - - 0 10");
}

INSTANTIATE_TEST_SUITE_P(Sets, NoCountingTest,
                         ::testing::Values(RuleSetId::kYouzai,
                                           RuleSetId::kVchess),
                         testing::RuleSetName);

}  // namespace
}  // namespace sittuyin
