#include "engine/eval/evaluate.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "engine/notation/fen.h"
#include "engine/rules/movegen.h"

namespace sittuyin {
namespace {

Position At(std::string_view fen, RuleSetId rule_set = RuleSetId::kPychess) {
  return Position::FromSetup(std::get<Setup>(ParseFen(fen)), Laws(rule_set));
}

// The same game seen from the other side of the table.
Position Turned(const Position& position) {
  const Setup setup = position.ToSetup();
  Setup turned = setup;
  for (int i = 0; i < kSquareCount; ++i) {
    turned.board[i] = setup.board[63 - i];
    if (turned.board[i]) {
      turned.board[i]->color = Opponent(turned.board[i]->color);
    }
  }
  std::swap(turned.hands[0], turned.hands[1]);
  turned.side_to_move = Opponent(setup.side_to_move);
  return Position::FromSetup(turned, position.laws());
}

TEST(EvaluateTest, BoardTurned_SameValue) {
  std::mt19937 random(3);
  for (int game = 0; game < 20; ++game) {
    Position position = At(kStartFen);
    for (int ply = 0; ply < 150; ++ply) {
      EXPECT_EQ(Evaluate(position), Evaluate(Turned(position)))
          << ToFen(position);
      EXPECT_LE(std::abs(Evaluate(position)), kMaxEvaluation);
      const MoveList moves = LegalMoves(position);
      if (moves.empty()) break;
      position.Make(moves[random() % moves.size()]);
    }
  }
}

TEST(EvaluateTest, MoreMen_IsBetter) {
  const Value with = Evaluate(At("4k3/4p3/p7/8/8/P7/4P3/R3K3[] w - - 0 1"));
  const Value without = Evaluate(At("4k3/4p3/p7/8/8/P7/4P3/4K3[] w - - 0 1"));
  EXPECT_GT(with, without + 300);
}

TEST(EvaluateTest, ManInHand_CountsAsMaterial) {
  const Value even = Evaluate(At("4k3/4p3/p7/8/8/P7/4P3/4K3[Rr] w - - 0 1"));
  const Value ahead = Evaluate(At("4k3/4p3/p7/8/8/P7/4P3/4K3[R] w - - 0 1"));
  EXPECT_GT(ahead, even + 300);
}

TEST(EvaluateTest, NoGeneral_SoldierNearPromotionIsWorthMore) {
  // Equal but for the way b6 and b3 still have to b7.
  const Value near = Evaluate(At("6k1/8/1P6/8/8/p5p1/6P1/6K1[] w - - 0 1"));
  const Value far = Evaluate(At("6k1/8/8/8/8/pP4p1/6P1/6K1[] w - - 0 1"));
  EXPECT_GT(near, far + 20);
}

TEST(EvaluateTest, GeneralAlive_ProspectOfPromotionShrinks) {
  const auto gain = [](std::string_view near, std::string_view far) {
    return Evaluate(At(near)) - Evaluate(At(far));
  };
  EXPECT_GT(gain("6k1/8/1P6/8/8/p5p1/6P1/6K1[] w - - 0 1",
                 "6k1/8/8/8/8/pP4p1/6P1/6K1[] w - - 0 1"),
            gain("6k1/8/1P6/8/8/p5p1/6P1/5FK1[] w - - 0 1",
                 "6k1/8/8/8/8/pP4p1/6P1/5FK1[] w - - 0 1"));
}

TEST(EvaluateTest, SoldierBeyondPromotion_IsWorthLess) {
  const Value at = Evaluate(At("6k1/8/8/3P4/8/p5p1/6P1/5FK1[] w - - 0 1"));
  const Value beyond = Evaluate(At("6k1/3P4/8/8/8/p5p1/6P1/5FK1[] w - - 0 1"));
  EXPECT_GT(at, beyond);
}

TEST(EvaluateTest, ExposedKing_IsWorse) {
  constexpr std::string_view kSheltered =
      "2r1r1k1/5ppp/3n1n2/pppp4/4P3/PPPPNN1P/6PP/R3R1K1[] w - - 0 20";
  constexpr std::string_view kExposed =
      "2r1r1k1/5ppp/3n1n2/pppp4/4P2K/PPPPNN1P/6PP/R3R3[] w - - 0 20";
  EXPECT_GT(Evaluate(At(kSheltered)), Evaluate(At(kExposed)));
}

TEST(EvaluateTest, SmallPlusWithoutSoldiers_CountsLittle) {
  EXPECT_LT(Evaluate(At("4k3/4n3/8/8/8/8/8/R3K3[] w - - 0 1")), 100);
  EXPECT_GT(Evaluate(At("4k3/4n3/8/8/8/8/P7/R3K3[] w - - 0 1")), 200);
}

TEST(EvaluateTest, ClockRunsOut_PlusFades) {
  const auto at_clock = [](std::string_view clock, RuleSetId rule_set) {
    const std::string fen =
        "4k3/4p3/8/8/8/8/4P3/R3K3[] w - - " + std::string(clock) + " 60";
    return Evaluate(At(fen, rule_set));
  };
  EXPECT_GT(at_clock("0", RuleSetId::kYouzai),
            at_clock("90", RuleSetId::kYouzai));
  EXPECT_EQ(at_clock("0", RuleSetId::kVchess),
            at_clock("90", RuleSetId::kVchess));
}

}  // namespace
}  // namespace sittuyin
