// The gRPC door, asked by a real client.
#include <gmock/gmock.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/generic/generic_stub.h>

#include <thread>

#include "google/rpc/error_details.pb.h"
#include "service/rpc/rpc_door.h"
#include "service/rpc/rpc_service.h"
#include "service/rpc/unknown_methods.h"
#include "service/rpc/wire.h"
#include "service/server/health.h"
#include "sittuyin/v1/sittuyin.grpc.pb.h"
#include "tests/handlers/api_fixture.h"
#include "tests/testing/equals_proto.h"
#include "tests/testing/refusal.h"

namespace sittuyin::service {
namespace {

using grpc::StatusCode;
using grpc::health::v1::Health;
using grpc::health::v1::HealthCheckRequest;
using grpc::health::v1::HealthCheckResponse;
using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::HasSubstr;

constexpr char kLongSearch[] = "limits { move_time { seconds: 86400 } }";

class RpcTest : public ApiTest {
 protected:
  RpcTest() {
    EXPECT_NE(door_, nullptr);
    channel_ = grpc::CreateChannel(door_->address(),
                                   grpc::InsecureChannelCredentials());
    stub_ = v1::SittuyinService::NewStub(channel_);
  }

  // The refusal that a failed call carried.
  static google::rpc::Status Details(const grpc::Status& status) {
    google::rpc::Status details;
    EXPECT_TRUE(details.ParseFromString(status.error_details()));
    EXPECT_EQ(details.code(), status.error_code());
    EXPECT_EQ(details.message(), status.error_message());
    return details;
  }

  // Sends any bytes to a method that answers once.
  grpc::Status SendBytes(const std::string& method, const std::string& bytes) {
    grpc::GenericStub stub(channel_);
    grpc::ClientContext context;
    const grpc::Slice slice(bytes);
    const grpc::ByteBuffer request(&slice, 1);
    grpc::ByteBuffer answer;
    std::promise<grpc::Status> done;
    stub.UnaryCall(&context, "/sittuyin.v1.SittuyinService/" + method, {},
                   &request, &answer,
                   [&](grpc::Status status) { done.set_value(status); });
    return done.get_future().get();
  }

  grpc::Status Check(const std::string& service,
                     HealthCheckResponse* response) {
    grpc::ClientContext context;
    HealthCheckRequest request;
    request.set_service(service);
    return Health::NewStub(channel_)->Check(&context, request, response);
  }

