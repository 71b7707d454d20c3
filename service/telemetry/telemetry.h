// What the service tells about itself: metrics, logs and traces.
#ifndef SITTUYIN_SERVICE_TELEMETRY_TELEMETRY_H_
#define SITTUYIN_SERVICE_TELEMETRY_TELEMETRY_H_

#include <spdlog/common.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "google/rpc/status.pb.h"
#include "service/telemetry/call.h"
#include "service/telemetry/log.h"
#include "service/telemetry/method.h"
#include "service/telemetry/metrics.h"
#include "service/telemetry/sampling.h"
#include "service/telemetry/tracer.h"

namespace sittuyin::service {

struct TelemetryOptions {
  std::string version;
  std::string commit;
  // The share of all calls that is logged, 0 to 1.
  double access_log_sample = 0.01;
  // From when on a call is logged as slow, the time of its search aside.
  std::chrono::nanoseconds slow_call = std::chrono::milliseconds(500);
  // Lines of one kind logged each second, of those that callers can cause.
  std::uint64_t lines_per_second = 20;
  spdlog::sink_ptr log_sink;  // Null = stderr.
  bool traces = false;        // Exports spans, where this build can.
};

// Never logs what callers sent, but for the ids of their traces and their
// names. Thread-safe.
class Telemetry {
 public:
  explicit Telemetry(TelemetryOptions options);

  // A call has come. `traceparent` is the W3C header, empty when there is
  // none.
  std::unique_ptr<Call> Begin(Method method, Door door,
                              std::string_view traceparent);

  // A refusal of what is no call of the service's methods: of an unknown path,
  // of health or reflection.
  void Refused(Door door, const google::rpc::Status& status,
               CallerName caller = Nobody);

  // A connection did not come about.
  void HandshakeFailed(Door door, std::string_view what, CallerName caller);

  // A connection was cut, for more came than may be open.
  void Crowded(Door door);

  // Something that happened to the server, like its start.
  void Event(std::string_view event, const LogFields& fields);

  // Something that the operator should mend.
  void Warning(std::string_view event, const LogFields& fields);

  // What a library that we use has to say.
  void Foreign(std::string_view library, std::string_view what);

  // A fault of our own: what callers are told is INTERNAL alone.
  void Fault(std::string_view what);

  Metrics& metrics() { return metrics_; }

 private:
  friend class Call;
  std::unique_ptr<Tracer> StartTracer();
  void Finished(const Call& call, const google::rpc::Status& status,
                Call::Clock::time_point now, CallerName caller);

  const TelemetryOptions options_;
  Metrics metrics_;
  Log log_;
  Sampler access_sample_;
  RateLimit refusals_;
  RateLimit slow_calls_;
  RateLimit faults_;
  RateLimit foreign_;
  RateLimit handshakes_;
  RateLimit crowded_{1};                  // One tells as much as many.
  const std::unique_ptr<Tracer> tracer_;  // Null = none. Ends first.
};

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_TELEMETRY_TELEMETRY_H_
