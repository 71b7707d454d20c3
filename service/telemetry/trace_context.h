// The caller's trace, as W3C Trace Context hands it on.
#ifndef SITTUYIN_SERVICE_TELEMETRY_TRACE_CONTEXT_H_
#define SITTUYIN_SERVICE_TELEMETRY_TRACE_CONTEXT_H_

#include <string_view>

namespace sittuyin::service {

// The trace id (32 lower-case hex digits) of a `traceparent` header; empty
// when the header is empty or not as W3C Trace Context writes it. Points into
// `traceparent`.
std::string_view TraceIdOf(std::string_view traceparent);

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_TELEMETRY_TRACE_CONTEXT_H_
