// The server's certificate, its key, and whose certificates callers bring.
#ifndef SITTUYIN_SERVICE_ACCESS_TLS_MATERIAL_H_
#define SITTUYIN_SERVICE_ACCESS_TLS_MATERIAL_H_

#include <string>
#include <variant>

#include "service/access/access_settings.h"
#include "service/access/read_file.h"

namespace sittuyin::service {

inline constexpr char kTlsCertFlag[] = "--tls_cert_file";
inline constexpr char kTlsKeyFlag[] = "--tls_key_file";
inline constexpr char kTlsCaFlag[] = "--tls_client_ca_file";

// The file of `flag` can be read, but a library says that it is of no use.
FileFault UnfitForTls(const std::string& flag, const std::string& why);

// In PEM. A server can be made of it: each part is what it should be and no
// more, the key is the certificate's, and OpenSSL serves with both.
struct TlsMaterial {
  std::string certificate_chain;
  std::string private_key;
  std::string client_ca;  // Empty = callers bring no certificate.
  std::string not_after;  // When the certificate ends, `2030-01-31T12:00:00Z`.
  // Why callers refuse it today, a line that begins with the flag; else empty.
  std::string out_of_time;
};

// Reads and checks `files`. The fault begins with the flag that names the file
// at fault. A certificate whose time is over is no fault.
std::variant<TlsMaterial, FileFault> ReadTlsMaterial(const TlsFiles& files);

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_ACCESS_TLS_MATERIAL_H_
