#include "service/rpc/grpc_log.h"

#include <gmock/gmock.h>
#include <grpc/support/log.h>

#include "tests/telemetry/captured_log.h"

namespace sittuyin::service {
namespace {

TEST(GrpcLogTest, Error_WhileItLives_IsALineOfOurs) {
  CapturedLog log;
  {
    TelemetryOptions options;
    options.log_sink = log.sink();
    Telemetry telemetry(options);
    {
      const GrpcLog grpc_log(telemetry);
      gpr_log(GPR_ERROR, "port %d is taken", 7);
      gpr_log(GPR_INFO, "all is well");
    }
    gpr_log(GPR_ERROR, "too late");
  }
  ASSERT_EQ(log.lines().size(), 1u);
  EXPECT_EQ(TextOf(log.lines()[0], "event"), "grpc");
  EXPECT_EQ(TextOf(log.lines()[0], "level"), "warning");
  EXPECT_EQ(TextOf(log.lines()[0], "what"), "port 7 is taken");
}

TEST(GrpcLogTest, Errors_Many_AreLimited) {
  CapturedLog log;
  {
    TelemetryOptions options;
    options.log_sink = log.sink();
    Telemetry telemetry(options);
    const GrpcLog grpc_log(telemetry);
    for (int i = 0; i < 10000; ++i) gpr_log(GPR_ERROR, "again");
  }
  EXPECT_LT(log.lines().size(), 1000u);
}

}  // namespace
}  // namespace sittuyin::service
