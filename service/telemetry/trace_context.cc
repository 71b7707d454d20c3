#include "service/telemetry/trace_context.h"

#include <algorithm>
#include <cstddef>

namespace sittuyin::service {
namespace {

bool IsHex(std::string_view text) {
  return text.find_first_not_of("0123456789abcdef") == text.npos;
}

bool IsZero(std::string_view text) {
  return text.find_first_not_of('0') == text.npos;
}

}  // namespace

// version "-" trace-id "-" parent-id "-" flags, of 2, 32, 16 and 2 digits.
// Version ff is forbidden; version 00 ends here, a later one may go on after
// another dash.
std::string_view TraceParentOf(std::string_view traceparent) {
  constexpr std::size_t kLength = 2 + 1 + 32 + 1 + 16 + 1 + 2;
  if (traceparent.size() < kLength) return {};
  const std::string_view version = traceparent.substr(0, 2);
  const std::string_view trace_id = traceparent.substr(3, 32);
  const std::string_view parent_id = traceparent.substr(36, 16);
  const std::string_view flags = traceparent.substr(53, 2);
  const bool dashes =
      traceparent[2] == '-' && traceparent[35] == '-' && traceparent[52] == '-';
  const bool hex =
      IsHex(version) && IsHex(trace_id) && IsHex(parent_id) && IsHex(flags);
  const bool ends_well = traceparent.size() == kLength ||
                         (version != "00" && traceparent[kLength] == '-');
  if (!dashes || !hex || !ends_well || version == "ff" || IsZero(trace_id) ||
      IsZero(parent_id)) {
    return {};
  }
  return traceparent.substr(0, kLength);
}

std::string_view TraceIdOf(std::string_view trace_parent) {
  return trace_parent.empty() ? trace_parent : trace_parent.substr(3, 32);
}

}  // namespace sittuyin::service
