#include "service/convert/move.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "tests/testing/equals_proto.h"

namespace sittuyin::service {
namespace {

Game At(std::string_view fen) {
  return std::get<Game>(Game::Start(RuleSetId::kPychess, fen));
}

v1::Move Written(std::string_view fen, std::string_view text) {
  const Game game = At(fen);
  v1::Move answer;
  WriteMove(game.position(), std::get<Move>(game.Read(text)), &answer);
  return answer;
}

TEST(WriteMoveTest, WriteMove_Drop_HasNoOrigin) {
  EXPECT_THAT(Written("", "n@c2"), EqualsProto(R"pb(
                uci: "N@c2"
                san: "N@c2"
                kind: MOVE_KIND_DROP
                to_square: "c2"
                piece: PIECE_TYPE_HORSE
              )pb"));
}

TEST(WriteMoveTest, WriteMove_Step_HasItsMan) {
  EXPECT_THAT(Written("4k3/8/8/8/p7/P7/8/R3K3[] w", "a1c1"), EqualsProto(R"pb(
                uci: "a1c1"
                san: "Rc1"
                kind: MOVE_KIND_STEP
                from_square: "a1"
                to_square: "c1"
                piece: PIECE_TYPE_CHARIOT
              )pb"));
}

TEST(WriteMoveTest, WriteMove_CaptureWithCheck_NamesBoth) {
  EXPECT_THAT(Written("r3k3/8/8/8/8/8/8/R3K3[] w", "a1a8"), EqualsProto(R"pb(
                uci: "a1a8"
                san: "Rxa8+"
                kind: MOVE_KIND_CAPTURE
                from_square: "a1"
                to_square: "a8"
                piece: PIECE_TYPE_CHARIOT
                captured: PIECE_TYPE_CHARIOT
                gives_check: true
              )pb"));
}

TEST(WriteMoveTest, WriteMove_Mate_GivesCheck) {
  EXPECT_TRUE(Written("k7/8/1K6/8/8/8/8/7R[] w", "h1h8").gives_check());
}

TEST(WriteMoveTest, WriteMove_PromotionInPlace_IsASoldiers) {
  EXPECT_THAT(Written("4k3/8/8/3P4/8/8/P7/4K3[] w - - 0 1", "d5d5f"),
              EqualsProto(R"pb(
                uci: "d5d5f"
                san: "d5=F"
                kind: MOVE_KIND_PROMOTION_IN_PLACE
                from_square: "d5"
                to_square: "d5"
                piece: PIECE_TYPE_SOLDIER
              )pb"));
}

TEST(WriteMoveTest, WriteMove_PromotionStep_TakesNothing) {
  EXPECT_THAT(Written("4k3/8/8/3P4/8/8/P7/4K3[] w - - 0 1", "d5e6f"),
              EqualsProto(R"pb(
                uci: "d5e6f"
                san: "d5e6=F"
                kind: MOVE_KIND_PROMOTION_STEP
                from_square: "d5"
                to_square: "e6"
                piece: PIECE_TYPE_SOLDIER
              )pb"));
}

std::set<std::string> Listed(const Game& game, const MoveFilter& filter = {}) {
  MoveAnswers answers;
  WriteLegalMoves(game, &answers, filter);
  std::set<std::string> moves;
  for (const v1::Move& move : answers) moves.insert(move.uci());
  EXPECT_EQ(moves.size(), static_cast<std::size_t>(answers.size()));
  return moves;
}

TEST(WriteLegalMovesTest, WriteLegalMoves_Start_HasEveryDrop) {
  EXPECT_EQ(Listed(At("")).size(), 88u);
}

TEST(WriteLegalMovesTest, WriteLegalMoves_DropFilter_GivesThatMansDrops) {
  const auto moves = Listed(At(""), {.drop = PieceType::kChariot});
  EXPECT_EQ(moves.size(), 8u);
  EXPECT_TRUE(moves.contains("R@a1"));
  EXPECT_TRUE(Listed(At(""), {.drop = PieceType::kSoldier}).empty());
}

TEST(WriteLegalMovesTest, WriteLegalMoves_SquareFilter_GivesItsMoves) {
  const Game game = At("4k3/8/8/8/p7/P7/8/R3K3[] w");
  EXPECT_EQ(Listed(game, {.from = SquareFromName("a1")}),
            (std::set<std::string>{"a1a2", "a1b1", "a1c1", "a1d1"}));
  EXPECT_TRUE(Listed(game, {.from = SquareFromName("a4")}).empty());
  EXPECT_TRUE(Listed(game, {.from = SquareFromName("h8")}).empty());
  EXPECT_TRUE(Listed(game, {.drop = PieceType::kKing}).empty());
}

TEST(WriteLegalMovesTest, WriteLegalMoves_DeadPosition_HasNone) {
  EXPECT_TRUE(Listed(At("4k3/8/8/8/8/8/8/4K3[] w")).empty());
}

}  // namespace
}  // namespace sittuyin::service
