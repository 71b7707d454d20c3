#include "service/telemetry/sampling.h"

namespace sittuyin::service {

std::optional<std::uint64_t> RateLimit::Pass(Clock::time_point now) {
  const std::int64_t second =
      std::chrono::duration_cast<std::chrono::seconds>(now.time_since_epoch())
          .count();
  if (second_.exchange(second, std::memory_order_relaxed) != second) {
    passed_.store(0, std::memory_order_relaxed);
  }
  if (passed_.fetch_add(1, std::memory_order_relaxed) >= per_second_) {
    held_back_.fetch_add(1, std::memory_order_relaxed);
    return std::nullopt;
  }
  return held_back_.exchange(0, std::memory_order_relaxed);
}

}  // namespace sittuyin::service
