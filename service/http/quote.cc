#include "service/http/quote.h"

#include <google/protobuf/stubs/common.h>

#include <algorithm>
#include <cstddef>

namespace sittuyin::service {
namespace {

constexpr std::size_t kMaxQuoted = 200;

bool ContinuesCharacter(char byte) { return (byte & 0xC0) == 0x80; }

}  // namespace

std::string Quote(std::string_view text) {
  std::size_t end = std::min(text.size(), kMaxQuoted);
  while (end > 0 && end < text.size() && ContinuesCharacter(text[end])) --end;
  std::string quoted(text.substr(0, end));
  if (!google::protobuf::internal::IsStructurallyValidUTF8(quoted)) {
    std::replace_if(
        quoted.begin(), quoted.end(), [](char byte) { return byte & 0x80; },
        '?');
  }
  return quoted;
}

}  // namespace sittuyin::service
