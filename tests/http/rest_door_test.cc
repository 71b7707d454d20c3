#include "service/http/rest_door.h"

#include <gmock/gmock.h>
#include <google/protobuf/util/json_util.h>
#include <gtest/gtest.h>
#include <spdlog/sinks/null_sink.h>

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <variant>

#include "google/rpc/error_details.pb.h"
#include "service/errors/errors.h"
#include "sittuyin/v1/sittuyin.pb.h"
#include "tests/http/client.h"
#include "tests/testing/equals_proto.h"

namespace sittuyin::service {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;

// Lets tests wait until a search runs or none does.
class PoolWatch : public SearchPoolObserver {
 public:
  void StateChanged(const State& state) override {
    const std::lock_guard lock(mutex_);
    busy_ = state.busy;
    changed_.notify_all();
  }
  void JobStarted(std::chrono::nanoseconds) override {}

  void AwaitBusy(std::size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return busy_ == count; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t busy_ = 0;
};

TelemetryOptions Silent() {
  TelemetryOptions options;
  options.log_sink = std::make_shared<spdlog::sinks::null_sink_mt>();
  return options;
}

class RestDoorTest : public testing::Test {
 protected:
  RestDoorTest() {
    auto door = RestDoor::Start(api_, telemetry_,
                                {.address = "127.0.0.1:0", .threads = 2});
    if (const auto* error = std::get_if<std::string>(&door)) {
      ADD_FAILURE() << *error;
      return;
    }
    door_ = std::get<std::unique_ptr<RestDoor>>(std::move(door));
    client_ = std::make_unique<Client>(door_->address());
  }

  // The refusal in `reply`, whose HTTP code and headers are checked.
  google::rpc::Status RefusalIn(const Reply& reply, long code) {
    EXPECT_EQ(reply.code, code) << reply.body;
    EXPECT_EQ(reply.headers.at("content-type"), "application/json");
    EXPECT_EQ(reply.headers.at("cache-control"), "no-store");
    EXPECT_FALSE(reply.headers.contains("etag"));
    return Parsed<google::rpc::Status>(reply.body);
  }

  // The field that the refusal in `reply` names.
  std::string MalformedField(const Reply& reply) {
    const google::rpc::Status status = RefusalIn(reply, 400);
    EXPECT_EQ(ReasonOf(status), "MALFORMED_REQUEST");
    google::rpc::BadRequest bad;
    for (const auto& detail : status.details()) {
      if (detail.UnpackTo(&bad)) return bad.field_violations(0).field();
    }
    return {};
  }

  template <typename Message>
  static Message Parsed(const std::string& json) {
    Message message;
    const auto status =
        google::protobuf::util::JsonStringToMessage(json, &message);
    EXPECT_TRUE(status.ok()) << json;
    return message;
  }

