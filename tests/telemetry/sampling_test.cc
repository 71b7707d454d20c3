#include "service/telemetry/sampling.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <optional>

namespace sittuyin::service {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

int Picked(double share, int asked) {
  Sampler sampler(share);
  int picked = 0;
  for (int i = 0; i < asked; ++i) picked += sampler.Pick();
  return picked;
}

TEST(SamplerTest, Pick_Share_IsKept) {
  EXPECT_EQ(Picked(0, 1000), 0);
  EXPECT_EQ(Picked(1, 1000), 1000);
  EXPECT_EQ(Picked(0.25, 1000), 250);
  EXPECT_NEAR(Picked(0.01, 1000), 10, 1);
}

TEST(SamplerTest, Pick_Half_IsSpreadEvenly) {
  Sampler sampler(0.5);
  for (int i = 0; i < 10; ++i) EXPECT_NE(sampler.Pick(), sampler.Pick());
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
