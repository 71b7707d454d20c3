#include "engine/search/level.h"

#include <gtest/gtest.h>

#include <array>

#include "engine/search/search.h"

namespace sittuyin {
namespace {

TEST(ProfileOfTest, FullStrength_HasNone) {
  EXPECT_FALSE(ProfileOf(0));
  EXPECT_FALSE(ProfileOf(kMaxLevel));
}

TEST(ProfileOfTest, HigherLevel_SeesMoreAndWaversLess) {
  for (int level = 1; level < kMaxLevel - 1; ++level) {
    const auto lower = ProfileOf(level);
    const auto higher = ProfileOf(level + 1);
    ASSERT_TRUE(lower && higher);
    EXPECT_LE(lower->depth, higher->depth) << level;
    EXPECT_LT(lower->nodes, higher->nodes) << level;
    EXPECT_GT(lower->wavering, higher->wavering) << level;
    EXPECT_LE(higher->candidates, kMaxMultiPv);
  }
}

constexpr std::array<Value, 4> kValues = {30, 20, 10, -400};

TEST(ChooseCandidateTest, SameSeed_SameChoice) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    EXPECT_EQ(ChooseCandidate(kValues, 50, seed),
              ChooseCandidate(kValues, 50, seed));
  }
}

TEST(ChooseCandidateTest, NoWavering_TakesTheBest) {
  constexpr std::array<Value, 3> kBestInTheMiddle = {5, 9, 7};
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    EXPECT_EQ(ChooseCandidate(kBestInTheMiddle, 0, seed), 1u);
  }
}

TEST(ChooseCandidateTest, Wavering_VariesAmongNearEqualsAlone) {
  std::array<int, 4> chosen{};
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    ++chosen[ChooseCandidate(kValues, 20, seed)];
  }
  EXPECT_GT(chosen[0], chosen[1]);
  EXPECT_GT(chosen[1], chosen[2]);
  EXPECT_GT(chosen[2], 0);
  EXPECT_EQ(chosen[3], 0);
}

}  // namespace
}  // namespace sittuyin
