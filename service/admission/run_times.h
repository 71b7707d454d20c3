// How long searches take that something else than time limits.
#ifndef SITTUYIN_SERVICE_ADMISSION_RUN_TIMES_H_
#define SITTUYIN_SERVICE_ADMISSION_RUN_TIMES_H_

#include <array>
#include <chrono>
#include <cstddef>

#include "engine/search/search.h"

namespace sittuyin::service {

// Searches that take about as long as each other: of the same depth, of as
// many nodes by order of magnitude in bits, or else of the same level.
// Those limited by time alone are of kind 0.
using SearchKind = std::size_t;
inline constexpr SearchKind kSearchKinds = 65 + kMaxSearchDepth + kMaxLevel;
SearchKind KindOf(const SearchLimits& limits);

// Learns from the searches that have ended. Thread-compatible.
class RunTimes {
 public:
  // What a search of `kind` likely takes that may take `longest`: kind 0 all
  // of it, another what those before it have taken, and nothing where none
  // has ended yet, so that no search is refused for a guess.
  std::chrono::nanoseconds Expect(SearchKind kind,
                                  std::chrono::nanoseconds longest) const;
  // A search of `kind` has taken `time`. The latest count most.
  void Record(SearchKind kind, std::chrono::nanoseconds time);

 private:
  std::array<std::chrono::nanoseconds, kSearchKinds> mean_{};
};

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_ADMISSION_RUN_TIMES_H_
