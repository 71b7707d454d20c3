#include "service/rpc/grpc_log.h"

#include <grpc/support/log.h>

#include <mutex>

namespace sittuyin::service {
namespace {

// gRPC's threads may log until the process ends.
std::mutex mutex;
Telemetry* reader = nullptr;  // Under mutex.

void Take(gpr_log_func_args* line) {
  const std::lock_guard lock(mutex);
  if (reader != nullptr) reader->Foreign("grpc", line->message);
}

void ReadBy(Telemetry* telemetry) {
  const std::lock_guard lock(mutex);
  reader = telemetry;
}

}  // namespace

GrpcLog::GrpcLog(Telemetry& telemetry) {
  ReadBy(&telemetry);
  gpr_set_log_function(Take);
  gpr_set_log_verbosity(GPR_LOG_SEVERITY_ERROR);
}

GrpcLog::~GrpcLog() { ReadBy(nullptr); }

}  // namespace sittuyin::service
