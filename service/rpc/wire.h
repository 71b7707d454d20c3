// Between gRPC's bytes and the contract's messages.
#ifndef SITTUYIN_SERVICE_RPC_WIRE_H_
#define SITTUYIN_SERVICE_RPC_WIRE_H_

#include <google/protobuf/message_lite.h>
#include <grpcpp/server_context.h>
#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/status.h>

#include <chrono>
#include <cstddef>
#include <optional>
#include <string_view>

#include "google/rpc/status.pb.h"

namespace sittuyin::service {

// Of a request. gRPC's own limit stays far above it: what gRPC refuses, nobody
// counts or logs.
inline constexpr std::size_t kMaxRequestBytes = 64 * 1024;

// Reads into an empty message, or gives the refusal of bytes that are none or
// too many.
google::rpc::Status ReadBytes(const grpc::ByteBuffer& bytes,
                              google::protobuf::MessageLite* message);

// The refusal of a call for which gRPC has no bytes: its caller left, or its
// deadline passed, before the message came whole.
google::rpc::Status NoMessage(const grpc::ServerContextBase& context);

grpc::ByteBuffer ToBytes(const google::protobuf::MessageLite& message);

// The status with its details, as grpc-status-details-bin carries them.
grpc::Status ToGrpc(const google::rpc::Status& status);

// The same as the end of a call. When it is UNAVAILABLE, a RetryInfo's delay is
// in the metadata that a client's retry policy waits for, too:
// `grpc-retry-pushback-ms`, rounded up, or -1, do not retry, when the deadline
// comes first. With other codes grpc-java would take it for leave to retry.
grpc::Status EndOf(grpc::ServerContextBase& context,
                   const google::rpc::Status& status);

// The caller's deadline; nothing when it set none, or one days away.
std::optional<std::chrono::steady_clock::time_point> DeadlineOf(
    const grpc::ServerContextBase& context);

// The caller's metadata of that name, valid as long as the context; empty
// without any, and with several, of which none is more to be believed.
std::string_view MetadataOf(const grpc::ServerContextBase& context,
                            const char* name);

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_RPC_WIRE_H_
