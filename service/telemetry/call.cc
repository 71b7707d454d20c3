#include "service/telemetry/call.h"

#include "service/telemetry/telemetry.h"
#include "service/telemetry/trace_context.h"

namespace sittuyin::service {
namespace {

constexpr int kCancelled = 1;

}  // namespace

Call::Call(Telemetry& telemetry, Method method, Door door,
           std::string_view traceparent)
    : telemetry_(telemetry),
      method_(method),
      door_(door),
      trace_parent_(TraceParentOf(traceparent)),
      begin_(Clock::now()) {
  telemetry_.metrics().RequestStarted(method_);
}

Call::~Call() {
  if (finished_) return;
  google::rpc::Status status;
  status.set_code(kCancelled);
  Finish(status);
}

void Call::SetSearched(std::uint64_t nodes, std::uint32_t depth,
                       std::chrono::nanoseconds took) {
  facts_.nodes = nodes;
  facts_.search_time = took;
  facts_.span.NoteSearchEnds(depth);
  telemetry_.metrics().Searched(nodes, depth);
}

void Call::SetIllegal(std::string_view reason_name) {
  telemetry_.metrics().IllegalMove(reason_name);
}

void Call::Finish(const google::rpc::Status& status, CallerName caller) {
  if (finished_) return;
  finished_ = true;
  telemetry_.Finished(*this, status, Clock::now(), caller);
}

}  // namespace sittuyin::service
