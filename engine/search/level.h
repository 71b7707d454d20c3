// How a weaker player plays.
#ifndef SITTUYIN_ENGINE_SEARCH_LEVEL_H_
#define SITTUYIN_ENGINE_SEARCH_LEVEL_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "engine/eval/value.h"
#include "engine/rules/perft.h"

namespace sittuyin {

// What a level sees and how far its judgement wavers.
struct LevelProfile {
  int depth;        // Plies it looks ahead, captures apart.
  NodeCount nodes;  // At most.
  int candidates;   // Moves it weighs against each other.
  Value wavering;   // Scale of its misjudgement.
};

// The profile of levels 1 to 9; nothing for 0 and 10, which play at full
// strength.
std::optional<LevelProfile> ProfileOf(int level);

// The index of the candidate that a player prefers who misjudges each of
// `values` by some of `wavering`. The same arguments give the same choice.
// Precondition: `values` is not empty.
std::size_t ChooseCandidate(std::span<const Value> values, Value wavering,
                            std::uint64_t seed);

}  // namespace sittuyin

#endif  // SITTUYIN_ENGINE_SEARCH_LEVEL_H_
