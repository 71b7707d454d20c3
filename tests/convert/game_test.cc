#include "service/convert/game.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/testing/equals_proto.h"
#include "tests/testing/refusal.h"

namespace sittuyin::service {
namespace {

using google::rpc::Status;

v1::Game GameOf(const std::string& fen,
                const std::vector<std::string>& moves = {},
                v1::RuleSet rule_set = v1::RULE_SET_PYCHESS) {
  v1::Game game;
  game.set_rule_set(rule_set);
  game.set_initial_fen(fen);
  for (const std::string& move : moves) game.add_moves(move);
  return game;
}

Game Read(const v1::Game& request) {
  auto read = ReadGame(request, RuleSetId::kYouzai);
  if (auto* refusal = std::get_if<Status>(&read)) {
    ADD_FAILURE() << refusal->DebugString();
  }
  return std::get<Game>(read);
}

Status Refusal(const v1::Game& request) {
  const auto read = ReadGame(request, RuleSetId::kYouzai);
  const auto* refusal = std::get_if<Status>(&read);
  return refusal == nullptr ? Status() : *refusal;
}

TEST(ReadGameTest, ReadGame_Nothing_IsTheStartUnderTheDefault) {
  const Game game = Read({});
  EXPECT_EQ(ToFen(game.position()), kStartFen);
  EXPECT_EQ(game.laws().id, RuleSetId::kYouzai);
}

TEST(ReadGameTest, ReadGame_RuleSet_IsTheOneNamed) {
  EXPECT_EQ(Read(GameOf("", {}, v1::RULE_SET_VCHESS)).laws().id,
            RuleSetId::kVchess);
}

TEST(ReadGameTest, ReadGame_Moves_AreReplayed) {
  EXPECT_EQ(ToFen(Read(GameOf("", {"K@e1", "k@e8"})).position()),
            "4k3/8/4pppp/pppp4/4PPPP/PPPP4/8/4K3[FRRSSNNfrrssnn] w - - 0 2");
}

TEST(ReadGameTest, ReadGame_NumberNoRuleSetHas_IsRefused) {
  EXPECT_THAT(Refusal(GameOf("", {}, static_cast<v1::RuleSet>(6))),
              RefusedFor("FIELD_OUT_OF_RANGE", "game.rule_set"));
  EXPECT_THAT(Refusal(GameOf("", {}, static_cast<v1::RuleSet>(-1))),
              RefusedFor("FIELD_OUT_OF_RANGE", "game.rule_set"));
  EXPECT_THAT(
      Refusal(GameOf("", {}, static_cast<v1::RuleSet>(9))).message(),
      testing::StartsWith("game.rule_set: want one of RULE_SET_UNSPECIFIED, "
                          "RULE_SET_YOUZAI, "));
}

TEST(ReadGameTest, ReadGame_FenText_LimitIs128Bytes) {
  EXPECT_THAT(Refusal(GameOf(std::string(129, '8'))),
              RefusedFor("FIELD_OUT_OF_RANGE", "game.initial_fen"));
  EXPECT_THAT(Refusal(GameOf(std::string(128, '8'))),
              RefusedFor("MALFORMED_FEN", "game.initial_fen"));
}

TEST(ReadGameTest, ReadGame_Moves_LimitIs2048) {
  const std::vector<std::string> most(2048, "Na1");
  EXPECT_THAT(Refusal(GameOf("", most)),
              RefusedFor("ILLEGAL_MOVE_IN_HISTORY", "game.moves[0]"));
  const std::vector<std::string> more(2049, "Na1");
  EXPECT_THAT(Refusal(GameOf("", more)),
              RefusedFor("FIELD_OUT_OF_RANGE", "game.moves"));
}

TEST(ReadGameTest, ReadGame_ImpossiblePosition_NamesEveryFault) {
  const Status status = Refusal(GameOf("4k3/8/8/8/8/8/8/8[FF] w"));
  EXPECT_THAT(status, RefusedFor("IMPOSSIBLE_POSITION", "game.initial_fen"));
  google::rpc::BadRequest bad;
  ASSERT_TRUE(status.details(1).UnpackTo(&bad));
  ASSERT_EQ(bad.field_violations_size(), 2);
  EXPECT_EQ(bad.field_violations(0).description().substr(0, 8), "NO_KING:");
  EXPECT_EQ(bad.field_violations(1).description().substr(0, 18),
            "TOO_MANY_GENERALS:");
}

TEST(ReadGameTest, ReadGame_IllegalMove_NamesPlyAndViolation) {
  const Status status = Refusal(GameOf("", {"K@e1", "k@e8", "e4e5"}));
  EXPECT_THAT(status, RefusedFor("ILLEGAL_MOVE_IN_HISTORY", "game.moves[2]"));
  EXPECT_THAT(status.details(0), EqualsProto(R"pb(
                [type.googleapis.com/google.rpc.ErrorInfo] {
                  reason: "ILLEGAL_MOVE_IN_HISTORY"
                  domain: "sittuyin.v1"
                  metadata { key: "ply" value: "2" }
                  metadata { key: "violation" value: "MUST_DEPLOY" }
                })pb"));
}

TEST(ReadGameTest, ReadGame_MalformedMove_NamesPlyAndViolation) {
  EXPECT_THAT(Refusal(GameOf("", {"K@e1", ""})),
              RefusedFor("ILLEGAL_MOVE_IN_HISTORY", "game.moves[1]"));
}

TEST(ReadGameTest, ReadGame_MoveAfterTheEnd_IsRefused) {
  EXPECT_THAT(Refusal(GameOf("4k3/8/8/8/8/8/8/4K3[] w", {"Ke2"})),
              RefusedFor("ILLEGAL_MOVE_IN_HISTORY", "game.moves[0]"));
}

v1::GameState StateOf(const v1::Game& request) {
  v1::GameState state;
  WriteState(Read(request), &state);
  return state;
}

TEST(WriteStateTest, WriteState_Start_IsDeployment) {
  EXPECT_THAT(StateOf({}), EqualsProto(R"pb(
                phase: PHASE_DEPLOYMENT
                side_to_move: COLOR_RED
                result: RESULT_ONGOING
                termination: TERMINATION_NONE
                fullmove_number: 1
                repetitions: 1
                rule_set: RULE_SET_YOUZAI
              )pb"));
}

TEST(WriteStateTest, WriteState_CheckAndCount_AreTold) {
  EXPECT_THAT(StateOf(GameOf("4k3/8/8/8/8/8/r7/R3K3[] w - - 5 10",
                             {"a1a2", "Kd8", "a2d2"})),
              EqualsProto(R"pb(
                phase: PHASE_PLAY
                side_to_move: COLOR_BLACK
                in_check: true
                checkers: "d2"
                result: RESULT_ONGOING
                termination: TERMINATION_NONE
                halfmove_clock: 2
                fullmove_number: 11
                repetitions: 1
                counting {
                  attacker: COLOR_RED
                  limit_moves: 16
                  plies_counted: 2
                  moves_left: 15
                }
                rule_set: RULE_SET_PYCHESS
              )pb"));
}

TEST(WriteStateTest, WriteState_Mate_IsFinished) {
  EXPECT_THAT(StateOf(GameOf("k6R/8/1K6/8/8/8/8/8[] b - - 3 40")),
              EqualsProto(R"pb(
                phase: PHASE_FINISHED
                side_to_move: COLOR_BLACK
                in_check: true
                checkers: "h8"
                result: RESULT_RED_WINS
                termination: TERMINATION_CHECKMATE
                halfmove_clock: 3
                fullmove_number: 40
                repetitions: 1
                rule_set: RULE_SET_PYCHESS
              )pb"));
}

TEST(WriteStateTest, WriteState_ThirdOccurrence_MayBeClaimed) {
  const v1::GameState state =
      StateOf(GameOf("4k3/8/8/8/p7/P7/8/R3K3[] w",
                     {"Kd1", "Kd8", "Ke1", "Ke8", "Kd1", "Kd8", "Ke1", "Ke8"}));
  EXPECT_EQ(state.repetitions(), 3u);
  ASSERT_EQ(state.claims_size(), 1);
  EXPECT_EQ(state.claims(0), v1::DRAW_CLAIM_THREEFOLD_REPETITION);
  EXPECT_EQ(state.halfmove_clock(), 8u);
}

TEST(WriteViolationTest, WriteViolation_Any_HasReasonMessageAndSquares) {
  const Violation violation{ViolationReason::kPathBlocked,
                            Bit(*SquareFromName("a3"))};
  v1::Violation answer;
  WriteViolation(violation, &answer);
  EXPECT_EQ(answer.reason(), v1::VIOLATION_REASON_PATH_BLOCKED);
  EXPECT_EQ(answer.message(), Describe(violation));
  ASSERT_EQ(answer.squares_size(), 1);
  EXPECT_EQ(answer.squares(0), "a3");
}

TEST(WriteLawsTest, WriteLaws_Traditional_AreItsRow) {
  v1::RuleSetLaws answer;
  WriteLaws(Laws(RuleSetId::kTraditional), &answer);
  EXPECT_THAT(answer, EqualsProto(R"pb(
                rule_set: RULE_SET_TRADITIONAL
                deployment_order: DEPLOYMENT_ORDER_RED_FIRST
                stalemating_is_illegal: true
                threefold_repetition: DRAW_RULE_ON_CLAIM
                hundred_plies: DRAW_RULE_ON_CLAIM
                only_promotions_left: DRAW_RULE_ON_CLAIM
                dead_positions: DEAD_POSITIONS_ALL
                counting: true
              )pb"));
}

TEST(WriteLawsTest, WriteLaws_Youzai_AreItsRow) {
  v1::RuleSetLaws answer;
  WriteLaws(Laws(RuleSetId::kYouzai), &answer);
  EXPECT_THAT(answer, EqualsProto(R"pb(
                rule_set: RULE_SET_YOUZAI
                deployment_order: DEPLOYMENT_ORDER_ALTERNATE
                promotion_may_discover_check: true
                threefold_repetition: DRAW_RULE_AUTOMATIC
                hundred_plies: DRAW_RULE_AUTOMATIC
                only_promotions_left: DRAW_RULE_NONE
                dead_positions: DEAD_POSITIONS_BARE_KINGS
              )pb"));
}

}  // namespace
}  // namespace sittuyin::service
