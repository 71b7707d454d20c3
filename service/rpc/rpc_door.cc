#include "service/rpc/rpc_door.h"

#include <grpc/grpc.h>
#include <grpcpp/ext/proto_server_reflection_plugin.h>
#include <grpcpp/server_builder.h>

#include <utility>

namespace sittuyin::service {

std::unique_ptr<RpcDoor> RpcDoor::Start(
    const std::string& address, const std::vector<grpc::Service*>& services,
    std::chrono::nanoseconds max_connection_age) {
  grpc::reflection::InitProtoReflectionServerBuilderPlugin();
  grpc::ServerBuilder builder;
  // Else a second server would share the port silently.
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
  // Per-call work that nobody here reads the results of, and pings to size
  // windows that our small messages never fill.
  builder.AddChannelArgument(GRPC_ARG_ENABLE_CHANNELZ, 0);
  builder.AddChannelArgument(GRPC_ARG_ENABLE_CENSUS, 0);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_BDP_PROBE, 0);
  if (max_connection_age > std::chrono::nanoseconds::zero()) {
    builder.AddChannelArgument(
        GRPC_ARG_MAX_CONNECTION_AGE_MS,
        static_cast<int>(
            std::chrono::ceil<std::chrono::milliseconds>(max_connection_age)
                .count()));
  }
  builder.SetMaxReceiveMessageSize(kMaxRequestBytes);
  int port = 0;
  builder.AddListeningPort(address, grpc::InsecureServerCredentials(), &port);
  for (grpc::Service* service : services) builder.RegisterService(service);
  auto server = builder.BuildAndStart();
  if (server == nullptr || port == 0) return nullptr;
  const std::string host = address.substr(0, address.rfind(':'));
  return std::unique_ptr<RpcDoor>(
      new RpcDoor(std::move(server), host + ":" + std::to_string(port)));
}

RpcDoor::RpcDoor(std::unique_ptr<grpc::Server> server, std::string address)
    : server_(std::move(server)), address_(std::move(address)) {}

RpcDoor::~RpcDoor() { Close(); }

void RpcDoor::Close() {
  if (server_ == nullptr) return;
  // Before the shutdown, though gRPC's header wants it after: calls that come
  // while gRPC shuts down fail as CANCELLED, which callers do not try again,
  // and it waits seconds for clients that are idle and so not listening.
  grpc_server_cancel_all_calls(server_->c_server());
  server_->Shutdown(std::chrono::system_clock::now());
  server_ = nullptr;
}

}  // namespace sittuyin::service
