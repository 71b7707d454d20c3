// What a door knows of who calls.
#ifndef SITTUYIN_SERVICE_ACCESS_PEER_H_
#define SITTUYIN_SERVICE_ACCESS_PEER_H_

#include <string>
#include <vector>

namespace sittuyin::service {

// Of a certificate that TLS has found good.
struct CertificateNames {
  std::vector<std::string> alternative;  // The DNS names, then the URIs.
  std::string common;                    // Empty when there is none.
};

// Each is asked for only where it matters, for each costs something.
class Peer {
 public:
  virtual ~Peer() = default;

  // Empty without a certificate.
  virtual CertificateNames Certificate() const = 0;
  // The header `authorization`; empty without one.
  virtual std::string Authorization() const = 0;
  // The address that the connection comes from, in numbers and without port.
  virtual std::string Host() const = 0;
};

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_ACCESS_PEER_H_
