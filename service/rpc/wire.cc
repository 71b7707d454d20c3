#include "service/rpc/wire.h"

#include <google/protobuf/io/coded_stream.h>
#include <grpc/slice.h>
#include <grpcpp/support/slice.h>

#include <iterator>
#include <string>

#include "service/errors/errors.h"

namespace sittuyin::service {

using google::protobuf::io::CodedInputStream;
using std::chrono::steady_clock;

google::rpc::Status ReadBytes(const grpc::ByteBuffer& bytes,
                              google::protobuf::MessageLite* message) {
  if (bytes.Length() > kMaxRequestBytes) {
    return MessageTooLarge(kMaxRequestBytes);
  }
  grpc::Slice slice;
  if (bytes.TrySingleSlice(&slice).ok() ||
      bytes.DumpToSingleSlice(&slice).ok()) {
    CodedInputStream input(slice.begin(), static_cast<int>(slice.size()));
    if (message->MergeFromCodedStream(&input) &&
        input.ConsumedEntireMessage()) {
      return {};
    }
  }
  return MalformedRequest("",
                          "The bytes are no message of this method: send a " +
                              message->GetTypeName() + ".");
}

google::rpc::Status NoMessage(const grpc::ServerContextBase& context) {
  const auto deadline = DeadlineOf(context);
  return deadline && *deadline <= steady_clock::now() ? DeadlineExceeded()
                                                      : MessageCutShort();
}

grpc::ByteBuffer ToBytes(const google::protobuf::MessageLite& message) {
  grpc_slice bytes = grpc_slice_malloc(message.ByteSizeLong());
  message.SerializeWithCachedSizesToArray(GRPC_SLICE_START_PTR(bytes));
  const grpc::Slice slice(bytes, grpc::Slice::STEAL_REF);
  return {&slice, 1};
}

grpc::Status ToGrpc(const google::rpc::Status& status) {
  if (status.code() == grpc::StatusCode::OK) return grpc::Status::OK;
  return {static_cast<grpc::StatusCode>(status.code()), status.message(),
          status.SerializeAsString()};
}

grpc::Status EndOf(grpc::ServerContextBase& context,
                   const google::rpc::Status& status) {
  const auto delay = RetryDelayOf(status);
  if (delay && status.code() == grpc::StatusCode::UNAVAILABLE) {
    const auto deadline = DeadlineOf(context);
    const bool too_late = deadline && steady_clock::now() + *delay >= *deadline;
    const auto pushback = std::chrono::ceil<std::chrono::milliseconds>(*delay);
    context.AddTrailingMetadata(
        "grpc-retry-pushback-ms",
        too_late ? "-1" : std::to_string(pushback.count()));
  }
  return ToGrpc(status);
}

std::optional<steady_clock::time_point> DeadlineOf(
    const grpc::ServerContextBase& context) {
  const gpr_timespec deadline = context.raw_deadline();
  const gpr_timespec left =
      gpr_time_sub(deadline, gpr_now(deadline.clock_type));
  constexpr std::chrono::seconds kFarAway = std::chrono::hours(24);
  if (left.tv_sec > kFarAway.count()) return std::nullopt;
  return steady_clock::now() + std::chrono::seconds(left.tv_sec) +
         std::chrono::nanoseconds(left.tv_nsec);
}

std::string_view MetadataOf(const grpc::ServerContextBase& context,
                            const char* name) {
  const auto& metadata = context.client_metadata();
  const auto [first, last] = metadata.equal_range(name);
  if (first == last || std::next(first) != last) return {};
  return {first->second.data(), first->second.size()};
}

}  // namespace sittuyin::service
