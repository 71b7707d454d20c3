// Why a call was refused, for a program: ErrorInfo's reason.
#ifndef SITTUYIN_SERVICE_ERRORS_REASON_H_
#define SITTUYIN_SERVICE_ERRORS_REASON_H_

#include <array>
#include <cstddef>
#include <string_view>

namespace sittuyin::service {

enum class Reason {
  kMalformedFen,
  kImpossiblePosition,
  kIllegalMoveInHistory,
  kFieldOutOfRange,
  kMalformedRequest,
  kGameFinished,
  kSearchQueueFull,
  kDraining,
  kQuotaExceeded,
  kUnauthenticated,
  kDeadlineExceeded,
  kInternal,  // The last.
};

inline constexpr std::array<std::string_view, 12> kReasonNames = {
    "MALFORMED_FEN",           "IMPOSSIBLE_POSITION",
    "ILLEGAL_MOVE_IN_HISTORY", "FIELD_OUT_OF_RANGE",
    "MALFORMED_REQUEST",       "GAME_FINISHED",
    "SEARCH_QUEUE_FULL",       "DRAINING",
    "QUOTA_EXCEEDED",          "UNAUTHENTICATED",
    "DEADLINE_EXCEEDED",       "INTERNAL"};
static_assert(kReasonNames.size() ==
              static_cast<std::size_t>(Reason::kInternal) + 1);

// The reason's name in the contract.
constexpr std::string_view Name(Reason reason) {
  return kReasonNames[static_cast<std::size_t>(reason)];
}

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_ERRORS_REASON_H_
