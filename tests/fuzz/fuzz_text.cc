// Any text, to each of the small readers of headers, files and flags.
#include <google/protobuf/stubs/common.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "service/access/network.h"
#include "service/access/token_table.h"
#include "service/config/flag_types.h"
#include "service/http/quote.h"
#include "service/rpc/rpc_peer.h"
#include "service/telemetry/trace_context.h"
#include "tests/fuzz/require.h"

namespace sittuyin::service {
namespace {

void CheckTokens(const std::string& text) {
  const auto read = TokenTable::Parse(text);
  if (const auto* fault = std::get_if<FileFault>(&read)) {
    return Require(!fault->what.empty());
  }
  const auto& tokens = std::get<TokenTable>(read);
  Require(tokens.size() > 0 && !tokens.NameOf(text));
}

// What a flag takes it writes so that it takes it again.
template <typename Flag>
void CheckFlag(const std::string& text) {
  Flag flag{};
  std::string error;
  if (!AbslParseFlag(text, &flag, &error)) return Require(!error.empty());
  const std::string written = AbslUnparseFlag(flag);
  Flag again{};
  Require(AbslParseFlag(written, &again, &error));
  Require(again.value == flag.value);
}

void CheckHeaders(const std::string& text) {
  const std::string_view id = TraceIdOf(TraceParentOf(text));
  Require(id.empty() || (id.size() == 32 && id.data() == text.data() + 3));
  Require(text.find(HostOfPeer(text)) != text.npos);
  const std::string network = NetworkOf(text);
  Require(NetworkOf(network) == network);
  const std::string quoted = Quote(text);
  Require(quoted.size() <= 200 &&
          google::protobuf::internal::IsStructurallyValidUTF8(quoted));
}

}  // namespace
}  // namespace sittuyin::service

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  using namespace sittuyin::service;  // NOLINT(google-build-using-namespace)
  const std::string text(reinterpret_cast<const char*>(data), size);
  CheckTokens(text);
  CheckFlag<PositiveDuration>(text);
  CheckFlag<Delay>(text);
  CheckFlag<Address>(text);
  CheckFlag<Origins>(text);
  CheckFlag<RuleSetName>(text);
  CheckFlag<InRange<int, 1, 64>>(text);
  CheckHeaders(text);
  return 0;
}
