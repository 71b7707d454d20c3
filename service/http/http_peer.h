// Who is at the other end of an HTTP connection.
#ifndef SITTUYIN_SERVICE_HTTP_HTTP_PEER_H_
#define SITTUYIN_SERVICE_HTTP_HTTP_PEER_H_

#include <microhttpd.h>

#include <optional>
#include <string>

#include "service/access/peer.h"

namespace sittuyin::service {

// To be used on the connection's thread, as long as that lives.
class HttpPeer : public Peer {
 public:
  // A connection of some HttpServer.
  explicit HttpPeer(MHD_Connection* connection) : connection_(connection) {}

  CertificateNames Certificate() const override;
  std::string Authorization() const override;
  std::string Host() const override;

  // The request's header, one sent on several lines joined by commas; nothing
  // when it was not sent.
  std::optional<std::string> Header(const char* name) const;

 private:
  MHD_Connection* const connection_;
};

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_HTTP_HTTP_PEER_H_
