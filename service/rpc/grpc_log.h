// gRPC's own log lines, as lines of ours.
#ifndef SITTUYIN_SERVICE_RPC_GRPC_LOG_H_
#define SITTUYIN_SERVICE_RPC_GRPC_LOG_H_

#include "service/telemetry/telemetry.h"

namespace sittuyin::service {

// While this lives, what gRPC calls an error goes into the log, at most twenty
// lines a second, for callers can cause them; the rest is dropped, and after
// it everything is. One at a time in a process.
class GrpcLog {
 public:
  // `telemetry` must outlive this.
  explicit GrpcLog(Telemetry& telemetry);
  ~GrpcLog();
  GrpcLog(const GrpcLog&) = delete;
  GrpcLog& operator=(const GrpcLog&) = delete;
};

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_RPC_GRPC_LOG_H_
