#include "service/http/rest_call.h"

#include <strings.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <string_view>
#include <utility>

#include "service/errors/errors.h"
#include "service/http/json_reader.h"
#include "service/http/json_writer.h"
#include "service/http/query_reader.h"
#include "service/http/quote.h"
#include "service/http/replies.h"

namespace sittuyin::service {
namespace {

using google::protobuf::Message;
using google::rpc::Status;
using Clock = std::chrono::steady_clock;

constexpr const char* kTimeoutHeader = "X-Request-Timeout";
// A caller that would wait longer has no deadline that matters here.
constexpr double kLongestTimeout = 3600;

// Seconds above zero, `2.5`; nothing for other text.
std::optional<std::chrono::nanoseconds> ReadTimeout(std::string_view text) {
  double seconds = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), seconds,
                      std::chars_format::fixed);
  if (error != std::errc() || end != text.data() + text.size() ||
      !std::isfinite(seconds) || seconds <= 0) {
    return std::nullopt;
  }
  return std::chrono::nanoseconds(static_cast<std::chrono::nanoseconds::rep>(
      std::min(seconds, kLongestTimeout) * 1e9));
}

}  // namespace

RestCall::RestCall(const Route& route, Telemetry& telemetry, const Gate* gate,
                   std::shared_ptr<Exchange> exchange)
    : route_(route),
      gate_(gate),
      exchange_(std::move(exchange)),
      call_(telemetry.Begin(route.method, Door::kRest,
                            exchange_->Header("traceparent").value_or(""))) {}

bool RestCall::Read(Message& request) {
  const Status status = ReadRequest(request);
  if (status.code() != 0) Refuse(status);
  return status.code() == 0;
}

Status RestCall::ReadRequest(Message& request) {
  const HttpRequest& http = exchange_->request();
  if (http.body_too_large) return BodyTooLarge(exchange_->body_limit());
  if (http.uri_too_large) {
    return FieldOutOfRange("URI", "at most " +
                                      std::to_string(exchange_->body_limit()) +
                                      " bytes; POST takes a body");
  }
  if (const auto text = exchange_->Header(kTimeoutHeader)) {
    const auto timeout = ReadTimeout(*text);
    if (!timeout) {
      return MalformedRequest(kTimeoutHeader,
                              "want the seconds until the deadline, above 0, "
                              "like 2.5.");
    }
    deadline_ = http.begin + *timeout;
    if (*deadline_ <= Clock::now()) return DeadlineExceeded();
  }
  if (!route_.has_body) {
    if (http.body.empty()) return ReadQuery(http.query, request);
    return MalformedRequest({}, "A GET has no body: send parameters, or POST.");
  }
  if (!http.query.empty()) {
    return MalformedRequest(Quote(http.query.front().first),
                            "the body is the request, send no parameters.");
  }
  const auto encoding = exchange_->Header("Content-Encoding");
  if (encoding && strcasecmp(encoding->c_str(), "identity") != 0) {
    return BodyEncoded(Quote(*encoding));
  }
  return ReadJson(http.body, request);
}

CallContext RestCall::Context() {
  return {.call = *call_, .deadline = deadline_, .caller = nullptr};
}

CallContext RestCall::SearchContext() {
  caller_ = std::make_shared<Caller>();
  caller_name_ = NameCaller();
  exchange_->OnHangUp([caller = caller_] { caller->Leave(); });
  return {.call = *call_, .deadline = deadline_, .caller = caller_};
}

std::string RestCall::NameCaller() const {
  return NamerOf(gate_, exchange_->peer())();
}

void RestCall::FinishCall(const Status& status, int code) {
  call_->SetHttp({.verb = route_.verb, .route = route_.path, .code = code});
  call_->Finish(status, [this] {
    return caller_ == nullptr ? NameCaller() : caller_name_;
  });
}

void RestCall::Refuse(const Status& status) {
  HttpResponse reply = RefusalReply(status);
  FinishCall(status, reply.code);
  exchange_->Answer(std::move(reply));
}

void RestCall::Finish(const Status& status, const Message& answer) {
  if (status.code() != 0) return Refuse(status);
  std::string json = WriteJson(answer);
  HttpResponse reply =
      route_.verb == "GET"
          ? CacheableReply(std::move(json), exchange_->Header("If-None-Match"))
          : JsonReply(std::move(json));
  FinishCall(status, reply.code);
  exchange_->Answer(std::move(reply));
}

void RestCall::WriteLine(const Message& message) {
  if (!has_lines_) {
    has_lines_ = true;
    exchange_->BeginStream({.content_type = "application/x-ndjson",
                            .headers = {{"Cache-Control", "no-store"}}});
  }
  exchange_->Write(WriteJson(message) + '\n');
}

void RestCall::FinishLines(const Status& status) {
  if (!has_lines_) return Refuse(status);
  if (status.code() != 0) {
    exchange_->Write("{\"error\":" + WriteJson(status) + "}\n");
  }
  FinishCall(status, HttpResponse().code);
  exchange_->EndStream();
}

}  // namespace sittuyin::service
