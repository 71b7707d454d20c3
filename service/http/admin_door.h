// The admin door: what operators and their machines ask.
#ifndef SITTUYIN_SERVICE_HTTP_ADMIN_DOOR_H_
#define SITTUYIN_SERVICE_HTTP_ADMIN_DOOR_H_

#include <functional>
#include <memory>
#include <string>
#include <variant>

#include "service/http/http_server.h"
#include "service/telemetry/metrics.h"

namespace sittuyin::service {

struct AdminOptions {
  HttpServerOptions http;
  std::string version;
  std::string commit;
  std::string build_type;
  // Whether calls are being answered; from any thread.
  std::function<bool()> ready;
};

// Answers /metrics (Prometheus's text), /livez (200 while the process runs),
// /readyz (200 or 503) and /version (JSON). Never to be exposed publicly.
// Thread-safe.
class AdminDoor {
 public:
  // Serves from now on. `metrics` must outlive the door. On failure one
  // sentence for the operator.
  static std::variant<std::unique_ptr<AdminDoor>, std::string> Start(
      const Metrics& metrics, AdminOptions options);

  // Where it listens, with the actual port.
  const std::string& address() const { return server_->address(); }

 private:
  AdminDoor(const Metrics& metrics, AdminOptions options);
  void Handle(Exchange& exchange) const;
  HttpResponse ExposeMetrics() const;
  HttpResponse TellAlive() const;
  HttpResponse TellReady() const;
  HttpResponse TellVersion() const;

  const Metrics& metrics_;
  const AdminOptions options_;
  std::unique_ptr<HttpServer> server_;
};

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_HTTP_ADMIN_DOOR_H_
