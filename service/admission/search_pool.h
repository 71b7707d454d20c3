// The threads that search. Nothing else in the process computes for longer
// than microseconds.
#ifndef SITTUYIN_SERVICE_ADMISSION_SEARCH_POOL_H_
#define SITTUYIN_SERVICE_ADMISSION_SEARCH_POOL_H_

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "engine/search/search.h"

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
  virtual ~SearchPoolObserver() = default;
  virtual void StateChanged(const State& state) = 0;
  // A job left the queue after `waited`.
  virtual void JobStarted(std::chrono::nanoseconds waited) = 0;
};

// A fixed set of workers, each with a Searcher of its own built at start, and
// a bounded queue in order of arrival. Thread-safe.
class SearchPool {
 public:
  struct Options {
    std::size_t workers = 1;
    std::size_t queue = 0;  // Jobs that may wait while all workers are busy.
    std::size_t hash_bytes = 1 << 24;  // Of each worker's Searcher.
  };
  // Runs on a worker, which lends its Searcher; `waited` is the time in the
  // queue. A job whose caller has left or whose time is over must find out
  // itself and return at once.
  using Job =
      std::function<void(Searcher& searcher, std::chrono::nanoseconds waited)>;
  enum class Admission { kAccepted, kQueueFull, kDraining };

  // `observer` must outlive the pool.
  SearchPool(const Options& options, SearchPoolObserver& observer);
  // Drains.
  ~SearchPool();
  SearchPool(const SearchPool&) = delete;
  SearchPool& operator=(const SearchPool&) = delete;

  // An accepted job runs exactly once; another is dropped unrun.
  [[nodiscard]] Admission Submit(Job job);

  // From now on every Submit is refused as kDraining; what was accepted runs.
  void StopAccepting();
  // Stops accepting and waits until every accepted job has run. Not to be
  // called from a job.
  void Drain();

 private:
  struct Waiting {
    Job job;
    std::chrono::steady_clock::time_point since;
  };

  void Work(Searcher& searcher);
  void Report();  // Under mutex_.

  const Options options_;
  SearchPoolObserver& observer_;
  std::mutex mutex_;
  std::condition_variable work_to_do_;
  std::condition_variable all_done_;
  std::deque<Waiting> queue_;
  std::size_t busy_ = 0;
  bool accepting_ = true;
  bool closed_ = false;
  std::vector<std::thread> workers_;
};

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_ADMISSION_SEARCH_POOL_H_
