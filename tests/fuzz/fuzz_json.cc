// Any bytes as the body of a POST: the first chooses the method.
#include <google/protobuf/util/json_util.h>
#include <google/protobuf/util/message_differencer.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "service/http/json_fast_reader.h"
#include "service/http/json_reader.h"
#include "service/http/json_writer.h"
#include "tests/fuzz/core.h"
#include "tests/fuzz/require.h"

namespace sittuyin::service {
namespace {

using google::protobuf::Message;
using google::protobuf::util::MessageDifferencer;

std::unique_ptr<Message> ByProtobuf(std::string_view json,
                                    const Message& like) {
  std::unique_ptr<Message> message(like.New());
  const auto status = google::protobuf::util::JsonStringToMessage(
      {json.data(), json.size()}, message.get());
  return status.ok() ? std::move(message) : nullptr;
}

// What is written here is read by protobuf as it was.
void CheckWritten(const Message& message) {
  const auto read = ByProtobuf(WriteJson(message), message);
  Require(read != nullptr && MessageDifferencer::Equals(*read, message));
}

void CheckBody(Core& core, std::size_t method, std::string_view json) {
  const auto request = Core::NewRequest(method);
  if (ReadPlainJson(json, *request)) {
    const auto same = ByProtobuf(json, *request);
    Require(same != nullptr && MessageDifferencer::Equals(*same, *request));
  }
  request->Clear();
  const auto status = ReadJson(json, *request);
  if (status.code() != 0) return CheckWritten(status);
  const Core::Answer answer = core.Ask(*request);
  CheckWritten(answer.status);
  if (answer.status.code() == 0) CheckWritten(*answer.message);
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
