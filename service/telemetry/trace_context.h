// The caller's trace, as W3C Trace Context hands it on.
#ifndef SITTUYIN_SERVICE_TELEMETRY_TRACE_CONTEXT_H_
#define SITTUYIN_SERVICE_TELEMETRY_TRACE_CONTEXT_H_

#include <string_view>

namespace sittuyin::service {

// Version, trace id, parent id and flags of a `traceparent` header, with what
// later versions may add cut off; empty when the header is empty or not as W3C
// Trace Context writes it. Points into `traceparent`.
std::string_view TraceParentOf(std::string_view traceparent);

// The trace id (32 lower-case hex digits) of what TraceParentOf gives; empty
// when that is.
std::string_view TraceIdOf(std::string_view trace_parent);

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_TELEMETRY_TRACE_CONTEXT_H_
