#include "service/admission/search_pool.h"

#include <memory>
#include <utility>

namespace sittuyin::service {

using Clock = std::chrono::steady_clock;

SearchPool::SearchPool(const Options& options, SearchPoolObserver& observer)
    : options_(options), observer_(observer) {
  workers_.reserve(options_.workers);
  for (std::size_t i = 0; i < options_.workers; ++i) {
    workers_.emplace_back(
        [this, searcher = std::make_unique<Searcher>(options_.hash_bytes)] {
          Work(*searcher);
        });
  }
  std::lock_guard lock(mutex_);
  Report();
}

SearchPool::~SearchPool() {
  Drain();
  {
    std::lock_guard lock(mutex_);
    closed_ = true;
  }
  work_to_do_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

SearchPool::Admission SearchPool::Submit(Job job) {
  {
    std::lock_guard lock(mutex_);
    if (!accepting_) return Admission::kDraining;
    // Jobs that idle workers are about to take do not wait.
    const std::size_t idle = options_.workers - busy_;
    if (queue_.size() >= options_.queue + idle) return Admission::kQueueFull;
    queue_.push_back({std::move(job), Clock::now()});
    Report();
  }
  work_to_do_.notify_one();
  return Admission::kAccepted;
}

void SearchPool::StopAccepting() {
  std::lock_guard lock(mutex_);
  accepting_ = false;
}

void SearchPool::Drain() {
  std::unique_lock lock(mutex_);
  accepting_ = false;
  all_done_.wait(lock, [this] { return queue_.empty() && busy_ == 0; });
}

void SearchPool::Work(Searcher& searcher) {
  std::unique_lock lock(mutex_);
  while (true) {
    work_to_do_.wait(lock, [this] { return closed_ || !queue_.empty(); });
    if (queue_.empty()) return;
    Waiting next = std::move(queue_.front());
    queue_.pop_front();
    ++busy_;
    const auto waited = Clock::now() - next.since;
    observer_.JobStarted(waited);
    Report();

    lock.unlock();
    next.job(searcher, waited);
    next.job = nullptr;  // What it captured goes before it counts as done.
    lock.lock();

    --busy_;
    Report();
    if (queue_.empty() && busy_ == 0) all_done_.notify_all();
  }
}

void SearchPool::Report() {
  observer_.StateChanged({.queued = queue_.size(),
                          .busy = busy_,
                          .idle = options_.workers - busy_});
}

}  // namespace sittuyin::service
