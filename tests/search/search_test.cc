#include "engine/search/search.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/eval/evaluate.h"
#include "engine/notation/fen.h"
#include "engine/notation/move_text.h"
#include "engine/rules/legality.h"
#include "engine/rules/movegen.h"

namespace sittuyin {
namespace {

constexpr std::size_t kHashBytes = 1 << 20;
constexpr std::string_view kMiddleGame =
    "1s1r2r1/s3f1k1/1n1n1p1p/1p1ppp2/1P2P1PP/R1PP1SN1/3FSNK1/R7[] w - - 0 18";

Game GameAt(std::string_view fen, RuleSetId rule_set = RuleSetId::kPychess) {
  return std::get<Game>(Game::Start(rule_set, fen));
}

SearchLimits DepthLimit(int depth) {
  SearchLimits limits;
  limits.depth = depth;
  return limits;
}

SearchLimits NodeLimit(NodeCount nodes) {
  SearchLimits limits;
  limits.nodes = nodes;
  return limits;
}

SearchResult Search(const Game& game, const SearchLimits& limits) {
  Searcher searcher(kHashBytes);
  return searcher.Search(game, limits, StopToken());
}

void ExpectLegalLine(const Game& game, const SearchLine& line) {
  Game played = game;
  ASSERT_FALSE(line.moves.empty());
  for (const Move move : line.moves) {
    ASSERT_FALSE(played.IsOver()) << ToFen(game.position());
    ASSERT_TRUE(IsLegal(played.position(), move))
        << ToFen(played.position()) << ' ' << ToUci(move);
    played.PlayUnchecked(move);
  }
}

std::vector<Move> FirstMoves(const SearchResult& result) {
  std::vector<Move> moves;
  for (const SearchLine& line : result.lines) moves.push_back(line.moves[0]);
  return moves;
}

Value Rank(const Score& score) {
  if (score.mate_in_moves > 0) return kMate - score.mate_in_moves;
  if (score.mate_in_moves < 0) return -kMate - score.mate_in_moves;
  return score.centipawns;
}

TEST(SearchTest, RandomGames_LinesAreLegalUnderEveryRuleSet) {
  std::mt19937 random(5);
  Searcher searcher(kHashBytes);
  SearchLimits limits = NodeLimit(600);
  limits.multi_pv = 3;
  for (const RuleSet& laws : kRuleSets) {
    for (int start = 0; start < 3; ++start) {
      Game game = GameAt("", laws.id);
      for (int ply = 0; ply < 140 && !game.IsOver(); ++ply) {
        const MoveList moves = LegalMoves(game.position());
        if (ply % 5 == 0) {
          const SearchResult result =
              searcher.Search(game, limits, StopToken());
          EXPECT_TRUE(moves.Contains(result.best));
          EXPECT_EQ(result.best, result.lines[0].moves[0]);
          for (const SearchLine& line : result.lines) {
            ExpectLegalLine(game, line);
          }
          if (result.ponder) {
            Game after = game;
            after.PlayUnchecked(result.best);
            EXPECT_TRUE(IsLegal(after.position(), *result.ponder));
          }
        }
        game.PlayUnchecked(moves[random() % moves.size()]);
      }
    }
  }
}

TEST(SearchTest, MultiPv_LinesAreDistinctAndSorted) {
  SearchLimits limits = DepthLimit(5);
  limits.multi_pv = 6;
  const Game game = GameAt(kMiddleGame);
  const SearchResult result = Search(game, limits);
  ASSERT_EQ(result.lines.size(), 6u);
  std::set<std::uint16_t> first;
  for (std::size_t i = 0; i < result.lines.size(); ++i) {
    first.insert(result.lines[i].moves[0].bits());
    EXPECT_EQ(result.lines[i].depth, 5);
    if (i > 0) {
      EXPECT_GE(Rank(result.lines[i - 1].score), Rank(result.lines[i].score));
    }
  }
  EXPECT_EQ(first.size(), result.lines.size());
}

TEST(SearchTest, MultiPv_NoMoreLinesThanMoves) {
  SearchLimits limits = DepthLimit(3);
  limits.multi_pv = kMaxMultiPv;
  const Game game = GameAt("k7/8/8/8/8/8/7p/K7[] w - - 0 1");
  EXPECT_EQ(Search(game, limits).lines.size(),
            LegalMoves(game.position()).size());
}

TEST(SearchTest, MultiPv_BestLineAgreesWithOneLine) {
  SearchLimits limits = DepthLimit(4);
  const Game game = GameAt("4k3/8/8/4n3/8/8/P7/K3R3[] w - - 0 1");
  const SearchResult one = Search(game, limits);
  limits.multi_pv = 4;
  EXPECT_EQ(Search(game, limits).best, one.best);
  EXPECT_EQ(ToUci(one.best), "e1e5");
}

TEST(SearchTest, SameRequest_SameAnswer) {
  Searcher used(kHashBytes);
  used.Search(GameAt(""), NodeLimit(3000), StopToken());
  for (const SearchLimits& limits : {NodeLimit(20'000), DepthLimit(6)}) {
    const SearchResult first = Search(GameAt(kMiddleGame), limits);
    const SearchResult again =
        used.Search(GameAt(kMiddleGame), limits, StopToken());
    EXPECT_EQ(first.best, again.best);
    EXPECT_EQ(first.ponder, again.ponder);
    EXPECT_EQ(first.nodes, again.nodes);
    EXPECT_EQ(first.depth, again.depth);
    EXPECT_EQ(first.lines[0].moves, again.lines[0].moves);
    EXPECT_EQ(first.lines[0].score.centipawns, again.lines[0].score.centipawns);
  }
}

TEST(SearchTest, NodeLimit_IsKeptExactly) {
  for (const NodeCount nodes : {1u, 100u, 5000u}) {
    const SearchResult result = Search(GameAt(kMiddleGame), NodeLimit(nodes));
    EXPECT_EQ(result.stop_reason, StopReason::kNodes);
    EXPECT_EQ(result.nodes, nodes);
  }
}

TEST(SearchTest, DepthLimit_IsReached) {
  const SearchResult result = Search(GameAt(kMiddleGame), DepthLimit(4));
  EXPECT_EQ(result.stop_reason, StopReason::kDepth);
  EXPECT_EQ(result.depth, 4);
}

TEST(SearchTest, StoppedBeforeItBegan_StillMoves) {
  StopToken stop;
  stop.RequestStop();
  Searcher searcher(kHashBytes);
  for (const std::string_view fen : {std::string_view(""), kMiddleGame}) {
    const Game game = GameAt(fen);
    const SearchResult result = searcher.Search(game, {}, stop);
    EXPECT_TRUE(IsLegal(game.position(), result.best));
    EXPECT_EQ(result.stop_reason, StopReason::kDeadline);
    EXPECT_LT(result.nodes, 10u);
    ExpectLegalLine(game, result.lines.at(0));
  }
}

TEST(SearchTest, StoppedMidway_EndsWithinFewNodes) {
  StopToken stop;
  NodeCount at_stop = 0;
  Searcher searcher(kHashBytes);
  const SearchResult result = searcher.Search(
      GameAt(kMiddleGame), {}, stop, [&](const SearchResult& progress) {
        if (progress.depth < 5) return;
        at_stop = progress.nodes;
        stop.RequestStop();
      });
  EXPECT_EQ(result.stop_reason, StopReason::kDeadline);
  EXPECT_EQ(result.depth, 5);
  EXPECT_GT(at_stop, 0u);
  EXPECT_LE(result.nodes, at_stop + 256);
}

TEST(SearchTest, DeadlinePast_StillMoves) {
  SearchLimits limits;
  limits.deadline = SearchClock::now() - std::chrono::hours(1);
  const Game game = GameAt(kMiddleGame);
  const SearchResult result = Search(game, limits);
  EXPECT_EQ(result.stop_reason, StopReason::kDeadline);
  EXPECT_TRUE(IsLegal(game.position(), result.best));
}

TEST(SearchTest, MoveTimeUp_StopsByTime) {
  SearchLimits limits;
  limits.move_time = std::chrono::milliseconds(5);
  EXPECT_EQ(Search(GameAt(kMiddleGame), limits).stop_reason, StopReason::kTime);
}

TEST(SearchTest, OneLegalMove_IsForced) {
  const Game game = GameAt("k7/8/8/8/8/8/r7/KN6[] w - - 0 1");
  ASSERT_EQ(LegalMoves(game.position()).size(), 1u);
  const SearchResult result = Search(game, {});
  EXPECT_EQ(result.stop_reason, StopReason::kForcedMove);
  EXPECT_EQ(ToUci(result.best), "a1a2");
}

TEST(SearchTest, StoppedAmidADepth_LinesAreStillBestFirst) {
  SearchLimits limits;
  limits.multi_pv = 10;
  for (NodeCount nodes = 500; nodes < 20000; nodes += 500) {
    limits.nodes = nodes;
    const SearchResult result = Search(GameAt(kMiddleGame), limits);
    EXPECT_EQ(result.best, result.lines.front().moves.front());
    for (std::size_t i = 1; i < result.lines.size(); ++i) {
      EXPECT_GE(result.lines[i - 1].score.centipawns,
                result.lines[i].score.centipawns)
          << nodes;
    }
  }
}

TEST(SearchTest, OnDepth_EachDepthButTheLastOnceInOrder) {
  std::vector<int> depths;
  Searcher searcher(kHashBytes);
  SearchLimits limits = DepthLimit(5);
  limits.multi_pv = 2;
  const SearchResult result =
      searcher.Search(GameAt(kMiddleGame), limits, StopToken(),
                      [&](const SearchResult& progress) {
                        depths.push_back(progress.depth);
                        EXPECT_EQ(progress.lines.size(), 2u);
                      });
  EXPECT_EQ(depths, (std::vector<int>{1, 2, 3, 4}));
  EXPECT_EQ(result.depth, 5);
  EXPECT_EQ(result.lines.size(), 2u);
}

TEST(SearchTest, OnDepth_GivesWhatASearchOfThatDepthDoes) {
  for (const int level : {0, 7}) {
    SearchLimits limits = DepthLimit(4);
    limits.level = level;
    limits.seed = 3;
    limits.move_time = std::chrono::hours(1);
    std::vector<SearchResult> reports;
    Searcher searcher(kHashBytes);
    searcher.Search(
        GameAt(kMiddleGame), limits, StopToken(),
        [&](const SearchResult& so_far) { reports.push_back(so_far); });
    ASSERT_FALSE(reports.empty());
    for (const SearchResult& report : reports) {
      limits.depth = report.depth;
      const SearchResult result = Search(GameAt(kMiddleGame), limits);
      EXPECT_EQ(report.best, result.best);
      EXPECT_EQ(report.ponder, result.ponder);
      EXPECT_EQ(report.nodes, result.nodes);
      EXPECT_EQ(report.stop_reason, StopReason::kTime);
    }
  }
}

TEST(SearchTest, OnDepth_DeadlineBeforeTheMoveTimeIsUp_IsTheReason) {
  SearchLimits limits = DepthLimit(2);
  limits.move_time = std::chrono::hours(2);
  limits.deadline = SearchClock::now() + std::chrono::hours(1);
  Searcher searcher(kHashBytes);
  std::optional<StopReason> reason;
  searcher.Search(
      GameAt(kMiddleGame), limits, StopToken(),
      [&](const SearchResult& so_far) { reason = so_far.stop_reason; });
  EXPECT_EQ(reason, StopReason::kDeadline);
}

TEST(SearchTest, Score_ChancesSumToThousand) {
  SearchLimits limits = DepthLimit(3);
  limits.multi_pv = kMaxMultiPv;
  for (const SearchLine& line : Search(GameAt(kMiddleGame), limits).lines) {
    EXPECT_EQ(line.score.win + line.score.draw + line.score.loss, 1000);
  }
}

TEST(SearchTest, HangingMan_IsTaken) {
  const SearchResult result =
      Search(GameAt("4k3/8/8/4n3/8/8/P7/K3R3[] w - - 0 1"), DepthLimit(1));
  EXPECT_EQ(ToUci(result.best), "e1e5");
}

TEST(SearchTest, Levels_SameSeedSameChoiceOtherSeedsVary) {
  const Game game = GameAt(kMiddleGame);
  for (const int level : {1, 4}) {
    SearchLimits limits = DepthLimit(4);
    limits.level = level;
    std::set<std::uint16_t> chosen;
    for (limits.seed = 1; limits.seed <= 12; ++limits.seed) {
      const Move best = Search(game, limits).best;
      EXPECT_EQ(best, Search(game, limits).best) << limits.seed;
      chosen.insert(best.bits());
    }
    EXPECT_GT(chosen.size(), 1u) << level;
  }
}

TEST(SearchTest, FullStrength_SeedChangesNothing) {
  const Game game = GameAt(kMiddleGame);
  for (const int level : {0, kMaxLevel}) {
    SearchLimits limits = DepthLimit(4);
    limits.level = level;
    const SearchResult unseeded = Search(game, limits);
    limits.seed = 77;
    EXPECT_EQ(FirstMoves(Search(game, limits)), FirstMoves(unseeded));
  }
}

TEST(SearchTest, Levels_BestIsTheFirstLine) {
  SearchLimits limits;
  limits.level = 1;
  limits.multi_pv = 4;
  for (limits.seed = 1; limits.seed <= 8; ++limits.seed) {
    const SearchResult result = Search(GameAt(kMiddleGame), limits);
    EXPECT_EQ(result.lines.size(), 4u);
    EXPECT_EQ(result.best, result.lines[0].moves[0]);
  }
}

// What Red's set-up is worth when Red searches and Black drops at random.
Value DeployAgainstRandom(RuleSetId rule_set, unsigned seed) {
  std::mt19937 random(seed);
  Searcher searcher(kHashBytes);
  Game game = GameAt("", rule_set);
  const auto deploying = [&game] {
    return !game.position().HandEmpty(Color::kRed) ||
           !game.position().HandEmpty(Color::kBlack);
  };
  while (deploying()) {
    const MoveList moves = LegalMoves(game.position());
    const bool red = game.position().side_to_move() == Color::kRed;
    game.PlayUnchecked(
        red ? searcher.Search(game, NodeLimit(3000), StopToken()).best
            : moves[random() % moves.size()]);
  }
  return Evaluate(game.position());
}

TEST(SearchTest, Deployment_BeatsARandomOne) {
  for (unsigned seed = 1; seed <= 6; ++seed) {
    EXPECT_GT(DeployAgainstRandom(RuleSetId::kYouzai, seed), 0) << seed;
    EXPECT_GT(DeployAgainstRandom(RuleSetId::kVchess, seed), 0) << seed;
  }
}

}  // namespace
}  // namespace sittuyin
