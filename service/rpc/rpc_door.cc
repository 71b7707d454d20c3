#include "service/rpc/rpc_door.h"

#include <grpc/grpc.h>
#include <grpcpp/resource_quota.h>
#include <grpcpp/server_builder.h>

#include <thread>
#include <utility>

#include "service/rpc/guarded_reads.h"

namespace sittuyin::service {

namespace {

struct Setting {
  const char* name;
  int value;
};

// In milliseconds where it is a time.
constexpr Setting kSettings[] = {
    // Else a second server would share the port silently.
    {GRPC_ARG_ALLOW_REUSEPORT, 0},
    // Per-call work that nobody here reads the results of, and pings to size
    // windows that our small messages never fill.
    {GRPC_ARG_ENABLE_CHANNELZ, 0},
    {GRPC_ARG_ENABLE_CENSUS, 0},
    {GRPC_ARG_HTTP2_BDP_PROBE, 0},
    // What one connection may ask for.
    {GRPC_ARG_MAX_CONCURRENT_STREAMS, 256},
    {GRPC_ARG_MAX_METADATA_SIZE, 8 * 1024},
    {GRPC_ARG_HTTP2_MAX_FRAME_SIZE, 16 * 1024},
    {GRPC_ARG_SERVER_HANDSHAKE_TIMEOUT_MS, 10'000},
    // gRPC inflates a message before it looks at its size: take none.
    {GRPC_ARG_ENABLE_PER_MESSAGE_DECOMPRESSION, 0},
    {GRPC_COMPRESSION_CHANNEL_ENABLED_ALGORITHMS_BITSET,
     1 << GRPC_COMPRESS_NONE},
    // A silent connection is asked whether it still lives, and one without
    // calls is ended.
    {GRPC_ARG_KEEPALIVE_TIME_MS, 60'000},
    {GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 20'000},
    {GRPC_ARG_MAX_CONNECTION_IDLE_MS, 600'000},
    // Clients may do the same, but not oftener than this.
    {GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1},
    {GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, 10'000},
    {GRPC_ARG_HTTP2_MAX_PING_STRIKES, 2},
};

// Connections that gave a certificate grow no older, for its caller may have
// lost the right to it since.
constexpr std::chrono::minutes kCertificateAge(10);

// Of connections and calls together.
constexpr std::size_t kMostMemory = 256 << 20;

// Enough for what was read last; and calls that come meanwhile are in vain.
constexpr std::chrono::milliseconds kLastAnswers(5);

// Of connections that are ended; those still in their handshake take longer.
constexpr std::chrono::milliseconds kLongestEnd(200);

void Apply(const Setting& setting, grpc::ServerBuilder& builder) {
  builder.AddChannelArgument(setting.name, setting.value);
}

// At most a day.
int Milliseconds(std::chrono::nanoseconds time) {
  const std::chrono::nanoseconds most = std::chrono::hours(24);
  return static_cast<int>(
      std::chrono::ceil<std::chrono::milliseconds>(std::min(time, most))
          .count());
}

}  // namespace

std::unique_ptr<RpcDoor> RpcDoor::Start(
    const std::string& address, const std::vector<grpc::Service*>& services,
    ConnectionAge age, const RpcTls* tls,
    grpc::CallbackGenericService* other_methods, std::size_t most_connections) {
  GuardReads(most_connections);
  grpc::ServerBuilder builder;
  for (const Setting& setting : kSettings) Apply(setting, builder);
  if (age.most == std::chrono::nanoseconds::zero() && tls != nullptr &&
      tls->mutual()) {
    age.most = kCertificateAge;
  }
  if (age.most > std::chrono::nanoseconds::zero()) {
    Apply({GRPC_ARG_MAX_CONNECTION_AGE_MS, Milliseconds(age.most)}, builder);
    Apply({GRPC_ARG_MAX_CONNECTION_AGE_GRACE_MS, Milliseconds(age.grace)},
          builder);
  }
  builder.SetResourceQuota(grpc::ResourceQuota().Resize(kMostMemory));
  int port = 0;
  builder.AddListeningPort(
      address,
      tls == nullptr ? grpc::InsecureServerCredentials() : tls->credentials(),
      &port);
  for (grpc::Service* service : services) builder.RegisterService(service);
  if (other_methods != nullptr) {
    builder.RegisterCallbackGenericService(other_methods);
  }
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
  // A call that begins while gRPC shuts down fails as CANCELLED, which callers
  // do not try again. So none begins: GOAWAY or the end of its connection tells
  // that, and when gRPC shuts down there is no connection.
  const HoldReads hold;
  std::this_thread::sleep_for(kLastAnswers);
  grpc_server_cancel_all_calls(server_->c_server());
  hold.AwaitNoneOpen(std::chrono::steady_clock::now() + kLongestEnd);
  server_->Shutdown(std::chrono::system_clock::now());
  server_ = nullptr;
}

}  // namespace sittuyin::service
