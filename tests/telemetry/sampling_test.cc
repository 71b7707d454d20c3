#include "service/telemetry/sampling.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace sittuyin::service {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::AllOf;
using testing::Each;
using testing::Gt;
using testing::Lt;

int Picked(double share, int asked) {
  Sampler sampler(share);
  int picked = 0;
  for (int i = 0; i < asked; ++i) picked += sampler.Pick();
  return picked;
}

TEST(SamplerTest, Pick_Share_IsKept) {
  EXPECT_EQ(Picked(0, 1000), 0);
  EXPECT_EQ(Picked(1, 1000), 1000);
  EXPECT_NEAR(Picked(0.25, 10000), 2500, 200);
  EXPECT_NEAR(Picked(0.01, 100000), 1000, 150);
}

// Whatever a caller repeats, each call of the round is picked as often.
TEST(SamplerTest, Pick_CallsInTurn_EachGetItsShare) {
  for (const std::size_t calls : {2, 3, 10, 100}) {
    Sampler sampler(0.01);
    std::vector<int> picked(calls);
    for (int round = 0; round < 10000; ++round) {
      for (int& of_call : picked) of_call += sampler.Pick();
    }
    EXPECT_THAT(picked, Each(AllOf(Gt(50), Lt(150)))) << calls;
  }
}

TEST(RateLimitTest, Pass_WithinASecond_LetsTheLimitPass) {
  RateLimit limit(2);
  const RateLimit::Clock::time_point start(seconds(100));
  EXPECT_EQ(limit.Pass(start), 0);
  EXPECT_EQ(limit.Pass(start + milliseconds(10)), 0);
  EXPECT_EQ(limit.Pass(start + milliseconds(20)), std::nullopt);
  EXPECT_EQ(limit.Pass(start + milliseconds(999)), std::nullopt);
}

TEST(RateLimitTest, Pass_NextSecond_TellsHowManyWereHeldBack) {
  RateLimit limit(1);
  const RateLimit::Clock::time_point start(seconds(100));
  EXPECT_EQ(limit.Pass(start), 0);
  EXPECT_EQ(limit.Pass(start), std::nullopt);
  EXPECT_EQ(limit.Pass(start), std::nullopt);
  EXPECT_EQ(limit.Pass(start + seconds(1)), 2);
  EXPECT_EQ(limit.Pass(start + seconds(2)), 0);
}

}  // namespace
}  // namespace sittuyin::service
