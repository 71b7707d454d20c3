// The kinds of HTTP answers that the doors give.
#ifndef SITTUYIN_SERVICE_HTTP_REPLIES_H_
#define SITTUYIN_SERVICE_HTTP_REPLIES_H_

#include <optional>
#include <string>
#include <string_view>

#include "google/rpc/status.pb.h"
#include "service/http/http_message.h"

namespace sittuyin::service {

inline constexpr const char* kJsonType = "application/json";

// `json` as the answer to a question that has no other, which anyone may keep
// for an hour: with a strong ETag over its bytes, under 304 when
// `if_none_match`, the request's header, holds that ETag. Of a 304's body
// libmicrohttpd sends the length alone, as RFC 9110 wants it.
HttpResponse CacheableReply(std::string json,
                            std::optional<std::string_view> if_none_match);

HttpResponse JsonReply(std::string json);

// `status` as JSON under its HTTP code, not to be kept, with Retry-After where
// it says when to try again and WWW-Authenticate where it wants a credential.
HttpResponse RefusalReply(const google::rpc::Status& status);

// `status` under `code`, which says more than its own.
HttpResponse RefusalReply(const google::rpc::Status& status, int code);

// `status` is MethodNotAllowed; `allowed` goes into the Allow header.
HttpResponse WrongVerbReply(const google::rpc::Status& status,
                            const std::string& allowed);

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_HTTP_REPLIES_H_
