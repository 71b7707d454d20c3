// The answer to calls of methods that no service has.
#ifndef SITTUYIN_SERVICE_RPC_UNKNOWN_METHODS_H_
#define SITTUYIN_SERVICE_RPC_UNKNOWN_METHODS_H_

#include <grpcpp/generic/async_generic_service.h>

#include "google/rpc/status.pb.h"
#include "service/access/gate.h"
#include "service/telemetry/telemetry.h"

namespace sittuyin::service {

// Refuses them as UNIMPLEMENTED, where gRPC itself would say nothing more.
class UnknownMethods : public grpc::CallbackGenericService {
 public:
  // `gate` admits callers, all of them when null. Both must outlive this.
  explicit UnknownMethods(Telemetry& telemetry, Gate* gate = nullptr);

  grpc::ServerGenericBidiReactor* CreateReactor(
      grpc::GenericCallbackServerContext* context) override;

 private:
  Telemetry& telemetry_;
  Gate* const gate_;
  const google::rpc::Status unknown_;
};

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_RPC_UNKNOWN_METHODS_H_
