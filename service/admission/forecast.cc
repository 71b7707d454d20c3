#include "service/admission/forecast.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

namespace sittuyin::service {

using Time = ExpectedJob::Time;

Forecast Foresee(std::vector<Time> free_at,
                 const std::vector<ExpectedJob>& jobs) {
  std::priority_queue<Time, std::vector<Time>, std::greater<>> workers(
      std::greater<>(), std::move(free_at));
  Forecast forecast;
  for (const ExpectedJob& job : jobs) {
    const Time start = workers.top();
    if (start > job.wanted_start) ++forecast.late;
    if (start >= job.latest_end) continue;
    workers.pop();
    workers.push(std::min(start + job.duration, job.latest_end));
  }
  forecast.all_begun = workers.top();
  return forecast;
}

}  // namespace sittuyin::service
