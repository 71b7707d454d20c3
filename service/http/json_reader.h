// JSON as protobuf messages.
#ifndef SITTUYIN_SERVICE_HTTP_JSON_READER_H_
#define SITTUYIN_SERVICE_HTTP_JSON_READER_H_

#include <google/protobuf/message.h>

#include <string_view>

#include "google/rpc/status.pb.h"

namespace sittuyin::service {

// Fills `message`, which must be empty, from `json` as protobuf's JSON mapping
// has it; nothing at all is the empty message. Whatever protobuf's parser
// refuses, an unknown field included, is MALFORMED_REQUEST and names the field
// where the parser does.
//
// Plain text of what the contract has is read here, several times as fast as
// by protobuf's parser, which decides on everything else.
google::rpc::Status ReadJson(std::string_view json,
                             google::protobuf::Message& message);

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_HTTP_JSON_READER_H_
