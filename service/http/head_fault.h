// Whether the head of a request can be read in one way only.
#ifndef SITTUYIN_SERVICE_HTTP_HEAD_FAULT_H_
#define SITTUYIN_SERVICE_HTTP_HEAD_FAULT_H_

#include <microhttpd.h>

#include <cstddef>
#include <string_view>

namespace sittuyin::service {

// What libmicrohttpd lets pass and HTTP/1.1 wants refused with 400, because
// another server on the way may read it otherwise and so see other requests
// (RFC 9112, 3.2, 5.1, 6.1, 6.3). Each is one sentence, empty when nothing is
// wrong.

// Of what the first line asks for.
std::string_view TargetFault(std::string_view target);

// `method` and `version` are the request's where libmicrohttpd has them.

// Of the first line around its target.
std::string_view FirstLineFault(const char* method, std::size_t target_size,
                                const char* version);

// Of the headers, when they are there.
std::string_view HeadersFault(MHD_Connection* connection, const char* method,
                              const char* version);

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_HTTP_HEAD_FAULT_H_
