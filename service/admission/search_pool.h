// The threads that search. Nothing else in the process computes for longer
// than microseconds.
#ifndef SITTUYIN_SERVICE_ADMISSION_SEARCH_POOL_H_
#define SITTUYIN_SERVICE_ADMISSION_SEARCH_POOL_H_

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "engine/search/search.h"
#include "service/admission/forecast.h"
#include "service/admission/run_times.h"
#include "service/admission/search_pool_observer.h"

namespace sittuyin::service {

// A fixed set of workers, each with a Searcher of its own built at start, and
// a bounded queue. Thread-safe.
//
// Order: the job whose deadline comes first; one without a deadline counts as
// if its caller wanted the answer once the job's longest time has passed since
// it came, so that others overtake it for no longer than that. Among equals
// the first that came.
//
// Admission: a job that finds no idle worker is let in when, by forecast, it
// begins while at least half of the time is left that it would use if it began
// now, and keeps no other job that waits from that. A job that runs or waits is
// expected to take what its kind took lately (RunTimes), a running one that has
// outlasted that as long again, and none to go on past its deadline or its
// longest time. So a queue of searches limited by time is judged by their
// latest ends, one of short searches by what those really take.
//
// A job that waits leaves the queue the moment its time is over, 5 ms before
// its deadline, or its caller leaves: it never begins. Workers run at a lower
// priority than the threads that answer at once, so one may get no turn of a
// core for longer than its job has: then the clerk, who has their priority,
// answers for it.
class SearchPool {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using Fate = SearchPoolObserver::Fate;

  struct Options {
    std::size_t workers = 1;
    std::size_t queue = 0;  // Jobs that may wait while all workers are busy.
    std::size_t hash_bytes = 1 << 24;  // Of each worker's Searcher.
  };
  struct Job {
    // Runs on a worker, which lends its Searcher, and ends at `deadline` on
    // its own; `waited` is the time in the queue.
    std::function<void(Searcher& searcher, std::chrono::nanoseconds waited,
                       std::optional<Time> deadline)>
        run;
    // Called behind `run` if set, on the same thread, when the worker counts as
    // free again: whoever gets an answer may ask anew.
    std::function<void()> answer = {};
    // Called on the clerk's thread, once at most, if set, when `run` has not
    // returned `grace` after its end, or has not been called by then though a
    // worker was free for the job, in place of both then. May use `spare` for
    // as good as no time. `run` may be under way, and `answer` follows it.
    std::function<void(Searcher& spare)> late = {};
    std::chrono::nanoseconds grace{0};
    // Called in place of `run` when an accepted job will not run: kExpired,
    // kLeft or kDraining; `retry_after` as Receipt has it. On any thread.
    std::function<void(Fate why, std::chrono::nanoseconds retry_after)> drop;
    // When its search must end; none = when its longest time is over.
    std::optional<Time> deadline = {};
    std::chrono::nanoseconds longest;  // It runs no longer than this.
    SearchKind kind = 0;
    // Ends the search early. Set by the pool while it drains.
    std::shared_ptr<StopToken> stop = {};
  };

  using Ticket = std::pair<Time, std::uint64_t>;
  struct Receipt {
    // kQueueFull, kTooLate or kDraining; none = accepted.
    std::optional<Fate> refused = {};
    Ticket ticket = {};  // Of an accepted job.
    // Of a refused one: when all that waits now will have begun.
    std::chrono::nanoseconds retry_after{0};
  };

  // `observer` must outlive the pool.
  SearchPool(const Options& options, SearchPoolObserver& observer);
  // Drains.
  ~SearchPool();
  SearchPool(const SearchPool&) = delete;
  SearchPool& operator=(const SearchPool&) = delete;

  // An accepted job is run or dropped or, if never begun, late, exactly once;
  // of a refused one nothing is called.
  [[nodiscard]] Receipt Submit(Job job);

  // The caller has left: drops the job if it still waits.
  void Withdraw(const Ticket& ticket);

  // From now on every Submit is refused as kDraining; what was accepted runs.
  void StopAccepting();
  // Stops accepting and waits until every accepted job has run or been
  // dropped. Not to be called from a job. Given an `end`, every job gets an
  // equal share of the time until then, so that all are answered; those that
  // have not begun by then are dropped as kDraining.
  void Drain(Time end = Time::max());

 private:
  struct Waiting {
    Job job;
    Time since;
    Time wanted_start;
    Time latest_start;
    Time late_at;
  };
  struct Running {
    Time since;
    std::chrono::nanoseconds expected;  // Time that it takes.
    Time latest_end;
    Time cut = Time::max();  // When a drain ends it.
    std::shared_ptr<StopToken> stop;
    Time late_at;
    std::function<void(Searcher&)> late;
  };
  using Queue = std::map<Ticket, Waiting>;

  // All under mutex_, given back only while jobs are called.
  void Work(std::size_t worker, Searcher& searcher);
  void Run(std::unique_lock<std::mutex>& lock, std::size_t worker,
           Searcher& searcher, Waiting next);
  // Why a job that waits will not run; nothing while it may.
  std::optional<Fate> WhyDropped(const Waiting& job, Time now) const;
  void Drop(std::unique_lock<std::mutex>& lock, Queue::iterator job, Fate why);
  // Calls `answer` without the lock; a drain waits for it.
  template <typename Call>
  void Answer(std::unique_lock<std::mutex>& lock, Call answer);
  // The clerk: drops jobs whose time is over, ends those that outlast a drain,
  // answers those that are late.
  void WatchTheClock(Searcher& spare);
  // What is late now, taken from a running job or, with it, from the queue;
  // empty when nothing is.
  std::function<void(Searcher&)> TakeLate(Time now);
  Time NextAlarm() const;
  void SetAlarm(Time time);

  // Would `job` begin in time, and no other miss its time for it?
  bool FitsIn(const Ticket& ticket, const Waiting& job, Time now) const;
  // With `newcomer`, whose ticket this is, in its place unless it is null.
  Forecast ForeseeQueue(Time now, const Ticket& ticket = {},
                        const Waiting* newcomer = nullptr) const;
  std::chrono::nanoseconds Expect(const Job& job) const;
  void Report();

  const Options options_;
  SearchPoolObserver& observer_;
  std::mutex mutex_;
  std::condition_variable work_to_do_;
  std::condition_variable alarm_nearer_;
  std::condition_variable all_done_;
  Queue queue_;  // In the order of their turns.
  std::uint64_t arrivals_ = 0;
  RunTimes run_times_;
  std::vector<std::optional<Running>> running_;  // One for each worker.
  std::size_t busy_ = 0;
  std::size_t answering_ = 0;  // Calls of Answer under way.
  Time alarm_ = Time::max();   // When the clerk looks at the clock.
  bool accepting_ = true;
  Time end_ = Time::max();  // Of a drain; each job gets its share until then.
  std::chrono::nanoseconds share_ = std::chrono::nanoseconds::max();
  bool closed_ = false;
  std::vector<std::thread> workers_;
  std::thread clerk_;
};

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_ADMISSION_SEARCH_POOL_H_
