// When searches that wait will have their turn, and whether that is in time.
#ifndef SITTUYIN_SERVICE_ADMISSION_FORECAST_H_
#define SITTUYIN_SERVICE_ADMISSION_FORECAST_H_

#include <chrono>
#include <cstddef>
#include <vector>

namespace sittuyin::service {

// A search that waits.
struct ExpectedJob {
  using Time = std::chrono::steady_clock::time_point;
  Time wanted_start;                  // Late if begun after this.
  Time latest_end;                    // It runs no further than this,
  std::chrono::nanoseconds duration;  // and likely takes this long.
};

struct Forecast {
  std::size_t late = 0;         // Jobs whose turn comes too late.
  ExpectedJob::Time all_begun;  // When every job has begun and a worker idles.
};

// Gives the jobs in their order to the worker that is free first. `free_at`
// has an entry for each worker, at least one.
Forecast Foresee(std::vector<ExpectedJob::Time> free_at,
                 const std::vector<ExpectedJob>& jobs);

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_ADMISSION_FORECAST_H_
