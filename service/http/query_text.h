// The path and the query of a URL.
#ifndef SITTUYIN_SERVICE_HTTP_QUERY_TEXT_H_
#define SITTUYIN_SERVICE_HTTP_QUERY_TEXT_H_

#include <string>
#include <string_view>

#include "service/http/http_message.h"

namespace sittuyin::service {

// The path of `target`, what a request asks for up to its `?`, with percent
// codes decoded; also of the absolute form, `http://host/path`, that HTTP/1.1
// has servers accept.
std::string PathOf(std::string_view target);

// The parameters of `query`, what follows the `?` of a URL: `+` and `%20` are
// spaces, a name without `=` has the empty value, and a `%` without two hex
// digits after it stands for itself.
QueryParameters SplitQuery(std::string_view query);

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_HTTP_QUERY_TEXT_H_
