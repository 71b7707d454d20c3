#include "service/http/query_text.h"

#include <microhttpd.h>

#include <algorithm>
#include <cstddef>
#include <string>

namespace sittuyin::service {
namespace {

// `+` and percent codes decoded.
std::string Decode(std::string_view text) {
  std::string decoded(text);
  std::ranges::replace(decoded, '+', ' ');
  decoded.resize(MHD_http_unescape(decoded.data()));
  return decoded;
}

}  // namespace

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
