#include "engine/search/level.h"

#include <array>
#include <cmath>

namespace sittuyin {
namespace {

// Level 1 first.
constexpr std::array<LevelProfile, 9> kProfiles = {{
    {.depth = 1, .nodes = 2'000, .candidates = 10, .wavering = 110},
    {.depth = 1, .nodes = 4'000, .candidates = 10, .wavering = 70},
    {.depth = 2, .nodes = 8'000, .candidates = 10, .wavering = 50},
    {.depth = 2, .nodes = 16'000, .candidates = 8, .wavering = 35},
    {.depth = 3, .nodes = 30'000, .candidates = 8, .wavering = 26},
    {.depth = 4, .nodes = 60'000, .candidates = 6, .wavering = 19},
    {.depth = 5, .nodes = 120'000, .candidates = 5, .wavering = 13},
    {.depth = 7, .nodes = 240'000, .candidates = 4, .wavering = 9},
    {.depth = 9, .nodes = 500'000, .candidates = 3, .wavering = 6},
}};

// SplitMix64: each call gives the next of a sequence that `state` fixes.
std::uint64_t NextRandom(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15;
  std::uint64_t x = state;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return x ^ x >> 31;
}

// Gumbel noise: adding it to each value and taking the highest chooses with
// odds that grow exponentially with the value.
double Misjudgement(std::uint64_t& state) {
  const double uniform =
      (static_cast<double>(NextRandom(state) >> 11) + 0.5) * 0x1p-53;
  return -std::log(-std::log(uniform));
}

}  // namespace

std::optional<LevelProfile> ProfileOf(int level) {
  if (level < 1 || level > static_cast<int>(kProfiles.size())) {
    return std::nullopt;
  }
  return kProfiles[static_cast<std::size_t>(level - 1)];
}

std::size_t ChooseCandidate(std::span<const Value> values, Value wavering,
                            std::uint64_t seed) {
  std::size_t chosen = 0;
  double best = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double judged = values[i] + wavering * Misjudgement(seed);
    if (i == 0 || judged > best) {
      chosen = i;
      best = judged;
    }
  }
  return chosen;
}

}  // namespace sittuyin
