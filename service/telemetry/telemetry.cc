#include "service/telemetry/telemetry.h"

#include <optional>
#include <utility>

#include "service/errors/errors.h"
#include "service/telemetry/status_code.h"
#include "service/telemetry/trace_context.h"

namespace sittuyin::service {
namespace {

double Milliseconds(std::chrono::nanoseconds duration) {
  return static_cast<double>(
             std::chrono::duration_cast<std::chrono::microseconds>(duration)
                 .count()) /
         1000;
}

LogFields FieldsOf(const Call& call, const google::rpc::Status& status,
                   std::string_view reason, std::chrono::nanoseconds duration) {
  const CallFacts& facts = call.facts();
  LogFields fields = {{"method", Name(call.method())},
                      {"door", Name(call.door())},
                      {"code", StatusCodeName(status.code())},
                      {"ms", Milliseconds(duration)}};
  if (!reason.empty()) fields.emplace_back("reason", reason);
  if (!facts.rule_set.empty()) {
    fields.emplace_back("rule_set", facts.rule_set);
  }
  if (facts.plies) fields.emplace_back("plies", *facts.plies);
  if (facts.nodes) fields.emplace_back("nodes", *facts.nodes);
  if (facts.queue_time) {
    fields.emplace_back("queue_ms", Milliseconds(*facts.queue_time));
  }
  if (facts.search_time) {
    fields.emplace_back("search_ms", Milliseconds(*facts.search_time));
  }
  if (const auto trace_id = TraceIdOf(call.trace_parent()); !trace_id.empty()) {
    fields.emplace_back("trace_id", trace_id);
  }
  return fields;
}

// Where it is known. `name` must outlive `fields`.
void AddCaller(std::string_view name, LogFields& fields) {
  if (!name.empty()) fields.emplace_back("caller", name);
}

// How many lines like this one were not written before it.
void AddHeldBack(std::uint64_t held_back, LogFields& fields) {
  if (held_back > 0) fields.emplace_back("held_back", held_back);
}

}  // namespace

Telemetry::Telemetry(TelemetryOptions options)
    : options_(std::move(options)),
      metrics_(options_.version, options_.commit),
      log_(options_.log_sink),
      access_sample_(options_.access_log_sample),
      refusals_(options_.lines_per_second),
      slow_calls_(options_.lines_per_second),
      faults_(options_.lines_per_second),
      foreign_(options_.lines_per_second),
      handshakes_(options_.lines_per_second),
      tracer_(StartTracer()) {}

std::unique_ptr<Tracer> Telemetry::StartTracer() {
  if constexpr (kTracing) {
    if (options_.traces) {
      return MakeTracer(options_.version, [this](std::string_view what) {
        Foreign("opentelemetry", what);
      });
    }
  }
  return nullptr;
}

std::unique_ptr<Call> Telemetry::Begin(Method method, Door door,
                                       std::string_view traceparent) {
  return std::unique_ptr<Call>(new Call(*this, method, door, traceparent));
}

void Telemetry::Finished(const Call& call, const google::rpc::Status& status,
                         Call::Clock::time_point now, CallerName caller) {
  const auto duration = now - call.begin();
  metrics_.RequestFinished(call.method(), call.door(), status.code(), duration);
  const bool refused = status.code() != 0;
  const std::string reason = refused ? ReasonOf(status) : std::string();
  if (!reason.empty()) metrics_.Rejected(reason);
  if constexpr (kTracing) {
    if (tracer_ != nullptr)
      tracer_->CallEnded(call, status.code(), reason, now);
  }

  const bool slow = duration - call.facts().search_time.value_or(
                                   std::chrono::nanoseconds(0)) >=
                    options_.slow_call;
  const bool sampled = access_sample_.Pick();
  std::optional<std::uint64_t> held_back;
  if (refused) {
    held_back = refusals_.Pass(now);
  } else if (slow) {
    held_back = slow_calls_.Pass(now);
  }
  if (!sampled && !held_back) return;
  LogFields fields = FieldsOf(call, status, reason, duration);
  const std::string name = caller();
  AddCaller(name, fields);
  if (held_back) AddHeldBack(*held_back, fields);
  log_.Write(slow ? spdlog::level::warn : spdlog::level::info,
             refused ? "refusal"
             : slow  ? "slow_call"
                     : "call",
             fields);
}

void Telemetry::Refused(Door door, const google::rpc::Status& status,
                        CallerName caller) {
  const std::string reason = ReasonOf(status);
  if (!reason.empty()) metrics_.Rejected(reason);
  const auto held_back = refusals_.Pass(RateLimit::Clock::now());
  if (!held_back) return;
  LogFields fields = {{"door", Name(door)},
                      {"code", StatusCodeName(status.code())},
                      {"reason", reason}};
  const std::string name = caller();
  AddCaller(name, fields);
  AddHeldBack(*held_back, fields);
  log_.Write(spdlog::level::info, "refusal", fields);
}

void Telemetry::HandshakeFailed(Door door, std::string_view what,
                                CallerName caller) {
  const auto held_back = handshakes_.Pass(RateLimit::Clock::now());
  if (!held_back) return;
  LogFields fields = {{"door", Name(door)}, {"what", what}};
  const std::string name = caller();
  AddCaller(name, fields);
  AddHeldBack(*held_back, fields);
  log_.Write(spdlog::level::warn, "handshake_failed", fields);
}

void Telemetry::Crowded(Door door) {
  const auto held_back = crowded_.Pass(RateLimit::Clock::now());
  if (!held_back) return;
  LogFields fields = {{"door", Name(door)}};
  AddHeldBack(*held_back, fields);
  log_.Write(spdlog::level::warn, "connections_full", fields);
}

void Telemetry::Event(std::string_view event, const LogFields& fields) {
  log_.Write(spdlog::level::info, event, fields);
}

void Telemetry::Warning(std::string_view event, const LogFields& fields) {
  log_.Write(spdlog::level::warn, event, fields);
}

void Telemetry::Foreign(std::string_view library, std::string_view what) {
  const auto held_back = foreign_.Pass(RateLimit::Clock::now());
  if (!held_back) return;
  LogFields fields = {{"what", what}};
  AddHeldBack(*held_back, fields);
  log_.Write(spdlog::level::warn, library, fields);
}

void Telemetry::Fault(std::string_view what) {
  const auto held_back = faults_.Pass(RateLimit::Clock::now());
  if (!held_back) return;
  LogFields fields = {{"what", what}};
  AddHeldBack(*held_back, fields);
  log_.Write(spdlog::level::err, "fault", fields);
}

}  // namespace sittuyin::service
