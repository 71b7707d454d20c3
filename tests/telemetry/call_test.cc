#include "service/telemetry/call.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "service/errors/errors.h"
#include "service/telemetry/telemetry.h"
#include "tests/telemetry/captured_log.h"

namespace sittuyin::service {
namespace {

using testing::HasSubstr;

class CallTest : public testing::Test {
 protected:
  // Nothing is slow and nothing is sampled unless a test asks for it.
  TelemetryOptions Options() {
    TelemetryOptions options;
    options.access_log_sample = 0;
    options.slow_call = std::chrono::hours(1);
    options.log_sink = captured_.sink();
    return options;
  }

  void Start(TelemetryOptions options) {
    telemetry_.emplace(std::move(options));
  }

  // The lines, once all are written.
  std::vector<google::protobuf::Struct> Lines() {
    telemetry_.reset();
    return captured_.lines();
  }

  CapturedLog captured_;
  std::optional<Telemetry> telemetry_;
};

TEST_F(CallTest, Finish_Sampled_LogsEveryFact) {
  TelemetryOptions options = Options();
  options.access_log_sample = 1;
  Start(options);
  const auto call = telemetry_->Begin(
      Method::kBestMove, Door::kRest,
      "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");
  call->SetRuleSet("VCHESS");
  call->SetPlies(40);
  call->SetQueueTime(std::chrono::microseconds(2500));
  call->SetSearched(1234, 9, std::chrono::microseconds(7500));
  call->Finish({}, [] { return std::string("front-end"); });
  const auto lines = Lines();
  ASSERT_EQ(lines.size(), 1);
  EXPECT_EQ(TextOf(lines[0], "event"), "call");
  EXPECT_EQ(TextOf(lines[0], "level"), "info");
  EXPECT_EQ(TextOf(lines[0], "method"), "BestMove");
  EXPECT_EQ(TextOf(lines[0], "door"), "rest");
  EXPECT_EQ(TextOf(lines[0], "code"), "OK");
  EXPECT_EQ(TextOf(lines[0], "rule_set"), "VCHESS");
  EXPECT_EQ(NumberOf(lines[0], "plies"), 40);
  EXPECT_EQ(NumberOf(lines[0], "nodes"), 1234);
  EXPECT_EQ(NumberOf(lines[0], "queue_ms"), 2.5);
  EXPECT_EQ(NumberOf(lines[0], "search_ms"), 7.5);
  EXPECT_GE(NumberOf(lines[0], "ms"), 0);
  EXPECT_EQ(TextOf(lines[0], "caller"), "front-end");
  EXPECT_EQ(TextOf(lines[0], "trace_id"), "4bf92f3577b34da6a3ce929d0e0e4736");
}

TEST_F(CallTest, Finish_NotSampled_IsSilent) {
  Start(Options());
  bool asked = false;
  telemetry_->Begin(Method::kGameStatus, Door::kGrpc, {})->Finish({}, [&asked] {
    asked = true;
    return std::string();
  });
  EXPECT_TRUE(Lines().empty());
  EXPECT_FALSE(asked);
}

TEST_F(CallTest, Finish_Refused_IsLoggedAndCountedByReason) {
  Start(Options());
  telemetry_->Begin(Method::kLegalMoves, Door::kGrpc, {})
      ->Finish(MalformedRequest("move", "secret payload"));
  const std::string metrics = telemetry_->metrics().Exposition();
  EXPECT_THAT(
      metrics,
      HasSubstr("sittuyin_rejections_total{reason=\"MALFORMED_REQUEST\"} 1\n"));
  EXPECT_THAT(metrics,
              HasSubstr("sittuyin_requests_total{code=\"INVALID_ARGUMENT\","
                        "door=\"grpc\",method=\"LegalMoves\"} 1\n"));
  const auto lines = Lines();
  ASSERT_EQ(lines.size(), 1);
  EXPECT_EQ(TextOf(lines[0], "event"), "refusal");
  EXPECT_EQ(TextOf(lines[0], "caller"), "(absent)");
  EXPECT_EQ(TextOf(lines[0], "code"), "INVALID_ARGUMENT");
  EXPECT_EQ(TextOf(lines[0], "reason"), "MALFORMED_REQUEST");
  EXPECT_EQ(captured_.text().find("secret"), std::string::npos);
}

TEST_F(CallTest, Finish_Slow_IsLoggedAsAWarning) {
  TelemetryOptions options = Options();
  options.slow_call = std::chrono::nanoseconds(0);
  Start(options);
  telemetry_->Begin(Method::kGameStatus, Door::kGrpc, {})->Finish({});
  const auto lines = Lines();
  ASSERT_EQ(lines.size(), 1);
  EXPECT_EQ(TextOf(lines[0], "event"), "slow_call");
  EXPECT_EQ(TextOf(lines[0], "level"), "warning");
  EXPECT_EQ(TextOf(lines[0], "method"), "GameStatus");
}

TEST_F(CallTest, Finish_SearchTookTheTime_IsNotSlow) {
  TelemetryOptions options = Options();
  options.slow_call = std::chrono::milliseconds(1);
  Start(options);
  for (const auto searched : {std::chrono::hours(1), std::chrono::hours(0)}) {
    const auto call = telemetry_->Begin(Method::kBestMove, Door::kGrpc, {});
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    call->SetSearched(1, 1, searched);
    call->Finish({});
  }
  const auto lines = Lines();
  ASSERT_EQ(lines.size(), 1);
  EXPECT_EQ(TextOf(lines[0], "event"), "slow_call");
  EXPECT_EQ(NumberOf(lines[0], "search_ms"), 0);
}

TEST_F(CallTest, Finish_RefusalsBeyondTheLimit_AreHeldBack) {
  TelemetryOptions options = Options();
  options.lines_per_second = 1;
  Start(options);
  for (int i = 0; i < 1000; ++i) {
    telemetry_->Begin(Method::kGameStatus, Door::kRest, {})->Finish(Internal());
  }
  EXPECT_LT(Lines().size(), 100);
}

TEST_F(CallTest, Destructor_Unfinished_CountsAsCancelledOnce) {
  Start(Options());
  telemetry_->Begin(Method::kAnalyze, Door::kRest, {}).reset();
  const std::string metrics = telemetry_->metrics().Exposition();
  EXPECT_THAT(metrics, HasSubstr("sittuyin_requests_total{code=\"CANCELLED\","
                                 "door=\"rest\",method=\"Analyze\"} 1\n"));
  EXPECT_THAT(metrics,
              HasSubstr("sittuyin_requests_in_flight{method=\"Analyze\"} 0\n"));
}

TEST_F(CallTest, SetIllegal_CountsTheReason) {
  Start(Options());
  const auto call = telemetry_->Begin(Method::kValidateMove, Door::kGrpc, {});
  call->SetIllegal("MUST_DEPLOY");
  call->Finish({});
  EXPECT_THAT(
      telemetry_->metrics().Exposition(),
      HasSubstr("sittuyin_illegal_moves_total{reason=\"MUST_DEPLOY\"} 1\n"));
}

TEST_F(CallTest, Refused_OfNoMethod_CountsTheReasonAlone) {
  Start(Options());
  telemetry_->Refused(Door::kRest, UnknownPath("/secret", "look elsewhere"),
                      [] { return std::string("192.0.2.1"); });
  EXPECT_THAT(
      telemetry_->metrics().Exposition(),
      HasSubstr("sittuyin_rejections_total{reason=\"MALFORMED_REQUEST\"} 1\n"));
  const auto lines = Lines();
  ASSERT_EQ(lines.size(), 1);
  EXPECT_EQ(TextOf(lines[0], "code"), "NOT_FOUND");
  EXPECT_EQ(TextOf(lines[0], "caller"), "192.0.2.1");
  EXPECT_EQ(captured_.text().find("secret"), std::string::npos);
}

TEST_F(CallTest, HandshakeFailed_IsLoggedAndHeldToTheLimit) {
  TelemetryOptions options = Options();
  options.lines_per_second = 1;
  Start(options);
  for (int i = 0; i < 1000; ++i) {
    telemetry_->HandshakeFailed(Door::kRest, "no trust",
                                [] { return std::string("192.0.2.1"); });
  }
  const auto lines = Lines();
  ASSERT_FALSE(lines.empty());
  EXPECT_LT(lines.size(), 100);
  EXPECT_EQ(TextOf(lines[0], "event"), "handshake_failed");
  EXPECT_EQ(TextOf(lines[0], "level"), "warning");
  EXPECT_EQ(TextOf(lines[0], "door"), "rest");
  EXPECT_EQ(TextOf(lines[0], "what"), "no trust");
  EXPECT_EQ(TextOf(lines[0], "caller"), "192.0.2.1");
}

TEST_F(CallTest, Crowded_IsLoggedOnceASecond) {
  Start(Options());
  const auto begin = RateLimit::Clock::now();
  for (int i = 0; i < 1000; ++i) telemetry_->Crowded(Door::kRest);
  const auto took = RateLimit::Clock::now() - begin;
  const auto lines = Lines();
  ASSERT_FALSE(lines.empty());
  EXPECT_LE(lines.size(), 2 + took / std::chrono::seconds(1));
  EXPECT_EQ(TextOf(lines[0], "event"), "connections_full");
  EXPECT_EQ(TextOf(lines[0], "level"), "warning");
  EXPECT_EQ(TextOf(lines[0], "door"), "rest");
}

TEST_F(CallTest, EventAndFault_AreLogged) {
  Start(Options());
  telemetry_->Event("start", {{"version", std::string_view("1.2.3")}});
  telemetry_->Fault("a table is missing");
  const auto lines = Lines();
  ASSERT_EQ(lines.size(), 2);
  EXPECT_EQ(TextOf(lines[0], "event"), "start");
  EXPECT_EQ(TextOf(lines[0], "version"), "1.2.3");
  EXPECT_EQ(TextOf(lines[1], "event"), "fault");
  EXPECT_EQ(TextOf(lines[1], "level"), "error");
  EXPECT_EQ(TextOf(lines[1], "what"), "a table is missing");
}

}  // namespace
}  // namespace sittuyin::service
