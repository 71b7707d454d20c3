#include "service/telemetry/metrics.h"

#include <prometheus/text_serializer.h>

#include <iterator>
#include <utility>
#include <vector>

#include "service/errors/reason.h"
#include "sittuyin/v1/sittuyin.pb.h"

namespace sittuyin::service {
namespace {

using prometheus::Counter;
using prometheus::Family;
using prometheus::Gauge;
using prometheus::Histogram;
using prometheus::Registry;

// From the cheapest answer on an idle machine to the longest search.
Histogram::BucketBoundaries RequestSeconds() {
  return {0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025,
          0.05,    0.1,    0.25,    0.5,    1,     2.5,    5,     10};
}

Histogram::BucketBoundaries QueueSeconds() {
  return {0.0001, 0.001, 0.005, 0.01, 0.025, 0.05, 0.1,
          0.25,   0.5,   1,     2.5,  5,     10};
}

Histogram::BucketBoundaries Depths() {
  return {1, 2, 3, 4, 6, 8, 10, 12, 14, 16, 20, 24, 32, 48};
}

Family<Counter>& CounterFamily(Registry& registry, std::string_view name,
                               std::string_view help) {
  return prometheus::BuildCounter()
      .Name(std::string(name))
      .Help(std::string(help))
      .Register(registry);
}

Family<Gauge>& GaugeFamily(Registry& registry, std::string_view name,
                           std::string_view help) {
  return prometheus::BuildGauge()
      .Name(std::string(name))
      .Help(std::string(help))
      .Register(registry);
}

Family<Histogram>& HistogramFamily(Registry& registry, std::string_view name,
                                   std::string_view help) {
  return prometheus::BuildHistogram()
      .Name(std::string(name))
      .Help(std::string(help))
      .Register(registry);
}

double Seconds(std::chrono::nanoseconds duration) {
  return std::chrono::duration<double>(duration).count();
}

constexpr std::size_t Index(Method method) {
  return static_cast<std::size_t>(method);
}
constexpr std::size_t Index(Door door) {
  return static_cast<std::size_t>(door);
}

// The names of ViolationReason without prefix, the unspecified one left out.
std::vector<std::string> ViolationReasons() {
  constexpr std::string_view kPrefix = "VIOLATION_REASON_";
  const auto* descriptor = v1::ViolationReason_descriptor();
  std::vector<std::string> reasons;
  for (int i = 0; i < descriptor->value_count(); ++i) {
    if (descriptor->value(i)->number() == 0) continue;
    reasons.push_back(descriptor->value(i)->name().substr(kPrefix.size()));
  }
  return reasons;
}

}  // namespace

Metrics::Metrics(std::string_view version, std::string_view commit)
    : queue_depth_(GaugeFamily(registry_, "sittuyin_search_queue_depth",
                               "Searches that wait for a worker.")
                       .Add({})),
      workers_busy_(GaugeFamily(registry_, "sittuyin_search_workers",
                                "Search workers by what they do.")
                        .Add({{"state", "busy"}})),
      workers_idle_(GaugeFamily(registry_, "sittuyin_search_workers",
                                "Search workers by what they do.")
                        .Add({{"state", "idle"}})),
      queue_seconds_(HistogramFamily(registry_, "sittuyin_search_queue_seconds",
                                     "Time a search waited for a worker.")
                         .Add({}, QueueSeconds())),
      nodes_(CounterFamily(registry_, "sittuyin_search_nodes_total",
                           "Positions searched.")
                 .Add({})),
      depth_(HistogramFamily(registry_, "sittuyin_search_depth",
                             "Depth in plies that a search finished.")
                 .Add({}, Depths())),
      draining_(GaugeFamily(registry_, "sittuyin_draining",
                            "1 once the server has begun to stop, else 0.")
                    .Add({})) {
  GaugeFamily(registry_, "sittuyin_build_info",
              "Constant 1; the build is in the labels.")
      .Add({{"version", std::string(version)}, {"commit", std::string(commit)}})
      .Set(1);
  AddRequestSeries();
  AddReasonSeries();
}

void Metrics::AddRequestSeries() {
  auto& requests = CounterFamily(registry_, "sittuyin_requests_total",
                                 "Calls answered or refused.");
  auto& durations =
      HistogramFamily(registry_, "sittuyin_request_duration_seconds",
                      "Time from a call's arrival to its answer.");
  auto& in_flight = GaugeFamily(registry_, "sittuyin_requests_in_flight",
                                "Calls that are not yet answered.");
  for (std::size_t m = 0; m < kMethods; ++m) {
    const std::string method(kMethodNames[m]);
    in_flight_[m] = &in_flight.Add({{"method", method}});
    for (std::size_t d = 0; d < kDoors; ++d) {
      const std::string door(kDoorNames[d]);
      durations_[m][d] = &durations.Add({{"method", method}, {"door", door}},
                                        RequestSeconds());
      for (std::size_t c = 0; c < kCodes; ++c) {
        requests_[m][d][c] =
            &requests.Add({{"method", method},
                           {"door", door},
                           {"code", std::string(kStatusCodeNames[c])}});
      }
    }
  }
}

void Metrics::AddReasonSeries() {
  auto& rejections = CounterFamily(registry_, "sittuyin_rejections_total",
                                   "Calls refused, by ErrorInfo.reason.");
  for (const std::string_view reason : kReasonNames) {
    rejections_.emplace(reason,
                        &rejections.Add({{"reason", std::string(reason)}}));
  }
  auto& outcomes =
      CounterFamily(registry_, "sittuyin_search_outcomes_total",
                    "Searches by what became of their wait for a worker.");
  for (std::size_t i = 0; i < kFates; ++i) {
    search_outcomes_[i] = &outcomes.Add(
        {{"outcome", std::string(SearchPoolObserver::kFateNames[i])}});
  }
  auto& illegal_moves =
      CounterFamily(registry_, "sittuyin_illegal_moves_total",
                    "Moves that ValidateMove judged illegal.");
  for (const std::string& reason : ViolationReasons()) {
    illegal_moves_.emplace(reason, &illegal_moves.Add({{"reason", reason}}));
  }
  auto& reloads =
      CounterFamily(registry_, "sittuyin_reload_failures_total",
                    "Changed files that could not be used; the old serve on.");
  for (std::size_t i = 0; i < kReloadedNames.size(); ++i) {
    reload_failures_[i] =
        &reloads.Add({{"files", std::string(kReloadedNames[i])}});
  }
}

void Metrics::RequestStarted(Method method) {
  in_flight_[Index(method)]->Increment();
}

void Metrics::RequestFinished(Method method, Door door, int code,
                              std::chrono::nanoseconds duration) {
  in_flight_[Index(method)]->Decrement();
  requests_[Index(method)][Index(door)][KnownStatusCode(code)]->Increment();
  durations_[Index(method)][Index(door)]->Observe(Seconds(duration));
}

void Metrics::Rejected(std::string_view reason) {
  auto it = rejections_.find(reason);
  if (it == rejections_.end()) it = rejections_.find(Name(Reason::kInternal));
  it->second->Increment();
}

void Metrics::IllegalMove(std::string_view reason) {
  const auto it = illegal_moves_.find(reason);
  if (it != illegal_moves_.end()) it->second->Increment();
}

void Metrics::Searched(std::uint64_t nodes, std::uint32_t depth) {
  nodes_.Increment(static_cast<double>(nodes));
  depth_.Observe(depth);
}

void Metrics::SetSearchPool(std::size_t queued, std::size_t busy,
                            std::size_t idle) {
  queue_depth_.Set(static_cast<double>(queued));
  workers_busy_.Set(static_cast<double>(busy));
  workers_idle_.Set(static_cast<double>(idle));
}

void Metrics::SearchWaited(std::chrono::nanoseconds waited) {
  queue_seconds_.Observe(Seconds(waited));
}

void Metrics::SearchDecided(SearchPoolObserver::Fate fate) {
  search_outcomes_[static_cast<std::size_t>(fate)]->Increment();
}

void Metrics::SetDraining() { draining_.Set(1); }

void Metrics::ReloadFailed(Reloaded files) {
  reload_failures_[static_cast<std::size_t>(files)]->Increment();
}

std::string Metrics::Exposition() const {
  std::vector<prometheus::MetricFamily> families = registry_.Collect();
  std::vector<prometheus::MetricFamily> process = process_.Collect();
  families.insert(families.end(), std::make_move_iterator(process.begin()),
                  std::make_move_iterator(process.end()));
  return prometheus::TextSerializer().Serialize(families);
}

}  // namespace sittuyin::service
