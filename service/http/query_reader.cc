#include "service/http/query_reader.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/stubs/common.h>

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "service/errors/errors.h"
#include "service/http/field_words.h"
#include "service/http/quote.h"

namespace sittuyin::service {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

// A field and the message that holds it.
struct Place {
  Message* message;
  const FieldDescriptor* field;
};

const FieldDescriptor* FieldNamed(const Descriptor* type,
                                  const std::string& name) {
  const FieldDescriptor* field = type->FindFieldByName(name);
  return field != nullptr ? field : type->FindFieldByCamelcaseName(name);
}

// Where the value of `name` belongs, the messages on the way made; nothing
// when the path ends early, late, or nowhere.
std::optional<Place> Find(std::string_view name, Message& root) {
  Message* message = &root;
  while (true) {
    const std::size_t dot = name.find('.');
    const FieldDescriptor* field =
        FieldNamed(message->GetDescriptor(), std::string(name.substr(0, dot)));
    if (field == nullptr) return std::nullopt;
    const bool is_message =
        field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE;
    if (dot == name.npos) {
      if (is_message) return std::nullopt;
      return Place{message, field};
    }
    if (!is_message || field->is_repeated()) return std::nullopt;
    message = message->GetReflection()->MutableMessage(message, field);
    name.remove_prefix(dot + 1);
  }
}

// The whole of `text` as a number.
template <typename Number>
std::optional<Number> ReadNumber(std::string_view text) {
  Number number{};
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return number;
}

std::optional<int> ReadEnum(const std::string& text,
                            const FieldDescriptor* field) {
  const auto* value = field->enum_type()->FindValueByName(text);
  return value != nullptr ? value->number() : ReadNumber<int>(text);
}

// False when `text` does not fit the field.
bool SetText(const Place& at, const std::string& text) {
  if (at.field->type() != FieldDescriptor::TYPE_STRING ||
      !google::protobuf::internal::IsStructurallyValidUTF8(text)) {
    return false;
  }
  const Reflection* reflection = at.message->GetReflection();
  if (at.field->is_repeated()) {
    reflection->AddString(at.message, at.field, text);
  } else {
    reflection->SetString(at.message, at.field, text);
  }
  return true;
}

bool SetBool(const Place& at, std::string_view text) {
  if (text != "true" && text != "false") return false;
  at.message->GetReflection()->SetBool(at.message, at.field, text == "true");
  return true;
}

// Sets the field with `set`, a setter of Reflection; false without a value.
template <typename Value, typename Setter>
bool SetIf(const std::optional<Value>& value, const Place& at, Setter set) {
  if (!value) return false;
  (at.message->GetReflection()->*set)(at.message, at.field, *value);
  return true;
}

bool SetValue(const Place& at, const std::string& text) {
  switch (at.field->cpp_type()) {
    case FieldDescriptor::CPPTYPE_STRING:
      return SetText(at, text);
    case FieldDescriptor::CPPTYPE_BOOL:
      return SetBool(at, text);
    case FieldDescriptor::CPPTYPE_ENUM:
      return SetIf(ReadEnum(text, at.field), at, &Reflection::SetEnumValue);
    case FieldDescriptor::CPPTYPE_UINT32:
      return SetIf(ReadNumber<std::uint32_t>(text), at, &Reflection::SetUInt32);
    case FieldDescriptor::CPPTYPE_UINT64:
      return SetIf(ReadNumber<std::uint64_t>(text), at, &Reflection::SetUInt64);
    default:
      return false;
  }
}

// Lists of other than text are in no request.
bool IsSupported(const FieldDescriptor* field) {
  return !field->is_repeated() ||
         field->cpp_type() == FieldDescriptor::CPPTYPE_STRING;
}

}  // namespace

google::rpc::Status ReadQuery(const QueryParameters& query, Message& message) {
  std::set<std::pair<const Message*, const FieldDescriptor*>> given;
  for (const auto& [name, text] : query) {
    const std::optional<Place> at = Find(name, message);
    if (!at || !IsSupported(at->field)) {
      return MalformedRequest(Quote(name), "no such parameter");
    }
    if (!at->field->is_repeated() &&
        !given.emplace(at->message, at->field).second) {
      return MalformedRequest(Quote(name), "given twice, want it once");
    }
    if (!SetValue(*at, text)) {
      return WrongValue(Quote(name), *at->field);
    }
  }
  return {};
}

}  // namespace sittuyin::service
