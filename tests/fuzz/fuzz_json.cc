// Any bytes as the body of a POST. The low half of the first byte chooses the
// method; where the high half is zero, the request is asked, and the answer or
// refusal written.
#include <google/protobuf/util/json_util.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "service/http/json_reader.h"
#include "service/http/json_writer.h"
#include "tests/fuzz/core.h"
#include "tests/fuzz/refusal.h"
#include "tests/fuzz/require.h"

namespace sittuyin::service {
namespace {

using google::protobuf::Message;

// Requires that protobuf reads `json` as `message`.
void RequireSame(std::string_view json, const Message& message) {
  const std::unique_ptr<Message> read(message.New());
  Require(google::protobuf::util::JsonStringToMessage(
              {json.data(), json.size()}, read.get())
              .ok());
  // Maps of more than one pair would come in any order; there are none.
  Require(read->SerializeAsString() == message.SerializeAsString());
}

// Requires that protobuf reads what is written.
void CheckWritten(const Message& message) {
  RequireSame(WriteJson(message), message);
}

void CheckBody(Core& core, std::uint8_t choice, std::string_view json) {
  Message& request = core.Request(choice & 15);
  const auto status = ReadJson(json, request);
  if (status.code() != 0) {
    CheckRefusal(status);
  } else {
    RequireSame(json, request);
  }
  if (choice >> 4 != 0) return;
  if (status.code() != 0) return CheckWritten(status);
  const Core::Answer answer = core.Ask(request);
  if (answer.status.code() != 0) return CheckWritten(answer.status);
  CheckWritten(*answer.message);
}

}  // namespace
}  // namespace sittuyin::service

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  static auto& core = *new sittuyin::service::Core;
  if (size == 0) return 0;
  sittuyin::service::CheckBody(
      core, data[0], {reinterpret_cast<const char*>(data) + 1, size - 1});
  return 0;
}
