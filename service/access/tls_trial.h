// Whether a server can be made of a certificate and its key.
#ifndef SITTUYIN_SERVICE_ACCESS_TLS_TRIAL_H_
#define SITTUYIN_SERVICE_ACCESS_TLS_TRIAL_H_

#include <openssl/types.h>

#include <span>
#include <string>

namespace sittuyin::service {

// Serves a client in memory, both of them OpenSSL as it comes: no two files
// that can be read need be of a strength and kind that TLS takes. Gives why
// it failed, in OpenSSL's words, and nothing when it did not. `chain` begins
// with the certificate of `key`.
std::string TryTls(std::span<X509* const> chain, EVP_PKEY* key);

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_ACCESS_TLS_TRIAL_H_
