// The searching calls that gRPC is not yet done with.
#ifndef SITTUYIN_SERVICE_RPC_OPEN_SEARCHES_H_
#define SITTUYIN_SERVICE_RPC_OPEN_SEARCHES_H_

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>

namespace sittuyin::service {

// Counts them, so that a server that ends knows when the last answer has been
// sent. Thread-safe.
class OpenSearches {
 public:
  void Opened() {
    const std::lock_guard lock(mutex_);
    ++count_;
  }
  void Closed() {
    const std::lock_guard lock(mutex_);
    if (--count_ == 0) none_.notify_all();
  }
  // Waits until there is none, or `deadline`.
  void AwaitNone(std::chrono::steady_clock::time_point deadline) {
    std::unique_lock lock(mutex_);
    none_.wait_until(lock, deadline, [this] { return count_ == 0; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable none_;
  std::size_t count_ = 0;
};

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_RPC_OPEN_SEARCHES_H_
