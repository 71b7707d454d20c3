// The bearer tokens that may call.
#ifndef SITTUYIN_SERVICE_ACCESS_TOKEN_TABLE_H_
#define SITTUYIN_SERVICE_ACCESS_TOKEN_TABLE_H_

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "service/access/read_file.h"

namespace sittuyin::service {

// Knows tokens by their SHA-256 alone. Immutable.
class TokenTable {
 public:
  // Reads lines `name:sha256`, the digest in 64 hex digits; blank lines and
  // those that begin with `#` say nothing. A name may stand on several lines,
  // for a caller that changes its token; one without lines has none. The fault
  // names a line by its number and never shows it.
  static std::variant<TokenTable, FileFault> Parse(std::string_view text);

  std::size_t size() const { return tokens_.size(); }

  // Whose token it is, or nothing. Takes a time that tells nothing of how much
  // of a token is right, nor of which.
  std::optional<std::string> NameOf(std::string_view token) const;

 private:
  struct Token {
    std::string name;
    std::array<unsigned char, 32> digest;
  };

  std::vector<Token> tokens_;
};

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_ACCESS_TOKEN_TABLE_H_
