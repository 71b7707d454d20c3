// The plain part of protobuf's JSON mapping, fast.
#ifndef SITTUYIN_SERVICE_HTTP_JSON_FAST_READER_H_
#define SITTUYIN_SERVICE_HTTP_JSON_FAST_READER_H_

#include <google/protobuf/message.h>

#include <string_view>

namespace sittuyin::service {

// True when `message` is filled exactly as protobuf's JSON parser would fill
// it. False when the text is more than plain: not RFC 8259, an unknown field,
// null, a type converted, a well-known type. Then `message` is in an
// unspecified state and nothing is said of the text.
bool ReadPlainJson(std::string_view json, google::protobuf::Message& message);

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_HTTP_JSON_FAST_READER_H_
