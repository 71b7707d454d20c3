// The table of rule sets, cell by cell.
#include "engine/rules/rule_set.h"

#include <tuple>

#include "gtest/gtest.h"

namespace sittuyin {
namespace {

constexpr auto kAlternate = DeploymentOrder::kAlternate;
constexpr auto kRedFirst = DeploymentOrder::kRedFirst;
constexpr auto kNone = DrawRule::kNone;
constexpr auto kAutomatic = DrawRule::kAutomatic;
constexpr auto kOnClaim = DrawRule::kOnClaim;

auto Cells(RuleSetId id) {
  const RuleSet& laws = Laws(id);
  return std::tuple(laws.deployment, laws.promotion_may_discover_check,
                    laws.stalemating_is_illegal, laws.hundred_plies,
                    laws.threefold_repetition, laws.dead_positions,
                    laws.only_promotions_left, laws.counting);
}

TEST(RuleSetTest, Table_EachCell_AsTheLawHasIt) {
  EXPECT_EQ(Cells(RuleSetId::kYouzai),
            std::tuple(kAlternate, true, false, kAutomatic, kAutomatic,
                       DeadPositions::kBareKings, kNone, false));
  EXPECT_EQ(Cells(RuleSetId::kVchess),
            std::tuple(kRedFirst, false, false, kNone, kOnClaim,
                       DeadPositions::kNone, kNone, false));
  EXPECT_EQ(Cells(RuleSetId::kChessplayx),
            std::tuple(kAlternate, true, false, kOnClaim, kOnClaim,
                       DeadPositions::kAll, kOnClaim, true));
  EXPECT_EQ(Cells(RuleSetId::kPychess),
            std::tuple(kAlternate, false, false, kOnClaim, kOnClaim,
                       DeadPositions::kAll, kOnClaim, true));
  EXPECT_EQ(Cells(RuleSetId::kTraditional),
            std::tuple(kRedFirst, false, true, kOnClaim, kOnClaim,
                       DeadPositions::kAll, kOnClaim, true));
}

TEST(RuleSetTest, Laws_OfEachId_AreThoseOfItsName) {
  EXPECT_EQ(Laws(RuleSetId::kYouzai).name, "YOUZAI");
  EXPECT_EQ(Laws(RuleSetId::kVchess).name, "VCHESS");
  EXPECT_EQ(Laws(RuleSetId::kChessplayx).name, "CHESSPLAYX");
  EXPECT_EQ(Laws(RuleSetId::kPychess).name, "PYCHESS");
  EXPECT_EQ(Laws(RuleSetId::kTraditional).name, "TRADITIONAL");
  for (const RuleSet& laws : kRuleSets) {
    EXPECT_EQ(&Laws(laws.id), &laws);
  }
}

}  // namespace
}  // namespace sittuyin
