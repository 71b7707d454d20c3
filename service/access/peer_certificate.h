// What the certificate of who calls says, as gRPC reads it: both doors are to
// be of one mind, and other libraries read some names otherwise.
#ifndef SITTUYIN_SERVICE_ACCESS_PEER_CERTIFICATE_H_
#define SITTUYIN_SERVICE_ACCESS_PEER_CERTIFICATE_H_

#include <span>

#include "service/access/peer.h"

namespace sittuyin::service {

// `der` is a certificate; what is none has no names and is for nobody.
CertificateNames NamesIn(std::span<const unsigned char> der);

// Whether its key is for a client of TLS. One that is for any purpose is not.
bool IsForClients(std::span<const unsigned char> der);

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_ACCESS_PEER_CERTIFICATE_H_
