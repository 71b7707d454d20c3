// Start and stop of the real binary.
#include <gmock/gmock.h>
#include <google/protobuf/text_format.h>
#include <grpcpp/create_channel.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <string_view>

#include "grpc/health/v1/health.grpc.pb.h"
#include "sittuyin/v1/sittuyin.grpc.pb.h"
#include "tests/server/server_process.h"
#include "tests/testing/refusal.h"

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

  grpc::Status BestMove(
      std::chrono::milliseconds timeout = std::chrono::milliseconds(60000)) {
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + timeout);
    v1::BestMoveRequest request;
    request.mutable_limits()->set_depth(1);
    v1::BestMoveResponse answer;
    return stub_->BestMove(&context, request, &answer);
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

TEST_F(LifecycleTest, OtherStopSignals_Idle_EndLikeSigterm) {
  for (const int signal : {SIGINT, SIGHUP}) {
    ServerProcess server;
    server.ReadLine();
    server.Signal(signal);
    EXPECT_EQ(server.Wait(), 0);
  }
}

// A terminal that goes sends it, and so does its shell.
TEST_F(LifecycleTest, Sighup_Twice_StillDrains) {
  ServerProcess server({"--drain_delay=1h"});
  Connect(server.ReadLine());
  grpc::ClientContext watch_context;
  const auto watch = health_->Watch(&watch_context, {});
  HealthCheckResponse health;
  server.Signal(SIGHUP);
  while (watch->Read(&health)) {
  }
  EXPECT_EQ(health.status(), HealthCheckResponse::NOT_SERVING);
  server.Signal(SIGHUP);
  EXPECT_TRUE(BestMove().ok());
  server.Signal(SIGTERM);
  EXPECT_EQ(server.Wait(), 1);
}

// As nohup has it. A signal before it would make SIGTERM the second one.
TEST_F(LifecycleTest, Sighup_IgnoredAtTheStart_IsIgnored) {
  const auto before = signal(SIGHUP, SIG_IGN);
  ServerProcess server({"--drain_delay=500ms"});
  signal(SIGHUP, before);
  server.ReadLine();
  server.Signal(SIGHUP);
  server.Signal(SIGTERM);
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

TEST_F(LifecycleTest, Sigterm_DrainDelay_EverythingIsStillServed) {
  ServerProcess server({"--drain_delay=1h"});
  const std::string serving = server.ReadLine();
  Connect(serving);
  grpc::ClientContext watch_context;
  const auto watch = health_->Watch(&watch_context, {});
  HealthCheckResponse health;
  ASSERT_TRUE(watch->Read(&health));
  server.Signal(SIGTERM);
  while (watch->Read(&health)) {
  }
  EXPECT_EQ(health.status(), HealthCheckResponse::NOT_SERVING);
  EXPECT_TRUE(BestMove().ok());
  Connect(serving);  // New connections are taken as well.
  EXPECT_TRUE(BestMove().ok());
  server.Signal(SIGTERM);
  EXPECT_EQ(server.Wait(), 1);
}

TEST_F(LifecycleTest, Sigterm_AfterTheDelay_SearchesAloneAreRefused) {
  ServerProcess server({"--max_move_time=1h", "--drain_timeout=1h"});
  Connect(server.ReadLine());
  const auto analysis = StartAnalysis("limits { move_time { seconds: 3600 } }");
  server.Signal(SIGTERM);
  grpc::Status status;
  do {
    status = BestMove(std::chrono::milliseconds(50));
    EXPECT_FALSE(status.ok());  // The only worker is busy.
  } while (status.error_code() == grpc::StatusCode::DEADLINE_EXCEEDED);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::UNAVAILABLE);
  google::rpc::Status details;
  EXPECT_TRUE(details.ParseFromString(status.error_details()));
  EXPECT_THAT(details, RefusedAs("DRAINING"));
  grpc::ClientContext context;
  v1::ValidateMoveResponse answer;
  EXPECT_TRUE(stub_->ValidateMove(&context, {}, &answer).ok());
  server.Signal(SIGTERM);
  EXPECT_EQ(server.Wait(), 1);
  while (analysis->Read(&message_)) {
  }
}

// The client must not be waited for, so the drain must not take its hour.
TEST_F(LifecycleTest, Sigterm_IdleClientThatDoesNotListen_DoesNotHoldItUp) {
  ServerProcess server({"--drain_timeout=1h"});
  const std::string address = ServerProcess::FieldOf(server.ReadLine(), "grpc");
  const int connection = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in to = {};
  to.sin_family = AF_INET;
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  to.sin_port = htons(static_cast<std::uint16_t>(
      std::stoi(address.substr(address.rfind(':') + 1))));
  ASSERT_EQ(connect(connection, reinterpret_cast<sockaddr*>(&to), sizeof(to)),
            0);
  constexpr std::string_view kPreface(
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0", 33);
  ASSERT_EQ(write(connection, kPreface.data(), kPreface.size()),
            static_cast<ssize_t>(kPreface.size()));
  char frame = 0;  // The server knows of the connection once it answers.
  ASSERT_EQ(read(connection, &frame, 1), 1);
  server.Signal(SIGTERM);
  EXPECT_EQ(server.Wait(), 0);
  close(connection);
}

TEST_F(LifecycleTest, Sigterm_CallOutlastsDrainTimeout_IsCutAndAnswered) {
  ServerProcess server({"--max_move_time=1h", "--drain_timeout=1ms"});
  Connect(server.ReadLine());
  const auto analysis = StartAnalysis("limits { move_time { seconds: 3600 } }");
  server.Signal(SIGTERM);
  while (analysis->Read(&message_)) {
  }
  EXPECT_TRUE(analysis->Finish().ok());
  EXPECT_EQ(message_.result().stop_reason(), v1::STOP_REASON_DEADLINE);
  EXPECT_EQ(server.Wait(), 0);
}

TEST_F(LifecycleTest, Stop_LogsAreFlushed) {
  ServerProcess server;
  server.ReadLine();
  server.Signal(SIGTERM);
  EXPECT_THAT(server.ReadErrors(),
              testing::ContainsRegex("\"event\":\"stop\"\\}\n$"));
  EXPECT_EQ(server.Wait(), 0);
}

TEST_F(LifecycleTest, Sigterm_NobodyReadsTheLog_EndsAllTheSame) {
  ServerProcess server({"--access_log_sample=1"});
  Connect(server.ReadLine());
  for (int i = 0; i < 1500; ++i) {  // More lines than a pipe holds.
    grpc::ClientContext context;
    v1::ValidateMoveResponse answer;
    ASSERT_TRUE(stub_->ValidateMove(&context, {}, &answer).ok());
  }
  server.Signal(SIGTERM);
  EXPECT_EQ(server.Wait(), 0);
}

TEST_F(LifecycleTest, Sigterm_LogsReaderIsGone_EndsAllTheSame) {
  ServerProcess server;
  server.ReadLine();
  server.CloseErrors();
  server.Signal(SIGTERM);
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
    const std::string address = ServerProcess::FieldOf(serving, door);
    ServerProcess second({"--" + door + "_address=" + address});
    EXPECT_THAT(second.ReadErrors(),
                HasSubstr("--" + door + "_address: cannot listen on '" +
                          address + "': Address already in use\n"));
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
