#include "service/telemetry/sampling.h"

namespace sittuyin::service {

// SplitMix64 of how often it was asked.
bool Sampler::Pick() {
  std::uint64_t x = asked_.fetch_add(1, std::memory_order_relaxed);
  x = (x + 1) * 0x9e3779b97f4a7c15;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  x ^= x >> 31;
  return static_cast<double>(x >> 11) * 0x1p-53 < share_;
}

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
