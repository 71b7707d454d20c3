#include "service/http/field_value.h"

#include <google/protobuf/stubs/common.h>
#include <google/protobuf/util/json_util.h>

#include <charconv>
#include <utility>

namespace sittuyin::service {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

bool SetEnum(const FieldPlace& at, const std::string& name) {
  const auto* value = at.field->enum_type()->FindValueByName(name);
  if (value == nullptr) return false;
  at.message->GetReflection()->SetEnum(at.message, at.field, value);
  return true;
}

bool SetDuration(const FieldPlace& at, const std::string& text) {
  if (at.field->message_type()->well_known_type() !=
          Descriptor::WELLKNOWNTYPE_DURATION ||
      text.find_first_not_of("-.0123456789s") != text.npos) {
    return false;
  }
  Message* duration =
      at.message->GetReflection()->MutableMessage(at.message, at.field);
  return google::protobuf::util::JsonStringToMessage('"' + text + '"', duration)
      .ok();
}

template <typename Number>
bool SetWhole(const FieldPlace& at, Number value) {
  const Reflection* reflection = at.message->GetReflection();
  if (at.field->is_repeated()) return false;
  switch (at.field->cpp_type()) {
    case FieldDescriptor::CPPTYPE_UINT64:
      if (!std::in_range<std::uint64_t>(value)) return false;
      reflection->SetUInt64(at.message, at.field,
                            static_cast<std::uint64_t>(value));
      return true;
    case FieldDescriptor::CPPTYPE_UINT32:
      if (!std::in_range<std::uint32_t>(value)) return false;
      reflection->SetUInt32(at.message, at.field,
                            static_cast<std::uint32_t>(value));
      return true;
    case FieldDescriptor::CPPTYPE_ENUM:
      if (!std::in_range<int>(value)) return false;
      reflection->SetEnumValue(at.message, at.field, static_cast<int>(value));
      return true;
    default:
      return false;
  }
}

template <typename Number>
bool SetParsed(const FieldPlace& at, const std::string& text) {
  Number value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && rest == end && SetWhole(at, value);
}

}  // namespace

const FieldDescriptor* FieldNamed(const Descriptor& type,
                                  const std::string& name) {
  const FieldDescriptor* field = type.FindFieldByCamelcaseName(name);
  return field != nullptr ? field : type.FindFieldByName(name);
}

bool SetText(const FieldPlace& at, std::string text) {
  const Reflection* reflection = at.message->GetReflection();
  if (at.field->type() == FieldDescriptor::TYPE_STRING) {
    // rapidjson takes half a surrogate pair, \udc00, and a query is any bytes.
    if (!google::protobuf::internal::IsStructurallyValidUTF8(text))
      return false;
    if (at.field->is_repeated()) {
      reflection->AddString(at.message, at.field, std::move(text));
    } else {
      reflection->SetString(at.message, at.field, std::move(text));
    }
    return true;
  }
  if (at.field->is_repeated()) return false;
  switch (at.field->cpp_type()) {
    case FieldDescriptor::CPPTYPE_ENUM:
      return SetEnum(at, text);
    case FieldDescriptor::CPPTYPE_MESSAGE:
      return SetDuration(at, text);
    default:
      return SetNumber(at, text);
  }
}

bool SetBool(const FieldPlace& at, bool value) {
  if (at.field->is_repeated() ||
      at.field->cpp_type() != FieldDescriptor::CPPTYPE_BOOL) {
    return false;
  }
  at.message->GetReflection()->SetBool(at.message, at.field, value);
  return true;
}

bool SetNumber(const FieldPlace& at, std::uint64_t value) {
  return SetWhole(at, value);
}

bool SetNumber(const FieldPlace& at, const std::string& text) {
  return SetParsed<std::uint64_t>(at, text) ||
         (at.field->cpp_type() == FieldDescriptor::CPPTYPE_ENUM &&
          SetParsed<std::int64_t>(at, text));
}

}  // namespace sittuyin::service
