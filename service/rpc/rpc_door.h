// The gRPC door: a listening server.
#ifndef SITTUYIN_SERVICE_RPC_RPC_DOOR_H_
#define SITTUYIN_SERVICE_RPC_RPC_DOOR_H_

#include <grpcpp/generic/async_generic_service.h>
#include <grpcpp/server.h>

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "service/rpc/rpc_tls.h"

namespace sittuyin::service {

// How old a connection grows, give or take a tenth, before its caller is asked
// to leave it, and how long the calls that run then may still take before they
// are ended; a day at most. Zero age = never, or with client certificates ten
// minutes.
struct ConnectionAge {
  std::chrono::nanoseconds most{0};
  std::chrono::nanoseconds grace = std::chrono::hours(24);
};

// Thread-compatible. What it serves is called on gRPC's threads until Close
// returns.
class RpcDoor {
 public:
  // Serves `services` on `address`, `host:port` with 0 for a free port; over
  // TLS, or in clear when `tls` is null. Null when it cannot listen there. What
  // it is given must outlive the door. `other_methods` answers calls of
  // methods that no service has. More than `most_connections` at a time are
  // closed at once.
  static std::unique_ptr<RpcDoor> Start(
      const std::string& address, const std::vector<grpc::Service*>& services,
      ConnectionAge age = {}, const RpcTls* tls = nullptr,
      grpc::CallbackGenericService* other_methods = nullptr,
      std::size_t most_connections = 1024);
  // Closes.
  ~RpcDoor();

  // Where it listens, with the port it really has.
  const std::string& address() const { return address_; }

  // Closes every connection, and with it the calls that still run: their
  // callers see UNAVAILABLE, which means that they may ask another server.
  // Closed again, it does nothing.
  void Close();

 private:
  RpcDoor(std::unique_ptr<grpc::Server> server, std::string address);

  std::unique_ptr<grpc::Server> server_;
  const std::string address_;
};

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_RPC_RPC_DOOR_H_
