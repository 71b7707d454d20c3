#include "service/http/json_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "google/rpc/error_details.pb.h"
#include "service/errors/errors.h"
#include "sittuyin/v1/sittuyin.pb.h"

namespace sittuyin::service {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

// The field that `json` is refused for as a `Request`; empty when none is
// named.
template <typename Request>
std::string RefusedField(const std::string& json) {
  Request request;
  const google::rpc::Status status = ReadJson(json, request);
  EXPECT_EQ(status.code(), 3) << json;
  EXPECT_EQ(ReasonOf(status), "MALFORMED_REQUEST") << json;
  google::rpc::BadRequest bad;
  for (const auto& detail : status.details()) {
    if (detail.UnpackTo(&bad)) return bad.field_violations(0).field();
  }
  return {};
}

TEST(JsonReaderTest, ReadJson_NothingAtAll_IsTheEmptyMessage) {
  v1::ValidateMoveRequest request;
  EXPECT_EQ(ReadJson("", request).code(), 0);
  EXPECT_EQ(request.ByteSizeLong(), 0);
}

TEST(JsonReaderTest, ReadJson_WhatProtobufAloneReads_IsRead) {
  v1::BestMoveRequest request;
  EXPECT_EQ(ReadJson(R"({"limits":{"moveTime":"1.5s","nodes":"7"},level:2,})",
                     request)
                .code(),
            0);
  EXPECT_EQ(request.limits().move_time().nanos(), 500'000'000);
  EXPECT_EQ(request.limits().nodes(), 7);
  EXPECT_EQ(request.level(), 2);
}

TEST(JsonReaderTest, ReadJson_FastReaderGaveUpHalfway_StartsAgain) {
  v1::ValidateMoveRequest request;
  EXPECT_EQ(
      ReadJson(R"({"game":{"moves":["a","b"],"initialFen":null}})", request)
          .code(),
      0);
  EXPECT_EQ(request.game().moves_size(), 2);
}

TEST(JsonReaderTest, ReadJson_Refused_NamesTheField) {
  using Request = v1::ValidateMoveRequest;
  EXPECT_EQ(RefusedField<Request>(R"({"gam":1})"), "gam");
  EXPECT_EQ(RefusedField<Request>(R"({"game":{"fen":1}})"), "game.fen");
  EXPECT_EQ(RefusedField<Request>(R"({"game":{"ruleSet":"X"}})"),
            "game.rule_set");
  EXPECT_EQ(RefusedField<Request>(R"({"game":{"moves":["a",1]}})"),
            "game.moves[1]");
  EXPECT_EQ(RefusedField<Request>(R"({"includeLegalMoves":"x"})"),
            "include_legal_moves");
  EXPECT_EQ(RefusedField<Request>(R"({"move.x":1})"), "move.x");
  EXPECT_EQ(RefusedField<Request>(R"({"move":1})"), "move");
  EXPECT_EQ(RefusedField<Request>(R"({"move":{"a: b":1}})"), "move");
  EXPECT_EQ(RefusedField<Request>(R"({"game":{"ruleSet":{"x":1}}})"),
            "game.rule_set");
  EXPECT_EQ(RefusedField<Request>(R"({"game":{"moves":{"x":1}}})"),
            "game.moves");
  EXPECT_EQ(RefusedField<Request>(R"({"game":{"moves":[{"x":1}]}})"),
            "game.moves");
  EXPECT_EQ(
      RefusedField<v1::BestMoveRequest>(R"({"limits":{"moveTime":"soon"}})"),
      "limits.move_time");
}

// The whole refusal of `json` as a BestMoveRequest.
std::string Message(const std::string& json) {
  v1::BestMoveRequest request;
  return ReadJson(json, request).message();
}

TEST(JsonReaderTest, ReadJson_Refused_SaysOnceWhereAndWhatToSend) {
  EXPECT_EQ(Message(R"({"limits":{"depth":"abc"}})"),
            "limits.depth: want a whole number from 0 to 4294967295.");
  EXPECT_EQ(Message(R"({"seed":-1})"),
            "seed: want a whole number from 0 to 18446744073709551615.");
  EXPECT_EQ(Message(R"({"game":{"moves":["K@e1",1]}})"),
            "game.moves[1]: want text.");
  EXPECT_EQ(Message(R"({"game":[]})"), "game: want an object.");
  EXPECT_EQ(Message(R"({"game":1})"), "game: want an object.");
  EXPECT_EQ(Message(R"({"limits":{"moveTime":[]}})"),
            "limits.moveTime: want seconds as text, like \"1.5s\", with at "
            "most 9 decimals.");
  EXPECT_EQ(Message(R"({"gam":1})"),
            "gam: there is no such field; the fields here are: game, limits, "
            "level, multiPv, seed.");
  EXPECT_EQ(Message(R"({"limits":{"a: b":1}})"),
            "limits.a: b: there is no such field; the fields here are: "
            "moveTime, depth, nodes.");
  EXPECT_THAT(Message(R"({"game":{"ruleSet":"X"}})"),
              StartsWith("game.rule_set: want one of RULE_SET_UNSPECIFIED, "
                         "RULE_SET_YOUZAI, "));
  EXPECT_EQ(Message("[]"),
            "The body is not the JSON of the request: Root element must be a "
            "message.");
  EXPECT_EQ(Message("x"),
            "The body is not the JSON of the request: Unexpected token.");
  for (const char* colon_missing :
       {"{game", R"({"game")", R"({"game" {}})", R"({"game";1})"}) {
    EXPECT_THAT(Message(colon_missing),
                AllOf(StartsWith("The body is not the JSON of the request: "),
                      HasSubstr("Expected :")));
    EXPECT_EQ(RefusedField<v1::BestMoveRequest>(colon_missing), "");
  }
}

TEST(JsonReaderTest, ReadJson_NoDuration_SaysHowToWriteOne) {
  for (const char* duration :
       {R"("abc")", R"("5")", "5", R"("")", R"("1.0123456789s")",
        R"("999999999999999s")", R"("1e3s")"}) {
    EXPECT_EQ(
        Message("{\"limits\":{\"moveTime\":" + std::string(duration) + "}}"),
        "limits.move_time: want seconds as text, like \"1.5s\", with at "
        "most 9 decimals.")
        << duration;
  }
}

TEST(JsonReaderTest, ReadJson_NoJson_IsRefusedWithoutAField) {
  for (const char* json : {"x", "{", "[]", "null", " ", "{}{}", "\xff"}) {
    EXPECT_EQ(RefusedField<v1::GameStatusRequest>(json), "") << json;
  }
}

TEST(JsonReaderTest, ReadJson_LongUnknownName_IsQuotedInPart) {
  v1::ValidateMoveRequest request;
  const std::string name(50'000, 'x');
  const auto status = ReadJson("{\"" + name + "\":1}", request);
  EXPECT_EQ(status.code(), 3);
  EXPECT_LT(status.ByteSizeLong(), 2'000);
  EXPECT_THAT(status.message(), HasSubstr("xxx"));
}

TEST(JsonReaderTest, ReadJson_MoreValuesThanAnyRequest_IsRefused) {
  std::string moves = R"({"game":{"moves":[1)";
  for (int i = 1; i < 5000; ++i) moves += ",1";
  EXPECT_EQ(Message(moves + "]}}"),
            "The body holds more than 4096 values or names, which no request "
            "does.");
  // What the service itself is to refuse is read, with a duration too.
  moves = R"({"limits":{"moveTime":"1s"},"game":{"moves":["a")";
  for (int i = 1; i < 2049; ++i) moves += R"(,"a")";
  v1::BestMoveRequest request;
  EXPECT_EQ(ReadJson(moves + "]}}", request).code(), 0);
  EXPECT_EQ(request.game().moves_size(), 2049);
}

TEST(JsonReaderTest, ReadJson_DeepNesting_IsRefused) {
  EXPECT_EQ(RefusedField<v1::GameStatusRequest>(std::string(60'000, '[')), "");
  std::string objects;
  for (int i = 0; i < 10'000; ++i) objects += "{\"a\":";
  EXPECT_EQ(RefusedField<v1::GameStatusRequest>(objects), "");
}

}  // namespace
}  // namespace sittuyin::service
