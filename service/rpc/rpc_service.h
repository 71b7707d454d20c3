// The contract's service over gRPC.
#ifndef SITTUYIN_SERVICE_RPC_RPC_SERVICE_H_
#define SITTUYIN_SERVICE_RPC_RPC_SERVICE_H_

#include <grpcpp/impl/service_type.h>

#include <memory>

#include "service/access/gate.h"
#include "service/api/api.h"
#include "service/rpc/open_searches.h"
#include "service/telemetry/telemetry.h"

namespace sittuyin::service {

// Turns calls into the Api's. Reads and writes the bytes itself, so that bytes
// that are no message are refused like any bad request. `gate` admits callers,
// all of them when null. The arguments must outlive the service; `searches`
// counts its calls that search.
std::unique_ptr<grpc::Service> MakeRpcService(const Api& api,
                                              Telemetry& telemetry,
                                              OpenSearches& searches,
                                              Gate* gate = nullptr);

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_RPC_RPC_SERVICE_H_
