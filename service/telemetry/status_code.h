// gRPC's status codes by number and by name.
#ifndef SITTUYIN_SERVICE_TELEMETRY_STATUS_CODE_H_
#define SITTUYIN_SERVICE_TELEMETRY_STATUS_CODE_H_

#include <array>
#include <cstddef>
#include <string_view>

namespace sittuyin::service {

inline constexpr std::array<std::string_view, 17> kStatusCodeNames = {
    "OK",
    "CANCELLED",
    "UNKNOWN",
    "INVALID_ARGUMENT",
    "DEADLINE_EXCEEDED",
    "NOT_FOUND",
    "ALREADY_EXISTS",
    "PERMISSION_DENIED",
    "RESOURCE_EXHAUSTED",
    "FAILED_PRECONDITION",
    "ABORTED",
    "OUT_OF_RANGE",
    "UNIMPLEMENTED",
    "INTERNAL",
    "UNAVAILABLE",
    "DATA_LOSS",
    "UNAUTHENTICATED"};

inline constexpr int kStatusUnknown = 2;

// `code` where gRPC has it, else UNKNOWN's.
constexpr std::size_t KnownStatusCode(int code) {
  const bool known =
      code >= 0 && code < static_cast<int>(kStatusCodeNames.size());
  return static_cast<std::size_t>(known ? code : kStatusUnknown);
}

constexpr std::string_view StatusCodeName(int code) {
  return kStatusCodeNames[KnownStatusCode(code)];
}

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_TELEMETRY_STATUS_CODE_H_
