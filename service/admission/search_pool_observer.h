// What the search pool tells of itself.
#ifndef SITTUYIN_SERVICE_ADMISSION_SEARCH_POOL_OBSERVER_H_
#define SITTUYIN_SERVICE_ADMISSION_SEARCH_POOL_OBSERVER_H_

#include <array>
#include <chrono>
#include <cstddef>
#include <string_view>

namespace sittuyin::service {

// Told of every change of the pool. Called under the pool's lock, so that the
// last call tells the present state: it must be quick and call nothing back.
class SearchPoolObserver {
 public:
  struct State {
    std::size_t queued = 0;  // Jobs that wait.
    std::size_t busy = 0;    // Workers that run a job.
    std::size_t idle = 0;    // Workers that wait for one.
  };
  // What becomes of a job: refused at once, or let in and then either begun
  // or dropped.
  enum class Fate {
    kQueueFull,  // Refused.
    kTooLate,    // Refused: its turn would come too late.
    kDraining,   // Refused, or dropped: the pool ends.
    kBegun,
    kExpired,  // Dropped: its time was over before its turn.
    kLeft,     // Dropped: its caller left before its turn.
  };
  static constexpr std::array<std::string_view, 6> kFateNames = {
      "queue_full", "too_late", "draining", "begun", "expired", "left"};

  virtual ~SearchPoolObserver() = default;
  virtual void StateChanged(const State& state) = 0;
  // A job left the queue after `waited` to be run.
  virtual void JobStarted(std::chrono::nanoseconds waited) = 0;
  virtual void Decided(Fate) {}
};

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_ADMISSION_SEARCH_POOL_OBSERVER_H_
