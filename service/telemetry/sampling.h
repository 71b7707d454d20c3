// Which lines a log keeps.
#ifndef SITTUYIN_SERVICE_TELEMETRY_SAMPLING_H_
#define SITTUYIN_SERVICE_TELEMETRY_SAMPLING_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>

namespace sittuyin::service {

// Picks a share of what it is asked about, as if by chance, so that it keeps in
// step with nobody; each Sampler by the same sequence. Thread-safe.
class Sampler {
 public:
  // `share` from 0 (nothing) to 1 (everything).
  explicit Sampler(double share) : share_(share) {}

  bool Pick();

 private:
  const double share_;
  std::atomic<std::uint64_t> asked_{0};
};

// Lets so many pass a second and counts the rest. Thread-safe.
class RateLimit {
 public:
  using Clock = std::chrono::steady_clock;

  explicit RateLimit(std::uint64_t per_second) : per_second_(per_second) {}

  // At `now`: how many were held back since the last that passed, or nothing
  // if this one is held back too. At the turn of a second some more than the
  // limit may pass when threads meet there.
  std::optional<std::uint64_t> Pass(Clock::time_point now);

 private:
  const std::uint64_t per_second_;
  std::atomic<std::int64_t> second_{-1};
  std::atomic<std::uint64_t> passed_{0};
  std::atomic<std::uint64_t> held_back_{0};
};

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_TELEMETRY_SAMPLING_H_
