// One call from its arrival to its answer, for metrics and logs.
#ifndef SITTUYIN_SERVICE_TELEMETRY_CALL_H_
#define SITTUYIN_SERVICE_TELEMETRY_CALL_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/functional/function_ref.h"
#include "service/telemetry/method.h"
#include "service/telemetry/span_facts.h"

namespace google::rpc {
class Status;
}

namespace sittuyin::service {

class Telemetry;

// What handlers found out about a call; the log line's fields.
struct CallFacts {
  std::string rule_set;
  std::optional<std::size_t> plies;
  std::optional<std::uint64_t> nodes;
  std::optional<std::chrono::nanoseconds> queue_time;
  std::optional<std::chrono::nanoseconds> search_time;
  [[no_unique_address]] SpanFacts span;
};

// Who calls, in a name that a log may have; empty when nobody knows. Called
// only where a line is written.
using CallerName = absl::FunctionRef<std::string()>;

inline std::string Nobody() { return {}; }

// Counts as in flight until Finish. Made by Telemetry::Begin, which must
// outlive it. Thread-compatible: handlers set facts from any thread, one at a
// time, before Finish.
class Call {
 public:
  using Clock = std::chrono::steady_clock;

  // Finishes as CANCELLED a call that is not finished.
  ~Call();
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  Method method() const { return method_; }
  Door door() const { return door_; }
  // As W3C Trace Context has it, without what may follow the flags; empty when
  // the caller sent none.
  std::string_view trace_parent() const { return trace_parent_; }
  Clock::time_point begin() const { return begin_; }
  const CallFacts& facts() const { return facts_; }

  void SetRuleSet(std::string_view name) { facts_.rule_set = name; }
  void SetPlies(std::size_t plies) { facts_.plies = plies; }
  // The call begins to wait for its search.
  void SetQueued() { facts_.span.NoteQueued(); }
  // Its search begins.
  void SetQueueTime(std::chrono::nanoseconds waited) {
    facts_.queue_time = waited;
    facts_.span.NoteSearchBegins();
  }
  // It is about to be answered, `took` after its search began; the work for the
  // answer is counted at once.
  void SetSearched(std::uint64_t nodes, std::uint32_t depth,
                   std::chrono::nanoseconds took);
  void SetHttp(const HttpFacts& http) { facts_.span.NoteHttp(http); }
  // ValidateMove answered `legal` false; `reason_name` is the reason's name
  // without prefix. Counted at once.
  void SetIllegal(std::string_view reason_name);

  // Counts and logs the outcome. To be called before the door answers; calls
  // after the first do nothing.
  void Finish(const google::rpc::Status& status, CallerName caller = Nobody);

 private:
  friend class Telemetry;
  Call(Telemetry& telemetry, Method method, Door door,
       std::string_view traceparent);

  Telemetry& telemetry_;
  const Method method_;
  const Door door_;
  const std::string trace_parent_;
  const Clock::time_point begin_;
  CallFacts facts_;
  bool finished_ = false;
};

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_TELEMETRY_CALL_H_
