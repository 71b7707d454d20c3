#include "service/http/replies.h"

#include <openssl/sha.h>
#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <iterator>
#include <utility>

#include "service/errors/errors.h"
#include "service/http/json_writer.h"

namespace sittuyin::service {
namespace {

using std::chrono::seconds;

// Half a SHA-256 of `bytes`, the same on every replica.
std::string StrongEtag(std::string_view bytes) {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest;
  SHA256(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(),
         digest.data());
  std::string etag = "\"";
  for (std::size_t i = 0; i < digest.size() / 2; ++i) {
    fmt::format_to(std::back_inserter(etag), "{:02x}", digest[i]);
  }
  return etag + '"';
}

// RFC 9110: a list of ETags, compared weakly, or `*`. Ours hold no comma.
bool Matches(std::string_view if_none_match, std::string_view etag) {
  while (!if_none_match.empty()) {
    const std::size_t comma =
        std::min(if_none_match.find(','), if_none_match.size());
    std::string_view item = if_none_match.substr(0, comma);
    if_none_match.remove_prefix(std::min(comma + 1, if_none_match.size()));
    const std::size_t begin = item.find_first_not_of(" \t");
    if (begin == item.npos) continue;
    item = item.substr(begin, item.find_last_not_of(" \t") + 1 - begin);
    if (item.starts_with("W/")) item.remove_prefix(2);
    if (item == etag || item == "*") return true;
  }
  return false;
}

}  // namespace

HttpResponse CacheableReply(std::string json,
                            std::optional<std::string_view> if_none_match) {
  std::string etag = StrongEtag(json);
  HttpResponse reply = JsonReply(std::move(json));
  if (if_none_match && Matches(*if_none_match, etag)) reply.code = 304;
  reply.headers.emplace_back("Cache-Control", "public, max-age=3600");
  reply.headers.emplace_back("ETag", std::move(etag));
  return reply;
}

HttpResponse JsonReply(std::string json) {
  return {.content_type = kJsonType, .body = std::move(json)};
}

HttpResponse RefusalReply(const google::rpc::Status& status) {
  return RefusalReply(status, HttpCode(status));
}

HttpResponse RefusalReply(const google::rpc::Status& status, int code) {
  HttpResponse reply = JsonReply(WriteJson(status));
  reply.code = code;
  reply.headers.emplace_back("Cache-Control", "no-store");
  if (reply.code == 401) {
    reply.headers.emplace_back("WWW-Authenticate", "Bearer realm=\"sittuyin\"");
  }
  if (reply.code == 415) {
    reply.headers.emplace_back("Accept-Encoding", "identity");
  }
  if (const auto delay = RetryDelayOf(status)) {
    // Whole seconds, at least one.
    const auto after = std::max(std::chrono::ceil<seconds>(*delay), seconds(1));
    reply.headers.emplace_back("Retry-After", std::to_string(after.count()));
  }
  return reply;
}

HttpResponse WrongVerbReply(const google::rpc::Status& status,
                            const std::string& allowed) {
  HttpResponse reply = RefusalReply(status);
  reply.headers.emplace_back("Allow", allowed);
  return reply;
}

}  // namespace sittuyin::service