  Telemetry telemetry_{Silent()};
  PoolWatch pool_watch_;
  SearchPool pool_{{.workers = 1, .queue = 0, .hash_bytes = 1 << 20},
                   pool_watch_};
  const Api api_{{.default_rule_set = RuleSetId::kYouzai,
                  .move_time = {.when_unlimited = milliseconds(20),
                                .longest = std::chrono::hours(24)},
                  .random_seed = [] { return 1; }},
                 pool_};
  std::unique_ptr<RestDoor> door_;
  std::unique_ptr<Client> client_;
};

constexpr const char* kEndless = R"({"limits":{"moveTime":"3600s"}})";

TEST_F(RestDoorTest, ValidateMove_ByPost_IsAnswered) {
  const Reply reply =
      client_->Post("/v1/validate-move",
                    R"({"game":{"ruleSet":"RULE_SET_YOUZAI","moves":["K@e2"]},)"
                    R"("move":"R@a7"})");
  EXPECT_EQ(reply.code, 200);
  EXPECT_EQ(reply.headers.at("content-type"), "application/json");
  EXPECT_FALSE(reply.headers.contains("etag"));
  EXPECT_THAT(reply.body, HasSubstr("\"legal\":false"));
  EXPECT_THAT(reply.body, HasSubstr("VIOLATION_REASON_CHARIOT_OFF_BACK_RANK"));
  EXPECT_THAT(reply.body, HasSubstr("\"legalMoves\":[]"));
  EXPECT_THAT(reply.body, testing::Not(HasSubstr("\"move\":")));
}

TEST_F(RestDoorTest, Post_AnyContentType_IsJson) {
  for (const char* type :
       {"text/plain", "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x", "application/json"}) {
    const Reply reply =
        client_->Post("/v1/game-status", R"({"game":{"moves":["K@e1"]}})",
                      {std::string("Content-Type: ") + type});
    EXPECT_EQ(reply.code, 200) << type << " " << reply.body;
    EXPECT_THAT(reply.body, HasSubstr("COLOR_BLACK")) << type;
  }
}

TEST_F(RestDoorTest, Post_NoBody_IsRefused) {
  for (const Reply& reply : {client_->Post("/v1/game-status", ""),
                             client_->Send("POST", "/v1/game-status"),
                             client_->Post("/v1/best-move", "")}) {
    const auto status = RefusalIn(reply, 400);
    EXPECT_EQ(ReasonOf(status), "MALFORMED_REQUEST");
    EXPECT_THAT(status.message(), HasSubstr("send {...}"));
  }
}

TEST_F(RestDoorTest, Get_Body_IsRefused) {
  const std::string body = R"({"move":"K@e1"})";
  const auto status =
      RefusalIn(client_->Send("GET", "/v1/validate-move", {}, &body), 400);
  EXPECT_EQ(ReasonOf(status), "MALFORMED_REQUEST");
  EXPECT_EQ(status.message(), "A GET has no body: send parameters, or POST.");
}

TEST_F(RestDoorTest, Post_EncodedBody_IsRefusedWhateverItHolds) {
  for (const char* encoding : {"gzip", "br", "identity, gzip", "x"}) {
    const auto status =
        RefusalIn(client_->Post("/v1/game-status", "{}",
                                {std::string("Content-Encoding: ") + encoding}),
                  415);
    EXPECT_EQ(ReasonOf(status), "MALFORMED_REQUEST");
    EXPECT_EQ(status.message(),
              "Content-Encoding: send the body uncompressed, without this "
              "header.");
  }
  EXPECT_EQ(
      client_->Post("/v1/game-status", "{}", {"Content-Encoding: Identity"})
          .code,
      200);
}

TEST_F(RestDoorTest, Get_SameQuestion_HasThePostsBytes) {
  const Reply post = client_->Post(
      "/v1/legal-moves",
      R"({"game":{"ruleSet":"RULE_SET_VCHESS","moves":["K@e1","R@a1"]},)"
      R"("drop":"PIECE_TYPE_CHARIOT"})");
  const Reply get = client_->Get(
      "/v1/legal-moves?game.rule_set=RULE_SET_VCHESS&game.moves=K%40e1"
      "&game.moves=R@a1&drop=PIECE_TYPE_CHARIOT");
  EXPECT_EQ(post.code, 200) << post.body;
  EXPECT_EQ(get.code, 200) << get.body;
  EXPECT_EQ(get.body, post.body);
  EXPECT_EQ(get.headers.at("cache-control"), "public, max-age=3600");
}

TEST_F(RestDoorTest, Get_AsManyMovesAsAGameMayHave_IsJudged) {
  const auto asked = [&](int moves) {
    std::string path = "/v1/game-status?game.moves=K@e1";
    for (int i = 1; i < moves; ++i) path += "&game.moves=K@e1";
    return client_->Get(path);
  };
  EXPECT_EQ(ReasonOf(RefusalIn(asked(2048), 400)), "ILLEGAL_MOVE_IN_HISTORY");
  EXPECT_EQ(ReasonOf(RefusalIn(asked(2049), 400)), "FIELD_OUT_OF_RANGE");
}

TEST_F(RestDoorTest, Get_EtagHeld_IsNotModified) {
  const std::string path = "/v1/validate-move?move=K@e1";
  const Reply first = client_->Get(path);
  ASSERT_EQ(first.code, 200);
  const std::string etag = first.headers.at("etag");
  const Reply second = client_->Get(path, {"If-None-Match: " + etag});
  EXPECT_EQ(second.code, 304);
  EXPECT_EQ(second.body, "");
  EXPECT_EQ(second.headers.at("content-length"),
            std::to_string(first.body.size()));
  EXPECT_EQ(second.headers.at("etag"), etag);
  EXPECT_EQ(second.headers.at("cache-control"), "public, max-age=3600");
  const Reply other =
      client_->Get("/v1/validate-move?move=K@e2", {"If-None-Match: " + etag});
  EXPECT_EQ(other.code, 200);
}

TEST_F(RestDoorTest, Head_HasGetsHeadersAndNoBody) {
  const Reply get = client_->Get("/v1/rule-sets");
  EXPECT_EQ(get.code, 200);
  EXPECT_THAT(get.body, HasSubstr("RULE_SET_TRADITIONAL"));
  const Reply head = client_->Head("/v1/rule-sets");
  EXPECT_EQ(head.code, 200);
  EXPECT_EQ(head.body, "");
  EXPECT_EQ(head.headers.at("etag"), get.headers.at("etag"));
  EXPECT_EQ(head.headers.at("content-length"), std::to_string(get.body.size()));
}

TEST_F(RestDoorTest, Get_EtagHeldOnTheSecondLine_IsNotModified) {
  const std::string path = "/v1/validate-move?move=K@e1";
  const std::string etag = client_->Get(path).headers.at("etag");
  const Reply held = client_->Get(
      path, {"If-None-Match: \"another\"", "If-None-Match: " + etag});
  EXPECT_EQ(held.code, 304);
}

TEST_F(RestDoorTest, EveryAnswer_IsNoPageAndNoScript) {
  for (const char* path : {"/v1/rule-sets", "/openapi.json", "/nothing"}) {
    const Reply reply = client_->Get(path);
    EXPECT_EQ(reply.headers.at("x-content-type-options"), "nosniff");
    EXPECT_EQ(reply.headers.at("content-security-policy"),
              "default-src 'none'; frame-ancestors 'none'");
  }
}

TEST_F(RestDoorTest, NoRequest_IsRefusedAsStatus) {
  const Reply reply =
      client_->Post("/v1/legal-moves", "", {"Host: a b", "Host : c"});
  EXPECT_EQ(MalformedField(reply), "");
  EXPECT_EQ(reply.headers.at("connection"), "close");
}

TEST_F(RestDoorTest, Cors_NoOriginAllowed_SaysNothing) {
  const Reply reply = client_->Get("/v1/rule-sets", {"Origin: https://a.org"});
  EXPECT_FALSE(reply.headers.contains("vary"));
  EXPECT_FALSE(reply.headers.contains("access-control-allow-origin"));
  EXPECT_EQ(client_
                ->Send("OPTIONS", "/v1/legal-moves",
                       {"Origin: https://a.org",
                        "Access-Control-Request-Method: POST"})
                .code,
            405);
}

TEST_F(RestDoorTest, Cors_AllowedOrigin_MayAskAndRead) {
  auto door = RestDoor::Start(api_, telemetry_, {.address = "127.0.0.1:0"},
                              CorsPolicy({"https://a.org"}));
  ASSERT_TRUE(std::holds_alternative<std::unique_ptr<RestDoor>>(door));
  Client client(std::get<std::unique_ptr<RestDoor>>(door)->address());
  const std::string ask = "Access-Control-Request-Method: POST";
  const Reply preflight =
      client.Send("OPTIONS", "/v1/legal-moves", {"Origin: https://a.org", ask});
  EXPECT_EQ(preflight.code, 204);
  EXPECT_EQ(preflight.headers.at("access-control-allow-origin"),
            "https://a.org");
  EXPECT_EQ(preflight.headers.at("access-control-allow-methods"),
            "GET, HEAD, POST");
  EXPECT_THAT(preflight.headers.at("access-control-allow-headers"),
              HasSubstr("Content-Type"));
  EXPECT_EQ(preflight.headers.at("access-control-max-age"), "7200");
  EXPECT_EQ(preflight.headers.at("vary"), "Origin");
  EXPECT_FALSE(preflight.headers.contains("access-control-allow-credentials"));
  EXPECT_EQ(
      client.Send("OPTIONS", "/openapi.json", {"Origin: https://a.org", ask})
          .headers.at("access-control-allow-methods"),
      "GET, HEAD");
  // Neither for another, nor without a question, nor where nothing is.
  for (const Client::Headers& headers :
       {Client::Headers{"Origin: https://b.org", ask},
        Client::Headers{"Origin: https://a.org"}}) {
    EXPECT_EQ(client.Send("OPTIONS", "/v1/legal-moves", headers).code, 405);
  }
  EXPECT_EQ(client.Send("OPTIONS", "/x", {"Origin: https://a.org", ask}).code,
            404);

  // Answers that a cache may hold, streams and refusals alike.
  for (const Reply& reply :
       {client.Get("/v1/rule-sets", {"Origin: https://a.org"}),
        client.Post("/v1/analyze", R"({"limits":{"depth":1}})",
                    {"Origin: https://a.org"}),
        client.Get("/x", {"Origin: https://a.org"})}) {
    EXPECT_EQ(reply.headers.at("access-control-allow-origin"), "https://a.org");
    EXPECT_EQ(reply.headers.at("vary"), "Origin");
  }
  const Reply other = client.Get("/v1/rule-sets", {"Origin: https://b.org"});
  EXPECT_EQ(other.code, 200);
  EXPECT_FALSE(other.headers.contains("access-control-allow-origin"));
  EXPECT_EQ(other.headers.at("vary"), "Origin");
}

TEST_F(RestDoorTest, UnknownPath_IsNotFound) {
  for (const char* path : {"/", "/v1/validate-move/", "/v2/analyze", "/%ff"}) {
    const auto status = RefusalIn(client_->Get(path), 404);
    EXPECT_EQ(status.code(), 5) << path;
    EXPECT_EQ(status.details_size(), 1);
  }
}

TEST_F(RestDoorTest, WrongVerb_TellsWhatIsAllowed) {
  const Reply reply = client_->Send("DELETE", "/v1/validate-move");
  EXPECT_EQ(RefusalIn(reply, 405).code(), 12);
  EXPECT_EQ(reply.headers.at("allow"), "GET, HEAD, POST");
  EXPECT_EQ(client_->Get("/v1/best-move").headers.at("allow"), "POST");
  EXPECT_EQ(client_->Post("/v1/rule-sets", "").headers.at("allow"),
            "GET, HEAD");
  EXPECT_EQ(client_->Post("/openapi.json", "").headers.at("allow"),
            "GET, HEAD");
}

TEST_F(RestDoorTest, Body_OverTheLimit_IsRefused) {
  const std::string most =
      "{\"move\":\"" + std::string((64 << 10) - 11, 'x') + "\"}";
  ASSERT_EQ(most.size(), 64 << 10);
  EXPECT_EQ(client_->Post("/v1/validate-move", most).code, 200);
  const auto status =
      RefusalIn(client_->Post("/v1/validate-move", most + " "), 413);
  EXPECT_EQ(status.code(), 3);
  EXPECT_EQ(ReasonOf(status), "FIELD_OUT_OF_RANGE");
  // A length that libmicrohttpd cannot count either.
  const auto unread =
      RefusalIn(client_->Post("/v1/validate-move", "",
                              {"Content-Length: 99999999999999999999999"}),
                413);
  EXPECT_THAT(unread, EqualsProto(status.DebugString()));
}

TEST_F(RestDoorTest, Malformed_NamesTheField) {
  EXPECT_EQ(MalformedField(
                client_->Post("/v1/validate-move", R"({"game":{"fen":""}})")),
            "game.fen");
  EXPECT_EQ(MalformedField(client_->Post("/v1/validate-move", "{")), "");
  EXPECT_EQ(MalformedField(client_->Get("/v1/validate-move?mov=e4")), "mov");
  EXPECT_EQ(MalformedField(client_->Post("/v1/validate-move?move=e4", "{}")),
            "move");
}

TEST_F(RestDoorTest, RefusedByTheCore_HasItsCode) {
  const auto status = RefusalIn(
      client_->Post("/v1/game-status", R"({"game":{"initialFen":"x"}})"), 400);
  EXPECT_EQ(ReasonOf(status), "MALFORMED_FEN");
}

TEST_F(RestDoorTest, BestMove_WithinItsLimits_IsAnswered) {
  const Reply reply =
      client_->Post("/v1/best-move", R"({"limits":{"depth":2}})");
  EXPECT_EQ(reply.code, 200) << reply.body;
  const auto answer = Parsed<v1::BestMoveResponse>(reply.body);
  EXPECT_EQ(answer.stop_reason(), v1::STOP_REASON_DEPTH);
  EXPECT_FALSE(answer.best().uci().empty());
}

TEST_F(RestDoorTest, BestMove_RequestTimeout_IsTheDeadline) {
  Reply reply;
  int tries = 50;  // A busy machine lets the time pass now and then.
  do {
    reply =
        client_->Post("/v1/best-move", kEndless, {"X-Request-Timeout: 0.25"});
  } while (reply.code == 504 && --tries > 0);
  EXPECT_EQ(reply.code, 200) << reply.body;
  EXPECT_EQ(Parsed<v1::BestMoveResponse>(reply.body).stop_reason(),
            v1::STOP_REASON_DEADLINE);
}

TEST_F(RestDoorTest, RequestTimeout_NoPositiveNumber_IsRefused) {
  for (const char* text :
       {"0", "-1", "x", "1s", "1 2", "inf", "nan", "1e3", "+1", "0x1"}) {
    EXPECT_EQ(
        MalformedField(client_->Get(
            "/v1/rule-sets", {std::string("X-Request-Timeout: ") + text})),
        "X-Request-Timeout")
        << text;
  }
  EXPECT_EQ(client_->Get("/v1/rule-sets", {"X-Request-Timeout: 99999"}).code,
            200);
}

TEST_F(RestDoorTest, BestMove_QueueFull_TellsWhenToTryAgain) {
  std::thread other([address = door_->address()] {
    Client(address).Post("/v1/best-move", kEndless,
                         {"X-Request-Timeout: 3600"});
  });
  pool_watch_.AwaitBusy(1);
  const Reply reply = client_->Post("/v1/best-move", "{}");
  EXPECT_EQ(ReasonOf(RefusalIn(reply, 503)), "SEARCH_QUEUE_FULL");
  EXPECT_EQ(reply.headers.at("retry-after"), "30");
  door_.reset();  // Ends the endless search.
  other.join();
}

TEST_F(RestDoorTest, BestMove_ClientLeaves_SearchStops) {
  std::thread leaver([address = door_->address()] {
    Client client(address);
    client.set_timeout_ms(1000);  // It searches long before.
    EXPECT_EQ(client.Post("/v1/best-move", kEndless).result,
              CURLE_OPERATION_TIMEDOUT);
  });
  pool_watch_.AwaitBusy(1);
  leaver.join();
  pool_watch_.AwaitBusy(0);
}

TEST_F(RestDoorTest, Analyze_SendsALineForEachDepthAndTheResultLast) {
  const Reply reply = client_->Post("/v1/analyze", R"({"limits":{"depth":3}})");
  EXPECT_EQ(reply.code, 200);
  EXPECT_EQ(reply.headers.at("content-type"), "application/x-ndjson");
  EXPECT_EQ(reply.headers.at("cache-control"), "no-store");
  ASSERT_TRUE(reply.body.ends_with('\n'));
  std::istringstream lines(reply.body);
  v1::AnalyzeResponse last;
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    EXPECT_FALSE(last.has_result());
    last = Parsed<v1::AnalyzeResponse>(line);
  }
  EXPECT_EQ(count, 3);
  EXPECT_EQ(last.result().depth(), 3);
}

TEST_F(RestDoorTest, Analyze_LinesComeWhileItSearches_HangUpStopsIt) {
  // The search has no end, so a line that comes has been sent at once.
  const Reply reply = client_->Post("/v1/analyze", kEndless, {},
                                    [](std::string_view) { return false; });
  EXPECT_EQ(reply.result, CURLE_WRITE_ERROR);
  EXPECT_THAT(reply.body, HasSubstr("\"depth\":1"));
  client_.reset();  // Closes the connection.
  pool_watch_.AwaitBusy(0);
}

TEST_F(RestDoorTest, Analyze_RefusedAtOnce_IsAPlainRefusal) {
  const Reply reply = client_->Post("/v1/analyze", R"({"multiPv":11})");
  EXPECT_EQ(ReasonOf(RefusalIn(reply, 400)), "FIELD_OUT_OF_RANGE");
}

TEST_F(RestDoorTest, Analyze_FaultAfterALine_IsTheLastLine) {
  std::thread closer;
  const Reply reply =
      client_->Post("/v1/analyze", kEndless, {}, [&](std::string_view) {
        // Takes the door down in the midst of the search.
        if (door_) closer = std::thread([door = std::move(door_)] {});
        return true;
      });
  closer.join();
  EXPECT_EQ(reply.result, CURLE_OK);
  const std::string last =
      reply.body.substr(reply.body.rfind('\n', reply.body.size() - 2) + 1);
  EXPECT_THAT(last, testing::StartsWith("{\"error\":{\"code\":1,"));
}

TEST_F(RestDoorTest, Calls_AreCountedUnderTheRestDoor) {
  client_->Get("/v1/rule-sets");
  client_->Post("/v1/game-status", "x");
  client_->Get("/nowhere");
  const std::string metrics = telemetry_.metrics().Exposition();
  EXPECT_THAT(metrics,
              HasSubstr("sittuyin_requests_total{code=\"OK\",door=\"rest\","
                        "method=\"ListRuleSets\"} 1\n"));
  EXPECT_THAT(metrics,
              HasSubstr("sittuyin_requests_total{code=\"INVALID_ARGUMENT\","
                        "door=\"rest\",method=\"GameStatus\"} 1\n"));
  EXPECT_THAT(
      metrics,
      HasSubstr("sittuyin_rejections_total{reason=\"MALFORMED_REQUEST\"} 2\n"));
}

TEST_F(RestDoorTest, OpenApi_IsServed) {
  const Reply reply = client_->Get("/openapi.json");
  EXPECT_EQ(reply.code, 200);
  EXPECT_EQ(reply.headers.at("content-type"), "application/json");
  EXPECT_THAT(reply.body, testing::StartsWith("{\"openapi\":\"3.1"));
  EXPECT_EQ(
      client_
          ->Get("/openapi.json", {"If-None-Match: " + reply.headers.at("etag")})
          .code,
      304);
}

}  // namespace
}  // namespace sittuyin::service
