#include "engine/search/budget.h"

#include <algorithm>
#include <limits>

namespace sittuyin {
namespace {

// Left of the move time for taking the search back and writing its answer.
std::chrono::nanoseconds Margin(std::chrono::nanoseconds move_time) {
  constexpr std::chrono::nanoseconds kMost = std::chrono::milliseconds(2);
  return std::min(kMost, move_time / 10);
}

}  // namespace

Budget::Budget(const SearchLimits& limits, SearchClock::time_point start,
               const StopToken& stop)
    : stop_(stop),
      max_nodes_(limits.nodes.value_or(std::numeric_limits<NodeCount>::max())),
      deadline_(limits.deadline) {
  if (limits.move_time) {
    time_up_ = start + (*limits.move_time - Margin(*limits.move_time));
  }
}

void Budget::Look() {
  if (reason_) return;
  if (stop_.StopRequested()) {
    reason_ = StopReason::kDeadline;
    return;
  }
  if (!time_up_ && !deadline_) return;
  const SearchClock::time_point now = SearchClock::now();
  if (deadline_ && now >= *deadline_) {
    reason_ = StopReason::kDeadline;
  } else if (time_up_ && now >= *time_up_) {
    reason_ = StopReason::kTime;
  }
}

}  // namespace sittuyin
