#include "service/http/rest_door.h"

#include <iterator>
#include <utility>

#include "service/errors/errors.h"
#include "service/http/endpoints.h"
#include "service/http/openapi_document.h"
#include "service/http/quote.h"
#include "service/http/replies.h"
#include "service/http/rest_call.h"
#include "sittuyin/v1/sittuyin.pb.h"

namespace sittuyin::service {
namespace {

constexpr std::string_view kOpenApiPath = "/openapi.json";
constexpr char kOpenApiVerbs[] = "GET, HEAD";

// An answer is data: no browser is to take it for a page or a script.
constexpr std::pair<const char*, const char*> kSafeguards[] = {
    {"X-Content-Type-Options", "nosniff"},
    {"Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"}};

// For a year browsers are to come by TLS alone.
constexpr std::pair<const char*, const char*> kTlsAlone = {
    "Strict-Transport-Security", "max-age=31536000"};

const google::protobuf::ServiceDescriptor& Service() {
  return *v1::ValidateMoveRequest::descriptor()->file()->service(0);
}

}  // namespace

std::variant<std::unique_ptr<RestDoor>, std::string> RestDoor::Start(
    const Api& api, Telemetry& telemetry, HttpServerOptions options,
    CorsPolicy cors, Gate* gate) {
  std::unique_ptr<RestDoor> door(
      new RestDoor(api, telemetry, std::move(cors), gate, options.body_limit));
  options.headers.insert(options.headers.end(), std::begin(kSafeguards),
                         std::end(kSafeguards));
  if (options.tls != nullptr) options.headers.push_back(kTlsAlone);
  options.crowded = [&telemetry] { telemetry.Crowded(Door::kRest); };
  auto server = HttpServer::Start(
      options,
      [door = door.get()](const std::shared_ptr<Exchange>& exchange) {
        door->Handle(exchange);
      },
      [door = door.get()](int code, std::string_view message,
                          const HttpPeer& peer) {
        return door->RefuseUnread(code, message, peer);
      });
  if (auto* error = std::get_if<std::string>(&server)) {
    return std::move(*error);
  }
  door->server_ = std::get<std::unique_ptr<HttpServer>>(std::move(server));
  return door;
}

RestDoor::RestDoor(const Api& api, Telemetry& telemetry, CorsPolicy cors,
                   Gate* gate, std::size_t body_limit)
    : api_(api),
      telemetry_(telemetry),
      gate_(gate),
      routes_(Service()),
      cors_(std::move(cors)),
      body_limit_(body_limit) {}

void RestDoor::Handle(const std::shared_ptr<Exchange>& exchange) {
  const HttpRequest& request = exchange->request();
  if (cors_.active()) {
    exchange->AddHeaders(cors_.HeadersFor(exchange->Header("Origin")));
  }
  const auto match = routes_.Find(request.method, request.path);
  // Browsers ask without credentials whether they may call with them.
  if (IsPreflight(*exchange)) {
    if (request.path == kOpenApiPath) {
      return exchange->Answer(CorsPolicy::PreflightReply(kOpenApiVerbs));
    }
    if (match && match->route == nullptr) {
      return exchange->Answer(CorsPolicy::PreflightReply(match->allowed));
    }
  }
  if (gate_ != nullptr && gate_->checks()) {
    const google::rpc::Status admitted = gate_->Admit(exchange->peer());
    if (admitted.code() != 0) {
      if (!match || match->route == nullptr) return Refuse(*exchange, admitted);
      return RestCall(*match->route, telemetry_, gate_, exchange)
          .Refuse(admitted);
    }
  }
  if (request.path == kOpenApiPath) return AnswerOpenApi(*exchange);
  if (!match) {
    return Refuse(*exchange, UnknownPath(Quote(request.path),
                                         "/openapi.json lists all paths"));
  }
  if (match->route == nullptr) return RefuseVerb(*exchange, match->allowed);
  CallApi(
      api_, match->route->method,
      std::make_shared<RestCall>(*match->route, telemetry_, gate_, exchange));
}

bool RestDoor::IsPreflight(const Exchange& exchange) const {
  return exchange.request().method == "OPTIONS" &&
         exchange.Header("Access-Control-Request-Method") &&
         cors_.Allows(exchange.Header("Origin"));
}

void RestDoor::AnswerOpenApi(Exchange& exchange) {
  const std::string& verb = exchange.request().method;
  if (verb != "GET" && verb != "HEAD") {
    return RefuseVerb(exchange, kOpenApiVerbs);
  }
  exchange.Answer(CacheableReply(std::string(OpenApiDocument()),
                                 exchange.Header("If-None-Match")));
}

void RestDoor::Refuse(Exchange& exchange, const google::rpc::Status& status) {
  telemetry_.Refused(Door::kRest, status, NamerOf(gate_, exchange.peer()));
  exchange.Answer(RefusalReply(status));
}

HttpResponse RestDoor::RefuseUnread(int code, std::string_view message,
                                    const HttpPeer& peer) {
  const google::rpc::Status status = code == MHD_HTTP_CONTENT_TOO_LARGE
                                         ? BodyTooLarge(body_limit_)
                                         : MalformedRequest({}, message);
  telemetry_.Refused(Door::kRest, status, NamerOf(gate_, peer));
  return RefusalReply(status, code);
}

void RestDoor::RefuseVerb(Exchange& exchange, const std::string& allowed) {
  const google::rpc::Status status =
      MethodNotAllowed(Quote(exchange.request().path), allowed);
  telemetry_.Refused(Door::kRest, status, NamerOf(gate_, exchange.peer()));
  exchange.Answer(WrongVerbReply(status, allowed));
}

}  // namespace sittuyin::service
