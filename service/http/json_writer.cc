#include "service/http/json_writer.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/duration.pb.h>
#include <google/protobuf/util/json_util.h>
#include <google/protobuf/util/time_util.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <cstdint>

namespace sittuyin::service {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

class Writer {
 public:
  // False when `message` holds what is not written here.
  bool Write(const Message& message) {
    const Descriptor* type = message.GetDescriptor();
    if (type->well_known_type() != Descriptor::WELLKNOWNTYPE_UNSPECIFIED) {
      return WriteWellKnown(message);
    }
    json_.StartObject();
    for (int i = 0; i < type->field_count(); ++i) {
      if (!WriteField(message, type->field(i))) return false;
    }
    json_.EndObject();
    return true;
  }

  std::string Text() const {
    return std::string(buffer_.GetString(), buffer_.GetSize());
  }

 private:
  bool WriteWellKnown(const Message& message) {
    if (message.GetDescriptor() != google::protobuf::Duration::descriptor()) {
      return false;
    }
    String(google::protobuf::util::TimeUtil::ToString(
        static_cast<const google::protobuf::Duration&>(message)));
    return true;
  }

  bool WriteField(const Message& message, const FieldDescriptor* field) {
    const Reflection* reflection = message.GetReflection();
    if (field->is_map()) return false;
    if (field->is_repeated()) {
      String(field->json_name());
      json_.StartArray();
      const int size = reflection->FieldSize(message, field);
      for (int i = 0; i < size; ++i) {
        if (!WriteElement(message, field, i)) return false;
      }
      json_.EndArray();
      return true;
    }
    if (field->has_presence() && !reflection->HasField(message, field)) {
      return true;
    }
    String(field->json_name());
    return WriteValue(message, field);
  }

  bool WriteValue(const Message& message, const FieldDescriptor* field) {
    const Reflection* reflection = message.GetReflection();
    switch (field->cpp_type()) {
      case FieldDescriptor::CPPTYPE_MESSAGE:
        return Write(reflection->GetMessage(message, field));
      case FieldDescriptor::CPPTYPE_STRING: {
        std::string scratch;
        return Text(field,
                    reflection->GetStringReference(message, field, &scratch));
      }
      case FieldDescriptor::CPPTYPE_ENUM:
        return Enum(field, reflection->GetEnumValue(message, field));
      case FieldDescriptor::CPPTYPE_BOOL:
        return json_.Bool(reflection->GetBool(message, field));
      case FieldDescriptor::CPPTYPE_INT32:
        return json_.Int(reflection->GetInt32(message, field));
      case FieldDescriptor::CPPTYPE_UINT32:
        return json_.Uint(reflection->GetUInt32(message, field));
      case FieldDescriptor::CPPTYPE_UINT64:
        return String(std::to_string(reflection->GetUInt64(message, field)));
      default:
        return false;
    }
  }

  bool WriteElement(const Message& message, const FieldDescriptor* field,
                    int index) {
    const Reflection* reflection = message.GetReflection();
    switch (field->cpp_type()) {
      case FieldDescriptor::CPPTYPE_MESSAGE:
        return Write(reflection->GetRepeatedMessage(message, field, index));
      case FieldDescriptor::CPPTYPE_STRING: {
        std::string scratch;
        return Text(field, reflection->GetRepeatedStringReference(
                               message, field, index, &scratch));
      }
      case FieldDescriptor::CPPTYPE_ENUM:
        return Enum(field,
                    reflection->GetRepeatedEnumValue(message, field, index));
      default:
        return false;
    }
  }

  bool Text(const FieldDescriptor* field, const std::string& text) {
    return field->type() == FieldDescriptor::TYPE_STRING && String(text);
  }

  bool Enum(const FieldDescriptor* field, int number) {
    const auto* value = field->enum_type()->FindValueByNumber(number);
    return value == nullptr ? json_.Int(number) : String(value->name());
  }

  bool String(const std::string& text) {
    return json_.String(text.data(),
                        static_cast<rapidjson::SizeType>(text.size()));
  }

  rapidjson::StringBuffer buffer_;
  rapidjson::Writer<rapidjson::StringBuffer> json_{buffer_};
};

}  // namespace

std::string WriteJson(const Message& message) {
  Writer writer;
  if (writer.Write(message)) return writer.Text();
  google::protobuf::util::JsonPrintOptions options;
  options.always_print_primitive_fields = true;
  std::string text;
  // Fails only for a google.protobuf.Any of a type that is not linked in.
  const auto status =
      google::protobuf::util::MessageToJsonString(message, &text, options);
  return status.ok() ? text : std::string("{}");
}

}  // namespace sittuyin::service
