#include "service/http/json_reader.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/stubs/status.h>
#include <google/protobuf/stubs/stringpiece.h>
#include <google/protobuf/util/json_util.h>
#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cstddef>
#include <string>

#include "service/errors/errors.h"
#include "service/http/field_words.h"
#include "service/http/json_fast_reader.h"
#include "service/http/quote.h"

namespace sittuyin::service {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::rpc::Status;

// Twice what any request holds. Protobuf's parser is slow with what it refuses:
// 64 KiB of brackets or of wrong moves keep it busy for 25 ms.
constexpr std::ptrdiff_t kMostValues = 4096;

// Each value or name but the first stands behind one of these; so may others.
bool BeginsValue(char mark) {
  return mark == ',' || mark == ':' || mark == '[' || mark == '{';
}

// What protobuf's parser says of one field, "(path): …" or, where the path is
// that of the message around it and empty at the top, "(path) name: …".
struct Complaint {
  std::string_view path;
  std::string_view name;
  std::string_view what;
};

// An object where a field that is none belongs; the name stands behind it.
constexpr std::string_view kNoObject =
    "invalid value Starting an object on a scalar field for type ";

// Nothing but `what` for other text.
Complaint Split(std::string_view text) {
  Complaint complaint{.path = {}, .name = {}, .what = text};
  std::string_view rest = text;
  if (rest.starts_with('(')) {
    const std::size_t close = rest.find(')');
    if (close == rest.npos) return complaint;
    complaint.path = rest.substr(1, close - 1);
    rest.remove_prefix(close + 1);
    if (rest.starts_with(' ')) rest.remove_prefix(1);
  }
  // A name may be any text.
  const std::size_t colon = rest.rfind(": ");
  if (rest.starts_with(": ")) {
    complaint.what = rest.substr(2);
  } else if (colon != rest.npos) {
    complaint.name = rest.substr(0, colon);
    complaint.what = rest.substr(colon + 2);
  }
  if (complaint.name.empty() && complaint.what.starts_with(kNoObject)) {
    complaint.name = complaint.what.substr(kNoObject.size());
  }
  return complaint;
}

const FieldDescriptor* FieldNamed(const Descriptor& type,
                                  std::string_view name) {
  const std::string text(name.substr(0, name.find('[')));
  const FieldDescriptor* field = type.FindFieldByName(text);
  return field != nullptr ? field : type.FindFieldByCamelcaseName(text);
}

// The field at `path`, `game.moves[1]`; null when there is none.
const FieldDescriptor* FieldAt(const Descriptor& root, std::string_view path) {
  const Descriptor* type = &root;
  while (type != nullptr) {
    const std::size_t dot = path.find('.');
    const FieldDescriptor* field = FieldNamed(*type, path.substr(0, dot));
    if (dot == path.npos || field == nullptr) return field;
    type = field->message_type();
    path.remove_prefix(dot + 1);
  }
  return nullptr;
}

Status NotTheJson(std::string_view what) {
  return MalformedRequest(
      {},
      fmt::format("The body is not the JSON of the request: {}", Quote(what)));
}

Status Refuse(std::string_view message, const Descriptor& root) {
  const auto [path, name, what] = Split(message);
  const FieldDescriptor* around = FieldAt(root, path);
  const bool is_value = around != nullptr && around->message_type() == nullptr;
  if (is_value || (name.empty() && around != nullptr)) {
    return WrongValue(path, *around);
  }
  if (name.empty()) return NotTheJson(what);
  const std::string full =
      fmt::format("{}{}{}", path, path.empty() ? "" : ".", name);
  if (const FieldDescriptor* field = FieldAt(root, full)) {
    return WrongValue(full, *field);
  }
  const Descriptor* type = around != nullptr ? around->message_type() : &root;
  return MalformedRequest(
      Quote(full),
      type == nullptr
          ? Quote(what)
          : fmt::format("there is no such field; the fields here are: {}.",
                        NamesIn(*type)));
}

}  // namespace

Status ReadJson(std::string_view json, google::protobuf::Message& message) {
  if (json.empty() || ReadPlainJson(json, message)) return {};
  message.Clear();
  if (std::ranges::count_if(json, BeginsValue) > kMostValues) {
    return MalformedRequest(
        {}, fmt::format("The body holds more than {} values or names, which no "
                        "request does.",
                        kMostValues));
  }
  const auto status = google::protobuf::util::JsonStringToMessage(
      google::protobuf::StringPiece(json.data(), json.size()), &message);
  if (status.ok()) return {};
  const std::string_view what(status.message().data(), status.message().size());
  const std::string_view line = what.substr(0, what.find('\n'));
  // Of text that is no JSON the other lines quote it and mark the place.
  return what.ends_with('^') ? NotTheJson(line)
                             : Refuse(line, *message.GetDescriptor());
}

}  // namespace sittuyin::service
