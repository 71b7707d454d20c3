#include "service/access/quota.h"

#include <algorithm>

namespace sittuyin::service {
namespace {

constexpr std::chrono::nanoseconds kLongestInterval = std::chrono::hours(24);

std::chrono::nanoseconds IntervalOf(double per_second) {
  const std::chrono::duration<double> interval(1 / per_second);
  if (interval >= kLongestInterval) return kLongestInterval;
  return std::chrono::duration_cast<std::chrono::nanoseconds>(interval);
}

}  // namespace

Quota::Quota(double per_second, std::int64_t burst, std::size_t most_callers)
    : interval_(IntervalOf(per_second)),
      capacity_(interval_ * burst),
      most_callers_(most_callers) {}

std::chrono::nanoseconds Quota::Take(std::string_view caller,
                                     Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  Bucket& bucket = BucketOf(caller);
  const auto full_at = std::max(bucket.full_at, now) + interval_;
  const auto missing = full_at - now - capacity_;
  if (missing.count() > 0) return missing;
  bucket.full_at = full_at;
  return std::chrono::nanoseconds::zero();
}

Quota::Bucket& Quota::BucketOf(std::string_view caller) {
  if (const auto found = by_caller_.find(caller); found != by_caller_.end()) {
    buckets_.splice(buckets_.begin(), buckets_, found->second);
    return buckets_.front();
  }
  if (buckets_.size() == most_callers_) {
    by_caller_.erase(buckets_.back().caller);
    buckets_.pop_back();
  }
  buckets_.push_front({std::string(caller), {}});
  by_caller_.emplace(buckets_.front().caller, buckets_.begin());
  return buckets_.front();
}

}  // namespace sittuyin::service
