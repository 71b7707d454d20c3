#include "engine/search/exchange.h"

#include <gtest/gtest.h>

#include <string_view>
#include <variant>

#include "engine/notation/fen.h"
#include "engine/notation/move_text.h"

namespace sittuyin {
namespace {

Value Exchange(std::string_view fen, std::string_view move) {
  const Position position = Position::FromSetup(std::get<Setup>(ParseFen(fen)),
                                                Laws(RuleSetId::kYouzai));
  return ExchangeValue(position, std::get<Move>(ReadMove(position, move)));
}

constexpr Value kSoldier = ManValue(PieceType::kSoldier);
constexpr Value kGeneral = ManValue(PieceType::kGeneral);
constexpr Value kHorse = ManValue(PieceType::kHorse);
constexpr Value kChariot = ManValue(PieceType::kChariot);

TEST(ExchangeValueTest, LooseMan_IsWonWhole) {
  EXPECT_EQ(Exchange("k7/8/8/4n3/8/8/8/K3R3[] w - - 0 1", "e1e5"), kHorse);
}

TEST(ExchangeValueTest, GuardedMan_CostsTheAttacker) {
  EXPECT_EQ(Exchange("k7/8/5p2/4n3/8/8/8/K3R3[] w - - 0 1", "e1e5"),
            kHorse - kChariot);
}

TEST(ExchangeValueTest, ChariotBehindChariot_JoinsIn) {
  // R takes n, p takes R, R takes p.
  EXPECT_EQ(Exchange("k7/8/5p2/4n3/8/8/4R3/K3R3[] w - - 0 1", "e2e5"),
            kHorse - kChariot + kSoldier);
}

TEST(ExchangeValueTest, DefenderDoesNotRecaptureAtALoss) {
  // After P takes p the chariot would be taken back by the soldier d4.
  EXPECT_EQ(Exchange("k3r3/8/8/4p3/3P4/2P5/8/K3R3[] w - - 0 1", "d4e5"),
            kSoldier);
}

TEST(ExchangeValueTest, KingDoesNotTakeGuardedMan) {
  EXPECT_EQ(Exchange("8/8/5k2/4p3/3P4/8/8/K3R3[] w - - 0 1", "d4e5"), kSoldier);
}

TEST(ExchangeValueTest, KingTakesLooseMan) {
  EXPECT_EQ(Exchange("8/8/5k2/4p3/8/8/8/K3R3[] w - - 0 1", "e1e5"),
            kSoldier - kChariot);
}

TEST(ExchangeValueTest, Promotion_GainsTheDifference) {
  EXPECT_EQ(Exchange("k7/8/8/3P4/8/8/P7/K7[] w - - 0 1", "d5d5f"),
            kGeneral - kSoldier);
}

TEST(ExchangeValueTest, PromotionOntoAttackedSquare_LosesTheGeneral) {
  EXPECT_EQ(Exchange("k5r1/8/8/3P4/8/8/P6r/K7[] w - - 0 1", "d5d5f"),
            kGeneral - kSoldier);
  EXPECT_EQ(Exchange("k3r3/8/8/3P4/8/8/P7/K7[] w - - 0 1", "d5e6f"), -kSoldier);
}

TEST(ExchangeValueTest, QuietStepIntoAttack_LosesTheMan) {
  EXPECT_EQ(Exchange("k7/8/5p2/8/8/8/8/K3R3[] w - - 0 1", "e1e5"), -kChariot);
}

TEST(ExchangeValueTest, Drop_GainsNothing) {
  EXPECT_EQ(Exchange("k7/8/8/8/8/8/8/K7[R] w - - 0 1", "R@e1"), 0);
}

}  // namespace
}  // namespace sittuyin
