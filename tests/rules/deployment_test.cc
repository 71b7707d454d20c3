// Deployment: what may be dropped, where, and whose turn it is then.
#include <random>
#include <string>
#include <variant>
#include <vector>

#include "engine/board/bitboard.h"
#include "engine/game/game.h"
#include "engine/notation/fen.h"
#include "engine/notation/move_text.h"
#include "engine/rules/movegen.h"
#include "engine/rules/validate.h"
#include "gmock/gmock.h"
#include "tests/testing/positions.h"

namespace sittuyin {
namespace {

using testing::At;
using ::testing::Contains;
using testing::Flipped;
using testing::FlippedMoves;
using testing::GameAt;
using testing::Moves;
using testing::Texts;
using testing::Verdict;

Texts DropsOn(const std::string& men, const std::vector<std::string>& squares) {
  Texts drops;
  for (char man : men) {
    for (const std::string& square : squares) {
      drops.insert(man + ("@" + square));
    }
  }
  return drops;
}

class DeploymentTest : public testing::EveryRuleSetTest {};

TEST_P(DeploymentTest, FirstMove_AnyManOnTwentySquaresChariotOnEight) {
  const std::vector<std::string> back_rank = {"a1", "b1", "c1", "d1",
                                              "e1", "f1", "g1", "h1"};
  std::vector<std::string> zone = back_rank;
  for (const char* square : {"a2", "b2", "c2", "d2", "e2", "f2", "g2", "h2",
                             "e3", "f3", "g3", "h3"}) {
    zone.emplace_back(square);
  }
  Texts expected = DropsOn("KFSN", zone);
  expected.merge(DropsOn("R", back_rank));
  ASSERT_EQ(expected.size(), 88);
  const Position start = At(GetParam(), "");
  EXPECT_EQ(Moves(start), expected);
  EXPECT_EQ(Moves(At(GetParam(), Flipped(kStartFen))), FlippedMoves(expected));
}

TEST_P(DeploymentTest, WhileMenAreInHand_NothingButDrops) {
  const Position position =
      At(GetParam(),
         "3kr3/8/4pppp/pppp4/4PPPP/PPPP4/2KSFS2/RN1N3R[frssnn] b - - 0 9");
  for (const Move move : LegalMoves(position)) EXPECT_TRUE(move.IsDrop());
  EXPECT_EQ(CountLegalMoves(position), 60);
  EXPECT_EQ(Verdict(position, "e8e7"), "MUST_DEPLOY");
}

TEST_P(DeploymentTest, OtherSideStillDrops_EmptyHandMovesNormally) {
  const Position position =
      At(GetParam(),
         "3kr3/8/4pppp/pppp4/4PPPP/PPPP4/2KSFS2/RN1N3R[frssnn] w - - 0 9");
  for (const Move move : LegalMoves(position)) EXPECT_FALSE(move.IsDrop());
  EXPECT_EQ(CountLegalMoves(position), 29);
}

TEST_P(DeploymentTest, NoLegalDropInCheck_MovesOnTheBoard) {
  const Position position =
      At(GetParam(), "4k3/8/8/8/8/8/8/4R1K1[r] b - - 0 1");
  EXPECT_EQ(Moves(position), (Texts{"e8d7", "e8d8", "e8f7", "e8f8"}));
  EXPECT_EQ(Verdict(position, "R@a8"), "DOES_NOT_ANSWER_CHECK");
}

TEST_P(DeploymentTest, NoLegalDropNotInCheck_MovesOnTheBoardAndPassesTheTurn) {
  const Game game =
      GameAt(GetParam(), "4k3/8/8/8/8/1n6/8/1KFSSNNR[R] b - - 0 1", {"b3a1"});
  ASSERT_EQ(game.position().side_to_move(), Color::kRed);
  EXPECT_EQ(Verdict(game.position(), "R@a1"), "SQUARE_OCCUPIED");
  const Texts moves = Moves(game.position());
  EXPECT_THAT(moves, Contains("h1h8"));
  EXPECT_THAT(moves, Contains("b1a1"));
  for (const std::string& move : moves) EXPECT_EQ(move.find('@'), move.npos);
  Game next = game;
  next.Play("d1d2");
  EXPECT_EQ(next.position().side_to_move(), Color::kBlack);
  EXPECT_EQ(next.position().InHand(Color::kRed, PieceType::kChariot), 1);
}

TEST_P(DeploymentTest, Drop_MayTakeTheLastSquareOfAnotherMan) {
  const char* fen = "4k3/8/8/8/8/8/8/2PFSSNN[KRR] w - - 0 1";
  const Game game = GameAt(GetParam(), fen, {"K@a1"});
  EXPECT_EQ(game.Ending(), Termination::kNone);
  // Two chariots, one square: no start, but how the game stands.
  const auto start = Game::Start(GetParam(), ToFen(game.position()));
  const auto& error = std::get<Game::StartError>(start);
  const auto& problems = std::get<std::vector<SetupProblem>>(error);
  ASSERT_EQ(problems.size(), 1);
  EXPECT_EQ(problems[0].fault, SetupFault::kHandCannotBeDropped);
}

TEST_P(DeploymentTest, NoLegalDrop_NoMoveCapturesAKing) {
  const Position position =
      At(GetParam(), "4k3/4R3/8/8/8/8/6r1/6K1[R] w - - 0 1");
  EXPECT_EQ(Moves(position), (Texts{"g1f1", "g1g2", "g1h1"}));
}

TEST_P(DeploymentTest, Drop_MayGiveCheck) {
  const Position position = At(GetParam(), "4k3/8/8/8/8/8/8/3K4[R] w - - 0 1");
  EXPECT_EQ(Moves(position),
            DropsOn("R", {"a1", "b1", "c1", "e1", "f1", "g1", "h1"}));
}

TEST_P(DeploymentTest, Drop_MayNotLeaveTheOwnKingInCheck) {
  EXPECT_EQ(Moves(At(GetParam(), "4r1k1/8/8/8/8/8/8/4K3[N] w - - 0 1")),
            (Texts{"N@e2", "N@e3"}));
  EXPECT_EQ(
      Moves(At(GetParam(), Flipped("4r1k1/8/8/8/8/8/8/4K3[N] w - - 0 1"))),
      (Texts{"N@e7", "N@e6"}));
}

TEST_P(DeploymentTest, KingDrop_NotOnAnAttackedSquare) {
  const Position position =
      At(GetParam(), "4r1k1/8/8/8/8/8/2p5/8[K] w - - 0 1");
  EXPECT_EQ(
      Moves(position),
      DropsOn("K", {"a1", "c1", "f1", "g1", "h1", "a2", "b2", "d2", "f2", "g2",
                    "h2", "a3", "b3", "c3", "d3", "f3", "g3", "h3"}));
  EXPECT_EQ(Verdict(position, "K@e2"), "LEAVES_KING_IN_CHECK");
  EXPECT_EQ(Verdict(position, "K@d1"), "LEAVES_KING_IN_CHECK");
}

TEST_P(DeploymentTest, KingInHand_OtherMenDropFreely) {
  EXPECT_EQ(
      CountLegalMoves(At(GetParam(), "r3r1k1/8/8/8/8/8/8/8[KN] w - - 0 1")),
      (24 - 6) + 24);
}

TEST_P(DeploymentTest, HandsEmptied_OneTypeAfterTheOther) {
  const Position position =
      At(GetParam(),
         "sn1rn3/1s1f3k/4pppp/pppp4/4PPPP/PPPPK1S1/N1S5/R2N2F1[Rr] w "
         "- - 0 8");
  EXPECT_EQ(Moves(position), DropsOn("R", {"b1", "c1", "e1", "f1", "h1"}));
}

TEST_P(DeploymentTest, FromTheStart_NoCheckCanArise) {
  std::mt19937_64 random(7);
  for (int game = 0; game < 200; ++game) {
    Position position = At(GetParam(), "");
    for (int drop = 0; drop < 16; ++drop) {
      const MoveList moves = LegalMoves(position);
      ASSERT_FALSE(moves.empty());
      const Move move = moves[random() % moves.size()];
      ASSERT_TRUE(move.IsDrop());
      position.Make(move);
      ASSERT_EQ(position.CheckersOf(Color::kRed), 0) << ToFen(position);
      ASSERT_EQ(position.CheckersOf(Color::kBlack), 0) << ToFen(position);
    }
    EXPECT_TRUE(position.HandEmpty(Color::kRed));
    EXPECT_TRUE(position.HandEmpty(Color::kBlack));
    EXPECT_EQ(position.side_to_move(), Color::kRed);
    EXPECT_EQ(position.fullmove_number(), 9);
  }
}

TEST_P(DeploymentTest, Drop_StartsTheClockAnew) {
  const Position position =
      GameAt(GetParam(), "4k3/8/8/8/8/8/8/3K4[R] w - - 30 20", {"R@a1"})
          .position();
  EXPECT_EQ(position.halfmove_clock(), 0);
}

SITTUYIN_EVERY_RULE_SET(DeploymentTest);

const std::vector<std::string> kRedMen = {"K@e1", "F@e2", "R@a1", "R@h1",
                                          "S@c1", "S@f1", "N@b1", "N@g1"};
const std::vector<std::string> kBlackMen = {"K@d8", "F@d7", "R@h8", "R@a8",
                                            "S@f8", "S@c8", "N@g8", "N@b8"};
const char kDeployed[] =
    "rnsk1snr/3f4/4pppp/pppp4/4PPPP/PPPP4/4F3/RNS1KSNR[] w - - 0 9";

class AlternateOrderTest : public testing::EveryRuleSetTest {};

TEST_P(AlternateOrderTest, RedAndBlackDropInTurn) {
  Game game = GameAt(GetParam(), "");
  for (std::size_t i = 0; i < kRedMen.size(); ++i) {
    EXPECT_EQ(game.position().fullmove_number(), static_cast<int>(i) + 1);
    EXPECT_EQ(game.State().phase, Phase::kDeployment);
    game.Play(kRedMen[i]);
    EXPECT_EQ(game.position().side_to_move(), Color::kBlack);
    EXPECT_EQ(game.position().fullmove_number(), static_cast<int>(i) + 1);
    game.Play(kBlackMen[i]);
    EXPECT_EQ(game.position().side_to_move(), Color::kRed);
  }
  EXPECT_EQ(ToFen(game.position()), kDeployed);
  EXPECT_EQ(game.State().phase, Phase::kPlay);
}

TEST_P(AlternateOrderTest, HandMade_TheSideThatStillHasMenPassesEachTurn) {
  const Game game = GameAt(GetParam(), "4k3/8/8/8/8/8/8/4K3[RRn] w - - 0 1",
                           {"R@a1", "N@b8", "R@h1", "b8c6"});
  EXPECT_EQ(game.position().side_to_move(), Color::kRed);
  EXPECT_EQ(game.position().fullmove_number(), 3);
}

INSTANTIATE_TEST_SUITE_P(Sets, AlternateOrderTest,
                         ::testing::Values(RuleSetId::kYouzai,
                                           RuleSetId::kChessplayx,
                                           RuleSetId::kPychess),
                         testing::RuleSetName);

class RedFirstOrderTest : public testing::EveryRuleSetTest {};

TEST_P(RedFirstOrderTest, RedDropsAllEightThenBlack) {
  Game game = GameAt(GetParam(), "");
  for (const std::string& drop : kRedMen) {
    EXPECT_EQ(game.position().side_to_move(), Color::kRed);
    EXPECT_EQ(game.position().fullmove_number(), 1);
    game.Play(drop);
  }
  for (std::size_t i = 0; i < kBlackMen.size(); ++i) {
    EXPECT_EQ(game.position().side_to_move(), Color::kBlack);
    EXPECT_EQ(game.position().fullmove_number(), static_cast<int>(i) + 1);
    game.Play(kBlackMen[i]);
  }
  EXPECT_EQ(ToFen(game.position()), kDeployed);
  EXPECT_EQ(game.State().phase, Phase::kPlay);
}

TEST_P(RedFirstOrderTest, HandMade_ADropPassesTheTurnWhenItEmptiesTheHand) {
  Game game = GameAt(GetParam(), "4k3/8/8/8/8/8/8/4K3[RRn] w - - 0 1");
  game.Play("R@a1");
  EXPECT_EQ(game.position().side_to_move(), Color::kRed);
  game.Play("R@h1");
  EXPECT_EQ(game.position().side_to_move(), Color::kBlack);
  game.Play("N@b8");
  EXPECT_EQ(game.position().side_to_move(), Color::kRed);
  EXPECT_EQ(game.position().fullmove_number(), 2);
}

TEST_P(RedFirstOrderTest, HandMade_BlackDropsOnWhileItsHandLasts) {
  Game game = GameAt(GetParam(), "4k3/8/8/8/8/8/8/4K2R[rrn] b - - 0 5");
  game.Play("R@a8");
  EXPECT_EQ(game.position().side_to_move(), Color::kBlack);
  EXPECT_EQ(game.position().fullmove_number(), 6);
  game.Play("N@b8");
  EXPECT_EQ(game.position().side_to_move(), Color::kBlack);
  game.Play("R@h8");
  EXPECT_EQ(game.position().side_to_move(), Color::kRed);
  EXPECT_EQ(game.position().fullmove_number(), 8);
}

TEST_P(RedFirstOrderTest, HandMade_ACheckGivenMidHandIsAnsweredLater) {
  Game game = GameAt(GetParam(), "4k3/8/8/8/8/8/8/3K4[RN] w - - 0 1");
  game.Play("R@e1");
  EXPECT_EQ(game.position().side_to_move(), Color::kRed);
  EXPECT_NE(game.position().CheckersOf(Color::kBlack), 0);
  game.Play("N@a1");
  EXPECT_EQ(Moves(game.position()), (Texts{"e8d7", "e8d8", "e8f7", "e8f8"}));
}

INSTANTIATE_TEST_SUITE_P(Sets, RedFirstOrderTest,
                         ::testing::Values(RuleSetId::kVchess,
                                           RuleSetId::kTraditional),
                         testing::RuleSetName);

}  // namespace
}  // namespace sittuyin
