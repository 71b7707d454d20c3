// An HTTP request and its answer, apart from how they travel.
#ifndef SITTUYIN_SERVICE_HTTP_HTTP_MESSAGE_H_
#define SITTUYIN_SERVICE_HTTP_HTTP_MESSAGE_H_

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace sittuyin::service {

// Parameters in the order sent, decoded.
using QueryParameters = std::vector<std::pair<std::string, std::string>>;

struct HttpRequest {
  std::chrono::steady_clock::time_point begin;  // Its headers were there.
  std::string method;                           // As sent, `GET`.
  std::string path;       // Decoded, from `/` on, without the query.
  QueryParameters query;  // Nothing when the URI is larger than the limit.
  bool uri_too_large = false;
  std::string body;  // Nothing when it is larger than the server's limit.
  bool body_too_large = false;
};

using HttpHeaders = std::vector<std::pair<std::string, std::string>>;

struct HttpResponse {
  int code = 200;
  std::string content_type = {};  // Empty when there is no body.
  HttpHeaders headers = {};
  std::string body = {};
};

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_HTTP_HTTP_MESSAGE_H_
