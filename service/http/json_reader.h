// JSON as protobuf messages.
#ifndef SITTUYIN_SERVICE_HTTP_JSON_READER_H_
#define SITTUYIN_SERVICE_HTTP_JSON_READER_H_

#include <google/protobuf/message.h>

#include <string_view>

#include "google/rpc/status.pb.h"

namespace sittuyin::service {

// Fills `message`, which must be empty, from `json` as protobuf's JSON mapping
// has it; nothing at all is the empty message. What another reader could take
// for another request is refused: all that is not RFC 8259, a name given twice,
// null in an array, a value converted from another type than text to a number.
// A refusal is MALFORMED_REQUEST, names the field where there is one, and
// leaves `message` in an unspecified state.
//
// Protobuf's parser, which is lenient in all of this, needs several times as
// long.
google::rpc::Status ReadJson(std::string_view json,
                             google::protobuf::Message& message);

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_HTTP_JSON_READER_H_
