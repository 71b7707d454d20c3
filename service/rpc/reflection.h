// Server reflection: what generic clients ask before they call.
#ifndef SITTUYIN_SERVICE_RPC_REFLECTION_H_
#define SITTUYIN_SERVICE_RPC_REFLECTION_H_

#include <grpcpp/impl/service_type.h>

#include <memory>
#include <string>
#include <vector>

#include "service/access/gate.h"
#include "service/telemetry/telemetry.h"

namespace sittuyin::service {

// grpc.reflection.v1 and, for older clients, v1alpha. They answer from the
// descriptors linked into the program. Services of our own: gRPC's hold a
// thread for each stream and let everybody in. `services` are the full names of
// those that the server has; `gate`, which may be null, admits questions and
// must outlive what is returned, as `telemetry` must, which is told of
// refusals.
std::vector<std::unique_ptr<grpc::Service>> MakeReflection(
    const std::vector<std::string>& services, Telemetry& telemetry, Gate* gate);

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_RPC_REFLECTION_H_