  HealthService health_{telemetry_};
  OpenSearches searches_;
  const std::unique_ptr<grpc::Service> service_ =
      MakeRpcService(api_, telemetry_, searches_);
  UnknownMethods unknown_methods_{telemetry_};
  std::unique_ptr<RpcDoor> door_ =
      RpcDoor::Start("127.0.0.1:0", {service_.get(), &health_}, {}, nullptr,
                     &unknown_methods_);
  std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<v1::SittuyinService::Stub> stub_;
};

TEST_F(RpcTest, MethodsAtOnce_Asked_Answer) {
  {
    grpc::ClientContext context;
    v1::ValidateMoveResponse answer;
    ASSERT_TRUE(
        stub_
            ->ValidateMove(&context,
                           Parsed<v1::ValidateMoveRequest>("move: 'K@e1'"),
                           &answer)
            .ok());
    EXPECT_TRUE(answer.legal());
    EXPECT_EQ(answer.move().uci(), "K@e1");
  }
  {
    grpc::ClientContext context;
    v1::LegalMovesResponse answer;
    ASSERT_TRUE(stub_->LegalMoves(&context, {}, &answer).ok());
    EXPECT_EQ(answer.moves_size(), 88);
  }
  {
    grpc::ClientContext context;
    v1::GameStatusResponse answer;
    ASSERT_TRUE(stub_->GameStatus(&context, {}, &answer).ok());
    EXPECT_EQ(answer.fen(), kStartFen);
  }
  {
    grpc::ClientContext context;
    v1::ListRuleSetsResponse answer;
    ASSERT_TRUE(stub_->ListRuleSets(&context, {}, &answer).ok());
    EXPECT_EQ(answer.rule_sets_size(), 5);
  }
  const std::string metrics = telemetry_.metrics().Exposition();
  for (const char* method :
       {"ValidateMove", "LegalMoves", "GameStatus", "ListRuleSets"}) {
    EXPECT_THAT(metrics, HasSubstr("sittuyin_requests_total{code=\"OK\","
                                   "door=\"grpc\",method=\"" +
                                   std::string(method) + "\"} 1"));
  }
}

TEST_F(RpcTest, ValidateMove_BadRequest_CarriesTheRefusal) {
  grpc::ClientContext context;
  v1::ValidateMoveResponse answer;
  const grpc::Status status = stub_->ValidateMove(
      &context,
      Parsed<v1::ValidateMoveRequest>("game { moves: 'K@e1' moves: 'e4e5' }"),
      &answer);
  EXPECT_EQ(status.error_code(), StatusCode::INVALID_ARGUMENT);
  EXPECT_THAT(Details(status),
              RefusedFor("ILLEGAL_MOVE_IN_HISTORY", "game.moves[1]"));
}

TEST_F(RpcTest, EveryMethod_BytesThatAreNoMessage_AreMalformed) {
  for (const char* method : {"ValidateMove", "LegalMoves", "GameStatus",
                             "BestMove", "ListRuleSets", "Analyze"}) {
    const grpc::Status status = SendBytes(method, "\xff\xff\xff");
    EXPECT_EQ(status.error_code(), StatusCode::INVALID_ARGUMENT) << method;
    EXPECT_THAT(Details(status), RefusedAs("MALFORMED_REQUEST")) << method;
    EXPECT_THAT(status.error_message(),
                HasSubstr(std::string(" sittuyin.v1.") + method + "Request"));
  }
}

TEST_F(RpcTest, ValidateMove_TextThatIsNoUtf8_IsMalformed) {
  // Field 2, two bytes.
  EXPECT_THAT(Details(SendBytes("ValidateMove", "\x12\x02\xc3\x28")),
              RefusedAs("MALFORMED_REQUEST"));
}

TEST_F(RpcTest, EveryMethod_EndOfGroupOrCutShort_IsMalformed) {
  for (const char* bytes : {"\x0c", "\x0a\x7f", "\x12\x04K@e1\x0c"}) {
    EXPECT_EQ(SendBytes("ValidateMove", bytes).error_code(),
              StatusCode::INVALID_ARGUMENT);
  }
}

TEST_F(RpcTest, GameStatus_AfterOtherRequests_KnowsNothingOfThem) {
  const auto played = Parsed<v1::GameStatusRequest>(
      "game { rule_set: RULE_SET_YOUZAI moves: 'K@e1' }"
      "include_legal_moves: true");
  for (int i = 0; i < 50; ++i) {  // Some meet a thread of an earlier one.
    {
      grpc::ClientContext context;
      v1::GameStatusResponse answer;
      ASSERT_TRUE(stub_->GameStatus(&context, played, &answer).ok());
      EXPECT_GT(answer.legal_moves_size(), 0);
    }
    // Cut short in the middle of a game.
    EXPECT_FALSE(SendBytes("GameStatus", "\x0a\x0c\x1a\x04K@e1").ok());
    grpc::ClientContext context;
    v1::GameStatusResponse answer;
    ASSERT_TRUE(stub_->GameStatus(&context, {}, &answer).ok());
    EXPECT_EQ(answer.fen(), kStartFen);
    EXPECT_EQ(answer.state().rule_set(), v1::RULE_SET_PYCHESS);
    EXPECT_EQ(answer.legal_moves_size(), 0);
  }
}

TEST_F(RpcTest, ValidateMove_EmptyBytes_AreTheDefaultRequest) {
  EXPECT_TRUE(SendBytes("ValidateMove", "").ok());
}

TEST_F(RpcTest, ValidateMove_Above64KiB_IsRefused) {
  v1::ValidateMoveRequest request;
  request.set_move(std::string(kMaxRequestBytes - 4, 'x'));
  ASSERT_EQ(request.ByteSizeLong(), kMaxRequestBytes);
  EXPECT_TRUE(SendBytes("ValidateMove", request.SerializeAsString()).ok());
  request.set_move(std::string(kMaxRequestBytes - 3, 'x'));
  EXPECT_EQ(SendBytes("ValidateMove", request.SerializeAsString()).error_code(),
            StatusCode::RESOURCE_EXHAUSTED);
}

TEST_F(RpcTest, UnknownMethod_IsUnimplemented) {
  const auto status = SendBytes("Resign", "");
  EXPECT_EQ(status.error_code(), StatusCode::UNIMPLEMENTED);
  EXPECT_THAT(Details(status), RefusedAs("MALFORMED_REQUEST"));
  EXPECT_THAT(status.error_message(),
              HasSubstr("sittuyin.v1.SittuyinService has ValidateMove, Legal"));
}

TEST_F(RpcTest, BestMove_Asked_Answers) {
  grpc::ClientContext context;
  v1::BestMoveResponse answer;
  ASSERT_TRUE(stub_
                  ->BestMove(&context,
                             Parsed<v1::BestMoveRequest>("limits { depth: 3 }"),
                             &answer)
                  .ok());
  EXPECT_EQ(answer.depth(), 3u);
  EXPECT_TRUE(answer.has_best());
}

TEST_F(RpcTest, BestMove_FinishedGame_CarriesTheRefusal) {
  grpc::ClientContext context;
  v1::BestMoveResponse answer;
  const grpc::Status status =
      stub_->BestMove(&context,
                      Parsed<v1::BestMoveRequest>(
                          "game { initial_fen: '4k3/8/8/8/8/8/8/4K3[] w' }"),
                      &answer);
  EXPECT_EQ(status.error_code(), StatusCode::FAILED_PRECONDITION);
  EXPECT_THAT(Details(status), RefusedAs("GAME_FINISHED"));
}

// What a client's retry policy is told.
std::string PushbackIn(const grpc::ClientContext& context) {
  const auto& metadata = context.GetServerTrailingMetadata();
  const auto [first, last] = metadata.equal_range("grpc-retry-pushback-ms");
  std::string told;
  for (auto each = first; each != last; ++each) {
    told.append(each->second.data(), each->second.size());
  }
  return told;
}

TEST_F(RpcTest, EverySearch_QueueFull_SaysWhenToRetry) {
  Blocker blocker(pool_);
  auto waiting = StartBestMove("limits { move_time { seconds: 20 } }");
  struct Case {
    seconds deadline;
    std::string pushback;
  };
  for (const auto& [deadline, pushback] :
       {Case{seconds(60), "20000"}, Case{seconds(10), "-1"}}) {
    const auto until = std::chrono::system_clock::now() + deadline;
    grpc::ClientContext of_best_move;
    of_best_move.set_deadline(until);
    v1::BestMoveResponse answer;
    EXPECT_EQ(stub_->BestMove(&of_best_move, {}, &answer).error_code(),
              StatusCode::UNAVAILABLE);
    EXPECT_EQ(PushbackIn(of_best_move), pushback);
    grpc::ClientContext of_analyze;
    of_analyze.set_deadline(until);
    EXPECT_EQ(stub_->Analyze(&of_analyze, {})->Finish().error_code(),
              StatusCode::UNAVAILABLE);
    EXPECT_EQ(PushbackIn(of_analyze), pushback);
  }
  caller_->Leave();
  blocker.LetGo();
}

TEST_F(RpcTest, BestMove_Draining_SaysWhenToRetry) {
  pool_.StopAccepting();
  grpc::ClientContext context;
  v1::BestMoveResponse answer;
  EXPECT_EQ(stub_->BestMove(&context, {}, &answer).error_code(),
            StatusCode::UNAVAILABLE);
  EXPECT_EQ(PushbackIn(context), "100");
}

TEST_F(RpcTest, BestMove_NoTurnBeforeTheDeadline_SaysNothingOfRetries) {
  Blocker blocker(pool_, std::chrono::hours(1));
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + seconds(60));
  v1::BestMoveResponse answer;
  const grpc::Status status = stub_->BestMove(&context, {}, &answer);
  EXPECT_EQ(status.error_code(), StatusCode::DEADLINE_EXCEEDED);
  EXPECT_EQ(Details(status).details_size(), 2);  // A RetryInfo, too.
  EXPECT_EQ(PushbackIn(context), "");
  blocker.LetGo();
}

TEST_F(RpcTest, BestMove_RefusalWithoutRetryInfo_SaysNothingOfRetries) {
  grpc::ClientContext context;
  v1::BestMoveRequest request;
  request.set_level(11);
  v1::BestMoveResponse answer;
  EXPECT_FALSE(stub_->BestMove(&context, request, &answer).ok());
  EXPECT_EQ(PushbackIn(context), "");
}

TEST_F(RpcTest, BestMove_QueueFullBeyondTheDeadline_IsNotRetried) {
  grpc::ChannelArguments options;
  options.SetServiceConfigJSON(R"({"methodConfig": [{
      "name": [{"service": "sittuyin.v1.SittuyinService"}],
      "retryPolicy": {"maxAttempts": 4, "initialBackoff": "0.01s",
                      "maxBackoff": "0.01s", "backoffMultiplier": 1,
                      "retryableStatusCodes": ["UNAVAILABLE"]}}]})");
  const auto stub = v1::SittuyinService::NewStub(grpc::CreateCustomChannel(
      door_->address(), grpc::InsecureChannelCredentials(), options));
  Blocker blocker(pool_);
  auto waiting = StartBestMove("limits { move_time { seconds: 20 } }");
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + seconds(10));
  v1::BestMoveResponse answer;
  EXPECT_EQ(stub->BestMove(&context, {}, &answer).error_code(),
            StatusCode::UNAVAILABLE);
  EXPECT_THAT(telemetry_.metrics().Exposition(),
              HasSubstr("sittuyin_search_outcomes_total{"
                        "outcome=\"queue_full\"} 1\n"));
  caller_->Leave();
  blocker.LetGo();
}

