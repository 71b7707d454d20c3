#include "service/http/query_reader.h"

#include <google/protobuf/descriptor.h>

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

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

// A field at the end of a path, in the proto's names.
struct Parameter {
  FieldPlace at;
  std::string path;
};

// Where the value of `name` belongs, the messages on the way made; nothing
// when the path ends early, late, or nowhere.
std::optional<Parameter> Find(std::string_view name, Message& root) {
  Message* message = &root;
  std::string path;
  while (true) {
    const std::size_t dot = name.find('.');
    const FieldDescriptor* field =
        FieldNamed(*message->GetDescriptor(), std::string(name.substr(0, dot)));
    if (field == nullptr) return std::nullopt;
    path += field->name();
    const bool is_message =
        field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE;
    if (dot == name.npos) {
      if (is_message) return std::nullopt;
      return Parameter{{message, field}, std::move(path)};
    }
    if (!is_message || field->is_repeated()) return std::nullopt;
    message = message->GetReflection()->MutableMessage(message, field);
    name.remove_prefix(dot + 1);
    path += '.';
  }
}

// False when `text` does not fit the field.
bool SetValue(const FieldPlace& at, const std::string& text) {
  switch (at.field->cpp_type()) {
    case FieldDescriptor::CPPTYPE_STRING:
      return SetText(at, text);
    case FieldDescriptor::CPPTYPE_BOOL:
      return (text == "true" || text == "false") && SetBool(at, text == "true");
    case FieldDescriptor::CPPTYPE_ENUM:
      return SetText(at, text) || SetNumber(at, text);
    default:
      return SetNumber(at, text);
  }
}

// The names that parameters for `type` have, `game.moves`.
std::string ParametersOf(const Descriptor& type, const std::string& around) {
  std::string names;
  for (int i = 0; i < type.field_count(); ++i) {
    const FieldDescriptor& field = *type.field(i);
    const std::string name = around + field.json_name();
    names += (i == 0 ? "" : ", ") +
             (field.message_type() == nullptr
                  ? name
                  : ParametersOf(*field.message_type(), name + "."));
  }
  return names;
}

}  // namespace

google::rpc::Status ReadQuery(const QueryParameters& query, Message& message) {
  std::set<std::string> given;
  for (const auto& [name, text] : query) {
    const std::optional<Parameter> parameter = Find(name, message);
    if (!parameter) {
      const std::string names = ParametersOf(*message.GetDescriptor(), "");
      return MalformedRequest(
          Quote(name), "there is no such parameter; the parameters here are: " +
                           (names.empty() ? "none" : names) + ".");
    }
    const auto& [at, path] = *parameter;
    if (!at.field->is_repeated() && !given.insert(path).second) {
      return GivenTwice(path);
    }
    if (!SetValue(at, text)) return WrongValue(path, *at.field);
  }
  return {};
}

}  // namespace sittuyin::service
