#include "service/http/admin_door.h"

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "service/errors/errors.h"
#include "service/http/quote.h"
#include "service/http/replies.h"

namespace sittuyin::service {
namespace {

constexpr const char* kTextType = "text/plain; charset=utf-8";
// The version of Prometheus's text format.
constexpr const char* kMetricsType = "text/plain; version=0.0.4; charset=utf-8";

HttpResponse TextReply(int code, std::string text) {
  return {.code = code,
          .content_type = kTextType,
          .headers = {{"Cache-Control", "no-store"}},
          .body = std::move(text)};
}

}  // namespace

std::variant<std::unique_ptr<AdminDoor>, std::string> AdminDoor::Start(
    const Metrics& metrics, AdminOptions options) {
  std::unique_ptr<AdminDoor> door(new AdminDoor(metrics, std::move(options)));
  auto server = HttpServer::Start(
      door->options_.http,
      [door = door.get()](const std::shared_ptr<Exchange>& exchange) {
        door->Handle(*exchange);
      },
      [](int code, std::string_view message, const HttpPeer&) {
        return RefusalReply(MalformedRequest({}, message), code);
      });
  if (auto* error = std::get_if<std::string>(&server)) {
    return std::move(*error);
  }
  door->server_ = std::get<std::unique_ptr<HttpServer>>(std::move(server));
  return door;
}

AdminDoor::AdminDoor(const Metrics& metrics, AdminOptions options)
    : metrics_(metrics), options_(std::move(options)) {}

void AdminDoor::Handle(Exchange& exchange) const {
  struct Page {
    std::string_view path;
    HttpResponse (AdminDoor::*reply)() const;
  };
  constexpr std::array kPages = {Page{"/metrics", &AdminDoor::ExposeMetrics},
                                 Page{"/livez", &AdminDoor::TellAlive},
                                 Page{"/readyz", &AdminDoor::TellReady},
                                 Page{"/version", &AdminDoor::TellVersion}};
  const HttpRequest& request = exchange.request();
  const auto* page = std::find_if(
      kPages.begin(), kPages.end(),
      [&](const Page& candidate) { return candidate.path == request.path; });
  if (page == kPages.end()) {
    return exchange.Answer(RefusalReply(
        UnknownPath(Quote(request.path),
                    "here are /metrics, /livez, /readyz and /version")));
  }
  if (request.method != "GET" && request.method != "HEAD") {
    const std::string allowed = "GET, HEAD";
    return exchange.Answer(
        WrongVerbReply(MethodNotAllowed(request.path, allowed), allowed));
  }
  exchange.Answer((this->*page->reply)());
}

HttpResponse AdminDoor::ExposeMetrics() const {
  return {.content_type = kMetricsType, .body = metrics_.Exposition()};
}

HttpResponse AdminDoor::TellAlive() const { return TextReply(200, "ok\n"); }

HttpResponse AdminDoor::TellReady() const {
  return options_.ready() ? TextReply(200, "ready\n")
                          : TextReply(503, "not ready\n");
}

HttpResponse AdminDoor::TellVersion() const {
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> json(buffer);
  json.StartObject();
  json.Key("version");
  json.String(options_.version.c_str());
  json.Key("commit");
  json.String(options_.commit.c_str());
  json.Key("build_type");
  json.String(options_.build_type.c_str());
  json.EndObject();
  return JsonReply(buffer.GetString());
}

}  // namespace sittuyin::service