TEST_F(RpcTest, BestMove_DeadlineCenturiesAway_IsNone) {
  grpc::ClientContext context;
  context.set_deadline(gpr_timespec{
      gpr_now(GPR_CLOCK_REALTIME).tv_sec + std::int64_t{99999999} * 3600, 0,
      GPR_CLOCK_REALTIME});
  v1::BestMoveRequest request;
  request.mutable_limits()->set_depth(1);
  v1::BestMoveResponse answer;
  EXPECT_TRUE(stub_->BestMove(&context, request, &answer).ok());
  EXPECT_EQ(answer.stop_reason(), v1::STOP_REASON_DEPTH);
}

TEST_F(RpcTest, BestMove_Deadline_AnswersBeforeIt) {
  v1::BestMoveResponse answer;
  grpc::Status status;
  int tries = 50;  // A busy machine lets the time pass now and then.
  do {
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + milliseconds(400));
    status = stub_->BestMove(&context, Parsed<v1::BestMoveRequest>(kLongSearch),
                             &answer);
  } while (status.error_code() == StatusCode::DEADLINE_EXCEEDED && --tries > 0);
  EXPECT_TRUE(status.ok()) << status.error_message();
  EXPECT_EQ(answer.stop_reason(), v1::STOP_REASON_DEADLINE);
}

