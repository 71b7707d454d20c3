#include "engine/search/move_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/notation/fen.h"
#include "engine/notation/move_text.h"

namespace sittuyin {
namespace {

Position At(std::string_view fen) {
  return Position::FromSetup(std::get<Setup>(ParseFen(fen)),
                             Laws(RuleSetId::kYouzai));
}

std::vector<Move> Ordered(const Position& position, Move from_table,
                          const Killers& killers, const History& history) {
  MoveOrder order(position, LegalMoves(position), from_table, killers, history);
  std::vector<Move> moves;
  for (Move move = order.Next(); move; move = order.Next()) {
    moves.push_back(move);
  }
  return moves;
}

// The chariot may take the loose horse d8 or the guarded soldier a5.
constexpr std::string_view kFen = "3n2k1/8/1p6/p7/8/8/8/R2R2K1[] w - - 0 1";

TEST(MoveOrderTest, EveryMoveOnce) {
  const Position position = At(kFen);
  const MoveList legal = LegalMoves(position);
  const std::vector<Move> moves =
      Ordered(position, legal[3], {legal[5], legal[7]}, History());
  ASSERT_EQ(moves.size(), legal.size());
  for (const Move move : legal) {
    EXPECT_EQ(std::count(moves.begin(), moves.end(), move), 1);
  }
}

TEST(MoveOrderTest, TableThenGoodCaptureThenKillersThenHistoryThenBadCapture) {
  const Position position = At(kFen);
  const auto read = [&](std::string_view text) {
    return std::get<Move>(ReadMove(position, text));
  };
  History history;
  history.Update(Color::kRed, PieceType::kChariot, *SquareFromName("c1"), 900);
  const std::vector<Move> moves =
      Ordered(position, read("g1h2"), {read("a1a2"), read("a1a3")}, history);
  EXPECT_EQ(moves[0], read("g1h2"));
  EXPECT_EQ(moves[1], read("d1d8"));
  EXPECT_EQ(moves[2], read("a1a2"));
  EXPECT_EQ(moves[3], read("a1a3"));
  EXPECT_EQ(moves[4].to(), *SquareFromName("c1"));
  EXPECT_EQ(moves.back(), read("a1a5"));
}

TEST(HistoryTest, Update_StaysWithinItsBounds) {
  History history;
  const Square square = *SquareFromName("e4");
  for (int i = 0; i < 1000; ++i) {
    history.Update(Color::kBlack, PieceType::kHorse, square, 1600);
  }
  EXPECT_GT(history.Of(Color::kBlack, PieceType::kHorse, square),
            History::kMost / 2);
  EXPECT_LE(history.Of(Color::kBlack, PieceType::kHorse, square),
            History::kMost);
  for (int i = 0; i < 1000; ++i) {
    history.Update(Color::kBlack, PieceType::kHorse, square, -1600);
  }
  EXPECT_LT(history.Of(Color::kBlack, PieceType::kHorse, square),
            -History::kMost / 2);
  EXPECT_GE(history.Of(Color::kBlack, PieceType::kHorse, square),
            -History::kMost);
}

}  // namespace
}  // namespace sittuyin
