#include "service/access/quota.h"

#include <gtest/gtest.h>

#include <string>

namespace sittuyin::service {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::seconds;

constexpr Quota::Clock::time_point kStart{seconds(1000000)};

TEST(QuotaTest, Take_FreshCaller_MayCallBurstTimesAtOnce) {
  for (const int burst : {1, 2, 3, 7, 10, 1000}) {
    for (const double per_second : {0.1, 0.3, 3.0, 7.0, 1000.0}) {
      Quota quota(per_second, burst, 10);
      for (int i = 0; i < burst; ++i) {
        ASSERT_EQ(quota.Take("a", kStart).count(), 0) << i << " of " << burst;
      }
      EXPECT_GT(quota.Take("a", kStart).count(), 0) << burst;
    }
  }
}

TEST(QuotaTest, Take_Refused_TellsWhenTheNextMayCome) {
  Quota quota(10, 2, 10);
  quota.Take("a", kStart);
  quota.Take("a", kStart);
  EXPECT_EQ(quota.Take("a", kStart), milliseconds(100));
  EXPECT_EQ(quota.Take("a", kStart + milliseconds(40)), milliseconds(60));
  EXPECT_EQ(quota.Take("a", kStart + milliseconds(100)).count(), 0);
  EXPECT_EQ(quota.Take("a", kStart + milliseconds(100)), milliseconds(100));
}

TEST(QuotaTest, Take_Refused_CostsNothing) {
  Quota quota(10, 1, 10);
  quota.Take("a", kStart);
  for (int i = 0; i < 50; ++i) quota.Take("a", kStart);
  EXPECT_EQ(quota.Take("a", kStart + milliseconds(100)).count(), 0);
}

TEST(QuotaTest, Take_LongSilence_FillsNoFurtherThanBurst) {
  Quota quota(10, 2, 10);
  quota.Take("a", kStart);
  const auto later = kStart + std::chrono::hours(1);
  EXPECT_EQ(quota.Take("a", later).count(), 0);
  EXPECT_EQ(quota.Take("a", later).count(), 0);
  EXPECT_GT(quota.Take("a", later).count(), 0);
}

TEST(QuotaTest, Take_Callers_AreCountedApart) {
  Quota quota(1, 1, 10);
  EXPECT_EQ(quota.Take("a", kStart).count(), 0);
  EXPECT_EQ(quota.Take("b", kStart).count(), 0);
  EXPECT_GT(quota.Take("a", kStart).count(), 0);
}

TEST(QuotaTest, Take_SteadyCaller_GetsWhatItMay) {
  Quota quota(100, 5, 10);
  int admitted = 0;
  for (int i = 0; i < 10000; ++i) {  // One a millisecond, ten seconds long.
    if (quota.Take("a", kStart + milliseconds(i)).count() == 0) ++admitted;
  }
  EXPECT_GE(admitted, 1000);
  EXPECT_LE(admitted, 1005);
}

TEST(QuotaTest, Take_MoreCallersThanRemembered_ForgetsTheLongestSilent) {
  Quota quota(1, 1, 3);
  for (const char* caller : {"a", "b", "c"}) quota.Take(caller, kStart);
  EXPECT_GT(quota.Take("a", kStart).count(), 0);  // Now b is the oldest.
  EXPECT_EQ(quota.Take("d", kStart).count(), 0);
  EXPECT_GT(quota.Take("a", kStart).count(), 0);
  EXPECT_GT(quota.Take("c", kStart).count(), 0);
  EXPECT_EQ(quota.Take("b", kStart).count(), 0);
}

TEST(QuotaTest, Take_TinyRate_IsOneADay) {
  Quota quota(1e-12, 10000, 3);
  for (int i = 0; i < 10000; ++i) ASSERT_EQ(quota.Take("a", kStart).count(), 0);
  EXPECT_EQ(quota.Take("a", kStart), std::chrono::hours(24));
}

}  // namespace
}  // namespace sittuyin::service
