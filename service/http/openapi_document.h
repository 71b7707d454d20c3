// The contract as an OpenAPI document, generated with the build.
#ifndef SITTUYIN_SERVICE_HTTP_OPENAPI_DOCUMENT_H_
#define SITTUYIN_SERVICE_HTTP_OPENAPI_DOCUMENT_H_

#include <string_view>

namespace sittuyin::service {

// OpenAPI 3.1 as JSON; valid for the life of the process.
std::string_view OpenApiDocument();

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_HTTP_OPENAPI_DOCUMENT_H_
