// Positions by chance, from a seed: hand-made ones of several flavours.
#ifndef SITTUYIN_TESTS_PROPERTY_RANDOM_POSITIONS_H_
#define SITTUYIN_TESTS_PROPERTY_RANDOM_POSITIONS_H_

#include <array>
#include <cstddef>
#include <random>
#include <string_view>

#include "engine/board/setup.h"
#include "tests/property/slow_law.h"

namespace sittuyin::slow {

// The same everywhere for the same seed, unlike the standard distributions.
class Random {
 public:
  explicit Random(unsigned long long seed) : engine_(seed) {}
  int Below(int limit) {
    return static_cast<int>(engine_() % static_cast<unsigned>(limit));
  }
  bool OneIn(int n) { return Below(n) == 0; }

 private:
  std::mt19937_64 engine_;
};

enum class Flavour {
  kCrowded,    // Up to a full complement anywhere.
  kFewMen,     // Kings and one to four men.
  kCornered,   // One king in a corner with shut-in men, few others.
  kPromoting,  // Soldiers on the long diagonals, no general to move.
  kDeploying,  // Men in hand on one side or both.
  kShutOut,    // Men in hand that often cannot be dropped.
};
inline constexpr std::array kFlavours = {
    Flavour::kCrowded,   Flavour::kFewMen,    Flavour::kCornered,
    Flavour::kPromoting, Flavour::kDeploying, Flavour::kShutOut};

// A position of that flavour in which the law finds no fault.
State RandomState(Random& random, Flavour flavour);

// Men anywhere in any number: most such positions are impossible.
State RandomFaultyState(Random& random);

// The same position in the engine's words.
Setup ToSetup(const State& state);

// How much longer than by default to look: SITTUYIN_EFFORT, 1 by default.
int Effort();

}  // namespace sittuyin::slow

#endif  // SITTUYIN_TESTS_PROPERTY_RANDOM_POSITIONS_H_
