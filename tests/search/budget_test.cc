#include "engine/search/budget.h"

#include <gtest/gtest.h>

namespace sittuyin {
namespace {

using std::chrono::hours;

constexpr NodeCount kFarOn = 1'000'000;

TEST(BudgetTest, NoLimits_IsNeverSpent) {
  const StopToken stop;
  Budget budget({}, SearchClock::now(), stop);
  EXPECT_FALSE(budget.Spent(0));
  EXPECT_FALSE(budget.Spent(kFarOn));
  EXPECT_FALSE(budget.reason());
}

TEST(BudgetTest, Nodes_AreSpentExactly) {
  const StopToken stop;
  SearchLimits limits;
  limits.nodes = 100;
  Budget budget(limits, SearchClock::now(), stop);
  EXPECT_FALSE(budget.Spent(99));
  EXPECT_TRUE(budget.Spent(100));
  EXPECT_EQ(budget.reason(), StopReason::kNodes);
}

TEST(BudgetTest, Spent_StaysSpent) {
  const StopToken stop;
  SearchLimits limits;
  limits.nodes = 100;
  Budget budget(limits, SearchClock::now(), stop);
  EXPECT_TRUE(budget.Spent(100));
  EXPECT_TRUE(budget.Spent(1));
}

TEST(BudgetTest, StopRequested_IsSeenWithinFewNodes) {
  StopToken stop;
  Budget budget({}, SearchClock::now(), stop);
  NodeCount nodes = 0;
  EXPECT_FALSE(budget.Spent(nodes));
  stop.RequestStop();
  while (!budget.Spent(nodes)) ++nodes;
  EXPECT_LE(nodes, 256u);
  EXPECT_EQ(budget.reason(), StopReason::kDeadline);
}

TEST(BudgetTest, MoveTimePast_IsTime) {
  const StopToken stop;
  SearchLimits limits;
  limits.move_time = hours(1);
  Budget in_time(limits, SearchClock::now(), stop);
  EXPECT_FALSE(in_time.Spent(kFarOn));
  Budget late(limits, SearchClock::now() - hours(2), stop);
  EXPECT_TRUE(late.Spent(kFarOn));
  EXPECT_EQ(late.reason(), StopReason::kTime);
}

TEST(BudgetTest, DeadlinePast_IsDeadline) {
  const StopToken stop;
  SearchLimits limits;
  limits.move_time = hours(1);
  limits.deadline = SearchClock::now() - hours(1);
  Budget budget(limits, SearchClock::now(), stop);
  EXPECT_TRUE(budget.Spent(kFarOn));
  EXPECT_EQ(budget.reason(), StopReason::kDeadline);
}

}  // namespace
}  // namespace sittuyin
