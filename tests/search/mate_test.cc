// The mates that the search announces, against a solver that tries every move.
#include <gtest/gtest.h>

#include <random>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/notation/fen.h"
#include "engine/rules/movegen.h"
#include "engine/rules/validate.h"
#include "engine/search/search.h"

namespace sittuyin {
namespace {

bool MatedWithin(Position& position, int moves);

// Can the side to move force mate in `moves` of its moves or fewer?
bool MatesWithin(Position& position, int moves) {
  if (moves == 0) return false;
  for (const Move move : LegalMoves(position)) {
    const Undo undo = position.Make(move);
    const bool mates = MatedWithin(position, moves - 1);
    position.Unmake(move, undo);
    if (mates) return true;
  }
  return false;
}

// Is the side to move mated, or mated in `moves` whatever it plays?
bool MatedWithin(Position& position, int moves) {
  const MoveList replies = LegalMoves(position);
  if (replies.empty()) return position.InCheck();
  if (moves == 0) return false;
  for (const Move move : replies) {
    const Undo undo = position.Make(move);
    const bool mates = MatesWithin(position, moves);
    position.Unmake(move, undo);
    if (!mates) return false;
  }
  return true;
}

// A possible position of `men` on random squares, Red to move.
Position RandomPosition(std::span<const Man> men, const RuleSet& laws,
                        std::mt19937& random) {
  while (true) {
    Setup setup;
    for (const Man man : men) {
      std::size_t square = 0;
      do {
        square = random() % kSquareCount;
      } while (setup.board[square]);
      setup.board[square] = man;
    }
    if (!ValidateSetup(setup).empty()) continue;
    const Position position = Position::FromSetup(setup, laws);
    if (HasLegalMove(position)) return position;
  }
}

constexpr Color kRed = Color::kRed;
constexpr Color kBlack = Color::kBlack;

TEST(MateTest, RandomEndgames_DistanceIsTheShortest) {
  constexpr int kMoves = 2;
  const std::vector<Man> men = {
      {kRed, PieceType::kKing},      {kRed, PieceType::kChariot},
      {kRed, PieceType::kChariot},   {kRed, PieceType::kSoldier},
      {kBlack, PieceType::kKing},    {kBlack, PieceType::kHorse},
      {kBlack, PieceType::kSoldier},
  };
  std::mt19937 random(11);
  Searcher searcher(1 << 20);
  const StopToken never;
  SearchLimits limits;
  limits.depth = 5;
  int mates = 0;
  for (int i = 0; i < 60; ++i) {
    Position position = RandomPosition(men, Laws(RuleSetId::kPychess), random);
    int shortest = 1;
    while (shortest <= kMoves && !MatesWithin(position, shortest)) ++shortest;
    const SearchResult result = searcher.Search(Game(position), limits, never);
    const int found = result.lines[0].score.mate_in_moves;
    if (shortest <= kMoves) {
      EXPECT_EQ(found, shortest) << ToFen(position);
      EXPECT_EQ(result.stop_reason, StopReason::kMateFound);
      ++mates;
    } else {
      EXPECT_TRUE(found <= 0 || found > kMoves) << ToFen(position);
    }
  }
  EXPECT_GT(mates, 5);
}

TEST(MateTest, AnnouncedMate_LineEndsInIt) {
  const auto game = std::get<Game>(
      Game::Start(RuleSetId::kYouzai, "k7/8/2K5/8/8/8/8/1R6[] w - - 0 1"));
  SearchLimits limits;
  limits.depth = 12;
  Searcher searcher(1 << 20);
  const SearchResult result = searcher.Search(game, limits, StopToken());
  const SearchLine& line = result.lines[0];
  ASSERT_GT(line.score.mate_in_moves, 0);
  EXPECT_EQ(line.moves.size(),
            static_cast<std::size_t>(2 * line.score.mate_in_moves - 1));
  Game played = game;
  for (const Move move : line.moves) played.PlayUnchecked(move);
  EXPECT_EQ(played.Ending(), Termination::kCheckmate);
  EXPECT_EQ(line.score.win, 1000);
}

TEST(MateTest, BeingMated_ScoreIsNegative) {
  // Two chariots hold the last two ranks but one; mate is a question of time.
  Position position =
      std::get<Game>(
          Game::Start(RuleSetId::kPychess, "k7/7R/8/8/8/8/2K5/6R1[] b - - 0 1"))
          .position();
  ASSERT_TRUE(MatedWithin(position, 1));
  SearchLimits limits;
  limits.depth = 6;
  Searcher searcher(1 << 20);
  const SearchResult result =
      searcher.Search(Game(position), limits, StopToken());
  EXPECT_EQ(result.lines[0].score.mate_in_moves, -1);
  EXPECT_EQ(result.lines[0].score.loss, 1000);
}

}  // namespace
}  // namespace sittuyin
