#include "service/http/query_text.h"

#include <microhttpd.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace sittuyin::service {
namespace {

// Percent codes decoded.
std::string Unescape(std::string text) {
  text.resize(MHD_http_unescape(text.data()));
  return text;
}

// `+` and percent codes decoded.
std::string Decode(std::string_view text) {
  std::string decoded(text);
  std::ranges::replace(decoded, '+', ' ');
  return Unescape(std::move(decoded));
}

bool StartsWith(std::string_view text, std::string_view lower_case) {
  return std::ranges::equal(
      text.substr(0, lower_case.size()), lower_case, {},
      [](unsigned char letter) { return std::tolower(letter); });
}

}  // namespace

std::string PathOf(std::string_view target) {
  target = target.substr(0, target.find('?'));
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (!StartsWith(target, scheme)) continue;
    const std::size_t slash = target.find('/', scheme.size());
    target = slash == target.npos ? "/" : target.substr(slash);
    break;
  }
  return Unescape(std::string(target));
}

QueryParameters SplitQuery(std::string_view query) {
  QueryParameters parameters;
  while (!query.empty()) {
    const std::size_t end = std::min(query.find('&'), query.size());
    const std::string_view piece = query.substr(0, end);
    query.remove_prefix(std::min(end + 1, query.size()));
    if (piece.empty()) continue;
    const std::size_t equals = std::min(piece.find('='), piece.size());
    parameters.emplace_back(
        Decode(piece.substr(0, equals)),
        Decode(piece.substr(std::min(equals + 1, piece.size()))));
  }
  return parameters;
}

}  // namespace sittuyin::service
