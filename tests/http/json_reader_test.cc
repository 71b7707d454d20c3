#include "service/http/json_reader.h"

#include <gmock/gmock.h>
#include <google/protobuf/util/json_util.h>
#include <google/protobuf/util/message_differencer.h>
#include <gtest/gtest.h>

#include <initializer_list>
#include <iterator>
#include <random>
#include <string>
#include <utility>

#include "sittuyin/v1/sittuyin.pb.h"
#include "tests/testing/refusal.h"

namespace sittuyin::service {
namespace {

using google::protobuf::util::JsonStringToMessage;
using google::protobuf::util::MessageDifferencer;
using testing::HasSubstr;
using testing::StartsWith;

// What is read is what protobuf reads. True when it was read.
template <typename Request>
bool AgreesWithProtobuf(const std::string& json) {
  Request request;
  if (ReadJson(json, request).code() != 0) return false;
  Request reference;
  const auto status = JsonStringToMessage(json, &reference);
  EXPECT_TRUE(status.ok()) << json << "\n" << status.ToString();
  EXPECT_TRUE(MessageDifferencer::Equals(request, reference))
      << json << "\n"
      << request.ShortDebugString() << "\n"
      << reference.ShortDebugString();
  return true;
}

// The field that `json` is refused for as a `Request`; empty when none is
// named.
template <typename Request>
std::string RefusedField(const std::string& json) {
  Request request;
  const google::rpc::Status status = ReadJson(json, request);
  EXPECT_EQ(status.code(), 3) << json;
  EXPECT_THAT(status, RefusedAs("MALFORMED_REQUEST")) << json;
  const auto fields = FieldsOf(status);
  return fields.empty() ? "" : fields.front();
}

// The whole refusal of `json` as a BestMoveRequest.
std::string Message(const std::string& json) {
  v1::BestMoveRequest request;
  return ReadJson(json, request).message();
}

TEST(JsonReaderTest, ReadJson_Requests_AreReadAsProtobufDoes) {
  for (const char* json :
       {R"({})", R"({"game":{}})", R"({"game":{"moves":[]}})",
        R"({"game":{"ruleSet":"RULE_SET_VCHESS","moves":["K@e1","K@e8"]},)"
        R"("move":"R@a1","includeLegalMoves":true})",
        R"( { "game" : { "rule_set" : "RULE_SET_PYCHESS",
             "initial_fen" : "8/8 w" } , "include_legal_moves" : false } )",
        R"({"move":"\u00e9\ud83d\ude00\n\u0000"})",
        // An enum's value by number; null is the default.
        R"({"game":{"ruleSet":2}})", R"({"game":{"ruleSet":9}})",
        R"({"game":{"ruleSet":-1}})",
        R"({"game":null,"move":null,"includeLegalMoves":null})",
        R"({"game":{"ruleSet":null,"initialFen":null,"moves":null}})"}) {
    EXPECT_TRUE(AgreesWithProtobuf<v1::ValidateMoveRequest>(json)) << json;
  }
  for (const char* json :
       {R"({"limits":{"depth":4294967295,"nodes":18446744073709551615},)"
        R"("level":3,"seed":0})",
        // Numbers as text, and whole ones that look otherwise.
        R"({"limits":{"depth":"4294967295","nodes":"18446744073709551615"}})",
        R"({"limits":{"depth":1e1,"nodes":2.0},"level":-0,"seed":0.5e1})",
        R"({"limits":{"depth":0e55,"nodes":9007199254740991.0}})",
        R"({"limits":null})", R"({"limits":{"moveTime":null}})",
        R"({"limits":{"moveTime":"1.5s"}})", R"({"limits":{"moveTime":"-1s"}})",
        R"({"limits":{"moveTime":"315576000000.999999999s"}})"}) {
    EXPECT_TRUE(AgreesWithProtobuf<v1::BestMoveRequest>(json)) << json;
  }
  EXPECT_TRUE(AgreesWithProtobuf<v1::LegalMovesRequest>(
      R"({"drop":"PIECE_TYPE_HORSE","fromSquare":""})"));
}

// Random edits of a request.
TEST(JsonReaderTest, ReadJson_RandomEdits_NeverDisagreesWithProtobuf) {
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
                                "0.5",
                                "\"1.5s\"",
                                "\"game\":",
                                "\"moves\":",
                                "\"level\":",
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
        R"("limits":{"moveTime":"1.25s","nodes":"70"},"level":10})";
    const auto edits = 1 + random() % 3;
    for (std::size_t n = 0; n < edits; ++n) {
      const std::size_t at = random() % (json.size() + 1);
      if (random() % 2 == 0) {
        json.insert(at, pieces[random() % std::size(pieces)]);
      } else {
        json.erase(at, random() % 4);
      }
    }
    read += AgreesWithProtobuf<v1::BestMoveRequest>(json);
  }
  EXPECT_GT(read, 1000);
}