TEST_F(RpcTest, BestMove_CallerCancels_FreesTheWorker) {
  grpc::ClientContext context;
  v1::BestMoveResponse answer;
  const auto request = Parsed<v1::BestMoveRequest>(kLongSearch);
  std::promise<grpc::Status> done;
  stub_->async()->BestMove(
      &context, &request, &answer,
      [&](grpc::Status status) { done.set_value(std::move(status)); });
  context.TryCancel();
  EXPECT_EQ(done.get_future().get().error_code(), StatusCode::CANCELLED);
  pool_.Drain();
}

TEST_F(RpcTest, BestMove_WhileWorkersSearch_OtherCallsAreAnswered) {
  Blocker blocker(pool_);
  grpc::ClientContext context;
  v1::BestMoveResponse best;
  const auto request = Parsed<v1::BestMoveRequest>("limits { depth: 1 }");
  std::promise<grpc::Status> done;
  stub_->async()->BestMove(&context, &request, &best, [&](grpc::Status status) {
    done.set_value(std::move(status));
  });
  grpc::ClientContext other;
  v1::GameStatusResponse answer;
  EXPECT_TRUE(stub_->GameStatus(&other, {}, &answer).ok());
  blocker.LetGo();
  EXPECT_TRUE(done.get_future().get().ok());
}

TEST_F(RpcTest, Analyze_Depth_StreamsEachDepthTheLastWithTheResult) {
  grpc::ClientContext context;
  const auto stream = stub_->Analyze(
      &context, Parsed<v1::AnalyzeRequest>("limits { depth: 5 }"));
  std::vector<v1::AnalyzeResponse> messages;
  for (v1::AnalyzeResponse message; stream->Read(&message);) {
    messages.push_back(message);
  }
  EXPECT_TRUE(stream->Finish().ok());
  ASSERT_EQ(messages.size(), 5u);
  for (std::size_t i = 0; i < messages.size(); ++i) {
    EXPECT_EQ(messages[i].depth(), i + 1);
    EXPECT_EQ(messages[i].has_result(), i + 1 == messages.size());
  }
  EXPECT_EQ(messages.back().result().depth(), 5u);
}

