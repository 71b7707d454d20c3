#include "service/http/json_writer.h"

#include <google/protobuf/struct.pb.h>
#include <google/protobuf/util/json_util.h>
#include <google/protobuf/util/message_differencer.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"
#include "sittuyin/v1/sittuyin.pb.h"

namespace sittuyin::service {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

google::protobuf::Struct Parsed(const std::string& json) {
  google::protobuf::Struct object;
  EXPECT_TRUE(google::protobuf::util::JsonStringToMessage(json, &object).ok())
      << json;
  return object;
}

// What is written is what protobuf's own printer writes, but for the order of
// the fields.
void ExpectAsProtobuf(const Message& message) {
  google::protobuf::util::JsonPrintOptions options;
  options.always_print_primitive_fields = true;
  std::string reference;
  EXPECT_TRUE(
      google::protobuf::util::MessageToJsonString(message, &reference, options)
          .ok());
  const std::string text = WriteJson(message);
  EXPECT_EQ(text.size(), reference.size());
  EXPECT_TRUE(google::protobuf::util::MessageDifferencer::Equals(
      Parsed(text), Parsed(reference)))
      << text << "\n"
      << reference;
}

// Sets every field of `message`, two elements in each list.
void Fill(Message& message) {
  const auto* reflection = message.GetReflection();
  for (int i = 0; i < message.GetDescriptor()->field_count(); ++i) {
    const FieldDescriptor* field = message.GetDescriptor()->field(i);
    for (int n = 0; n < (field->is_repeated() ? 2 : 1); ++n) {
      const bool add = field->is_repeated();
      switch (field->cpp_type()) {
        case FieldDescriptor::CPPTYPE_MESSAGE:
          Fill(*(add ? reflection->AddMessage(&message, field)
                     : reflection->MutableMessage(&message, field)));
          break;
        case FieldDescriptor::CPPTYPE_STRING: {
          const std::string text = "a\"\\/\n\x01\xC3\xA9";
          add ? reflection->AddString(&message, field, text)
              : reflection->SetString(&message, field, text);
          break;
        }
        case FieldDescriptor::CPPTYPE_ENUM:
          add ? reflection->AddEnumValue(&message, field, n + 1)
              : reflection->SetEnumValue(&message, field, 1);
          break;
        case FieldDescriptor::CPPTYPE_BOOL:
          reflection->SetBool(&message, field, true);
          break;
        case FieldDescriptor::CPPTYPE_UINT32:
          reflection->SetUInt32(&message, field, 4294967295u);
          break;
        case FieldDescriptor::CPPTYPE_UINT64:
          reflection->SetUInt64(&message, field, 18446744073709551615u);
          break;
        case FieldDescriptor::CPPTYPE_INT32:
          reflection->SetInt32(&message, field, 123456789);
          break;
        case FieldDescriptor::CPPTYPE_INT64:
          reflection->SetInt64(&message, field, 1);
          break;
        default:
          FAIL() << field->full_name() << " is of a kind not foreseen here";
      }
    }
  }
}

TEST(JsonWriterTest, WriteJson_EveryAnswerEmptyAndFull_IsAsProtobufWritesIt) {
  const auto* service = v1::Game::descriptor()->file()->service(0);
  for (int i = 0; i < service->method_count(); ++i) {
    const Descriptor* type = service->method(i)->output_type();
    const std::unique_ptr<Message> message(
        google::protobuf::MessageFactory::generated_factory()
            ->GetPrototype(type)
            ->New());
    ExpectAsProtobuf(*message);
    Fill(*message);
    ExpectAsProtobuf(*message);
  }
}

TEST(JsonWriterTest, WriteJson_Defaults_ArePrintedAndPresencelessStayAbsent) {
  v1::ValidateMoveResponse response;
  EXPECT_EQ(WriteJson(response), R"({"legal":false,"fen":"","legalMoves":[]})");
}

TEST(JsonWriterTest, WriteJson_Oneof_PrintsTheMemberThatIsSet) {
  v1::Score score;
  EXPECT_EQ(WriteJson(score), "{}");
  score.set_mate_in_moves(0);
  EXPECT_EQ(WriteJson(score), R"({"mateInMoves":0})");
  score.set_centipawns(-25);
  EXPECT_EQ(WriteJson(score), R"({"centipawns":-25})");
}

TEST(JsonWriterTest, WriteJson_Durations_AreAsProtobufWritesThem) {
  for (const auto& [seconds, nanos] :
       {std::pair(0, 0), {1, 0}, {1, 500000000}, {0, 1000}, {0, 1}, {-3, -7}}) {
    v1::SearchLimits limits;
    limits.mutable_move_time()->set_seconds(seconds);
    limits.mutable_move_time()->set_nanos(nanos);
    ExpectAsProtobuf(limits);
  }
}

TEST(JsonWriterTest, WriteJson_EnumNumberWithoutName_IsTheNumber) {
  v1::Game game;
  game.set_rule_set(static_cast<v1::RuleSet>(99));
  ExpectAsProtobuf(game);
}

TEST(JsonWriterTest, WriteJson_Refusal_HasItsDetailsByType) {
  google::rpc::ErrorInfo info;
  info.set_reason("DRAINING");
  (*info.mutable_metadata())["key"] = "value";
  google::rpc::Status status;
  status.set_code(14);
  status.add_details()->PackFrom(info);
  EXPECT_EQ(WriteJson(status),
            R"({"code":14,"message":"","details":[{"@type":)"
            R"("type.googleapis.com/google.rpc.ErrorInfo",)"
            R"("reason":"DRAINING","domain":"","metadata":{"key":"value"}}]})");
}

}  // namespace
}  // namespace sittuyin::service
