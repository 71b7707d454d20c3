// The catalogue of refusals. Each is a google.rpc.Status that both doors send:
// a code, one sentence of what is wrong and what to send instead, an ErrorInfo
// of the domain `sittuyin.v1`, and what a program needs to act on it.
#ifndef SITTUYIN_SERVICE_ERRORS_ERRORS_H_
#define SITTUYIN_SERVICE_ERRORS_ERRORS_H_

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/notation/fen.h"
#include "engine/rules/ending.h"
#include "engine/rules/validate.h"
#include "engine/rules/violation.h"
#include "google/rpc/status.pb.h"

namespace sittuyin::service {

inline constexpr std::string_view kErrorDomain = "sittuyin.v1";

// INVALID_ARGUMENT. `field` is a path in the proto's names, `game.moves[17]`.
google::rpc::Status MalformedFen(std::string_view field, const FenError& error);
// One field violation for each problem. Precondition: not empty.
google::rpc::Status ImpossiblePosition(
    std::string_view field, const std::vector<SetupProblem>& problems);
// The move `game.moves[ply]` is illegal or no move.
google::rpc::Status IllegalMoveInHistory(std::size_t ply,
                                         const Violation& violation);
// `want` completes the sentence "<field>: want …".
google::rpc::Status FieldOutOfRange(std::string_view field,
                                    std::string_view want);
// The request cannot be read. Without a field when none can be named.
google::rpc::Status MalformedRequest(std::string_view field,
                                     std::string_view message);
// A body of more than `limit` bytes.
google::rpc::Status BodyTooLarge(std::size_t limit);
// A body with a Content-Encoding.
google::rpc::Status BodyEncoded(std::string_view encoding);

// NOT_FOUND, UNIMPLEMENTED: of the REST door.
// `instead` says where the paths are told.
google::rpc::Status UnknownPath(std::string_view path,
                                std::string_view instead);
google::rpc::Status MethodNotAllowed(std::string_view path,
                                     std::string_view allowed);

// UNIMPLEMENTED: of the gRPC door. `instead` names the methods there are.
google::rpc::Status UnknownMethod(std::string_view instead);

// FAILED_PRECONDITION. Precondition: the game has ended.
google::rpc::Status GameFinished(Termination termination);

// UNAVAILABLE with RetryInfo.
google::rpc::Status SearchQueueFull(std::chrono::nanoseconds retry_delay);
google::rpc::Status Draining(std::chrono::nanoseconds retry_delay);

// UNAUTHENTICATED. `message` says what to send, and nothing of what is known.
google::rpc::Status Unauthenticated(std::string_view message);
// RESOURCE_EXHAUSTED without details, as gRPC refuses a message of more than
// `limit` bytes.
google::rpc::Status MessageTooLarge(std::size_t limit);
// RESOURCE_EXHAUSTED with QuotaFailure and RetryInfo: this caller calls more
// often than it may.
google::rpc::Status QuotaExceeded(std::chrono::nanoseconds retry_delay);

// DEADLINE_EXCEEDED: the deadline passed before there was an answer.
google::rpc::Status DeadlineExceeded();
// The same, known in advance, with RetryInfo.
google::rpc::Status NoTurnBeforeDeadline(std::chrono::nanoseconds retry_delay);
// CANCELLED: the caller has left, so nobody reads it.
google::rpc::Status Cancelled();
// CANCELLED: the caller has left, or has sent no whole message.
google::rpc::Status MessageCutShort();
// INTERNAL: a fault of our own. Its details belong in the log.
google::rpc::Status Internal();

// The ErrorInfo's reason; empty when there is none, as in OK.
std::string ReasonOf(const google::rpc::Status& status);

// The RetryInfo's delay; nothing when there is none.
std::optional<std::chrono::nanoseconds> RetryDelayOf(
    const google::rpc::Status& status);

// The HTTP code that stands for `status`; 500 for a code we never send.
int HttpCode(const google::rpc::Status& status);

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_ERRORS_ERRORS_H_
