// Which web pages may read the answers (the Fetch standard's CORS).
#ifndef SITTUYIN_SERVICE_HTTP_CORS_H_
#define SITTUYIN_SERVICE_HTTP_CORS_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "service/http/http_message.h"

namespace sittuyin::service {

// Credentials are never allowed, so that a page gets nothing that it could not
// ask for by itself. Thread-compatible.
class CorsPolicy {
 public:
  // Pages from `origins`, `https://example.org`, or from anywhere if it is `*`;
  // from nowhere but the service's own address if there are none.
  explicit CorsPolicy(std::vector<std::string> origins = {});

  // Whether it says anything at all.
  bool active() const { return !origins_.empty(); }

  // What an answer to a request with this Origin header is to carry.
  HttpHeaders HeadersFor(const std::optional<std::string>& origin) const;

  // Whether a page of this origin may ask what it may send.
  bool Allows(const std::optional<std::string>& origin) const;

  // The answer to that question, for a path with these verbs.
  static HttpResponse PreflightReply(const std::string& verbs);

 private:
  const std::vector<std::string> origins_;
  const bool any_;
};

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_HTTP_CORS_H_
