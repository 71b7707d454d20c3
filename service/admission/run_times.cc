#include "service/admission/run_times.h"

#include <algorithm>
#include <bit>

namespace sittuyin::service {

using std::chrono::nanoseconds;

SearchKind KindOf(const SearchLimits& limits) {
  constexpr SearchKind kDepths = 64;  // The widths of a node count come first.
  constexpr SearchKind kLevels = kDepths + kMaxSearchDepth;
  if (limits.nodes) return std::bit_width(*limits.nodes | 1);
  if (limits.depth < kMaxSearchDepth) {
    return kDepths + static_cast<SearchKind>(limits.depth);
  }
  if (limits.level == 0 || limits.level == kMaxLevel) return 0;
  return kLevels + static_cast<SearchKind>(limits.level);
}

nanoseconds RunTimes::Expect(SearchKind kind, nanoseconds longest) const {
  return kind == 0 ? longest : std::min(mean_[kind], longest);
}

void RunTimes::Record(SearchKind kind, nanoseconds time) {
  nanoseconds& mean = mean_[kind];
  mean = mean == nanoseconds::zero() ? time : mean + (time - mean) / 4;
}

}  // namespace sittuyin::service
