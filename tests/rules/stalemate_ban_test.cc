// Where stalemating is illegal: TRADITIONAL, and nowhere else.
#include <string>

#include "engine/notation/fen.h"
#include "engine/rules/ending.h"
#include "engine/rules/movegen.h"
#include "gmock/gmock.h"
#include "tests/testing/positions.h"

namespace sittuyin {
namespace {

using testing::At;
using testing::ClaimNames;
using ::testing::Contains;
using ::testing::ElementsAre;
using testing::Flipped;
using testing::FlippedMove;
using testing::GameAt;
using ::testing::IsEmpty;
using testing::Moves;
using ::testing::Not;
using testing::Texts;
using testing::Verdict;

// Black's king and all its men are shut in for good.
const char kShutIn[] = "8/8/8/8/K7/5p1p/5pfp/5ppk[] w - - 0 1";
// The same, with one soldier that only Red's soldier holds.
const char kHeldByASoldier[] = "3K4/8/p7/P7/8/5p1p/5pfp/5ppk[] w - - 0 1";

class StalemateBanTest : public testing::EveryRuleSetTest {
 protected:
  bool Banned() const { return GetParam() == RuleSetId::kTraditional; }

  void ExpectBanned(const std::string& fen, const std::string& move) {
    const std::string verdict = Banned() ? "MUST_NOT_STALEMATE" : "LEGAL";
    EXPECT_EQ(Verdict(At(GetParam(), fen), move), verdict) << fen;
    EXPECT_EQ(Verdict(At(GetParam(), Flipped(fen)), FlippedMove(move)), verdict)
        << Flipped(fen);
    EXPECT_EQ(Moves(At(GetParam(), fen)).count(move), Banned() ? 0 : 1) << fen;
  }
};

TEST_P(StalemateBanTest, ABoardMove) {
  ExpectBanned("k7/8/K7/8/8/8/8/2R5[] w - - 0 1", "c1b1");
}

TEST_P(StalemateBanTest, ACapture) {
  ExpectBanned("k7/8/K7/8/8/8/8/1nR5[] w - - 0 1", "c1b1");
}

TEST_P(StalemateBanTest, APromotion) {
  ExpectBanned("k7/2K5/8/2P5/8/8/8/7N[] w - - 0 1", "c5b6f");
}

TEST_P(StalemateBanTest, ADrop) {
  ExpectBanned("k7/8/K7/8/8/8/8/8[R] w - - 0 1", "R@b1");
}

TEST_P(StalemateBanTest, EvenInADeadPosition) {
  ExpectBanned("k7/2K5/8/2P5/8/8/8/8[] w - - 0 1", "c5b6f");
}

TEST_P(StalemateBanTest, AMoveThatLeavesTheOpponentWithoutAnyWouldEndInADraw) {
  if (Banned()) return;
  EXPECT_EQ(
      GameAt(GetParam(), "k7/8/K7/8/8/8/8/2R5[] w - - 0 1", {"c1b1"}).Ending(),
      Termination::kStalemate);
}

TEST_P(StalemateBanTest, MateIsNoStalemate) {
  const Position position = At(GetParam(), "k7/8/K7/8/8/8/8/2R5[] w - - 0 1");
  EXPECT_THAT(Moves(position), Contains("c1c8"));
  EXPECT_EQ(
      GameAt(GetParam(), "k7/8/K7/8/8/8/8/2R5[] w - - 0 1", {"c1c8"}).Ending(),
      Termination::kCheckmate);
}

TEST_P(StalemateBanTest, WhereNoOtherMoveIsLeftTheBanIsOff) {
  const Position position = At(GetParam(), kShutIn);
  EXPECT_EQ(Moves(position), (Texts{"a4a3", "a4a5", "a4b3", "a4b4", "a4b5"}));
  EXPECT_EQ(Verdict(position, "a4b4"), "LEGAL");
  EXPECT_TRUE(HasLegalMove(position));
  EXPECT_EQ(CountLegalMoves(position), 5);
}

TEST_P(StalemateBanTest, AStalemateThatStandsAllTheSameIsADraw) {
  const GameState state = GameAt(GetParam(), kShutIn, {"a4b4"}).State();
  EXPECT_EQ(state.termination, Termination::kStalemate);
  EXPECT_EQ(state.result, Result::kDraw);
}

TEST_P(StalemateBanTest, WhereOtherMovesAreLeftOnlyThoseAreLegal) {
  const Position position = At(GetParam(), kHeldByASoldier);
  const Texts freeing = {"a5b4f", "a5b6f"};
  if (Banned()) {
    EXPECT_EQ(Moves(position), freeing);
  } else {
    EXPECT_THAT(Moves(position), Contains("d8d7"));
    EXPECT_THAT(Moves(position), Contains("a5a5f"));
  }
  ExpectBanned(kHeldByASoldier, "d8d7");
  ExpectBanned(kHeldByASoldier, "a5a5f");
}

TEST_P(StalemateBanTest, OnlyPromotionsLeftIsJudgedOnWhatRemains) {
  const GameState state = GameAt(GetParam(), kHeldByASoldier).State();
  EXPECT_EQ(state.termination, Termination::kNone);
  if (Banned()) {
    EXPECT_THAT(ClaimNames(state.claims), ElementsAre("ONLY_PROMOTIONS_LEFT"));
  } else {
    EXPECT_THAT(state.claims, IsEmpty());
  }
}

SITTUYIN_EVERY_RULE_SET(StalemateBanTest);

}  // namespace
}  // namespace sittuyin
