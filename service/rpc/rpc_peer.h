// Who is at the other end of a gRPC call.
#ifndef SITTUYIN_SERVICE_RPC_RPC_PEER_H_
#define SITTUYIN_SERVICE_RPC_RPC_PEER_H_

#include <grpcpp/server_context.h>

#include <string>

#include "service/access/peer.h"

namespace sittuyin::service {

// Of one call: it looks into the call's context whenever it is asked.
// Thread-compatible.
class RpcPeer : public Peer {
 public:
  // `context` must outlive this.
  explicit RpcPeer(const grpc::CallbackServerContext& context)
      : context_(context) {}

  CertificateNames Certificate() const override;
  std::string Authorization() const override;
  std::string Host() const override;

 private:
  const grpc::CallbackServerContext& context_;
};

// The host of gRPC's `ipv4:10.0.0.1:50051` or `ipv6:%5B::1%5D:50051`; all of
// another form.
std::string HostOfPeer(const std::string& peer);

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_RPC_RPC_PEER_H_
