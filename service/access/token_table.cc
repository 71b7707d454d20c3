#include "service/access/token_table.h"

#include <openssl/crypto.h>
#include <openssl/sha.h>

#include <algorithm>
#include <charconv>
#include <system_error>
#include <utility>

namespace sittuyin::service {
namespace {

constexpr std::string_view kSpace = " \t\r";

std::string_view Trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kSpace);
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) + 1 - begin);
}

// False unless `text` is two hex digits for each byte.
bool ReadHex(std::string_view text, std::array<unsigned char, 32>& bytes) {
  if (text.size() != bytes.size() * 2) return false;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const char* const begin = text.data() + 2 * i;
    const auto [end, error] = std::from_chars(begin, begin + 2, bytes[i], 16);
    if (error != std::errc() || end != begin + 2) return false;
  }
  return true;
}

// Names go into logs: printable and short.
bool IsName(std::string_view text) {
  return !text.empty() && text.size() <= 128 &&
         std::all_of(text.begin(), text.end(),
                     [](char c) { return c > ' ' && c < '\x7f'; });
}

}  // namespace

std::variant<TokenTable, FileFault> TokenTable::Parse(std::string_view text) {
  TokenTable table;
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = Trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line.front() == '#') continue;
    const std::size_t colon = line.rfind(':');
    Token token;
    if (colon == line.npos || !IsName(line.substr(0, colon)) ||
        !ReadHex(line.substr(colon + 1), token.digest)) {
      return FileFault{"line " + std::to_string(number) +
                       " is not `name:` and 64 hex digits"};
    }
    token.name = line.substr(0, colon);
    table.tokens_.push_back(std::move(token));
  }
  // A file cut short must not shut out everybody.
  if (table.tokens_.empty()) {
    return FileFault{
        "there is no token: write lines of `name:` and 64 hex "
        "digits"};
  }
  return table;
}

std::optional<std::string> TokenTable::NameOf(std::string_view token) const {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest;
  SHA256(reinterpret_cast<const unsigned char*>(token.data()), token.size(),
         digest.data());
  const Token* found = nullptr;
  for (const Token& known : tokens_) {
    if (CRYPTO_memcmp(known.digest.data(), digest.data(), digest.size()) == 0) {
      found = &known;
    }
  }
  if (found == nullptr) return std::nullopt;
  return found->name;
}

}  // namespace sittuyin::service
