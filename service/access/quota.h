// How often each caller may call.
#ifndef SITTUYIN_SERVICE_ACCESS_QUOTA_H_
#define SITTUYIN_SERVICE_ACCESS_QUOTA_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <list>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

namespace sittuyin::service {

// A bucket for each caller, full at first, that a call takes one from and time
// fills again. Remembers so many callers and forgets the one that has been
// silent longest, whose bucket is likely full. Thread-safe.
class Quota {
 public:
  using Clock = std::chrono::steady_clock;

  // A bucket holds `burst` calls, at least 1, and gets `per_second`, above 0; a
  // caller gets one a day at the least. Precondition: a bucket is full again
  // within a century.
  Quota(double per_second, std::int64_t burst, std::size_t most_callers);

  // At `now`: zero when `caller` may call, and the call is counted; else how
  // long until it may, and nothing is counted.
  std::chrono::nanoseconds Take(std::string_view caller, Clock::time_point now);

 private:
  struct Bucket {
    std::string caller;
    Clock::time_point full_at;
  };
  using Buckets = std::list<Bucket>;

  // The caller's, moved to the front. Under mutex_.
  Bucket& BucketOf(std::string_view caller);

  const std::chrono::nanoseconds interval_;  // In which one call comes back.
  const std::chrono::nanoseconds capacity_;  // In which all of them do.
  const std::size_t most_callers_;
  std::mutex mutex_;
  Buckets buckets_;  // Whoever called last comes first.
  std::unordered_map<std::string_view, Buckets::iterator> by_caller_;
};

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_ACCESS_QUOTA_H_
