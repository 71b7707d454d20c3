// Every metric of the service, with each of its series made at the start.
#ifndef SITTUYIN_SERVICE_TELEMETRY_METRICS_H_
#define SITTUYIN_SERVICE_TELEMETRY_METRICS_H_

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "service/admission/search_pool_observer.h"
#include "service/telemetry/method.h"
#include "service/telemetry/process_metrics.h"
#include "service/telemetry/status_code.h"

namespace sittuyin::service {

// Files that are read again while the server serves.
enum class Reloaded { kCertificate, kTokens };
inline constexpr std::array<std::string_view, 2> kReloadedNames = {
    "certificate", "tokens"};

// Labels take values of enums alone, so that no caller can make a series.
// Thread-safe; each update costs some tens of nanoseconds.
class Metrics {
 public:
  Metrics(std::string_view version, std::string_view commit);
  Metrics(const Metrics&) = delete;
  Metrics& operator=(const Metrics&) = delete;

  void RequestStarted(Method method);
  // `code` is gRPC's number of the outcome.
  void RequestFinished(Method method, Door door, int code,
                       std::chrono::nanoseconds duration);
  // `reason` as ErrorInfo has it; another is counted as INTERNAL.
  void Rejected(std::string_view reason);
  // `reason` is a ViolationReason's name without prefix; others are ignored.
  void IllegalMove(std::string_view reason);
  void Searched(std::uint64_t nodes, std::uint32_t depth);
  void SetSearchPool(std::size_t queued, std::size_t busy, std::size_t idle);
  void SearchWaited(std::chrono::nanoseconds waited);
  // What the search pool did with a search.
  void SearchDecided(SearchPoolObserver::Fate fate);
  // The server has begun to stop.
  void SetDraining();
  void ReloadFailed(Reloaded files);

  // All of it in Prometheus's text format, the process's own set included.
  std::string Exposition() const;

 private:
  template <typename T, std::size_t N>
  using Row = std::array<T*, N>;
  static constexpr std::size_t kMethods = kMethodNames.size();
  static constexpr std::size_t kDoors = kDoorNames.size();
  static constexpr std::size_t kCodes = kStatusCodeNames.size();
  static constexpr std::size_t kFates = SearchPoolObserver::kFateNames.size();
  using CounterByReason =
      std::map<std::string, prometheus::Counter*, std::less<>>;

  void AddRequestSeries();
  void AddReasonSeries();

  prometheus::Registry registry_;
  ProcessMetrics process_;
  std::array<std::array<Row<prometheus::Counter, kCodes>, kDoors>, kMethods>
      requests_;
  std::array<Row<prometheus::Histogram, kDoors>, kMethods> durations_;
  Row<prometheus::Gauge, kMethods> in_flight_;
  CounterByReason rejections_;
  CounterByReason illegal_moves_;
  Row<prometheus::Counter, kFates> search_outcomes_;
  Row<prometheus::Counter, kReloadedNames.size()> reload_failures_;
  prometheus::Gauge& queue_depth_;
  prometheus::Gauge& workers_busy_;
  prometheus::Gauge& workers_idle_;
  prometheus::Histogram& queue_seconds_;
  prometheus::Counter& nodes_;
  prometheus::Histogram& depth_;
  prometheus::Gauge& draining_;
};

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_TELEMETRY_METRICS_H_
