// Promotion: each clause of the law, for both colours.
#include <string>
#include <vector>

#include "engine/board/attacks.h"
#include "engine/board/bitboard.h"
#include "engine/notation/fen.h"
#include "engine/notation/move_text.h"
#include "engine/rules/movegen.h"
#include "gmock/gmock.h"
#include "tests/testing/positions.h"

namespace sittuyin {
namespace {

using testing::At;
using ::testing::Contains;
using testing::FenAfter;
using testing::Flipped;
using testing::FlippedMove;
using testing::FlippedMoves;
using testing::GameAt;
using ::testing::IsSupersetOf;
using testing::Moves;
using testing::MovesFrom;
using testing::Promotions;
using testing::Texts;
using testing::Verdict;

// A man for the first of the squares that is free and two steps or more from
// `centre`.
void PutFar(Setup& setup, Square centre, Man man,
            const std::vector<const char*>& names) {
  const Bitboard neighbours = Bit(centre) | KingAttacks(Bit(centre));
  const Bitboard near = neighbours | KingAttacks(neighbours);
  for (const char* name : names) {
    const Square far = *SquareFromName(name);
    if (sittuyin::Contains(near, far) || setup.board[Index(far)]) continue;
    setup.board[Index(far)] = man;
    return;
  }
  ADD_FAILURE() << "no room near " << Name(centre);
}

// The squares on which a soldier of `color` may promote in place while
// `others` soldiers stand off the long diagonals and no enemy is near.
Texts SquaresOfPromotion(RuleSetId rule_set, Color color, int others) {
  const bool red = color == Color::kRed;
  Texts squares;
  for (int i = 0; i < kSquareCount; ++i) {
    const Square square = static_cast<Square>(i);
    const Man soldier{color, PieceType::kSoldier};
    Setup setup;
    setup.side_to_move = color;
    setup.board[i] = soldier;
    PutFar(setup, square, {Opponent(color), PieceType::kKing}, {"h4", "a5"});
    PutFar(setup, square, {color, PieceType::kKing}, {"e1", "e8"});
    for (int n = 0; n < others; ++n) {
      PutFar(setup, square, soldier,
             red ? std::vector{"a2", "h2"} : std::vector{"a7", "h7"});
    }
    const Position position = Position::FromSetup(setup, Laws(rule_set));
    if (LegalMoves(position).Contains(Move::Promotion(square, square))) {
      squares.insert(Name(square));
    }
  }
  return squares;
}

class PromotionTest : public testing::EveryRuleSetTest {
 protected:
  void ExpectPromotions(const std::string& fen, const Texts& expected) {
    EXPECT_EQ(Promotions(At(GetParam(), fen)), expected) << fen;
    EXPECT_EQ(Promotions(At(GetParam(), Flipped(fen))), FlippedMoves(expected))
        << Flipped(fen);
  }
  void ExpectVerdict(const std::string& fen, const std::string& move,
                     const std::string& verdict) {
    EXPECT_EQ(Verdict(At(GetParam(), fen), move), verdict)
        << move << ' ' << fen;
    EXPECT_EQ(Verdict(At(GetParam(), Flipped(fen)), FlippedMove(move)), verdict)
        << FlippedMove(move) << ' ' << Flipped(fen);
  }
};

TEST_P(PromotionTest, Clause1_AGeneralOnTheBoardForbidsIt) {
  ExpectPromotions("4k3/8/8/4P3/P7/8/8/4KF2[] w - - 0 1", {});
  ExpectVerdict("4k3/8/8/4P3/P7/8/8/4KF2[] w - - 0 1", "e5e5f",
                "GENERAL_STILL_ALIVE");
  ExpectPromotions("4k3/8/8/4P3/P7/8/8/4K3[] w - - 0 1",
                   {"e5e5f", "e5d4f", "e5d6f", "e5f4f", "e5f6f"});
}

TEST_P(PromotionTest, Clause1_TheEnemysGeneralDoesNot) {
  ExpectPromotions("4k3/8/8/4P3/P7/8/8/f3K3[] w - - 0 1",
                   {"e5e5f", "e5d4f", "e5d6f", "e5f4f", "e5f6f"});
}

TEST_P(PromotionTest, Clause1_AGeneralInHandForbidsItToo) {
  const std::string fen = "4k3/8/8/3P4/8/8/6r1/6K1[F] w - - 0 1";
  ExpectPromotions(fen, {});
  ExpectVerdict(fen, "d5d5f", "GENERAL_STILL_ALIVE");
  ExpectVerdict(fen, "g1g2", "LEGAL");
}

TEST_P(PromotionTest, Clause1_ANewGeneralForbidsTheNext) {
  EXPECT_EQ(Promotions(GameAt(GetParam(), "7k/8/8/3PP3/8/8/8/K7[] w - - 0 1",
                              {"d5d5f", "h8h7"})
                           .position()),
            Texts{});
}

TEST_P(PromotionTest, Clause1_ALostGeneralAllowsItAgain) {
  const Game game = GameAt(GetParam(), "4k3/8/8/3P4/8/P7/2r5/1F2K3[] b - - 0 1",
                           {"c2c1", "e1e2"});
  EXPECT_EQ(Promotions(game.position()), Texts{});
  Game next = game;
  next.Play("c1b1");
  EXPECT_THAT(Promotions(next.position()), Contains("d5d5f"));
}

TEST_P(PromotionTest, Clause2_SquaresOfTheLongDiagonalsInTheEnemyHalf) {
  EXPECT_EQ(SquaresOfPromotion(GetParam(), Color::kRed, 1),
            (Texts{"a8", "b7", "c6", "d5", "e5", "f6", "g7", "h8"}));
  EXPECT_EQ(SquaresOfPromotion(GetParam(), Color::kBlack, 1),
            (Texts{"a1", "b2", "c3", "d4", "e4", "f3", "g2", "h1"}));
}

TEST_P(PromotionTest, Clause2_TheOnlySoldierLeftAnywhere) {
  EXPECT_EQ(SquaresOfPromotion(GetParam(), Color::kRed, 0).size(), 64);
  EXPECT_EQ(SquaresOfPromotion(GetParam(), Color::kBlack, 0).size(), 64);
}

TEST_P(PromotionTest, Clause2_TheEnemysSoldiersDoNotCount) {
  ExpectPromotions("4k3/8/pppp4/8/8/5P2/8/4K3[] w - - 0 1",
                   {"f3f3f", "f3e2f", "f3e4f", "f3g2f", "f3g4f"});
}

TEST_P(PromotionTest, Clause2_OffTheSquaresRefused) {
  ExpectVerdict("4k3/8/8/8/3P4/8/P7/4K3[] w - - 0 1", "d4d4f",
                "NOT_ON_PROMOTION_SQUARE");
}

TEST_P(PromotionTest, Clause3_InPlaceOrDiagonallyAdjacent) {
  const std::string fen = "4k3/8/8/3P4/8/8/P7/4K3[] w - - 0 1";
  ExpectPromotions(fen, {"d5d5f", "d5c4f", "d5e4f", "d5c6f", "d5e6f"});
  ExpectVerdict(fen, "d5d6f", "MAN_CANNOT_REACH");
  ExpectVerdict(fen, "d5d4f", "MAN_CANNOT_REACH");
  ExpectVerdict(fen, "d5b7f", "MAN_CANNOT_REACH");
}

TEST_P(PromotionTest, Clause3_OnlyOnAnEmptySquare) {
  const std::string fen = "4k3/8/2n1N3/3P4/2N1n3/8/P7/4K3[] w - - 0 1";
  ExpectVerdict(fen, "d5c6f", "PROMOTION_CANNOT_CAPTURE");
  ExpectVerdict(fen, "d5e4f", "PROMOTION_CANNOT_CAPTURE");
  ExpectVerdict(fen, "d5e6f", "OWN_MAN_ON_TARGET");
  ExpectVerdict(fen, "d5c4f", "OWN_MAN_ON_TARGET");
}

TEST_P(PromotionTest, Clause3_AtTheEdgeNothingWraps) {
  ExpectPromotions("P3k3/8/8/8/8/8/P7/4K3[] w - - 0 1", {"a8a8f", "a8b7f"});
  ExpectPromotions("4k2P/8/8/8/8/8/P7/4K3[] w - - 0 1", {"h8h8f", "h8g7f"});
  ExpectPromotions("4k3/8/8/P7/8/8/8/4K3[] w - - 0 1",
                   {"a5a5f", "a5b4f", "a5b6f"});
}

TEST_P(PromotionTest, Clause4_AttacksNoEnemyManWhatever) {
  for (const std::string man : {"p", "s", "n", "r", "f"}) {
    // Guarded by the king or not.
    for (const std::string king : {"5k2/8/8", "8/8/5k2"}) {
      const bool near = king == "8/8/5k2";
      const std::string ranks =
          near ? "8/8/4" + man + "k2" : "5k2/8/4" + man + "3";
      const std::string fen = ranks + "/3P4/8/8/P7/1K6[] w - - 0 1";
      ExpectVerdict(fen, "d5d5f", "PROMOTION_ATTACKS_ENEMY");
    }
  }
}

TEST_P(PromotionTest, Clause4_TheKingIsAnEnemyManToo) {
  ExpectPromotions("8/8/4k3/8/3P4/8/8/K7[] w - - 0 1",
                   {"d4d4f", "d4c3f", "d4e3f", "d4c5f", "d4e5f"});
  ExpectPromotions("8/8/8/4k3/8/3P4/8/K7[] w - - 0 1",
                   {"d3d3f", "d3c2f", "d3e2f", "d3c4f", "d3e4f"});
  ExpectPromotions("8/8/8/3k4/8/8/3P4/K7[] w - - 0 1",
                   {"d2d2f", "d2c1f", "d2e1f", "d2c3f", "d2e3f"});
  ExpectPromotions("8/8/8/3k4/8/3P4/8/K7[] w - - 0 1",
                   {"d3d3f", "d3c2f", "d3e2f"});
  ExpectVerdict("8/8/8/3k4/8/3P4/8/K7[] w - - 0 1", "d3c4f",
                "PROMOTION_ATTACKS_ENEMY");
}

TEST_P(PromotionTest, Clause4_CountsFromTheNewSquare) {
  // From d5 it would attack c6 and e6, from c6 b7 only.
  ExpectPromotions("4k3/8/2p5/3P4/8/8/P7/4K3[] w - - 5 10",
                   {"d5c4f", "d5e4f", "d5e6f"});
  ExpectPromotions("4k3/8/3p1p2/4P3/8/P7/8/4K3[] w - - 0 1",
                   {"e5d4f", "e5f4f"});
  ExpectPromotions("6k1/8/5n2/4P3/3n4/8/P7/4K3[] w - - 0 1",
                   {"e5d6f", "e5f4f"});
}

TEST_P(PromotionTest, Clause4_StraightNeighboursAreNotAttacked) {
  EXPECT_THAT(
      Promotions(At(GetParam(), "7k/8/3n4/2rPr3/3n4/8/P7/K7[] w - - 0 1")),
      Contains("d5d5f"));
}

TEST_P(PromotionTest, Clause5_AStepMayBlockACheckStayingNeverAnswersOne) {
  ExpectPromotions("4r1k1/8/8/3P4/8/P7/8/4K3[] w - - 0 1", {"d5e4f", "d5e6f"});
  ExpectVerdict("4r1k1/8/8/3P4/8/P7/8/4K3[] w - - 0 1", "d5d5f",
                "DOES_NOT_ANSWER_CHECK");
  ExpectPromotions("8/8/8/8/7k/8/2P5/K6r[] w - - 0 1", {"c2b1f", "c2d1f"});
}

TEST_P(PromotionTest, Clause5_APinnedSoldierMayPromoteInPlace) {
  ExpectPromotions("8/8/8/K2P3r/8/8/8/7k[] w - - 0 1", {"d5d5f"});
  ExpectPromotions("4r1k1/8/8/4P3/8/P7/8/4K3[] w - - 0 1", {"e5e5f"});
  ExpectVerdict("4r1k1/8/8/4P3/8/P7/8/4K3[] w - - 0 1", "e5d6f",
                "LEAVES_KING_IN_CHECK");
}

TEST_P(PromotionTest, Clause6_DiscoveredCheckWhereTheRuleSetForbidsIt) {
  const std::string fen = "3k4/8/8/3P4/8/8/P7/3RK3[] w - - 5 10";
  const bool allowed =
      GetParam() == RuleSetId::kYouzai || GetParam() == RuleSetId::kChessplayx;
  const Texts steps = {"d5c4f", "d5e4f", "d5c6f", "d5e6f"};
  Texts expected = {"d5d5f"};
  if (allowed) expected.insert(steps.begin(), steps.end());
  ExpectPromotions(fen, expected);
  EXPECT_EQ(CountLegalMoves(At(GetParam(), fen)), allowed ? 17 : 13);
  ExpectVerdict(fen, "d5c4f", allowed ? "LEGAL" : "PROMOTION_DISCOVERS_CHECK");
}

TEST_P(PromotionTest, Clause6_AlongTheRankToo) {
  const bool allowed =
      GetParam() == RuleSetId::kYouzai || GetParam() == RuleSetId::kChessplayx;
  ExpectVerdict("8/8/8/R2P3k/8/8/P7/4K3[] w - - 0 1", "d5c6f",
                allowed ? "LEGAL" : "PROMOTION_DISCOVERS_CHECK");
  ExpectVerdict("8/8/8/R2P3k/8/8/P7/4K3[] w - - 0 1", "d5d5f", "LEGAL");
}

TEST_P(PromotionTest, Clause6_AnAttackUncoveredOnAnotherManIsAllowed) {
  ExpectPromotions("3rk3/8/8/3P4/8/8/P7/3RK3[] w - - 0 1",
                   {"d5d5f", "d5c4f", "d5e4f", "d5c6f", "d5e6f"});
  ExpectPromotions("4r3/8/7k/8/4P3/8/8/4R1K1[] w - - 0 1",
                   {"e4d3f", "e4d5f", "e4e4f", "e4f3f", "e4f5f"});
}

TEST_P(PromotionTest, Clause6_AStepOfTheSoldierMayUncoverACheck) {
  ExpectVerdict("8/8/8/R2P3k/8/8/P7/4K3[] w - - 0 1", "d5d6", "LEGAL");
}

TEST_P(PromotionTest, NeverCompulsory) {
  const Position position =
      At(GetParam(), "4k3/8/8/3P4/8/8/P7/4K3[] w - - 0 1");
  EXPECT_THAT(Moves(position), IsSupersetOf({"d5d6", "a2a3", "e1e2"}));
}

TEST_P(PromotionTest, NeverOnArrival) {
  const std::string step = "4k3/8/8/8/3P4/8/P7/4K3[] w - - 0 1";
  EXPECT_EQ(FenAfter(GetParam(), step, {"d4d5"}),
            "4k3/8/8/3P4/8/8/P7/4K3[] b - - 0 1");
  ExpectVerdict(step, "d4d5f", "NOT_ON_PROMOTION_SQUARE");
  EXPECT_EQ(
      FenAfter(GetParam(), "4k3/8/8/3r4/2P5/8/P7/4K3[] w - - 0 1", {"c4d5"}),
      "4k3/8/8/3P4/8/8/P7/4K3[] b - - 0 1");
  EXPECT_EQ(FenAfter(GetParam(), "4k3/P7/8/8/8/8/P7/4K3[] w - - 0 1", {"a7a8"}),
            "P3k3/8/8/8/8/8/P7/4K3[] b - - 0 1");
}

TEST_P(PromotionTest, TheRightStaysWhileTheSoldierStands) {
  const Game game = GameAt(GetParam(), "4k3/8/8/8/3P4/8/P7/4K3[] w - - 0 1",
                           {"d4d5", "e8f8", "e1f1", "f8e8", "a2a3", "e8f8"});
  EXPECT_EQ(Promotions(game.position()),
            (Texts{"d5d5f", "d5c4f", "d5e4f", "d5c6f", "d5e6f"}));
}

TEST_P(PromotionTest, LastRank_NothingHappensAndTheSoldierIsStuck) {
  const std::string fen = "2P1k3/8/8/8/8/8/P7/4K3[] w - - 0 1";
  EXPECT_EQ(MovesFrom(At(GetParam(), fen), "c8"), Texts{});
  EXPECT_EQ(MovesFrom(At(GetParam(), Flipped(fen)), "c1"), Texts{});
  EXPECT_EQ(
      MovesFrom(At(GetParam(), "4k1P1/8/8/8/8/8/8/4K3[] w - - 0 1"), "g8"),
      (Texts{"g8g8f", "g8h7f"}));
  EXPECT_EQ(
      FenAfter(GetParam(), "4k3/2P5/8/8/8/8/P7/4K3[] w - - 0 1", {"c7c8"}),
      "2P1k3/8/8/8/8/8/P7/4K3[] b - - 0 1");
}

TEST_P(PromotionTest, TheGeneralReplacesTheSoldier) {
  const std::string fen = "4k3/8/8/3P4/8/8/P7/4K3[] w - - 7 4";
  EXPECT_EQ(FenAfter(GetParam(), fen, {"d5d5f"}),
            "4k3/8/8/3F4/8/8/P7/4K3[] b - - 0 4");
  EXPECT_EQ(FenAfter(GetParam(), fen, {"d5e6f"}),
            "4k3/8/4F3/8/8/8/P7/4K3[] b - - 0 4");
  EXPECT_EQ(FenAfter(GetParam(), Flipped(fen), {"d4e3f"}),
            "4k3/p7/8/8/8/4f3/8/4K3[] w - - 0 5");
}

TEST_P(PromotionTest, Canonical_AnyOfSeveralSoldiersMayPromote) {
  ExpectPromotions("7k/8/8/3PP3/8/8/8/K7[] w - - 0 1",
                   {"d5d5f", "d5c4f", "d5e4f", "d5c6f", "d5e6f", "e5e5f",
                    "e5d4f", "e5f4f", "e5d6f", "e5f6f"});
}

SITTUYIN_EVERY_RULE_SET(PromotionTest);

}  // namespace
}  // namespace sittuyin
