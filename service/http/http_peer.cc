#include "service/http/http_peer.h"

#include <netdb.h>
#include <strings.h>
#include <sys/socket.h>

#include <string_view>

#include "service/http/http_server.h"

namespace sittuyin::service {

std::optional<std::string> HttpPeer::Header(const char* name) const {
  struct Search {
    const char* name;
    std::optional<std::string> found;
  } search{name, std::nullopt};
  MHD_get_connection_values(
      connection_, MHD_HEADER_KIND,
      [](void* opaque, MHD_ValueKind, const char* key, const char* value) {
        auto& [wanted, found] = *static_cast<Search*>(opaque);
        if (value == nullptr || strcasecmp(key, wanted) != 0) return MHD_YES;
        // Blanks behind a value are no part of it.
        std::string_view text(value);
        text = text.substr(0, text.find_last_not_of(" \t") + 1);
        found = found ? *found + ", " + std::string(text) : std::string(text);
        return MHD_YES;
      },
      &search);
  return search.found;
}

CertificateNames HttpPeer::Certificate() const {
  const auto& tls = HttpServer::ContextOf(connection_).tls;
  return tls == nullptr ? CertificateNames() : tls->Peer();
}

std::string HttpPeer::Authorization() const {
  return Header("Authorization").value_or("");
}

std::string HttpPeer::Host() const {
  const sockaddr* address =
      MHD_get_connection_info(connection_, MHD_CONNECTION_INFO_CLIENT_ADDRESS)
          ->client_addr;
  char host[NI_MAXHOST] = "";
  getnameinfo(address, sizeof(sockaddr_storage), host, sizeof(host), nullptr, 0,
              NI_NUMERICHOST);
  return host;
}

}  // namespace sittuyin::service
