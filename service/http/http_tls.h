// TLS of the HTTP doors, with certificates that change while they serve.
#ifndef SITTUYIN_SERVICE_HTTP_HTTP_TLS_H_
#define SITTUYIN_SERVICE_HTTP_HTTP_TLS_H_

#include <microhttpd.h>

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "service/access/peer.h"
#include "service/access/tls_material.h"

namespace sittuyin::service {

// TLS 1.2 and above; asks callers for a certificate where the material has a
// CA for them, and lets none in without a good one. Each connection has the
// credentials that were current when it began. Thread-safe.
class HttpTls {
 public:
  // A fault when GnuTLS cannot serve with `material`.
  static std::variant<std::unique_ptr<HttpTls>, FileFault> Make(
      const TlsMaterial& material);

  // For connections that begin from now on. A fault, and nothing changes, when
  // GnuTLS cannot serve with `material`.
  [[nodiscard]] std::optional<FileFault> Update(const TlsMaterial& material);

  // For MHD_OPTION_ARRAY of a daemon with MHD_USE_TLS that this outlives, and
  // that calls Begin. The last is MHD_OPTION_END.
  using Options = std::vector<MHD_OptionItem>;
  Options DaemonOptions();

  class Connection;
  // For a connection that begins, before its handshake.
  std::unique_ptr<Connection> Begin(MHD_Connection* connection) const;

 private:
  class Credentials;
  using Shared = std::shared_ptr<const Credentials>;

  HttpTls(const TlsMaterial& first, Shared credentials);
  Shared Current() const;

  const TlsMaterial first_;  // The daemon wants some to begin with.
  mutable std::mutex mutex_;
  Shared current_;
};

// What one client and we have agreed on. To be used on its connection's thread,
// as long as that and the HttpTls live.
class HttpTls::Connection {
 public:
  // Who is at the other end.
  const CertificateNames& Peer();

  // True when other credentials are current than those it began with.
  bool IsOutdated() const;

 private:
  friend class HttpTls;
  Connection(const HttpTls& tls, Shared credentials,
             MHD_Connection* connection);

  const HttpTls& tls_;
  const Shared credentials_;
  MHD_Connection* const connection_;
  std::optional<CertificateNames> peer_;  // Once it was asked for.
};

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_HTTP_HTTP_TLS_H_