TEST(JsonReaderTest, ReadJson_Refused_NamesTheFieldAsTheProtoDoes) {
  using Request = v1::ValidateMoveRequest;
  EXPECT_EQ(RefusedField<Request>(R"({"gam":1})"), "gam");
  EXPECT_EQ(RefusedField<Request>(R"({"game":{"fen":1}})"), "game.fen");
  EXPECT_EQ(RefusedField<Request>(R"({"game":{"ruleSet":"X"}})"),
            "game.rule_set");
  EXPECT_EQ(RefusedField<Request>(R"({"game":{"ruleSet":[]}})"),
            "game.rule_set");
  EXPECT_EQ(RefusedField<Request>(R"({"game":{"moves":["a",1]}})"),
            "game.moves[1]");
  EXPECT_EQ(RefusedField<Request>(R"({"includeLegalMoves":1})"),
            "include_legal_moves");
  EXPECT_EQ(RefusedField<Request>(R"({"move.x":1})"), "move.x");
  EXPECT_EQ(RefusedField<Request>(R"({"move":1})"), "move");
  EXPECT_EQ(RefusedField<Request>(R"({"move":{"a: b":1}})"), "move");
  EXPECT_EQ(RefusedField<Request>(R"({"game":{"ruleSet":{"x":1}}})"),
            "game.rule_set");
  EXPECT_EQ(RefusedField<Request>(R"({"game":{"moves":{"x":1}}})"),
            "game.moves");
  EXPECT_EQ(RefusedField<Request>(R"({"game":{"moves":[{"x":1}]}})"),
            "game.moves[0]");
  EXPECT_EQ(
      RefusedField<v1::BestMoveRequest>(R"({"limits":{"moveTime":"soon"}})"),
      "limits.move_time");
}

TEST(JsonReaderTest, ReadJson_NullInAnArray_IsNotLeftOut) {
  EXPECT_EQ(Message(R"({"game":{"moves":["K@e1",null,"K@e8"]}})"),
            "game.moves[1]: want text.");
  EXPECT_EQ(Message(R"({"game":{"moves":[null]}})"),
            "game.moves[0]: want text.");
}

TEST(JsonReaderTest, ReadJson_NameGivenTwice_IsRefusedInEitherSpelling) {
  using Request = v1::ValidateMoveRequest;
  EXPECT_EQ(Message(R"({"level":1,"level":1})"),
            "level: given twice, want it once.");
  for (const auto& [json, field] :
       std::initializer_list<std::pair<std::string, std::string>>{
           {R"({"game":{},"game":{}})", "game"},
           {R"({"move":"a","game":{},"move":"a"})", "move"},
           {R"({"move":null,"move":"a"})", "move"},
           {R"({"game":{"moves":["a"],"moves":["b"]}})", "game.moves"},
           {R"({"game":{"rule_set":1,"ruleSet":1}})", "game.rule_set"},
           {R"({"m\u006fve":"a","move":"a"})", "move"}}) {
    EXPECT_EQ(RefusedField<Request>(json), field) << json;
  }
}

TEST(JsonReaderTest, ReadJson_WrongType_IsNotConverted) {
  EXPECT_EQ(Message(R"({"game":{"moves":"K@e2"}})"),
            "game.moves: want an array of text.");
  EXPECT_EQ(Message(R"({"game":{"moves":[["K@e2"]]}})"),
            "game.moves[0]: want text.");
  EXPECT_EQ(Message(R"({"game":["K@e2"]})"), "game: want an object.");
  EXPECT_EQ(Message(R"({"limits":[{}]})"), "limits: want an object.");
  using Request = v1::GameStatusRequest;
  for (const char* value : {R"("yes")", R"("true")", "1", "[true]", "{}"}) {
    Request request;
    EXPECT_THAT(
        ReadJson(std::string(R"({"includeLegalMoves":)") + value + "}", request)
            .message(),
        "include_legal_moves: want true or false.");
  }
  for (const char* value :
       {R"("1")", R"("rule_set_vchess")", R"("RULE-SET-VCHESS")", R"("")",
        "true", "1.5", "2147483648", "-2147483649", R"(["RULE_SET_VCHESS"])"}) {
    EXPECT_EQ(RefusedField<Request>(std::string(R"({"game":{"ruleSet":)") +
                                    value + "}}"),
              "game.rule_set")
        << value;
  }
  for (const char* value : {"-1", "1.5", "4294967296", "1e10", "true", "[1]",
                            R"("")", R"(" 1")", R"("1.0")", R"("+1")"}) {
    EXPECT_EQ(RefusedField<v1::BestMoveRequest>(std::string(R"({"level":)") +
                                                value + "}"),
              "level")
        << value;
  }
}

