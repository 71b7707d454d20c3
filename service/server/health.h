// The standard health service of gRPC, as a service of our own so that server
// reflection describes it.
#ifndef SITTUYIN_SERVICE_SERVER_HEALTH_H_
#define SITTUYIN_SERVICE_SERVER_HEALTH_H_

#include <grpcpp/support/server_callback.h>

#include <mutex>
#include <set>

#include "grpc/health/v1/health.grpc.pb.h"
#include "service/access/gate.h"
#include "service/telemetry/telemetry.h"

namespace sittuyin::service {

// Knows the names "" and `sittuyin.v1.SittuyinService`. SERVING from the
// beginning until StopServing. Thread-safe.
class HealthService : public grpc::health::v1::Health::CallbackService {
 public:
  using Response = grpc::health::v1::HealthCheckResponse;
  using Request = grpc::health::v1::HealthCheckRequest;

  // `gate` tells who may ask, everybody when null, and `telemetry` is told whom
  // it refused. Both must outlive the service.
  explicit HealthService(Telemetry& telemetry, const Gate* gate = nullptr)
      : telemetry_(telemetry), gate_(gate) {}

  bool IsServing() const;

  // NOT_SERVING from now on. Those who watch are told, and their streams end,
  // so that they do not hold up the server's shutdown.
  void StopServing();

  grpc::ServerUnaryReactor* Check(grpc::CallbackServerContext* context,
                                  const Request* request,
                                  Response* response) override;
  grpc::ServerWriteReactor<Response>* Watch(
      grpc::CallbackServerContext* context, const Request* request) override;

 private:
  class Watcher;

  grpc::Status Authenticate(const grpc::CallbackServerContext& context) const;

  Telemetry& telemetry_;
  const Gate* const gate_;
  mutable std::mutex mutex_;
  bool serving_ = true;
  std::set<Watcher*> watchers_;
};

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_SERVER_HEALTH_H_
