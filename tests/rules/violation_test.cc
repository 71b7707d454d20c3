// Why a move is illegal: each reason, what stands in the way, and which of
// several reasons is given.
#include "engine/rules/violation.h"

#include <string>
#include <vector>

#include "engine/rules/legality.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/testing/positions.h"

namespace sittuyin {
namespace {

using testing::At;
using ::testing::EndsWith;
using testing::Flipped;
using testing::FlippedMove;
using testing::Reasoned;
using testing::Verdict;

struct Case {
  const char* fen;
  const char* move;
  const char* reasoned;  // The reason and its squares.
};

// Cases that read the same under every rule set.
const Case kCases[] = {
    // The drop's reasons.
    {"4k3/8/8/8/8/8/8/4K3[] w - - 0 1", "N@a1", "DEPLOYMENT_OVER a1"},
    {"4k3/8/8/8/8/8/8/4K3[n] w - - 0 1", "N@a1", "DEPLOYMENT_OVER a1"},
    {"4k3/8/8/8/8/8/8/4K3[R] w - - 0 1", "N@a1", "NOT_IN_HAND a1"},
    {"4k3/8/8/8/8/8/8/4K3[Rn] w - - 0 1", "N@a1", "NOT_IN_HAND a1"},
    {"4k3/8/8/8/8/8/8/4K3[N] w - - 0 1", "N@a4", "OUTSIDE_DEPLOYMENT_ZONE a4"},
    {"4k3/8/8/8/8/8/8/4K3[N] w - - 0 1", "N@a8", "OUTSIDE_DEPLOYMENT_ZONE a8"},
    {"4k3/8/8/8/8/8/8/4K3[R] w - - 0 1", "R@a4", "OUTSIDE_DEPLOYMENT_ZONE a4"},
    {"4k3/8/8/8/8/8/8/4K3[R] w - - 0 1", "R@a2", "CHARIOT_OFF_BACK_RANK a2"},
    {"4k3/8/8/8/8/8/8/4K3[R] w - - 0 1", "R@a3", "CHARIOT_OFF_BACK_RANK a3"},
    {"4k3/8/8/8/8/8/8/4K3[R] w - - 0 1", "R@e1", "SQUARE_OCCUPIED e1"},
    {"4k3/8/8/8/8/8/7n/4K3[N] w - - 0 1", "N@h2", "SQUARE_OCCUPIED h2"},
    {"4r1k1/8/8/8/8/8/8/4K3[N] w - - 0 1", "N@a1", "DOES_NOT_ANSWER_CHECK e8"},
    {"4r1k1/8/8/8/8/8/8/8[K] w - - 0 1", "K@e3", "LEAVES_KING_IN_CHECK e8"},
    // Which reason comes first for a drop.
    {"4k3/8/8/8/8/8/8/4K3[] w - - 0 1", "R@e8", "DEPLOYMENT_OVER e8"},
    {"4k3/8/8/8/8/8/8/4K3[N] w - - 0 1", "R@e8", "NOT_IN_HAND e8"},
    {"4k3/8/8/8/8/8/8/4K3[R] w - - 0 1", "R@e8", "OUTSIDE_DEPLOYMENT_ZONE e8"},
    {"4k3/8/8/8/8/8/4N3/4K3[R] w - - 0 1", "R@e2", "CHARIOT_OFF_BACK_RANK e2"},
    {"4r1k1/8/8/8/8/8/8/4K2N[N] w - - 0 1", "N@h1", "SQUARE_OCCUPIED h1"},
    // Before any board move.
    {"4k3/8/8/8/8/8/8/4K2N[R] w - - 0 1", "e1e2", "MUST_DEPLOY e2"},
    {"4k3/8/8/8/8/8/8/4K2N[R] w - - 0 1", "a5a6", "MUST_DEPLOY a6"},
    {"4k3/8/8/8/8/8/8/4K2N[R] w - - 0 1", "e8e7", "MUST_DEPLOY e7"},
    {"4k3/8/8/3P4/8/8/8/4K3[R] w - - 0 1", "d5d5f", "MUST_DEPLOY d5"},
    {"4k3/8/8/8/8/8/8/4K2N[] w - - 0 1", "a5a6", "EMPTY_SQUARE a6"},
    {"4k3/8/8/8/8/8/8/4K2N[] w - - 0 1", "a5a6f", "EMPTY_SQUARE a6"},
    {"4k3/8/8/8/8/8/8/4K2N[] w - - 0 1", "e8e7", "NOT_YOUR_MAN e7"},
    {"4k3/7p/8/8/8/8/8/4K2N[] w - - 0 1", "h7h7f", "NOT_YOUR_MAN h7"},
    // A promotion.
    {"4k3/8/8/8/8/8/P7/4K2N[] w - - 0 1", "h1g3f", "ONLY_SOLDIERS_PROMOTE g3"},
    {"4k3/8/8/8/8/8/P7/4KF1N[] w - - 0 1", "e1e1f", "ONLY_SOLDIERS_PROMOTE e1"},
    {"4k3/8/8/3P4/8/8/P7/4K2F[] w - - 0 1", "d5d5f", "GENERAL_STILL_ALIVE h1"},
    {"4k3/8/8/3P4/8/8/P7/4K2F[] w - - 0 1", "d5a8f", "GENERAL_STILL_ALIVE h1"},
    {"4k3/8/8/3P4/8/8/P7/4K2F[] w - - 0 1", "a2a2f", "GENERAL_STILL_ALIVE h1"},
    {"4k3/8/8/3P4/8/8/P7/4K3[] w - - 0 1", "a2a2f",
     "NOT_ON_PROMOTION_SQUARE a2"},
    {"4k3/8/8/3P4/8/8/P7/4K3[] w - - 0 1", "a2h8f",
     "NOT_ON_PROMOTION_SQUARE h8"},
    {"4k3/8/8/3P4/8/8/P7/4K3[] w - - 0 1", "d5d6f", "MAN_CANNOT_REACH d6"},
    {"3nk3/8/8/3P4/8/8/P7/4K3[] w - - 0 1", "d5d8f", "MAN_CANNOT_REACH d8"},
    {"4k3/8/2n5/3P4/8/8/P7/4K3[] w - - 0 1", "d5c6f",
     "PROMOTION_CANNOT_CAPTURE c6"},
    {"4k3/8/2N5/3P4/8/8/P7/4K3[] w - - 0 1", "d5c6f", "OWN_MAN_ON_TARGET c6"},
    {"4k3/8/2p1r3/3P4/8/8/P7/3K4[] w - - 0 1", "d5d5f",
     "PROMOTION_ATTACKS_ENEMY c6 e6"},
    {"8/8/3k4/8/3P4/8/8/3K4[] w - - 0 1", "d4e5f",
     "PROMOTION_ATTACKS_ENEMY d6"},
    {"4r1k1/8/8/3P4/8/P7/8/4K3[] w - - 0 1", "d5d5f",
     "DOES_NOT_ANSWER_CHECK e8"},
    {"4r1k1/3n4/8/3P4/8/P7/8/4K3[] w - - 0 1", "d5e6f",
     "PROMOTION_ATTACKS_ENEMY d7"},
    {"4r1k1/8/8/4P3/8/P7/8/4K3[] w - - 0 1", "e5d6f",
     "LEAVES_KING_IN_CHECK e8"},
    // A soldier that does not promote.
    {"4k3/8/3n4/3P4/8/8/P7/4K3[] w - - 0 1", "d5d6",
     "SOLDIER_ADVANCE_BLOCKED d6"},
    {"7k/8/3N4/3P4/8/8/P7/4K3[] w - - 0 1", "d5d6",
     "SOLDIER_ADVANCE_BLOCKED d6"},
    {"4k3/8/4N3/3P4/8/8/P7/4K3[] w - - 0 1", "d5e6", "OWN_MAN_ON_TARGET e6"},
    {"4k3/8/8/3P4/8/8/P7/4K3[] w - - 0 1", "d5e6",
     "SOLDIER_CAPTURE_NEEDS_ENEMY e6"},
    {"4k3/8/8/3P4/8/8/P7/4K3[] w - - 0 1", "d5d7", "MAN_CANNOT_REACH d7"},
    {"4k3/8/8/3P4/8/8/P7/4K3[] w - - 0 1", "a2a4", "MAN_CANNOT_REACH a4"},
    {"4k3/8/8/3P4/8/8/P7/4K3[] w - - 0 1", "d5e5", "MAN_CANNOT_REACH e5"},
    {"4k3/8/8/3P4/2n5/8/P7/4K3[] w - - 0 1", "d5c4", "MAN_CANNOT_REACH c4"},
    {"3k4/8/8/8/8/8/3P4/r2K4[] w - - 0 1", "d2d3", "DOES_NOT_ANSWER_CHECK a1"},
    // Any other man.
    {"4k3/8/8/8/8/8/8/4K2N[] w - - 0 1", "h1h3", "MAN_CANNOT_REACH h3"},
    {"4k3/8/8/8/8/8/8/4K2N[] w - - 0 1", "h1h1", "MAN_CANNOT_REACH h1"},
    {"4k3/8/8/8/8/8/8/4K2N[] w - - 0 1", "e1e3", "MAN_CANNOT_REACH e3"},
    {"4k3/8/8/8/8/8/8/4K2F[] w - - 0 1", "h1h2", "MAN_CANNOT_REACH h2"},
    {"4k3/8/8/8/7S/8/8/4K3[] w - - 0 1", "h4h3", "MAN_CANNOT_REACH h3"},
    {"4k3/8/8/8/7S/8/8/4K3[] w - - 0 1", "h4g4", "MAN_CANNOT_REACH g4"},
    {"4k3/8/8/8/8/8/8/R3K3[] w - - 0 1", "a1b2", "MAN_CANNOT_REACH b2"},
    {"4k3/n7/8/8/p7/8/8/R3K3[] w - - 0 1", "a1a8", "PATH_BLOCKED a4"},
    {"n3k3/n7/8/8/p7/8/8/R3K3[] w - - 0 1", "a8a1", "NOT_YOUR_MAN a1"},
    {"4k3/8/8/8/8/8/8/R2NK3[] w - - 0 1", "a1e1", "PATH_BLOCKED d1"},
    {"4k3/8/8/P7/8/P7/8/R3K3[] w - - 0 1", "a1a5", "PATH_BLOCKED a3"},
    {"4k3/8/8/8/8/8/8/R2NK3[] w - - 0 1", "a1d1", "OWN_MAN_ON_TARGET d1"},
    {"4k3/8/8/8/8/6P1/8/4K2N[] w - - 0 1", "h1g3", "OWN_MAN_ON_TARGET g3"},
    {"6k1/8/8/8/8/8/4R3/4K3[] w - - 0 1", "e1e2", "OWN_MAN_ON_TARGET e2"},
    // The own king.
    {"4r1k1/8/8/8/8/8/8/4K2N[] w - - 0 1", "h1g3", "DOES_NOT_ANSWER_CHECK e8"},
    {"4r1k1/8/8/8/8/8/8/4K2N[] w - - 0 1", "e1e2", "DOES_NOT_ANSWER_CHECK e8"},
    {"4r1k1/8/8/8/8/8/4K3/7N[] w - - 0 1", "e2e1", "DOES_NOT_ANSWER_CHECK e8"},
    {"4r1k1/8/8/3r4/8/8/8/4K2N[] w - - 0 1", "e1d1",
     "DOES_NOT_ANSWER_CHECK d5"},
    {"4r1k1/8/8/8/8/8/4N3/4K3[] w - - 0 1", "e2g3", "LEAVES_KING_IN_CHECK e8"},
    {"6k1/8/8/3r4/8/8/8/4K2N[] w - - 0 1", "e1d2", "LEAVES_KING_IN_CHECK d5"},
    {"8/8/8/8/8/4k3/8/4K2N[] w - - 0 1", "e1d2", "LEAVES_KING_IN_CHECK e3"},
    {"6k1/8/8/4r3/8/5n2/8/3K3R[] w - - 0 1", "d1e1",
     "LEAVES_KING_IN_CHECK f3 e5"},
    {"4r1k1/8/8/8/8/2n5/8/4K2N[] w - - 0 1", "e1e2",
     "DOES_NOT_ANSWER_CHECK c3 e8"},
};

class EveryReasonTest : public testing::EveryRuleSetTest {};

TEST_P(EveryReasonTest, Cases_GiveTheirReasonAndSquares) {
  for (const Case& c : kCases) {
    EXPECT_EQ(Reasoned(At(GetParam(), c.fen), c.move), c.reasoned)
        << c.move << ' ' << c.fen;
  }
}

TEST_P(EveryReasonTest, Cases_ColoursExchanged_GiveTheSameReason) {
  for (const Case& c : kCases) {
    const std::string reasoned = c.reasoned;
    EXPECT_EQ(Verdict(At(GetParam(), Flipped(c.fen)), FlippedMove(c.move)),
              reasoned.substr(0, reasoned.find(' ')))
        << FlippedMove(c.move) << ' ' << Flipped(c.fen);
  }
}

TEST_P(EveryReasonTest, AGeneralInHandIsAlive) {
  EXPECT_EQ(
      Verdict(At(GetParam(), "4k3/8/8/3P4/8/8/6r1/6K1[F] w - - 0 1"), "d5d5f"),
      "GENERAL_STILL_ALIVE");
}

TEST_P(EveryReasonTest, ASoldiersOwnSquareIsAPromotion) {
  EXPECT_EQ(
      Reasoned(At(GetParam(), "4k3/8/8/3P4/8/8/P7/4K3[] w - - 0 1"), "a2a2"),
      "NOT_ON_PROMOTION_SQUARE a2");
  EXPECT_EQ(
      Reasoned(At(GetParam(), "4k3/8/8/3P4/8/8/P7/4K2F[] w - - 0 1"), "d5d5"),
      "GENERAL_STILL_ALIVE h1");
}

TEST_P(EveryReasonTest, StepStraightBack_APromotionUnderVchessOnly) {
  const bool vchess = GetParam() == RuleSetId::kVchess;
  const Position position =
      At(GetParam(), "4k3/8/8/3P4/8/8/P7/4K3[] w - - 0 1");
  EXPECT_EQ(Verdict(position, "d5d4"), vchess ? "LEGAL" : "MAN_CANNOT_REACH");
  EXPECT_EQ(Verdict(position, "a2a1"),
            vchess ? "NOT_ON_PROMOTION_SQUARE" : "MAN_CANNOT_REACH");
  EXPECT_EQ(
      Verdict(At(GetParam(), "4k3/8/8/3P4/8/8/P7/4K2F[] w - - 0 1"), "d5d4"),
      vchess ? "GENERAL_STILL_ALIVE" : "MAN_CANNOT_REACH");
  EXPECT_EQ(
      Verdict(At(GetParam(), "4k3/8/2n5/3P4/8/8/P7/4K3[] w - - 0 1"), "d5d4"),
      vchess ? "PROMOTION_ATTACKS_ENEMY" : "MAN_CANNOT_REACH");
  // Two steps back are none.
  EXPECT_EQ(Verdict(position, "d5d3"), "MAN_CANNOT_REACH");
}

TEST_P(EveryReasonTest, DiscoveredCheck_NamesTheChariot) {
  const bool allowed = Laws(GetParam()).promotion_may_discover_check;
  const std::string fen = "3k4/8/8/3P4/8/8/P7/3RK3[] w - - 5 10";
  EXPECT_EQ(Reasoned(At(GetParam(), fen), "d5c6f"),
            allowed ? "LEGAL" : "PROMOTION_DISCOVERS_CHECK d1");
  EXPECT_EQ(Reasoned(At(GetParam(), Flipped(fen)), "d4c3f"),
            allowed ? "LEGAL" : "PROMOTION_DISCOVERS_CHECK d8");
}

TEST_P(EveryReasonTest, DiscoveredCheck_TheOwnKingComesFirst) {
  // The step uncovers both kings.
  EXPECT_EQ(
      Verdict(At(GetParam(), "8/8/8/K2P3r/8/8/8/7k[] w - - 0 1"), "d5c6f"),
      "LEAVES_KING_IN_CHECK");
  EXPECT_EQ(
      Verdict(At(GetParam(), "3k4/8/8/K2P3r/8/8/8/3R4[] w - - 0 1"), "d5c6f"),
      "LEAVES_KING_IN_CHECK");
}

TEST_P(EveryReasonTest, Stalemating_NamesTheTarget) {
  const bool illegal = Laws(GetParam()).stalemating_is_illegal;
  EXPECT_EQ(Reasoned(At(GetParam(), "k7/8/K7/8/8/8/8/2R5[] w - - 0 1"), "c1b1"),
            illegal ? "MUST_NOT_STALEMATE b1" : "LEGAL");
}

TEST_P(EveryReasonTest, MalformedText_HasNoSquares) {
  const Position start = At(GetParam(), "");
  for (const char* text :
       {"",      " ",    "x",     "e9e5",  "i4i5",  "K@",      "@e1",
        "K@i1",  "K@e9", "X@e1",  "Z@e1",  "e4e5x", "e4e5r",   "e4e5ff",
        "e4-e5", "0000", "K@e1@", "KK@e1", "E4E5",  "\xff\xfe"}) {
    EXPECT_EQ(Reasoned(start, text), "MALFORMED_MOVE") << text;
  }
}

SITTUYIN_EVERY_RULE_SET(EveryReasonTest);

TEST(ViolationTest, Names_AreThoseOfTheContractInItsOrder) {
  const std::vector<std::string> names = {"MALFORMED_MOVE",
                                          "GAME_OVER",
                                          "AMBIGUOUS_MOVE",
                                          "DEPLOYMENT_OVER",
                                          "NOT_IN_HAND",
                                          "OUTSIDE_DEPLOYMENT_ZONE",
                                          "CHARIOT_OFF_BACK_RANK",
                                          "SQUARE_OCCUPIED",
                                          "MUST_DEPLOY",
                                          "EMPTY_SQUARE",
                                          "NOT_YOUR_MAN",
                                          "ONLY_SOLDIERS_PROMOTE",
                                          "GENERAL_STILL_ALIVE",
                                          "NOT_ON_PROMOTION_SQUARE",
                                          "MAN_CANNOT_REACH",
                                          "PROMOTION_CANNOT_CAPTURE",
                                          "OWN_MAN_ON_TARGET",
                                          "PROMOTION_ATTACKS_ENEMY",
                                          "SOLDIER_ADVANCE_BLOCKED",
                                          "SOLDIER_CAPTURE_NEEDS_ENEMY",
                                          "PATH_BLOCKED",
                                          "DOES_NOT_ANSWER_CHECK",
                                          "LEAVES_KING_IN_CHECK",
                                          "PROMOTION_DISCOVERS_CHECK",
                                          "MUST_NOT_STALEMATE"};
  ASSERT_EQ(names.size(), static_cast<std::size_t>(kViolationReasonCount));
  for (int i = 0; i < kViolationReasonCount; ++i) {
    EXPECT_EQ(ReasonName(static_cast<ViolationReason>(i)), names[i]);
  }
}

TEST(ViolationTest, Describe_IsASentenceThatNamesTheSquares) {
  for (int i = 0; i < kViolationReasonCount; ++i) {
    const std::string text =
        Describe({static_cast<ViolationReason>(i), Bit(*SquareFromName("c6"))});
    EXPECT_GT(text.size(), 10) << i;
    EXPECT_EQ(text.back(), '.') << text;
  }
  const Bitboard squares =
      Bit(*SquareFromName("a4")) | Bit(*SquareFromName("c6"));
  EXPECT_THAT(Describe({ViolationReason::kPathBlocked, squares}),
              EndsWith(" (a4, c6)."));
  // The origin, of which the sentence tells, is another.
  EXPECT_THAT(
      Describe({ViolationReason::kEmptySquare, Bit(*SquareFromName("a4"))}),
      EndsWith(" (target a4)."));
  // Who writes `Ke1` with the king in hand learns how a drop is written.
  for (const auto reason :
       {ViolationReason::kMustDeploy, ViolationReason::kManCannotReach}) {
    EXPECT_NE(Describe({reason, 0}).find("K@e1"), std::string::npos);
  }
}

TEST(JudgeTest, SoldierDrop_IsNeverInHand) {
  const Move drop = Move::Drop(PieceType::kSoldier, *SquareFromName("a1"));
  EXPECT_EQ(std::get<Violation>(Judge(At(RuleSetId::kYouzai, ""), drop)).reason,
            ViolationReason::kNotInHand);
  EXPECT_EQ(std::get<Violation>(
                Judge(At(RuleSetId::kYouzai, "4k3/8/8/8/8/8/8/4K3[] w - - 0 1"),
                      drop))
                .reason,
            ViolationReason::kDeploymentOver);
}

}  // namespace
}  // namespace sittuyin
