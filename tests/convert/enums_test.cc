#include "service/convert/enums.h"

#include <gtest/gtest.h>

#include <string>

namespace sittuyin::service {
namespace {

TEST(EnumsTest, PieceType_Each_HasItsName) {
  EXPECT_EQ(ToProto(PieceType::kKing), v1::PIECE_TYPE_KING);
  EXPECT_EQ(ToProto(PieceType::kGeneral), v1::PIECE_TYPE_GENERAL);
  EXPECT_EQ(ToProto(PieceType::kChariot), v1::PIECE_TYPE_CHARIOT);
  EXPECT_EQ(ToProto(PieceType::kElephant), v1::PIECE_TYPE_ELEPHANT);
  EXPECT_EQ(ToProto(PieceType::kHorse), v1::PIECE_TYPE_HORSE);
  EXPECT_EQ(ToProto(PieceType::kSoldier), v1::PIECE_TYPE_SOLDIER);
}

TEST(EnumsTest, PieceType_ThereAndBack_IsTheSame) {
  for (const PieceType type : kPieceTypes) {
    EXPECT_EQ(FromProto(ToProto(type)), type);
  }
  EXPECT_EQ(FromProto(v1::PIECE_TYPE_UNSPECIFIED), std::nullopt);
  EXPECT_EQ(FromProto(static_cast<v1::PieceType>(7)), std::nullopt);
  EXPECT_EQ(FromProto(static_cast<v1::PieceType>(-1)), std::nullopt);
}

TEST(EnumsTest, RuleSet_Each_HasTheNameOfItsLaws) {
  for (const RuleSet& laws : kRuleSets) {
    EXPECT_EQ(v1::RuleSet_Name(ToProto(laws.id)),
              "RULE_SET_" + std::string(laws.name));
    EXPECT_EQ(FromProto(ToProto(laws.id)), laws.id);
  }
  EXPECT_EQ(FromProto(v1::RULE_SET_UNSPECIFIED), std::nullopt);
  EXPECT_EQ(FromProto(static_cast<v1::RuleSet>(6)), std::nullopt);
}

TEST(EnumsTest, ViolationReason_Each_HasTheEnginesName) {
  for (int i = 0; i < kViolationReasonCount; ++i) {
    const auto reason = static_cast<ViolationReason>(i);
    EXPECT_EQ(v1::ViolationReason_Name(ToProto(reason)),
              "VIOLATION_REASON_" + std::string(ReasonName(reason)));
  }
  EXPECT_EQ(v1::ViolationReason_MAX, kViolationReasonCount);
}

TEST(EnumsTest, StateEnums_Each_HasItsName) {
  EXPECT_EQ(ToProto(Color::kRed), v1::COLOR_RED);
  EXPECT_EQ(ToProto(Color::kBlack), v1::COLOR_BLACK);
  EXPECT_EQ(ToProto(Phase::kDeployment), v1::PHASE_DEPLOYMENT);
  EXPECT_EQ(ToProto(Phase::kPlay), v1::PHASE_PLAY);
  EXPECT_EQ(ToProto(Phase::kFinished), v1::PHASE_FINISHED);
  EXPECT_EQ(ToProto(Result::kOngoing), v1::RESULT_ONGOING);
  EXPECT_EQ(ToProto(Result::kRedWins), v1::RESULT_RED_WINS);
  EXPECT_EQ(ToProto(Result::kBlackWins), v1::RESULT_BLACK_WINS);
  EXPECT_EQ(ToProto(Result::kDraw), v1::RESULT_DRAW);
  EXPECT_EQ(ToProto(Termination::kNone), v1::TERMINATION_NONE);
  EXPECT_EQ(ToProto(Termination::kCheckmate), v1::TERMINATION_CHECKMATE);
  EXPECT_EQ(ToProto(Termination::kStalemate), v1::TERMINATION_STALEMATE);
  EXPECT_EQ(ToProto(Termination::kDeadPosition), v1::TERMINATION_DEAD_POSITION);
  EXPECT_EQ(ToProto(Termination::kCountExhausted),
            v1::TERMINATION_COUNT_EXHAUSTED);
  EXPECT_EQ(ToProto(Termination::kThreefoldRepetition),
            v1::TERMINATION_THREEFOLD_REPETITION);
  EXPECT_EQ(ToProto(Termination::kHundredPlies), v1::TERMINATION_HUNDRED_PLIES);
  EXPECT_EQ(ToProto(DrawClaim::kThreefoldRepetition),
            v1::DRAW_CLAIM_THREEFOLD_REPETITION);
  EXPECT_EQ(ToProto(DrawClaim::kHundredPlies), v1::DRAW_CLAIM_HUNDRED_PLIES);
  EXPECT_EQ(ToProto(DrawClaim::kOnlyPromotionsLeft),
            v1::DRAW_CLAIM_ONLY_PROMOTIONS_LEFT);
}

TEST(EnumsTest, StopReason_Each_HasItsName) {
  EXPECT_EQ(ToProto(StopReason::kDepth), v1::STOP_REASON_DEPTH);
  EXPECT_EQ(ToProto(StopReason::kNodes), v1::STOP_REASON_NODES);
  EXPECT_EQ(ToProto(StopReason::kTime), v1::STOP_REASON_TIME);
  EXPECT_EQ(ToProto(StopReason::kDeadline), v1::STOP_REASON_DEADLINE);
  EXPECT_EQ(ToProto(StopReason::kForcedMove), v1::STOP_REASON_FORCED_MOVE);
  EXPECT_EQ(ToProto(StopReason::kMateFound), v1::STOP_REASON_MATE_FOUND);
}

TEST(EnumsTest, Laws_Each_HasItsName) {
  EXPECT_EQ(ToProto(DeploymentOrder::kAlternate),
            v1::DEPLOYMENT_ORDER_ALTERNATE);
  EXPECT_EQ(ToProto(DeploymentOrder::kRedFirst),
            v1::DEPLOYMENT_ORDER_RED_FIRST);
  EXPECT_EQ(ToProto(DrawRule::kNone), v1::DRAW_RULE_NONE);
  EXPECT_EQ(ToProto(DrawRule::kAutomatic), v1::DRAW_RULE_AUTOMATIC);
  EXPECT_EQ(ToProto(DrawRule::kOnClaim), v1::DRAW_RULE_ON_CLAIM);
  EXPECT_EQ(ToProto(DeadPositions::kNone), v1::DEAD_POSITIONS_NONE);
  EXPECT_EQ(ToProto(DeadPositions::kBareKings), v1::DEAD_POSITIONS_BARE_KINGS);
  EXPECT_EQ(ToProto(DeadPositions::kAll), v1::DEAD_POSITIONS_ALL);
}

}  // namespace
}  // namespace sittuyin::service
