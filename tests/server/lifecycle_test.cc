// Start and stop of the real binary.
#include <gmock/gmock.h>
#include <google/protobuf/text_format.h>
#include <grpcpp/create_channel.h>
#include <signal.h>

#include <memory>
#include <string>

#include "grpc/health/v1/health.grpc.pb.h"
#include "sittuyin/v1/sittuyin.grpc.pb.h"
#include "tests/server/server_process.h"

namespace sittuyin::service {
namespace {

using grpc::health::v1::Health;
using grpc::health::v1::HealthCheckResponse;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::StartsWith;

class LifecycleTest : public testing::Test {
 protected:
  // A client of the server that printed `serving`.
  void Connect(const std::string& serving) {
    channel_ = grpc::CreateChannel(ServerProcess::FieldOf(serving, "grpc"),
                                   grpc::InsecureChannelCredentials());
    stub_ = v1::SittuyinService::NewStub(channel_);
    health_ = Health::NewStub(channel_);
  }

  // Begins an analysis and waits until it is under way.
  std::unique_ptr<grpc::ClientReader<v1::AnalyzeResponse>> StartAnalysis(
      const std::string& request_text) {
    v1::AnalyzeRequest request;
    EXPECT_TRUE(
        google::protobuf::TextFormat::ParseFromString(request_text, &request));
    auto stream = stub_->Analyze(&analysis_context_, request);
    EXPECT_TRUE(stream->Read(&message_));
    return stream;
  }

  std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<v1::SittuyinService::Stub> stub_;
  std::unique_ptr<Health::Stub> health_;
  grpc::ClientContext analysis_context_;
  v1::AnalyzeResponse message_;
};

TEST_F(LifecycleTest, Start_Serving_PrintsOneLineWithActualPorts) {
  ServerProcess server;
  EXPECT_THAT(server.ReadLine(),
              MatchesRegex("\\{\"event\":\"serving\","
                           "\"grpc\":\"127.0.0.1:[1-9][0-9]*\","
                           "\"rest\":\"127.0.0.1:[1-9][0-9]*\","
                           "\"admin\":\"127.0.0.1:[1-9][0-9]*\","
                           "\"version\":\"[0-9.]+\"\\}"));
  server.Signal(SIGTERM);
  EXPECT_EQ(server.ReadLine(), "");
  EXPECT_EQ(server.Wait(), 0);
}

TEST_F(LifecycleTest, Sigterm_RunningCall_IsFinishedAndHealthTellsSo) {
  ServerProcess server;
  Connect(server.ReadLine());
  grpc::ClientContext watch_context;
  const auto watch = health_->Watch(&watch_context, {});
  HealthCheckResponse health;
  ASSERT_TRUE(watch->Read(&health));
  EXPECT_EQ(health.status(), HealthCheckResponse::SERVING);
  const auto analysis = StartAnalysis("limits { nodes: 1000000 }");

  server.Signal(SIGTERM);
  ASSERT_TRUE(watch->Read(&health));
  EXPECT_EQ(health.status(), HealthCheckResponse::NOT_SERVING);
  while (analysis->Read(&message_)) {
  }
  EXPECT_TRUE(analysis->Finish().ok());
  EXPECT_TRUE(message_.has_result());
  EXPECT_EQ(server.Wait(), 0);
}

TEST_F(LifecycleTest, Sigint_Idle_EndsLikeSigterm) {
  ServerProcess server;
  server.ReadLine();
  server.Signal(SIGINT);
  EXPECT_EQ(server.Wait(), 0);
}

TEST_F(LifecycleTest, Sigterm_Twice_EndsAtOnce) {
  ServerProcess server({"--max_move_time=1h", "--drain_timeout=1h"});
  Connect(server.ReadLine());
  grpc::ClientContext watch_context;
  const auto watch = health_->Watch(&watch_context, {});
  HealthCheckResponse health;
  ASSERT_TRUE(watch->Read(&health));
  const auto analysis = StartAnalysis("limits { move_time { seconds: 3600 } }");
  server.Signal(SIGTERM);
  while (watch->Read(&health)) {
  }
  EXPECT_EQ(health.status(), HealthCheckResponse::NOT_SERVING);
  server.Signal(SIGTERM);
  EXPECT_EQ(server.Wait(), 1);
  while (analysis->Read(&message_)) {
  }
  EXPECT_FALSE(analysis->Finish().ok());
}

TEST_F(LifecycleTest, Sigterm_CallOutlastsDrainTimeout_IsCancelled) {
  ServerProcess server({"--max_move_time=1h", "--drain_timeout=1ms"});
  Connect(server.ReadLine());
  const auto analysis = StartAnalysis("limits { move_time { seconds: 3600 } }");
  server.Signal(SIGTERM);
  while (analysis->Read(&message_)) {
  }
  EXPECT_FALSE(analysis->Finish().ok());
  EXPECT_EQ(server.Wait(), 0);
}

TEST_F(LifecycleTest, Start_UnknownFlag_ExitsTwoWithALineNamingIt) {
  ServerProcess server({"--no_such_flag"});
  EXPECT_EQ(server.ReadErrors(), "--no_such_flag: unknown flag; see --help\n");
  EXPECT_EQ(server.Wait(), 2);
}

TEST_F(LifecycleTest, Start_TakenPort_ExitsOneNamingTheFlag) {
  ServerProcess first;
  const std::string serving = first.ReadLine();
  for (const std::string door : {"grpc", "rest", "admin"}) {
    ServerProcess second(
        {"--" + door + "_address=" + ServerProcess::FieldOf(serving, door)});
    EXPECT_THAT(second.ReadErrors(),
                HasSubstr("--" + door + "_address: cannot listen on "));
    EXPECT_EQ(second.Wait(), 1);
  }
}

TEST_F(LifecycleTest, Version_Asked_IsPrinted) {
  ServerProcess server({"--version"});
  EXPECT_THAT(server.ReadLine(), StartsWith("sittuyin_server "));
  EXPECT_EQ(server.Wait(), 0);
}

}  // namespace
}  // namespace sittuyin::service
