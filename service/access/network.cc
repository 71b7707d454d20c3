#include "service/access/network.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <array>

namespace sittuyin::service {

std::string NetworkOf(const std::string& host) {
  in6_addr address;
  const std::string without_zone = host.substr(0, host.find('%'));
  if (inet_pton(AF_INET6, without_zone.c_str(), &address) != 1) return host;
  std::array<char, INET6_ADDRSTRLEN> text;
  if (IN6_IS_ADDR_V4MAPPED(&address)) {
    return inet_ntop(AF_INET, &address.s6_addr[12], text.data(), text.size());
  }
  std::fill(std::begin(address.s6_addr) + 8, std::end(address.s6_addr), 0);
  inet_ntop(AF_INET6, &address, text.data(), text.size());
  return std::string(text.data()) + "/64";
}

}  // namespace sittuyin::service
