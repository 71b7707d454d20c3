// A caller's text inside our own.
#ifndef SITTUYIN_SERVICE_HTTP_QUOTE_H_
#define SITTUYIN_SERVICE_HTTP_QUOTE_H_

#include <string>
#include <string_view>

namespace sittuyin::service {

// `text` as a message may repeat it: at most 200 bytes of it, cut between
// characters, and in UTF-8, with `?` for each byte beyond ASCII where it is
// not.
std::string Quote(std::string_view text);

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_HTTP_QUOTE_H_
