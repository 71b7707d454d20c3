// Whether GnuTLS can serve with credentials.
#ifndef SITTUYIN_SERVICE_HTTP_GNUTLS_TRIAL_H_
#define SITTUYIN_SERVICE_HTTP_GNUTLS_TRIAL_H_

#include <gnutls/gnutls.h>

namespace sittuyin::service {

// Serves a client in memory, for what GnuTLS loads it need not be able to sign
// with. Gives GnuTLS's error, below 0, or 0.
int TryGnuTls(gnutls_certificate_credentials_t credentials,
              const char* priorities);

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_HTTP_GNUTLS_TRIAL_H_
