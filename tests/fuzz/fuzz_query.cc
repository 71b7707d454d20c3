// Any text as what a GET asks for: the first byte chooses the request that the
// query fills.
#include <google/protobuf/message.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "service/http/query_reader.h"
#include "service/http/query_text.h"
#include "sittuyin/v1/sittuyin.pb.h"
#include "tests/fuzz/refusal.h"
#include "tests/fuzz/require.h"

namespace sittuyin::service {
namespace {

using google::protobuf::Message;

std::string Escaped(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789aBcDeF";
  std::string escaped;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    escaped += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
  }
  return escaped;
}

std::string Joined(const QueryParameters& query) {
  std::string text;
  for (const auto& [name, value] : query) {
    text += Escaped(name) + '=' + Escaped(value) + '&';
  }
  return text;
}

void CheckQuery(Message& request, std::string_view text) {
  Require(PathOf(text).size() <= text.size() + 1);
  const QueryParameters query = SplitQuery(text);
  Require(SplitQuery(Joined(query)) == query);
  const auto status = ReadQuery(query, request);
  if (status.code() != 0) return CheckRefusal(status);
  // Protobuf reads no text but UTF-8.
  const std::unique_ptr<Message> same(request.New());
  Require(same->ParseFromString(request.SerializeAsString()));
}

}  // namespace
}  // namespace sittuyin::service

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  using namespace sittuyin;  // NOLINT(google-build-using-namespace)
  if (size == 0) return 0;
  v1::ValidateMoveRequest validate_move;
  v1::LegalMovesRequest legal_moves;
  v1::BestMoveRequest best_move;
  const std::array<google::protobuf::Message*, 3> requests = {
      &validate_move, &legal_moves, &best_move};
  service::CheckQuery(*requests[data[0] % requests.size()],
                      {reinterpret_cast<const char*>(data) + 1, size - 1});
  return 0;
}
