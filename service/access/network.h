// Which addresses count as one caller.
#ifndef SITTUYIN_SERVICE_ACCESS_NETWORK_H_
#define SITTUYIN_SERVICE_ACCESS_NETWORK_H_

#include <string>

namespace sittuyin::service {

// An IPv4 address stands for itself, an IPv6 address for its /64, which is
// what one site has at the least; one that holds an IPv4 address for that.
// Other text stands for itself. `host` has no port and no brackets.
std::string NetworkOf(const std::string& host);

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_ACCESS_NETWORK_H_
