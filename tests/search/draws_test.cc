// The draws of each rule set, as the search sees them coming.
#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <variant>

#include "engine/notation/move_text.h"
#include "engine/search/search.h"

namespace sittuyin {
namespace {

Game GameAt(RuleSetId rule_set, std::string_view fen,
            std::initializer_list<std::string_view> moves = {}) {
  Game game = std::get<Game>(Game::Start(rule_set, fen));
  for (const std::string_view move : moves) {
    EXPECT_TRUE(std::holds_alternative<Move>(game.Play(move))) << move;
  }
  return game;
}

SearchResult SearchTo(const Game& game, int depth, int multi_pv = 1) {
  SearchLimits limits;
  limits.depth = depth;
  limits.multi_pv = multi_pv;
  Searcher searcher(1 << 20);
  return searcher.Search(game, limits, StopToken());
}

const Score& ScoreOf(const SearchResult& result) {
  return result.lines[0].score;
}

bool IsDrawnScore(const Score& score) {
  return score.mate_in_moves == 0 && score.centipawns == 0;
}

// Black, a chariot down, to move: its king back to e8 is the third occurrence
// of the position after it.
Game BeforeThirdOccurrence(RuleSetId rule_set) {
  return GameAt(rule_set, "4k3/p7/8/8/8/8/P7/R3K3[] w - - 0 1",
                {"e1f1", "e8d8", "f1e1", "d8e8", "e1f1", "e8d8", "f1e1"});
}

TEST(DrawsTest, Repetition_WorseSideTakesItWhereNobodyNeedsClaimIt) {
  for (const RuleSet& laws : kRuleSets) {
    const SearchResult result = SearchTo(BeforeThirdOccurrence(laws.id), 5);
    if (laws.threefold_repetition == DrawRule::kAutomatic) {
      EXPECT_EQ(ToUci(result.best), "d8e8") << laws.name;
      EXPECT_TRUE(IsDrawnScore(ScoreOf(result))) << laws.name;
    } else {
      // It would be Red's to claim, who is better.
      EXPECT_LT(ScoreOf(result).centipawns, -200) << laws.name;
    }
  }
}

TEST(DrawsTest, Repetition_BetterSideAvoidsIt) {
  for (const RuleSet& laws : kRuleSets) {
    const Game game =
        GameAt(laws.id, "4k3/p7/8/8/8/8/P7/R3K3[] b - - 0 1",
               {"e8d8", "e1f1", "d8e8", "f1e1", "e8d8", "e1f1", "d8e8"});
    const SearchResult result = SearchTo(game, 5);
    EXPECT_NE(ToUci(result.best), "f1e1") << laws.name;
    EXPECT_GT(ScoreOf(result).centipawns, 200) << laws.name;
  }
}

// A chariot up, with no move that resets the clock.
constexpr std::string_view kClockAt99 =
    "4k3/8/8/p6p/P6P/8/8/3RK3[] b - - 99 80";

TEST(DrawsTest, HundredPlies_DrawWhereTheRuleSetHasThem) {
  for (const RuleSet& laws : kRuleSets) {
    const Score score = ScoreOf(SearchTo(GameAt(laws.id, kClockAt99), 4));
    if (laws.hundred_plies == DrawRule::kNone) {
      EXPECT_LT(score.centipawns, -200) << laws.name;
    } else {
      EXPECT_TRUE(IsDrawnScore(score)) << laws.name;
    }
  }
}

TEST(DrawsTest, HundredPlies_WhoIsBetterClaimsNothingAndMates) {
  // Red mates in two; on the way the clock runs out with Red to move.
  for (const char* fen : {"7k/8/5N1K/5NF1/8/8/8/6s1[] w - - 98 3",
                          "3k4/8/2RK4/7f/8/8/8/3R4[] w - - 98 3",
                          "k2Pp3/5p2/1K6/2SP4/8/8/8/8[] w - - 98 3"}) {
    for (const RuleSet& laws : kRuleSets) {
      const Score score = ScoreOf(SearchTo(GameAt(laws.id, fen), 8));
      if (laws.hundred_plies == DrawRule::kAutomatic) {
        EXPECT_NE(score.mate_in_moves, 2) << fen << ' ' << laws.name;
      } else {
        EXPECT_EQ(score.mate_in_moves, 2) << fen << ' ' << laws.name;
      }
    }
  }
}

TEST(DrawsTest, HundredPlies_WhoIsWorseClaims) {
  // The same mate a ply later in the clock: it runs out with Black to move.
  for (const RuleSet& laws : kRuleSets) {
    if (laws.hundred_plies == DrawRule::kNone) continue;
    const Score score = ScoreOf(
        SearchTo(GameAt(laws.id, "7k/8/5N1K/5NF1/8/8/8/6s1[] w - - 99 3"), 8));
    EXPECT_EQ(score.mate_in_moves, 0) << laws.name;
    EXPECT_TRUE(IsDrawnScore(score)) << laws.name;
  }
}

TEST(DrawsTest, MateOnTheHundredthPly_Wins) {
  const SearchResult result = SearchTo(
      GameAt(RuleSetId::kYouzai, "k7/8/1K6/8/7p/7P/8/6R1[] w - - 99 80"), 3);
  EXPECT_EQ(ToUci(result.best), "g1g8");
  EXPECT_EQ(ScoreOf(result).mate_in_moves, 1);
}

TEST(DrawsTest, ClockRunOutUnclaimed_BetterSidePlaysOnWorseSideClaims) {
  const SearchResult better = SearchTo(
      GameAt(RuleSetId::kPychess, "4k3/8/8/8/7p/7P/8/R3K3[] w - - 100 80"), 4);
  EXPECT_GT(ScoreOf(better).centipawns, 200);
  EXPECT_FALSE(better.claims_draw);
  const SearchResult worse = SearchTo(
      GameAt(RuleSetId::kPychess, "4k3/8/8/8/7p/7P/8/R3K3[] b - - 100 80"), 4);
  EXPECT_LT(ScoreOf(worse).centipawns, -200);
  EXPECT_TRUE(worse.claims_draw);
}

TEST(DrawsTest, NoClaimOpen_NothingIsClaimed) {
  EXPECT_FALSE(
      SearchTo(GameAt(RuleSetId::kPychess, kClockAt99), 3).claims_draw);
}

TEST(DrawsTest, CountNearlyExhausted_DrawWhereCountingRuns) {
  constexpr std::string_view kLastPlies = "8/8/8/4k3/8/8/8/R3K3[] w - 32 31 40";
  for (const RuleSet& laws : kRuleSets) {
    const Score score = ScoreOf(SearchTo(GameAt(laws.id, kLastPlies), 6));
    if (laws.counting) {
      EXPECT_TRUE(IsDrawnScore(score)) << laws.name;
    } else {
      EXPECT_GT(score.centipawns, 500) << laws.name;
    }
  }
}

TEST(DrawsTest, MateOnTheLastCountedMove_Wins) {
  const SearchResult result = SearchTo(
      GameAt(RuleSetId::kPychess, "k7/8/1K6/8/8/8/8/6R1[] w - 32 31 40"), 4);
  EXPECT_EQ(ScoreOf(result).mate_in_moves, 1);
}

TEST(DrawsTest, DeadPosition_IsSeenBehindTheCapture) {
  // The king takes the last soldier and leaves king against king and general.
  const SearchResult result = SearchTo(
      GameAt(RuleSetId::kPychess, "8/8/8/8/8/1kP5/8/F3K3[] b - - 0 1"), 3);
  EXPECT_EQ(ToUci(result.best), "b3c3");
  EXPECT_TRUE(IsDrawnScore(ScoreOf(result)));
}

// Red's every move is a promotion of h7, and Black is far ahead.
constexpr std::string_view kOnlyPromotions =
    "7p/7P/8/8/8/1k6/3n4/K7[] w - - 0 1";

TEST(DrawsTest, OnlyPromotionsLeft_IsClaimedWhereTheRuleSetHasIt) {
  for (const RuleSet& laws : kRuleSets) {
    const Game game = GameAt(laws.id, kOnlyPromotions);
    ASSERT_FALSE(game.IsOver());
    EXPECT_EQ(SearchTo(game, 4).claims_draw,
              laws.only_promotions_left == DrawRule::kOnClaim)
        << laws.name;
  }
}

TEST(DrawsTest, OnlyPromotionsLeft_IsSeenOneMoveAhead) {
  // b1 is all that Red's king has; Nd2 takes it away and grants the claim.
  constexpr std::string_view kBefore = "7p/7P/8/8/8/1k6/8/K4n2[] b - - 0 1";
  const auto gives_claim_a_plus = [&](RuleSetId rule_set) {
    const SearchResult result =
        SearchTo(GameAt(rule_set, kBefore), 4, kMaxMultiPv);
    return std::any_of(
        result.lines.begin(), result.lines.end(), [](const SearchLine& line) {
          return ToUci(line.moves[0]) == "f1d2" && line.score.centipawns > 0;
        });
  };
  EXPECT_FALSE(gives_claim_a_plus(RuleSetId::kPychess));
  EXPECT_TRUE(gives_claim_a_plus(RuleSetId::kYouzai));
}

TEST(DrawsTest, Stalemate_IsADraw) {
  // Taking a5 with the chariot would leave Black without a move.
  const SearchResult result = SearchTo(
      GameAt(RuleSetId::kYouzai, "7k/5K2/8/p7/8/8/6R1/8[] w - - 0 1"), 5);
  EXPECT_GT(ScoreOf(result).mate_in_moves + ScoreOf(result).centipawns, 0);
  EXPECT_NE(ToUci(result.best), "g2a2");
}

}  // namespace
}  // namespace sittuyin
