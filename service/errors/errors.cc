#include "service/errors/errors.h"

#include <fmt/format.h>
#include <grpcpp/support/status.h>

#include <array>
#include <optional>
#include <utility>

#include "google/protobuf/util/time_util.h"
#include "google/rpc/error_details.pb.h"
#include "service/errors/reason.h"

namespace sittuyin::service {
namespace {

using google::protobuf::util::TimeUtil;
using google::rpc::BadRequest;
using google::rpc::ErrorInfo;
using google::rpc::QuotaFailure;
using google::rpc::RetryInfo;
using google::rpc::Status;
using grpc::StatusCode;

// Mark what HTTP has codes of its own for among INVALID_ARGUMENT.
constexpr char kLimitBytes[] = "limit_bytes";
constexpr char kEncoding[] = "content_encoding";

using Metadata = std::vector<std::pair<std::string, std::string>>;

Status Make(StatusCode code, Reason reason, std::string message,
            const Metadata& metadata = {}) {
  ErrorInfo info;
  info.set_reason(std::string(Name(reason)));
  info.set_domain(std::string(kErrorDomain));
  for (const auto& [key, value] : metadata) {
    (*info.mutable_metadata())[key] = value;
  }
  Status status;
  status.set_code(code);
  status.set_message(std::move(message));
  status.add_details()->PackFrom(info);
  return status;
}

void AddViolation(BadRequest& bad, std::string_view field,
                  std::string_view description) {
  auto* violation = bad.add_field_violations();
  violation->set_field(std::string(field));
  violation->set_description(std::string(description));
}

// A refusal for one bad field.
Status BadField(Reason reason, std::string_view field,
                std::string_view description, const Metadata& metadata = {}) {
  Status status = Make(StatusCode::INVALID_ARGUMENT, reason,
                       fmt::format("{}: {}", field, description), metadata);
  BadRequest bad;
  AddViolation(bad, field, description);
  status.add_details()->PackFrom(bad);
  return status;
}

Status RetryLater(StatusCode code, Reason reason, std::string message,
                  std::chrono::nanoseconds delay) {
  Status status = Make(code, reason, std::move(message));
  RetryInfo retry;
  *retry.mutable_retry_delay() = TimeUtil::NanosecondsToDuration(delay.count());
  status.add_details()->PackFrom(retry);
  return status;
}

// The detail of that type; nothing when there is none.
template <typename Detail>
std::optional<Detail> DetailOf(const Status& status) {
  Detail found;
  for (const auto& detail : status.details()) {
    if (detail.UnpackTo(&found)) return found;
  }
  return std::nullopt;
}

std::string_view OfSide(std::optional<Color> side) {
  if (!side) return "";
  return *side == Color::kRed ? " (Red)" : " (Black)";
}

std::string_view HowItEnded(Termination termination) {
  switch (termination) {
    case Termination::kNone:
      return "not at all";
    case Termination::kCheckmate:
      return "by checkmate";
    case Termination::kStalemate:
      return "by stalemate";
    case Termination::kDeadPosition:
      return "in a dead position";
    case Termination::kCountExhausted:
      return "with the count run out";
    case Termination::kThreefoldRepetition:
      return "by repetition";
    case Termination::kHundredPlies:
      return "by a hundred quiet plies";
  }
  return "";
}

}  // namespace

Status MalformedFen(std::string_view field, const FenError& error) {
  return BadField(Reason::kMalformedFen, field, error.message);
}

Status ImpossiblePosition(std::string_view field,
                          const std::vector<SetupProblem>& problems) {
  BadRequest bad;
  std::string names;
  for (const SetupProblem& problem : problems) {
    AddViolation(
        bad, field,
        fmt::format("{}: {}", FaultName(problem.fault), problem.description));
    names += fmt::format("{}{}{}", names.empty() ? "" : ", ",
                         FaultName(problem.fault), OfSide(problem.side));
  }
  Status status =
      Make(StatusCode::INVALID_ARGUMENT, Reason::kImpossiblePosition,
           fmt::format("{}: the position is impossible: {}.", field, names));
  status.add_details()->PackFrom(bad);
  return status;
}

Status IllegalMoveInHistory(std::size_t ply, const Violation& violation) {
  return BadField(Reason::kIllegalMoveInHistory,
                  fmt::format("game.moves[{}]", ply), Describe(violation),
                  {{"ply", std::to_string(ply)},
                   {"violation", std::string(ReasonName(violation.reason))}});
}

Status FieldOutOfRange(std::string_view field, std::string_view want) {
  return BadField(Reason::kFieldOutOfRange, field,
                  fmt::format("want {}.", want));
}

Status MalformedRequest(std::string_view field, std::string_view message) {
  if (!field.empty()) {
    return BadField(Reason::kMalformedRequest, field, message);
  }
  return Make(StatusCode::INVALID_ARGUMENT, Reason::kMalformedRequest,
              std::string(message));
}

Status BodyTooLarge(std::size_t limit) {
  return Make(
      StatusCode::INVALID_ARGUMENT, Reason::kFieldOutOfRange,
      fmt::format("The request is too large: send at most {} bytes.", limit),
      {{kLimitBytes, std::to_string(limit)}});
}

Status BodyEncoded(std::string_view encoding) {
  return BadField(Reason::kMalformedRequest, "Content-Encoding",
                  "send the body uncompressed, without this header.",
                  {{kEncoding, std::string(encoding)}});
}

Status UnknownPath(std::string_view path, std::string_view instead) {
  return Make(StatusCode::NOT_FOUND, Reason::kMalformedRequest,
              fmt::format("There is nothing at {}; {}.", path, instead));
}

Status MethodNotAllowed(std::string_view path, std::string_view allowed) {
  return Make(
      StatusCode::UNIMPLEMENTED, Reason::kMalformedRequest,
      fmt::format("{} does not take this method: use {}.", path, allowed));
}

Status UnknownMethod(std::string_view instead) {
  return Make(StatusCode::UNIMPLEMENTED, Reason::kMalformedRequest,
              fmt::format("There is no such method; {}.", instead));
}

Status GameFinished(Termination termination) {
  return Make(StatusCode::FAILED_PRECONDITION, Reason::kGameFinished,
              fmt::format("The game has ended {}: there is no move to find.",
                          HowItEnded(termination)));
}

Status SearchQueueFull(std::chrono::nanoseconds retry_delay) {
  return RetryLater(StatusCode::UNAVAILABLE, Reason::kSearchQueueFull,
                    "Too many searches are waiting: try again later.",
                    retry_delay);
}

Status Draining(std::chrono::nanoseconds retry_delay) {
  return RetryLater(StatusCode::UNAVAILABLE, Reason::kDraining,
                    "This server is stopping: try another.", retry_delay);
}

Status Unauthenticated(std::string_view message) {
  return Make(StatusCode::UNAUTHENTICATED, Reason::kUnauthenticated,
              std::string(message));
}

Status MessageTooLarge(std::size_t limit) {
  Status status;
  status.set_code(StatusCode::RESOURCE_EXHAUSTED);
  status.set_message(
      fmt::format("The message is too large: send at most {} bytes.", limit));
  return status;
}

Status QuotaExceeded(std::chrono::nanoseconds retry_delay) {
  Status status =
      RetryLater(StatusCode::RESOURCE_EXHAUSTED, Reason::kQuotaExceeded,
                 "You call more often than you may: wait.", retry_delay);
  QuotaFailure quota;
  auto* violation = quota.add_violations();
  violation->set_subject("caller");
  violation->set_description(
      "More requests per second than a caller may send.");
  status.add_details()->PackFrom(quota);
  return status;
}

Status DeadlineExceeded() {
  return Make(StatusCode::DEADLINE_EXCEEDED, Reason::kDeadlineExceeded,
              "The deadline passed before there was an answer: allow more "
              "time.");
}

Status NoTurnBeforeDeadline(std::chrono::nanoseconds retry_delay) {
  return RetryLater(StatusCode::DEADLINE_EXCEEDED, Reason::kDeadlineExceeded,
                    "The searches before this one outlast its deadline: allow "
                    "more time, or try again later.",
                    retry_delay);
}

Status Cancelled() {
  Status status;
  status.set_code(StatusCode::CANCELLED);
  status.set_message("The caller has left.");
  return status;
}

Status MessageCutShort() {
  Status status;
  status.set_code(StatusCode::CANCELLED);
  status.set_message("The call ended before its message had come whole.");
  return status;
}

Status Internal() {
  return Make(StatusCode::INTERNAL, Reason::kInternal,
              "A fault of the server; it has been logged.");
}

std::string ReasonOf(const Status& status) {
  const auto info = DetailOf<ErrorInfo>(status);
  return info ? info->reason() : "";
}

std::optional<std::chrono::nanoseconds> RetryDelayOf(const Status& status) {
  const auto info = DetailOf<RetryInfo>(status);
  if (!info) return std::nullopt;
  return std::chrono::nanoseconds(
      TimeUtil::DurationToNanoseconds(info->retry_delay()));
}

int HttpCode(const Status& status) {
  // The index is gRPC's code; 0 stands for what we never send. On HTTP
  // UNIMPLEMENTED is sent for a wrong method alone.
  constexpr std::array kCodes = {
      200,  // OK
      499,  // CANCELLED
      0,    // UNKNOWN
      400,  // INVALID_ARGUMENT
      504,  // DEADLINE_EXCEEDED
      404,  // NOT_FOUND
      0,    // ALREADY_EXISTS
      0,    // PERMISSION_DENIED
      429,  // RESOURCE_EXHAUSTED
      400,  // FAILED_PRECONDITION
      0,    // ABORTED
      0,    // OUT_OF_RANGE
      405,  // UNIMPLEMENTED
      500,  // INTERNAL
      503,  // UNAVAILABLE
      0,    // DATA_LOSS
      401,  // UNAUTHENTICATED
  };
  const auto code = static_cast<std::size_t>(status.code());
  if (code >= kCodes.size() || kCodes[code] == 0) return 500;
  if (code == StatusCode::INVALID_ARGUMENT) {
    const auto info = DetailOf<ErrorInfo>(status);
    if (info && info->metadata().contains(kLimitBytes)) return 413;
    if (info && info->metadata().contains(kEncoding)) return 415;
  }
  return kCodes[code];
}

}  // namespace sittuyin::service
