#include "service/http/cors.h"

#include <algorithm>
#include <utility>

namespace sittuyin::service {

CorsPolicy::CorsPolicy(std::vector<std::string> origins)
    : origins_(std::move(origins)),
      any_(std::ranges::find(origins_, "*") != origins_.end()) {}

bool CorsPolicy::Allows(const std::optional<std::string>& origin) const {
  return origin &&
         (any_ || std::ranges::find(origins_, *origin) != origins_.end());
}

HttpHeaders CorsPolicy::HeadersFor(
    const std::optional<std::string>& origin) const {
  if (origins_.empty()) return {};
  HttpHeaders headers;
  // A cache must not hand one page's answer to another.
  if (!any_) headers.emplace_back("Vary", "Origin");
  if (any_ || Allows(origin)) {
    headers.emplace_back("Access-Control-Allow-Origin", any_ ? "*" : *origin);
    headers.emplace_back("Access-Control-Expose-Headers", "ETag, Retry-After");
  }
  return headers;
}

HttpResponse CorsPolicy::PreflightReply(const std::string& verbs) {
  return {.code = 204,
          .headers = {{"Access-Control-Allow-Methods", verbs},
                      {"Access-Control-Allow-Headers",
                       "Authorization, Content-Type, If-None-Match, "
                       "traceparent, X-Request-Timeout"},
                      {"Access-Control-Max-Age", "7200"}}};
}

}  // namespace sittuyin::service
