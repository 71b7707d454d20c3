// The REST door: the contract over HTTP and JSON.
#ifndef SITTUYIN_SERVICE_HTTP_REST_DOOR_H_
#define SITTUYIN_SERVICE_HTTP_REST_DOOR_H_

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "service/access/gate.h"
#include "service/api/api.h"
#include "service/http/cors.h"
#include "service/http/http_server.h"
#include "service/http/routes.h"
#include "service/telemetry/telemetry.h"

namespace sittuyin::service {

// Answers every rpc that has a google.api.http option, and /openapi.json.
// Thread-safe.
class RestDoor {
 public:
  // Serves from now on. `gate` admits callers, all of them when null. `api`,
  // `telemetry` and `gate` must outlive the door. On failure one sentence for
  // the operator.
  static std::variant<std::unique_ptr<RestDoor>, std::string> Start(
      const Api& api, Telemetry& telemetry, HttpServerOptions options,
      CorsPolicy cors = CorsPolicy(), Gate* gate = nullptr);

  // Stops the searches of clients that still wait, and answers them.
  ~RestDoor() = default;

  // Where it listens, with the actual port.
  const std::string& address() const { return server_->address(); }

  // As HttpServer has them.
  void StopAccepting() { server_->StopAccepting(); }
  bool Drain(std::chrono::steady_clock::time_point deadline) {
    return server_->Drain(deadline);
  }

 private:
  RestDoor(const Api& api, Telemetry& telemetry, CorsPolicy cors, Gate* gate,
           std::size_t body_limit);
  void Handle(const std::shared_ptr<Exchange>& exchange);
  bool IsPreflight(const Exchange& exchange) const;
  void AnswerOpenApi(Exchange& exchange);
  void Refuse(Exchange& exchange, const google::rpc::Status& status);
  HttpResponse RefuseUnread(int code, std::string_view message,
                            const HttpPeer& peer);
  void RefuseVerb(Exchange& exchange, const std::string& allowed);

  const Api& api_;
  Telemetry& telemetry_;
  Gate* const gate_;
  const RouteTable routes_;
  const CorsPolicy cors_;
  const std::size_t body_limit_;
  std::unique_ptr<HttpServer> server_;
};

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_HTTP_REST_DOOR_H_
