// Clock, repetition and claims under each rule set, and which end comes first.
#include <string>
#include <vector>

#include "engine/game/game.h"
#include "gmock/gmock.h"
#include "tests/testing/positions.h"

namespace sittuyin {
namespace {

using testing::ClaimNames;
using ::testing::ElementsAre;
using testing::GameAt;
using ::testing::IsEmpty;
using testing::TerminationName;

using Claims = std::vector<std::string>;

class DrawsTest : public testing::EveryRuleSetTest {
 protected:
  const RuleSet& laws() const { return Laws(GetParam()); }

  // `draw` as the rule set has it: an end, a claim or nothing.
  void ExpectDraw(const Game& game, DrawRule rule, const std::string& draw) {
    const GameState state = game.State();
    EXPECT_EQ(TerminationName(state.termination),
              rule == DrawRule::kAutomatic ? draw : "NONE");
    EXPECT_EQ(state.result,
              rule == DrawRule::kAutomatic ? Result::kDraw : Result::kOngoing);
    EXPECT_EQ(ClaimNames(state.claims),
              rule == DrawRule::kOnClaim ? Claims{draw} : Claims{});
  }
  void ExpectNoDraw(const Game& game) {
    EXPECT_EQ(game.Ending(), Termination::kNone);
    EXPECT_THAT(game.State().claims, IsEmpty());
  }
};

const std::vector<std::string> kShuffle = {"e1d1", "e8d8", "d1e1", "d8e8"};
const char kQuiet[] = "4k3/7p/8/8/8/8/7P/4K3[] w - - 0 7";

std::vector<std::string> Times(int n, const std::vector<std::string>& moves) {
  std::vector<std::string> all;
  for (int i = 0; i < n; ++i) all.insert(all.end(), moves.begin(), moves.end());
  return all;
}

TEST_P(DrawsTest, Repetition_TheThirdTime) {
  EXPECT_EQ(GameAt(GetParam(), kQuiet).Repetitions(), 1);
  const Game second = GameAt(GetParam(), kQuiet, Times(1, kShuffle));
  EXPECT_EQ(second.Repetitions(), 2);
  EXPECT_EQ(second.State().repetitions, 2);
  ExpectNoDraw(second);
  const Game third = GameAt(GetParam(), kQuiet, Times(2, kShuffle));
  EXPECT_EQ(third.Repetitions(), 3);
  ExpectDraw(third, laws().threefold_repetition, "THREEFOLD_REPETITION");
}

TEST_P(DrawsTest, Repetition_NotInARowNorByOneSide) {
  const Game game =
      GameAt(GetParam(), kQuiet,
             {"e1d1", "e8d8", "d1e1", "d8e8", "e1f1", "e8f8", "f1e1", "f8e8"});
  EXPECT_EQ(game.Repetitions(), 3);
  ExpectDraw(game, laws().threefold_repetition, "THREEFOLD_REPETITION");
}

TEST_P(DrawsTest, Repetition_TheClaimIsThePositionsAlone) {
  if (laws().threefold_repetition != DrawRule::kOnClaim) return;
  std::vector<std::string> moves = Times(2, kShuffle);
  moves.push_back("e1f1");
  ExpectNoDraw(GameAt(GetParam(), kQuiet, moves));
}

TEST_P(DrawsTest, Repetition_TheSideToMoveTellsPositionsApart) {
  // Black loses a move: the men stand as before, the side to move differs.
  const Game game = GameAt(GetParam(), "4k3/7p/8/8/8/8/7P/R3K3[] w - - 0 7",
                           {"a1a2", "e8d8", "a2a3", "d8e8", "a3a1"});
  EXPECT_EQ(game.Repetitions(), 1);
}

TEST_P(DrawsTest, PerpetualCheck_IsNoMoreThanARepetition) {
  const std::vector<std::string> checks = {"a7a8", "e8e7", "a8a7", "e7e8"};
  const char fen[] = "4k3/R7/8/8/8/8/7P/7K[] w - - 0 7";
  ExpectNoDraw(GameAt(GetParam(), fen, Times(1, checks)));
  ExpectDraw(GameAt(GetParam(), fen, Times(2, checks)),
             laws().threefold_repetition, "THREEFOLD_REPETITION");
}

TEST_P(DrawsTest, Clock_AtAHundredPlies) {
  const char ninety_nine[] = "4k3/7p/8/8/8/8/7P/4K3[] w - - 99 60";
  ExpectNoDraw(GameAt(GetParam(), ninety_nine));
  const Game hundred = GameAt(GetParam(), ninety_nine, {"e1d1"});
  EXPECT_EQ(hundred.State().halfmove_clock, 100);
  ExpectDraw(hundred, laws().hundred_plies, "HUNDRED_PLIES");
}

TEST_P(DrawsTest, Clock_PliesPlayedAreCounted) {
  // A hundred plies without the same position a third time.
  const std::vector<std::string> red = {"a1a2", "a2a3", "a3a4", "a4a5", "a5b5",
                                        "b5b4", "b4b3", "b3b2", "b2b1", "b1a1"};
  const std::vector<std::string> black = {"h8g8", "g8f8", "f8e8", "e8d8",
                                          "d8c8", "c8d8", "d8e8", "e8f8",
                                          "f8g8", "g8g7", "g7h7", "h7h8"};
  std::vector<std::string> moves;
  for (int i = 0; i < 50; ++i) {
    moves.push_back(red[i % 10]);
    moves.push_back(black[i % 12]);
  }
  const char fen[] = "7k/8/8/8/7p/7P/8/R3K3[] w - - 0 1";
  const std::string last = moves.back();
  moves.pop_back();
  const Game before = GameAt(GetParam(), fen, moves);
  EXPECT_EQ(before.State().halfmove_clock, 99);
  ExpectNoDraw(before);
  Game after = before;
  after.Play(last);
  ExpectDraw(after, laws().hundred_plies, "HUNDRED_PLIES");
}

TEST_P(DrawsTest, Clock_StartsAnewAfterCaptureSoldierMovePromotionAndDrop) {
  const auto clock_after = [&](const char* fen, const char* move) {
    return GameAt(GetParam(), fen, {move}).State().halfmove_clock;
  };
  EXPECT_EQ(clock_after("4k3/7p/8/8/8/8/7P/4K3[] w - - 57 60", "e1d1"), 58);
  EXPECT_EQ(clock_after("4k3/7p/8/8/8/8/7P/4K3[] w - - 57 60", "h2h3"), 0);
  EXPECT_EQ(clock_after("4k3/7p/8/8/8/8/r6P/R3K3[] w - - 57 60", "a1a2"), 0);
  EXPECT_EQ(clock_after("4k3/8/8/3P4/8/8/7P/4K3[] w - - 57 60", "d5d5f"), 0);
  EXPECT_EQ(clock_after("4k3/8/8/3P4/8/8/7P/4K3[] w - - 57 60", "d5e6f"), 0);
  EXPECT_EQ(clock_after("4k3/7p/8/8/8/8/7P/4K3[N] w - - 57 60", "N@a1"), 0);
}

TEST_P(DrawsTest, Clock_ClaimStandsWhileTheClockIsPastItsLimit) {
  if (laws().hundred_plies != DrawRule::kOnClaim) return;
  EXPECT_THAT(
      ClaimNames(GameAt(GetParam(), "4k3/7p/8/8/8/8/7P/4K3[] w - - 140 60")
                     .State()
                     .claims),
      ElementsAre("HUNDRED_PLIES"));
}

// King and one soldier, not in check, and nothing but promotions.
const char kOnlyPromotions[] = "1k4PK/3r4/8/8/8/8/8/8[] w - - 0 1";
const char kOnlyPromotionsInCheck[] = "8/8/8/8/7k/2nn4/2P5/K6r[] w - - 0 1";

TEST_P(DrawsTest, OnlyPromotionsLeft_OnClaimWhereTheRuleSetKnowsIt) {
  ASSERT_EQ(testing::Moves(testing::At(GetParam(), kOnlyPromotions)),
            (testing::Texts{"g8f7f", "g8g8f", "g8h7f"}));
  const bool claim =
      GetParam() != RuleSetId::kYouzai && GetParam() != RuleSetId::kVchess;
  for (const std::string& fen :
       {std::string(kOnlyPromotions), testing::Flipped(kOnlyPromotions)}) {
    ExpectDraw(GameAt(GetParam(), fen),
               claim ? DrawRule::kOnClaim : DrawRule::kNone,
               "ONLY_PROMOTIONS_LEFT");
  }
}

TEST_P(DrawsTest, OnlyPromotionsLeft_InCheckUnderChessplayxAlone) {
  ASSERT_EQ(testing::Moves(testing::At(GetParam(), kOnlyPromotionsInCheck)),
            (testing::Texts{"c2b1f", "c2d1f"}));
  ExpectDraw(GameAt(GetParam(), kOnlyPromotionsInCheck),
             GetParam() == RuleSetId::kChessplayx ? DrawRule::kOnClaim
                                                  : DrawRule::kNone,
             "ONLY_PROMOTIONS_LEFT");
}

TEST_P(DrawsTest, OnlyPromotionsLeft_NotWithAnotherManOrAnotherMove) {
  // A second soldier, stuck.
  ASSERT_EQ(testing::Moves(
                testing::At(GetParam(), "Pk4PK/3r4/8/8/8/8/8/8[] w - - 0 1")),
            (testing::Texts{"a8a8f", "a8b7f"}));
  ExpectNoDraw(GameAt(GetParam(), "Pk4PK/3r4/8/8/8/8/8/8[] w - - 0 1"));
  // A step of the king beside the promotions.
  ExpectNoDraw(GameAt(GetParam(), "1k5K/3r2P1/8/8/8/8/8/8[] w - - 0 1"));
}

TEST_P(DrawsTest, Claims_SeveralInTheOrderOfTheContract) {
  if (laws().only_promotions_left != DrawRule::kOnClaim) return;
  EXPECT_THAT(
      ClaimNames(GameAt(GetParam(), "1k4PK/3r4/8/8/8/8/8/8[] w - - 100 90")
                     .State()
                     .claims),
      ElementsAre("HUNDRED_PLIES", "ONLY_PROMOTIONS_LEFT"));
}

TEST_P(DrawsTest, Claims_RepetitionAndClockTogether) {
  const Game game = GameAt(GetParam(), "4k3/7p/8/8/8/8/7P/4K3[] w - - 92 60",
                           Times(2, kShuffle));
  ASSERT_EQ(game.State().halfmove_clock, 100);
  if (laws().threefold_repetition == DrawRule::kAutomatic) {
    // The earlier of two ends at once.
    EXPECT_EQ(TerminationName(game.Ending()), "THREEFOLD_REPETITION");
    return;
  }
  EXPECT_EQ(ClaimNames(game.State().claims),
            laws().hundred_plies == DrawRule::kOnClaim
                ? (Claims{"THREEFOLD_REPETITION", "HUNDRED_PLIES"})
                : Claims{"THREEFOLD_REPETITION"});
}

TEST_P(DrawsTest, Order_CheckmateBeatsEveryDrawOfTheSamePly) {
  // By clock.
  EXPECT_EQ(
      TerminationName(
          GameAt(GetParam(), "k7/8/K7/8/8/7P/8/2R5[] w - - 99 60", {"c1c8"})
              .Ending()),
      "CHECKMATE");
  // By count: the last of sixteen moves, and a ply too late.
  EXPECT_EQ(
      TerminationName(
          GameAt(GetParam(), "k7/8/K7/8/8/8/8/2R5[] w - 32 31 60", {"c1c8"})
              .Ending()),
      "CHECKMATE");
  EXPECT_EQ(
      TerminationName(
          GameAt(GetParam(), "k7/8/K7/8/8/8/8/2R5[] w - 32 32 60", {"c1c8"})
              .Ending()),
      "CHECKMATE");
}

TEST_P(DrawsTest, Order_StalemateBeatsDeadCountAndClock) {
  const auto ending = [&](const char* fen) {
    return TerminationName(GameAt(GetParam(), fen).Ending());
  };
  EXPECT_EQ(ending("8/8/8/8/8/1K6/2F5/k7[] b - - 100 60"), "STALEMATE");
  EXPECT_EQ(ending("8/8/8/8/8/K7/S7/k7[] b - 88 89 60"), "STALEMATE");
}

TEST_P(DrawsTest, Order_DeadBeatsCountAndClock) {
  if (laws().dead_positions == DeadPositions::kNone) return;
  // The bare king takes the last man on the ply that exhausts the count.
  EXPECT_EQ(
      TerminationName(
          GameAt(GetParam(), "8/8/8/8/8/k7/R7/4K3[] b - 32 32 60", {"a3a2"})
              .Ending()),
      "DEAD_POSITION");
}

TEST_P(DrawsTest, Order_CountBeatsRepetitionAndClock) {
  if (!laws().counting) return;
  EXPECT_EQ(
      TerminationName(GameAt(GetParam(), "4k3/8/8/8/8/8/R7/4K3[] b - 32 25 60",
                             {"e8d8", "e1d1", "d8e8", "d1e1", "e8d8", "e1d1",
                              "d8e8", "d1e1"})
                          .Ending()),
      "COUNT_EXHAUSTED");
}

SITTUYIN_EVERY_RULE_SET(DrawsTest);

}  // namespace
}  // namespace sittuyin
