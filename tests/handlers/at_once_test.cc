// The methods that answer at once.
#include <gmock/gmock.h>

#include "tests/handlers/api_fixture.h"
#include "tests/testing/equals_proto.h"
#include "tests/testing/refusal.h"

namespace sittuyin::service {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST_F(ApiTest, ValidateMove_Legal_IsAnsweredWithThePositionAfter) {
  const auto [status, answer] = Ask(&Api::ValidateMove, R"pb(move: "K@e1")pb");
  EXPECT_THAT(status, IsOk());
  EXPECT_THAT(
      answer, EqualsProto(R"pb(
        legal: true
        move {
          uci: "K@e1"
          san: "K@e1"
          kind: MOVE_KIND_DROP
          to_square: "e1"
          piece: PIECE_TYPE_KING
        }
        fen: "8/8/4pppp/pppp4/4PPPP/PPPP4/8/4K3[FRRSSNNkfrrssnn] b - - 0 1"
        state {
          phase: PHASE_DEPLOYMENT
          side_to_move: COLOR_BLACK
          result: RESULT_ONGOING
          termination: TERMINATION_NONE
          fullmove_number: 1
          repetitions: 1
          rule_set: RULE_SET_PYCHESS
        }
      )pb"));
}

TEST_F(ApiTest, ValidateMove_Illegal_IsAnsweredWithThePositionBefore) {
  const auto [status, answer] = Ask(
      &Api::ValidateMove, R"pb(game { rule_set: RULE_SET_YOUZAI moves: "K@e2" }
                               move: "R@a7")pb");
  EXPECT_THAT(status, IsOk());
  EXPECT_FALSE(answer.legal());
  EXPECT_FALSE(answer.has_move());
  EXPECT_EQ(answer.violation().reason(),
            v1::VIOLATION_REASON_CHARIOT_OFF_BACK_RANK);
  EXPECT_EQ(answer.violation().squares(0), "a7");
  EXPECT_EQ(answer.fen(),
            "8/8/4pppp/pppp4/4PPPP/PPPP4/4K3/8[FRRSSNNkfrrssnn] b - - 0 1");
  EXPECT_THAT(telemetry_.metrics().Exposition(),
              HasSubstr("sittuyin_illegal_moves_total{"
                        "reason=\"CHARIOT_OFF_BACK_RANK\"} 1"));
}

TEST_F(ApiTest, ValidateMove_NoMove_IsMalformed) {
  const auto [status, answer] = Ask(&Api::ValidateMove, "");
  EXPECT_THAT(status, IsOk());
  EXPECT_FALSE(answer.legal());
  EXPECT_EQ(answer.violation().reason(), v1::VIOLATION_REASON_MALFORMED_MOVE);
  EXPECT_EQ(answer.fen(), kStartFen);
}

TEST_F(ApiTest, ValidateMove_FinishedGame_IsGameOver) {
  const auto [status, answer] = Ask(
      &Api::ValidateMove, R"pb(game { initial_fen: "4k3/8/8/8/8/8/8/4K3[] w" }
                               move: "Ke2")pb");
  EXPECT_THAT(status, IsOk());
  EXPECT_EQ(answer.violation().reason(), v1::VIOLATION_REASON_GAME_OVER);
}

TEST_F(ApiTest, ValidateMove_IncludeLegalMoves_AreThoseAfterTheMove) {
  const auto [status, answer] =
      Ask(&Api::ValidateMove, R"pb(move: "K@e1" include_legal_moves: true)pb");
  EXPECT_EQ(answer.legal_moves_size(), 88);
  EXPECT_EQ(answer.legal_moves(0).to_square().back() >= '6', true);
}

TEST_F(ApiTest, ValidateMove_MatingMove_HasNoMovesAfterIt) {
  const auto [status, answer] = Ask(&Api::ValidateMove, R"pb(
    game { initial_fen: "k7/8/1K6/8/8/8/8/7R[] w" }
    move: "Rh8"
    include_legal_moves: true)pb");
  EXPECT_TRUE(answer.legal());
  EXPECT_EQ(answer.move().san(), "Rh8#");
  EXPECT_EQ(answer.state().result(), v1::RESULT_RED_WINS);
  EXPECT_EQ(answer.legal_moves_size(), 0);
}

TEST_F(ApiTest, EveryMethod_GameThatCannotBeReplayed_IsRefused) {
  const std::string bad = R"pb(game { initial_fen: "x" })pb";
  const auto refused = RefusedFor("MALFORMED_FEN", "game.initial_fen");
  EXPECT_THAT(Ask(&Api::ValidateMove, bad).first, refused);
  EXPECT_THAT(Ask(&Api::LegalMoves, bad).first, refused);
  EXPECT_THAT(Ask(&Api::GameStatus, bad).first, refused);
  EXPECT_THAT(BestMove(bad).status, refused);
  EXPECT_THAT(Analyze(bad).status, refused);
}

TEST_F(ApiTest, LegalMoves_NoFilter_ListsAllWithTheState) {
  const auto [status, answer] = Ask(&Api::LegalMoves, "");
  EXPECT_THAT(status, IsOk());
  EXPECT_EQ(answer.moves_size(), 88);
  EXPECT_EQ(answer.fen(), kStartFen);
  EXPECT_EQ(answer.state().phase(), v1::PHASE_DEPLOYMENT);
}

TEST_F(ApiTest, LegalMoves_Filters_Choose) {
  const std::string game =
      R"pb(game { initial_fen: "4k3/8/8/8/p7/P7/8/R3K3[] w" })pb";
  EXPECT_EQ(
      Ask(&Api::LegalMoves, game + "from_square: 'a1'").second.moves_size(), 4);
  EXPECT_EQ(
      Ask(&Api::LegalMoves, game + "from_square: 'h8'").second.moves_size(), 0);
  EXPECT_EQ(
      Ask(&Api::LegalMoves, "drop: PIECE_TYPE_CHARIOT").second.moves_size(), 8);
  EXPECT_EQ(
      Ask(&Api::LegalMoves, "drop: PIECE_TYPE_SOLDIER").second.moves_size(), 0);
}

TEST_F(ApiTest, LegalMoves_BadFilters_AreRefused) {
  for (const std::string square : {"i1", "a9", "A1", "a", "a10", " a1", "-"}) {
    EXPECT_THAT(Ask(&Api::LegalMoves, "from_square: '" + square + "'").first,
                RefusedFor("FIELD_OUT_OF_RANGE", "from_square"))
        << square;
  }
  EXPECT_THAT(Ask(&Api::LegalMoves, "drop: 7").first,
              RefusedFor("FIELD_OUT_OF_RANGE", "drop"));
  EXPECT_THAT(Ask(&Api::LegalMoves, "drop: 7").first.message(),
              testing::StartsWith("drop: want one of PIECE_TYPE_UNSPECIFIED, "
                                  "PIECE_TYPE_KING, "));
  EXPECT_THAT(
      Ask(&Api::LegalMoves, "from_square: 'a1' drop: PIECE_TYPE_KING").first,
      RefusedFor("FIELD_OUT_OF_RANGE", "drop"));
}

TEST_F(ApiTest, GameStatus_Asked_TellsFenStateAndMoves) {
  const std::string game =
      R"pb(game { initial_fen: "4k3/8/8/8/p7/P7/8/R3K3[] w" moves: "Rd1" })pb";
  const auto [status, answer] =
      Ask(&Api::GameStatus, game + "include_legal_moves: true");
  EXPECT_THAT(status, IsOk());
  EXPECT_EQ(answer.fen(), "4k3/8/8/8/p7/P7/8/3RK3[] b - - 1 1");
  EXPECT_EQ(answer.state().phase(), v1::PHASE_PLAY);
  EXPECT_GT(answer.legal_moves_size(), 0);
  EXPECT_EQ(Ask(&Api::GameStatus, game).second.legal_moves_size(), 0);
}

TEST_F(ApiTest, ListRuleSets_Asked_ListsEachOnceInTheEnumsOrder) {
  const auto [status, answer] = Ask(&Api::ListRuleSets, "");
  EXPECT_THAT(status, IsOk());
  ASSERT_EQ(answer.rule_sets_size(), 5);
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(answer.rule_sets(i).rule_set(), i + 1);
  }
}

}  // namespace
}  // namespace sittuyin::service
