// The contract as an OpenAPI document.
#ifndef SITTUYIN_SERVICE_HTTP_OPENAPI_H_
#define SITTUYIN_SERVICE_HTTP_OPENAPI_H_

#include <google/protobuf/descriptor.h>

#include <string>
#include <string_view>

namespace sittuyin::service {

// OpenAPI 3.1, as JSON, of every rpc of `service` that has a google.api.http
// option. Descriptions are the proto's comments, so the descriptors must have
// their source locations. `refusal` is the message that every refused call
// answers with.
std::string WriteOpenApi(const google::protobuf::ServiceDescriptor& service,
                         const google::protobuf::Descriptor& refusal,
                         std::string_view version);

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_HTTP_OPENAPI_H_
