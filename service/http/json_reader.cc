#include "service/http/json_reader.h"

#include <google/protobuf/stubs/status.h>
#include <google/protobuf/stubs/stringpiece.h>
#include <google/protobuf/util/json_util.h>

#include <cstddef>
#include <string>

#include "service/errors/errors.h"
#include "service/http/json_fast_reader.h"
#include "service/http/quote.h"

namespace sittuyin::service {
namespace {

// The path of the field that protobuf's parser complains of; empty when it
// names none. Its messages are "(path): …", "(path) name: Cannot find field."
// and, at the top, "name: Cannot find field.".
std::string FieldOf(std::string_view message) {
  constexpr std::string_view kUnknown = ": Cannot find field.";
  std::string path;
  if (message.starts_with('(')) {
    const std::size_t close = message.find(')');
    if (close == message.npos) return {};
    path = message.substr(1, close - 1);
    message.remove_prefix(close + 1);
    if (message.starts_with(": ")) return path;
    message.remove_prefix(message.starts_with(' ') ? 1 : 0);
    path += '.';
  }
  if (!message.ends_with(kUnknown)) return {};
  return path +
         std::string(message.substr(0, message.size() - kUnknown.size()));
}

}  // namespace

google::rpc::Status ReadJson(std::string_view json,
                             google::protobuf::Message& message) {
  if (json.empty() || ReadPlainJson(json, message)) return {};
  message.Clear();
  const auto status = google::protobuf::util::JsonStringToMessage(
      google::protobuf::StringPiece(json.data(), json.size()), &message);
  if (status.ok()) return {};
  std::string_view what(status.message().data(), status.message().size());
  const std::string field = FieldOf(what);
  // The lines after the first quote the text.
  what = what.substr(0, what.find('\n'));
  return MalformedRequest(Quote(field), Quote(what));
}

}  // namespace sittuyin::service
