#include "service/http/json_fast_reader.h"

#include <google/protobuf/util/json_util.h>
#include <google/protobuf/util/message_differencer.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "sittuyin/v1/sittuyin.pb.h"

namespace sittuyin::service {
namespace {

using google::protobuf::util::JsonStringToMessage;
using google::protobuf::util::MessageDifferencer;

// What is read fast is what protobuf reads. True when it was read fast.
template <typename Request>
bool AgreesWithProtobuf(const std::string& json) {
  Request fast;
  if (!ReadPlainJson(json, fast)) return false;
  Request reference;
  const auto status = JsonStringToMessage(json, &reference);
  EXPECT_TRUE(status.ok()) << json << "\n" << status.ToString();
  EXPECT_TRUE(MessageDifferencer::Equals(fast, reference))
      << json << "\n"
      << fast.ShortDebugString() << "\n"
      << reference.ShortDebugString();
  return true;
}

TEST(JsonFastReaderTest, ReadPlainJson_PlainRequests_AreReadAsProtobufDoes) {
  for (const char* json :
       {R"({})", R"({"game":{}})", R"({"game":{"moves":[]}})",
        R"({"game":{"ruleSet":"RULE_SET_VCHESS","moves":["K@e1","K@e8"]},)"
        R"("move":"R@a1","includeLegalMoves":true})",
        R"( { "game" : { "rule_set" : "RULE_SET_PYCHESS",
             "initial_fen" : "8/8 w" } , "include_legal_moves" : false } )",
        R"({"move":"\u00e9\ud83d\ude00\n\u0000"})",
        // The last of two values counts, lists and messages grow.
        R"({"move":"a","move":"b"})",
        R"({"game":{"moves":["a"]},"game":{"moves":["b"]}})"}) {
    EXPECT_TRUE(AgreesWithProtobuf<v1::ValidateMoveRequest>(json)) << json;
  }
  EXPECT_TRUE(AgreesWithProtobuf<v1::BestMoveRequest>(
      R"({"limits":{"depth":4294967295,"nodes":18446744073709551615},)"
      R"("level":3,"seed":0})"));
  EXPECT_TRUE(AgreesWithProtobuf<v1::LegalMovesRequest>(
      R"({"drop":"PIECE_TYPE_HORSE","fromSquare":""})"));
}

TEST(JsonFastReaderTest, ReadPlainJson_AnythingElse_IsLeftToProtobuf) {
  for (const char* json : {"",
                           " ",
                           "[]",
                           "null",
                           "1",
                           "\"a\"",
                           "{",
                           "{} x",
                           "{'move':'a'}",
                           R"({"move":"a",})",
                           R"({move:"a"})",
                           R"({"move":null})",
                           R"({"move":1})",
                           R"({"move":["a"]})",
                           R"({"move":{}})",
                           R"({"nothing":1})",
                           R"({"game":{"nothing":1}})",
                           R"({"game":[]})",
                           R"({"game":{"moves":"a"}})",
                           R"({"game":{"moves":[["a"]]}})",
                           R"({"game":{"moves":[{}]}})",
                           R"({"game":{"moves":[1]}})",
                           R"({"game":{"ruleSet":1}})",
                           R"({"game":{"ruleSet":"NONE"}})",
                           R"({"includeLegalMoves":"true"})",
                           R"({"includeLegalMoves":1})",
                           "{\"move\":\"\xff\"}",
                           R"({"move":"\ud800"})"}) {
    v1::ValidateMoveRequest request;
    EXPECT_FALSE(ReadPlainJson(json, request)) << json;
  }
  for (const char* json :
       {R"({"limits":{"moveTime":"1s"}})", R"({"limits":{"moveTime":{}}})",
        R"({"limits":{"depth":-1}})", R"({"limits":{"depth":4294967296}})",
        R"({"limits":{"depth":-4294967296}})", R"({"limits":{"depth":1.0}})",
        R"({"limits":{"nodes":"5"}})"}) {
    v1::BestMoveRequest request;
    EXPECT_FALSE(ReadPlainJson(json, request)) << json;
  }
  const std::string deep(100'000, '[');
  v1::ValidateMoveRequest request;
  EXPECT_FALSE(ReadPlainJson(deep, request));
}

// Random edits of a request keep the two readers together.
TEST(JsonFastReaderTest, ReadPlainJson_NulAfterTheText_IsLeftToProtobuf) {
  v1::ValidateMoveRequest request;
  EXPECT_FALSE(ReadPlainJson(std::string("{}\0", 3), request));
  EXPECT_FALSE(ReadPlainJson(std::string("{}\0{", 4), request));
}

TEST(JsonFastReaderTest, ReadPlainJson_RandomEdits_NeverDisagreesWithProtobuf) {
  const std::string pieces[] = {"{",
                                "}",
                                "[",
                                "]",
                                ",",
                                ":",
                                "\"",
                                "\\",
                                "null",
                                "true",
                                "-1",
                                "1e3",
                                "\"game\":",
                                "\"moves\":",
                                "\"move\":",
                                "\"K@e1\"",
                                "\"rule_set\":",
                                "\"RULE_SET_YOUZAI\"",
                                "\xff",
                                " ",
                                "0"};
  std::mt19937 random(11);
  int read = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string json =
        R"({"game":{"ruleSet":"RULE_SET_VCHESS","moves":["K@e1","K@e8"]},)"
        R"("move":"R@a1","includeLegalMoves":true})";
    const auto edits = 1 + random() % 3;
    for (std::size_t n = 0; n < edits; ++n) {
      const std::size_t at = random() % (json.size() + 1);
      if (random() % 2 == 0) {
        json.insert(at, pieces[random() % std::size(pieces)]);
      } else {
        json.erase(at, random() % 4);
      }
    }
    read += AgreesWithProtobuf<v1::ValidateMoveRequest>(json);
  }
  EXPECT_GT(read, 1000);
}

}  // namespace
}  // namespace sittuyin::service
