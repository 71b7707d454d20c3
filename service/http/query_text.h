// The query of a URL.
#ifndef SITTUYIN_SERVICE_HTTP_QUERY_TEXT_H_
#define SITTUYIN_SERVICE_HTTP_QUERY_TEXT_H_

#include <string_view>

#include "service/http/http_message.h"

namespace sittuyin::service {

// The parameters of `query`, what follows the `?` of a URL: `+` and `%20` are
// spaces, a name without `=` has the empty value, and a `%` without two hex
// digits after it stands for itself.
QueryParameters SplitQuery(std::string_view query);

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_HTTP_QUERY_TEXT_H_
