#include "service/admission/run_times.h"

#include <gtest/gtest.h>

#include <set>

namespace sittuyin::service {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::seconds;

TEST(RunTimesTest, KindOf_LimitedByTimeAlone_IsZero) {
  EXPECT_EQ(KindOf({}), 0u);
  EXPECT_EQ(KindOf({.move_time = seconds(1)}), 0u);
  EXPECT_EQ(KindOf({.level = kMaxLevel}), 0u);
}

TEST(RunTimesTest, KindOf_OtherLimits_AreKindsOfTheirOwn) {
  std::set<SearchKind> kinds = {0};
  for (int depth = 1; depth < kMaxSearchDepth; ++depth) {
    EXPECT_TRUE(kinds.insert(KindOf({.depth = depth})).second) << depth;
  }
  for (int bit = 0; bit < 64; ++bit) {
    EXPECT_TRUE(kinds.insert(KindOf({.nodes = NodeCount{1} << bit})).second)
        << bit;
  }
  for (int level = 1; level < kMaxLevel; ++level) {
    EXPECT_TRUE(kinds.insert(KindOf({.level = level})).second) << level;
  }
  EXPECT_LT(*kinds.rbegin(), kSearchKinds);
  EXPECT_EQ(KindOf({.nodes = 1000}), KindOf({.nodes = 600}));
}

TEST(RunTimesTest, Expect_TimeAlone_IsTheLongest) {
  RunTimes times;
  times.Record(0, milliseconds(1));
  EXPECT_EQ(times.Expect(0, seconds(2)), seconds(2));
}

TEST(RunTimesTest, Expect_NothingRecorded_IsNothing) {
  EXPECT_EQ(RunTimes().Expect(7, seconds(2)), nanoseconds(0));
}

TEST(RunTimesTest, Expect_Recorded_FollowsTheLatest) {
  RunTimes times;
  times.Record(7, milliseconds(100));
  EXPECT_EQ(times.Expect(7, seconds(2)), milliseconds(100));
  EXPECT_EQ(times.Expect(7, milliseconds(30)), milliseconds(30));
  times.Record(7, milliseconds(200));
  EXPECT_EQ(times.Expect(7, seconds(2)), milliseconds(125));
  EXPECT_EQ(times.Expect(8, seconds(2)), nanoseconds(0));
}

}  // namespace
}  // namespace sittuyin::service
