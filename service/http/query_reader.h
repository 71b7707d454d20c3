// Query parameters as protobuf messages.
#ifndef SITTUYIN_SERVICE_HTTP_QUERY_READER_H_
#define SITTUYIN_SERVICE_HTTP_QUERY_READER_H_

#include <google/protobuf/message.h>

#include "google/rpc/status.pb.h"
#include "service/http/http_message.h"

namespace sittuyin::service {

// Fills `message`, which must be empty, from `query`. A name is a path of
// fields, each in the proto's spelling or in lowerCamelCase, `game.moves` or
// `game.initialFen`; a list's field occurs once for each element. Values:
// text; `true` or `false`; whole numbers; an enum's value by name or number.
// An unknown name, a value that does not fit, or a second value for what is
// no list is MALFORMED_REQUEST and names the field.
google::rpc::Status ReadQuery(const QueryParameters& query,
                              google::protobuf::Message& message);

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_HTTP_QUERY_READER_H_
