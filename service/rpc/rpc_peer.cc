#include "service/rpc/rpc_peer.h"

#include <grpc/grpc_security_constants.h>

#include <cstddef>
#include <string_view>

#include "service/rpc/wire.h"

namespace sittuyin::service {

CertificateNames RpcPeer::Certificate() const {
  const auto peer = context_.auth_context();
  CertificateNames names;
  for (const char* kind :
       {GRPC_PEER_DNS_PROPERTY_NAME, GRPC_PEER_URI_PROPERTY_NAME}) {
    for (const grpc::string_ref& name : peer->FindPropertyValues(kind)) {
      names.alternative.emplace_back(name.data(), name.size());
    }
  }
  for (const grpc::string_ref& name :
       peer->FindPropertyValues(GRPC_X509_CN_PROPERTY_NAME)) {
    names.common.assign(name.data(), name.size());
  }
  return names;
}

std::string RpcPeer::Authorization() const {
  return std::string(MetadataOf(context_, "authorization"));
}

std::string RpcPeer::Host() const { return HostOfPeer(context_.peer()); }

std::string HostOfPeer(const std::string& peer) {
  const std::size_t scheme = peer.find(':');
  const std::size_t port = peer.rfind(':');
  if (scheme == port) return peer;
  std::string_view host = peer;
  host = host.substr(scheme + 1, port - scheme - 1);
  constexpr std::string_view kOpen = "%5B";
  constexpr std::string_view kClose = "%5D";
  if (host.starts_with(kOpen) && host.ends_with(kClose)) {
    host.remove_prefix(kOpen.size());
    host.remove_suffix(kClose.size());
  }
  return std::string(host);
}

}  // namespace sittuyin::service
