#include "service/http/json_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "google/rpc/error_details.pb.h"
#include "service/errors/errors.h"
#include "sittuyin/v1/sittuyin.pb.h"

namespace sittuyin::service {
namespace {

using testing::HasSubstr;

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
  EXPECT_EQ(RefusedField<Request>(R"({"move":1})"), "move");
  EXPECT_EQ(
      RefusedField<v1::BestMoveRequest>(R"({"limits":{"moveTime":"soon"}})"),
      "limits.move_time");
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

TEST(JsonReaderTest, ReadJson_DeepNesting_IsRefused) {
  EXPECT_EQ(RefusedField<v1::GameStatusRequest>(std::string(60'000, '[')), "");
  std::string objects;
  for (int i = 0; i < 10'000; ++i) objects += "{\"a\":";
  EXPECT_EQ(RefusedField<v1::GameStatusRequest>(objects), "");
}

}  // namespace
}  // namespace sittuyin::service
