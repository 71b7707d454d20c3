// TLS handshakes of HTTP connections that fail, as lines of the log.
#ifndef SITTUYIN_SERVICE_HTTP_HANDSHAKE_LOG_H_
#define SITTUYIN_SERVICE_HTTP_HANDSHAKE_LOG_H_

#include "service/telemetry/telemetry.h"

namespace sittuyin::service {

// While this lives, a handshake that fails is logged with its cause. A client
// that merely leaves is not, for probes do that. One at a time in a process.
class HandshakeLog {
 public:
  // `telemetry` must outlive this.
  explicit HandshakeLog(Telemetry& telemetry);
  ~HandshakeLog();
  HandshakeLog(const HandshakeLog&) = delete;
  HandshakeLog& operator=(const HandshakeLog&) = delete;
};

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_HTTP_HANDSHAKE_LOG_H_
