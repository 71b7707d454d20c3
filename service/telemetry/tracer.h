// Spans of calls, for a collector of traces.
#ifndef SITTUYIN_SERVICE_TELEMETRY_TRACER_H_
#define SITTUYIN_SERVICE_TELEMETRY_TRACER_H_

#include <chrono>
#include <functional>
#include <memory>
#include <string_view>

namespace sittuyin::service {

class Call;

// Whether this build can trace; else nothing of it is compiled in.
inline constexpr bool kTracing = SITTUYIN_OPENTELEMETRY != 0;

// Thread-safe.
class Tracer {
 public:
  virtual ~Tracer() = default;

  // `call` has ended at `end` with gRPC's status `code`, and with `reason`
  // where it was refused.
  virtual void CallEnded(const Call& call, int code, std::string_view reason,
                         std::chrono::steady_clock::time_point end) = 0;
};

// What the tracer has to complain of; from any thread.
using TracerComplaint = std::function<void(std::string_view)>;

// Exports spans as the OTEL_* variables of the environment say; null when they
// disable it. Where this build can trace. One at a time in a process.
std::unique_ptr<Tracer> MakeTracer(std::string_view version,
                                   const TracerComplaint& complain);

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_TELEMETRY_TRACER_H_
