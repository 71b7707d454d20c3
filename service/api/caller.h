// Whether a call's caller still waits for its answer.
#ifndef SITTUYIN_SERVICE_API_CALLER_H_
#define SITTUYIN_SERVICE_API_CALLER_H_

#include <functional>
#include <memory>
#include <mutex>
#include <utility>

#include "engine/search/search.h"

namespace sittuyin::service {

// Shared by the door, which knows when the caller leaves, and the search that
// then is pointless. Thread-safe.
class Caller {
 public:
  // To be called by the door, any number of times: ends the call's search, and
  // calls the listener.
  void Leave() {
    std::function<void()> listener;
    {
      const std::lock_guard lock(mutex_);
      left_ = true;
      listener = std::exchange(listener_, nullptr);
    }
    stop_->RequestStop();
    if (listener) listener();
  }

  bool HasLeft() const {
    const std::lock_guard lock(mutex_);
    return left_;
  }

  // `listener` is called once when the caller leaves, on the thread of Leave;
  // at once if it has left already.
  void OnLeave(std::function<void()> listener) {
    {
      const std::lock_guard lock(mutex_);
      if (!left_) {
        listener_ = std::move(listener);
        return;
      }
    }
    listener();
  }

  // Ends the call's search early. Others than Leave may set it as well.
  const std::shared_ptr<StopToken>& stop() const { return stop_; }

 private:
  mutable std::mutex mutex_;
  bool left_ = false;
  std::function<void()> listener_;
  const std::shared_ptr<StopToken> stop_ = std::make_shared<StopToken>();
};

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_API_CALLER_H_