TEST_F(RpcTest, Analyze_BadRequest_CarriesTheRefusal) {
  grpc::ClientContext context;
  const auto stream =
      stub_->Analyze(&context, Parsed<v1::AnalyzeRequest>("multi_pv: 11"));
  v1::AnalyzeResponse message;
  EXPECT_FALSE(stream->Read(&message));
  EXPECT_THAT(Details(stream->Finish()),
              RefusedFor("FIELD_OUT_OF_RANGE", "multi_pv"));
}

TEST_F(RpcTest, Analyze_CallerCancels_FreesTheWorker) {
  grpc::ClientContext context;
  const auto stream =
      stub_->Analyze(&context, Parsed<v1::AnalyzeRequest>(kLongSearch));
  v1::AnalyzeResponse message;
  EXPECT_TRUE(stream->Read(&message));
  context.TryCancel();
  while (stream->Read(&message)) {
  }
  EXPECT_EQ(stream->Finish().error_code(), StatusCode::CANCELLED);
  pool_.Drain();
}

TEST_F(RpcTest, Close_RunningSearch_IsUnavailable) {
  grpc::ClientContext context;
  const auto stream =
      stub_->Analyze(&context, Parsed<v1::AnalyzeRequest>(kLongSearch));
  v1::AnalyzeResponse message;
  EXPECT_TRUE(stream->Read(&message));
  std::thread close([this] { door_->Close(); });
  while (stream->Read(&message)) {
  }
  EXPECT_EQ(stream->Finish().error_code(), StatusCode::UNAVAILABLE);
  close.join();
}

TEST_F(RpcTest, AwaitNone_RunningSearch_IsFinished) {
  grpc::ClientContext context;
  const auto stream = stub_->Analyze(
      &context, Parsed<v1::AnalyzeRequest>("limits { nodes: 500000 }"));
  v1::AnalyzeResponse message;
  EXPECT_TRUE(stream->Read(&message));
  std::thread close([this] {
    searches_.AwaitNone(std::chrono::steady_clock::now() +
                        std::chrono::hours(1));
    door_->Close();
  });
  while (stream->Read(&message)) {
  }
  EXPECT_TRUE(stream->Finish().ok());
  EXPECT_EQ(message.result().stop_reason(), v1::STOP_REASON_NODES);
  close.join();
}

TEST_F(RpcTest, Start_ConnectionAge_SendsClientsAway) {
  HealthService service(telemetry_);
  const auto door =
      RpcDoor::Start("127.0.0.1:0", {&service}, {.most = milliseconds(500)});
  const auto channel =
      grpc::CreateChannel(door->address(), grpc::InsecureChannelCredentials());
  const auto patience =
      std::chrono::system_clock::now() + std::chrono::minutes(1);
  ASSERT_TRUE(channel->WaitForConnected(patience));
  EXPECT_TRUE(channel->WaitForStateChange(GRPC_CHANNEL_READY, patience));
}

TEST_F(RpcTest, Start_ConnectionAgeAndGraceOver_EndCallsThatGoOn) {
  HealthService service(telemetry_);
  const auto door =
      RpcDoor::Start("127.0.0.1:0", {&service},
                     {.most = milliseconds(200), .grace = milliseconds(200)});
  const auto stub = grpc::health::v1::Health::NewStub(
      grpc::CreateChannel(door->address(), grpc::InsecureChannelCredentials()));
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() +
                       std::chrono::minutes(1));
  const auto watch = stub->Watch(&context, {});
  grpc::health::v1::HealthCheckResponse health;
  EXPECT_TRUE(watch->Read(&health));
  EXPECT_FALSE(watch->Read(&health));
  EXPECT_EQ(watch->Finish().error_code(), StatusCode::UNAVAILABLE);
}

TEST_F(RpcTest, EveryMethod_OversizeMessage_IsRefusedAndCounted) {
  for (const char* method : {"ValidateMove", "LegalMoves", "GameStatus",
                             "BestMove", "ListRuleSets", "Analyze"}) {
    for (const std::size_t size : {65537, 1 << 20}) {
      const auto status = SendBytes(method, std::string(size, '\0'));
      EXPECT_EQ(status.error_code(), StatusCode::RESOURCE_EXHAUSTED) << method;
      EXPECT_THAT(Details(status), RefusedAs("")) << method;
    }
    EXPECT_THAT(
        telemetry_.metrics().Exposition(),
        HasSubstr("{code=\"RESOURCE_EXHAUSTED\",door=\"grpc\",method=\"" +
                  std::string(method) + "\"} 2"));
  }
}

