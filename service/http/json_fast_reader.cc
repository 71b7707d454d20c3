#include "service/http/json_fast_reader.h"

#include <google/protobuf/descriptor.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

namespace sittuyin::service {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

// Deeper than any request of the contract.
constexpr std::size_t kDepth = 8;

// Takes the events of rapidjson's reader; each returns false to give up.
class Filler {
 public:
  explicit Filler(Message& root) : root_(root) {}

  bool StartObject() {
    Message* message = depth_ == 0 ? &root_ : Submessage();
    if (message == nullptr || depth_ == kDepth) return false;
    open_[depth_++] = {message, nullptr, false};
    return true;
  }

  bool Key(const char* text, rapidjson::SizeType size, bool) {
    const std::string name(text, size);
    const Descriptor* type = Top().message->GetDescriptor();
    const FieldDescriptor* field = type->FindFieldByCamelcaseName(name);
    if (field == nullptr) field = type->FindFieldByName(name);
    Top().field = field;
    return field != nullptr && !field->is_map();
  }

  bool EndObject(rapidjson::SizeType) {
    --depth_;
    return true;
  }

  bool StartArray() {
    if (depth_ == 0 || Top().in_array || !Top().field->is_repeated()) {
      return false;
    }
    Top().in_array = true;
    return true;
  }

  bool EndArray(rapidjson::SizeType) {
    Top().in_array = false;
    return true;
  }

  bool String(const char* text, rapidjson::SizeType size, bool) {
    if (!Expects()) return false;
    Message* message = Top().message;
    const FieldDescriptor* field = Top().field;
    if (field->type() == FieldDescriptor::TYPE_STRING) {
      if (field->is_repeated()) {
        message->GetReflection()->AddString(message, field,
                                            std::string(text, size));
      } else {
        message->GetReflection()->SetString(message, field,
                                            std::string(text, size));
      }
      return true;
    }
    if (field->type() != FieldDescriptor::TYPE_ENUM || field->is_repeated()) {
      return false;
    }
    const auto* value =
        field->enum_type()->FindValueByName(std::string(text, size));
    if (value == nullptr) return false;
    message->GetReflection()->SetEnum(message, field, value);
    return true;
  }

  bool Bool(bool value) {
    if (!Expects(FieldDescriptor::CPPTYPE_BOOL)) return false;
    Message* message = Top().message;
    message->GetReflection()->SetBool(message, Top().field, value);
    return true;
  }

  // Every whole number from 0 up arrives here or at Uint64.
  bool Uint(unsigned value) { return Uint64(value); }

  bool Uint64(std::uint64_t value) {
    if (Expects(FieldDescriptor::CPPTYPE_UINT64)) {
      Message* message = Top().message;
      message->GetReflection()->SetUInt64(message, Top().field, value);
      return true;
    }
    if (!Expects(FieldDescriptor::CPPTYPE_UINT32) ||
        value > std::numeric_limits<std::uint32_t>::max()) {
      return false;
    }
    Message* message = Top().message;
    message->GetReflection()->SetUInt32(message, Top().field,
                                        static_cast<std::uint32_t>(value));
    return true;
  }

  bool Null() { return false; }
  bool Int(int) { return false; }
  bool Int64(std::int64_t) { return false; }
  bool Double(double) { return false; }
  bool RawNumber(const char*, rapidjson::SizeType, bool) { return false; }

 private:
  struct Frame {
    Message* message;
    const FieldDescriptor* field;  // Of the last key.
    bool in_array;
  };

  Frame& Top() { return open_[depth_ - 1]; }

  // A value fits here: an element in a list, no list elsewhere.
  bool Expects() {
    return depth_ > 0 && Top().in_array == Top().field->is_repeated();
  }

  // A value of `type` that is no element of a list fits here.
  bool Expects(FieldDescriptor::CppType type) {
    return Expects() && !Top().in_array && Top().field->cpp_type() == type;
  }

  // The message that an object fills here; null when none does.
  Message* Submessage() {
    if (!Expects() ||
        Top().field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE ||
        Top().field->message_type()->well_known_type() !=
            Descriptor::WELLKNOWNTYPE_UNSPECIFIED) {
      return nullptr;
    }
    Message* message = Top().message;
    return Top().in_array
               ? message->GetReflection()->AddMessage(message, Top().field)
               : message->GetReflection()->MutableMessage(message, Top().field);
  }

  Message& root_;
  std::array<Frame, kDepth> open_;
  std::size_t depth_ = 0;
};

}  // namespace

bool ReadPlainJson(std::string_view json, Message& message) {
  rapidjson::MemoryStream bytes(json.data(), json.size());
  rapidjson::Reader reader;
  Filler filler(message);
  // To rapidjson a NUL ends the text.
  return !reader.Parse<rapidjson::kParseValidateEncodingFlag>(bytes, filler)
              .IsError() &&
         bytes.Tell() == json.size();
}

}  // namespace sittuyin::service
