// libmicrohttpd shakes hands by itself and tells nobody how that went. But it
// does so with GnuTLS's public function, and a program's symbol comes before a
// library's; so the function stands here, and looks at what GnuTLS's returns.
#include "service/http/handshake_log.h"

#include <dlfcn.h>
#include <gnutls/gnutls.h>
#include <microhttpd.h>

#include <mutex>
#include <string>

#include "service/access/network.h"
#include "service/http/http_peer.h"

namespace sittuyin::service {
namespace {

// libmicrohttpd's threads may run until the process ends.
std::mutex mutex;
Telemetry* reader = nullptr;  // Under mutex.

void ReadBy(Telemetry* telemetry) {
  const std::lock_guard lock(mutex);
  reader = telemetry;
}

bool HasLeft(int error) {
  return error == GNUTLS_E_PREMATURE_TERMINATION ||
         error == GNUTLS_E_PULL_ERROR || error == GNUTLS_E_PUSH_ERROR;
}

// What is wrong with the client's certificate.
std::string VerificationFault(gnutls_session_t session) {
  gnutls_datum_t text{};
  if (gnutls_certificate_verification_status_print(
          gnutls_session_get_verify_cert_status(session), GNUTLS_CRT_X509,
          &text, 0) < 0) {
    return {};
  }
  std::string fault(reinterpret_cast<const char*>(text.data), text.size);
  gnutls_free(text.data);
  return fault;
}

std::string CauseOf(gnutls_session_t session, int error) {
  std::string cause = gnutls_strerror(error);
  cause += ' ';
  if (error == GNUTLS_E_CERTIFICATE_VERIFICATION_ERROR) {
    cause += VerificationFault(session);
  } else if (error == GNUTLS_E_FATAL_ALERT_RECEIVED) {
    cause += gnutls_alert_get_name(gnutls_alert_get(session));
  }
  return cause.substr(0, cause.find_last_not_of(" \n") + 1);
}

// Says nothing of a handshake without a connection, such as one in memory.
void Report(gnutls_session_t session, int error) {
  const std::lock_guard lock(mutex);
  auto* const connection =
      static_cast<MHD_Connection*>(gnutls_db_get_ptr(session));
  if (reader == nullptr || connection == nullptr) return;
  reader->HandshakeFailed(Door::kRest, CauseOf(session, error), [connection] {
    return NetworkOf(HttpPeer(connection).Host());
  });
}

}  // namespace

HandshakeLog::HandshakeLog(Telemetry& telemetry) { ReadBy(&telemetry); }

HandshakeLog::~HandshakeLog() { ReadBy(nullptr); }

}  // namespace sittuyin::service

extern "C" int gnutls_handshake(gnutls_session_t session) {
  static const auto shake_hands = reinterpret_cast<decltype(&gnutls_handshake)>(
      dlsym(RTLD_NEXT, "gnutls_handshake"));
  const int result = shake_hands(session);
  if (result < 0 && gnutls_error_is_fatal(result) != 0 &&
      !sittuyin::service::HasLeft(result)) {
    sittuyin::service::Report(session, result);
  }
  return result;
}
