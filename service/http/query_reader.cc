#include "service/http/query_reader.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/stubs/common.h>

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "service/errors/errors.h"
#include "service/http/field_value.h"
#include "service/http/field_words.h"
#include "service/http/quote.h"

namespace sittuyin::service {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

// Where the value of `name` belongs, the messages on the way made; nothing
// when the path ends early, late, or nowhere.
std::optional<FieldPlace> Find(std::string_view name, Message& root) {
  Message* message = &root;
  while (true) {
    const std::size_t dot = name.find('.');
    const FieldDescriptor* field =
        FieldNamed(*message->GetDescriptor(), std::string(name.substr(0, dot)));
    if (field == nullptr) return std::nullopt;
    const bool is_message =
        field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE;
    if (dot == name.npos) {
      if (is_message) return std::nullopt;
      return FieldPlace{message, field};
    }
    if (!is_message || field->is_repeated()) return std::nullopt;
    message = message->GetReflection()->MutableMessage(message, field);
    name.remove_prefix(dot + 1);
  }
}

// False when `text` does not fit the field.
bool SetValue(const FieldPlace& at, const std::string& text) {
  switch (at.field->cpp_type()) {
    case FieldDescriptor::CPPTYPE_STRING:
      return google::protobuf::internal::IsStructurallyValidUTF8(text) &&
             SetText(at, text);
    case FieldDescriptor::CPPTYPE_BOOL:
      return (text == "true" || text == "false") && SetBool(at, text == "true");
    case FieldDescriptor::CPPTYPE_ENUM:
      return SetText(at, text) || SetNumber(at, text);
    default:
      return SetNumber(at, text);
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
    const std::optional<FieldPlace> at = Find(name, message);
    if (!at || !IsSupported(at->field)) {
      return MalformedRequest(Quote(name), "no such parameter");
    }
    if (!at->field->is_repeated() &&
        !given.emplace(at->message, at->field).second) {
      return GivenTwice(Quote(name));
    }
    if (!SetValue(*at, text)) {
      return WrongValue(Quote(name), *at->field);
    }
  }
  return {};
}

}  // namespace sittuyin::service