TEST(JsonReaderTest, ReadJson_DecimalThatMayBeRounded_IsRefused) {
  for (const char* seed : {"9007199254740992.0", "9007199254740993.0",
                           "1.8014398509481985e16", "18446744073709551615.0"}) {
    EXPECT_EQ(RefusedField<v1::BestMoveRequest>(std::string(R"({"seed":)") +
                                                seed + "}"),
              "seed")
        << seed;
  }
}

TEST(JsonReaderTest, ReadJson_HalfASurrogatePair_IsRefused) {
  for (const char* half : {R"(\udc00)", R"(\\\uddaf)"}) {
    EXPECT_EQ(RefusedField<v1::ValidateMoveRequest>(
                  std::string(R"({"move":")") + half + R"("})"),
              "move");
  }
}

TEST(JsonReaderTest, ReadJson_Refused_SaysOnceWhereAndWhatToSend) {
  for (const char* depth : {R"("abc")", "-1", "4294967296"}) {
    EXPECT_EQ(Message(std::string(R"({"limits":{"depth":)") + depth + "}}"),
              "limits.depth: want a whole number, 1 to 64, or 0 for no limit.");
  }
  EXPECT_EQ(Message(R"({"level":-1})"),
            "level: want a whole number, 1 to 10, or 0 for full strength.");
  EXPECT_EQ(Message(R"({"multiPv":-1})"),
            "multi_pv: want a whole number, 1 to 10, or 0 for one line.");
  for (const char* seed : {"-1", "18446744073709551616", "-9999999999",
                           "9007199254740992.0", "1e16"}) {
    EXPECT_EQ(Message(std::string(R"({"seed":)") + seed + "}"),
              "seed: want a whole number from 0 to 18446744073709551615, in "
              "digits alone from 9007199254740992 on.");
  }
  EXPECT_EQ(Message(R"({"game":1})"), "game: want an object.");
  EXPECT_EQ(Message(R"({"gam":1})"),
            "gam: there is no such field; the fields here are: game, limits, "
            "level, multiPv, seed.");
  EXPECT_EQ(Message(R"({"limits":{"a: b":1}})"),
            "limits.a: b: there is no such field; the fields here are: "
            "moveTime, depth, nodes.");
  EXPECT_THAT(Message(R"({"game":{"ruleSet":"X"}})"),
              StartsWith("game.rule_set: want one of RULE_SET_UNSPECIFIED, "
                         "RULE_SET_YOUZAI, "));
}

TEST(JsonReaderTest, ReadJson_NoDuration_SaysHowToWriteOne) {
  for (const char* duration :
       {R"("abc")", R"("5")", "5", R"("")", R"("1.0123456789s")",
        R"("999999999999s")", R"("1e3s")", R"("\"s")", R"(" 1s")", "[]", "{}",
        R"({"seconds":1})"}) {
    EXPECT_EQ(
        Message("{\"limits\":{\"moveTime\":" + std::string(duration) + "}}"),
        "limits.move_time: want seconds as text, like \"1.5s\", at most "
        "315576000000 with at most 9 decimals.")
        << duration;
  }
}

TEST(JsonReaderTest, ReadJson_NoObject_SaysWhatToSend) {
  for (const char* body :
       {"", "x", "[]", "null", " ", "1", "\"{}\"", "move=R@a7", "\xff",
        "\x1f\x8b", "[{}]", "\xef\xbb\xbf{}"}) {
    EXPECT_EQ(Message(body),
              "The body is no JSON object: send {...} with the fields of "
              "BestMoveRequest.")
        << body;
  }
}

TEST(JsonReaderTest, ReadJson_NoJson_SaysFromWhere) {
  EXPECT_EQ(Message(R"({"game")"),
            "The body is no JSON from byte 7 on: Missing a colon after a name "
            "of object member.");
  for (const std::string& body :
       {std::string("{"), std::string("{}{}"), std::string("{} x"),
        std::string("{}\0", 3), std::string("{}\0{", 4),
        std::string("{'game':{}}"), std::string("{game:{}}"),
        std::string(R"({"level":1,})"), std::string(R"({"seed":01})"),
        std::string(R"({"game":{"moves":["a",]}})"),
        std::string(R"({"level":1}//)"), std::string(R"({"level":NaN})"),
        std::string("{\"game\":{\"initialFen\":\"\xff\"}}"),
        std::string("{\"game\":{\"initialFen\":\"\n\"}}"),
        std::string(R"({"game":{"initialFen":"\ud800"}})")}) {
    EXPECT_THAT(Message(body), StartsWith("The body is no JSON from byte "))
        << body;
    EXPECT_EQ(RefusedField<v1::BestMoveRequest>(body), "");
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
  for (int i = 0; i < 10'000; ++i) objects += "{\"game\":";
  EXPECT_EQ(RefusedField<v1::GameStatusRequest>(objects), "game.game");
  EXPECT_EQ(RefusedField<v1::GameStatusRequest>("{\"game\":{\"moves\":" +
                                                std::string(60'000, '[')),
            "game.moves[0]");
}

}  // namespace
}  // namespace sittuyin::service