TEST_F(RpcTest, AnyMethod_CompressedMessage_IsUnimplemented) {
  grpc::ClientContext context;
  context.set_compression_algorithm(GRPC_COMPRESS_GZIP);
  v1::GameStatusResponse answer;
  const auto status = stub_->GameStatus(
      &context,
      Parsed<v1::GameStatusRequest>("game { initial_fen: '" +
                                    std::string(1000, '8') + "' }"),
      &answer);
  EXPECT_EQ(status.error_code(), StatusCode::UNIMPLEMENTED);
}

TEST_F(RpcTest, Start_TakenPort_GivesNothing) {
  EXPECT_EQ(RpcDoor::Start(door_->address(), {}), nullptr);
}

TEST_F(RpcTest, HealthCheck_KnownNames_AreServing) {
  for (const char* name : {"", "sittuyin.v1.SittuyinService"}) {
    HealthCheckResponse response;
    EXPECT_TRUE(Check(name, &response).ok()) << name;
    EXPECT_EQ(response.status(), HealthCheckResponse::SERVING) << name;
  }
}

TEST_F(RpcTest, HealthCheck_UnknownName_IsNotFound) {
  HealthCheckResponse response;
  const auto status = Check("sittuyin.v2", &response);
  EXPECT_EQ(status.error_code(), StatusCode::NOT_FOUND);
  EXPECT_THAT(status.error_message(), HasSubstr("sittuyin.v1.SittuyinService"));
}

TEST_F(RpcTest, HealthCheck_AfterStopServing_IsNotServing) {
  health_.StopServing();
  EXPECT_FALSE(health_.IsServing());
  HealthCheckResponse response;
  EXPECT_TRUE(Check("", &response).ok());
  EXPECT_EQ(response.status(), HealthCheckResponse::NOT_SERVING);
}

TEST_F(RpcTest, HealthWatch_StopServing_IsToldAndEnds) {
  const auto stub = Health::NewStub(channel_);
  grpc::ClientContext context;
  const auto stream = stub->Watch(&context, {});
  HealthCheckResponse response;
  ASSERT_TRUE(stream->Read(&response));
  EXPECT_EQ(response.status(), HealthCheckResponse::SERVING);
  health_.StopServing();
  ASSERT_TRUE(stream->Read(&response));
  EXPECT_EQ(response.status(), HealthCheckResponse::NOT_SERVING);
  EXPECT_FALSE(stream->Read(&response));
  EXPECT_EQ(stream->Finish().error_code(), StatusCode::UNAVAILABLE);

  grpc::ClientContext late_context;
  const auto late = stub->Watch(&late_context, {});
  ASSERT_TRUE(late->Read(&response));
  EXPECT_EQ(response.status(), HealthCheckResponse::NOT_SERVING);
  EXPECT_FALSE(late->Read(&response));
}

TEST_F(RpcTest, HealthWatch_UnknownName_IsToldSo) {
  const auto stub = Health::NewStub(channel_);
  grpc::ClientContext context;
  HealthCheckRequest request;
  request.set_service("sittuyin.v2");
  const auto stream = stub->Watch(&context, request);
  HealthCheckResponse response;
  ASSERT_TRUE(stream->Read(&response));
  EXPECT_EQ(response.status(), HealthCheckResponse::SERVICE_UNKNOWN);
  context.TryCancel();
  EXPECT_EQ(stream->Finish().error_code(), StatusCode::CANCELLED);
}

TEST_F(RpcTest, HealthWatch_RequestTooLarge_IsRefused) {
  const auto stub = Health::NewStub(channel_);
  grpc::ClientContext context;
  HealthCheckRequest request;
  request.set_service(std::string(1025, 'x'));
  const auto stream = stub->Watch(&context, request);
  HealthCheckResponse response;
  EXPECT_FALSE(stream->Read(&response));
  EXPECT_EQ(stream->Finish().error_code(), StatusCode::INVALID_ARGUMENT);
}

}  // namespace
}  // namespace sittuyin::service
