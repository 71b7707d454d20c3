#include "service/http/listener.h"

#include <netdb.h>
#include <netinet/in.h>
#include <spdlog/fmt/fmt.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

namespace sittuyin::service {
namespace {

struct HostPort {
  std::string host;  // Empty = every address.
  std::string port;
};

bool IsPort(std::string_view text) {
  std::uint16_t port = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, port);
  return error == std::errc() && stop == end;
}

std::optional<HostPort> Split(std::string_view address) {
  const std::size_t colon = address.rfind(':');
  if (colon == address.npos || !IsPort(address.substr(colon + 1))) {
    return std::nullopt;
  }
  std::string_view host = address.substr(0, colon);
  const bool bracketed =
      host.size() >= 2 && host.front() == '[' && host.back() == ']';
  if (bracketed) {
    host = host.substr(1, host.size() - 2);
  } else if (host.find(':') != host.npos) {
    return std::nullopt;
  }
  return HostPort{std::string(host), std::string(address.substr(colon + 1))};
}

using AddressList = std::unique_ptr<addrinfo, decltype(&freeaddrinfo)>;

// An empty list, and why, when the host is unknown or the port no number.
AddressList Resolve(const HostPort& at, std::string& error) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  addrinfo* list = nullptr;
  const int result = getaddrinfo(at.host.empty() ? nullptr : at.host.c_str(),
                                 at.port.c_str(), &hints, &list);
  if (result != 0) {
    error = gai_strerror(result);
    list = nullptr;
  }
  return AddressList(list, freeaddrinfo);
}

// The socket, or -1 with errno set.
int ListenOn(const addrinfo& at) {
  const int fd =
      socket(at.ai_family, at.ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return -1;
  // Allows a restart while old connections linger; a port in use stays
  // refused.
  const int on = 1;
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  if (bind(fd, at.ai_addr, at.ai_addrlen) == 0 && listen(fd, SOMAXCONN) == 0) {
    return fd;
  }
  const int error = errno;
  close(fd);
  errno = error;
  return -1;
}

std::string BoundAddress(int fd) {
  sockaddr_storage name{};
  socklen_t length = sizeof(name);
  char host[NI_MAXHOST] = "";
  char port[NI_MAXSERV] = "";
  auto* address = reinterpret_cast<sockaddr*>(&name);
  if (getsockname(fd, address, &length) != 0 ||
      getnameinfo(address, length, host, sizeof(host), port, sizeof(port),
                  NI_NUMERICHOST | NI_NUMERICSERV) != 0) {
    return {};
  }
  return name.ss_family == AF_INET6 ? fmt::format("[{}]:{}", host, port)
                                    : fmt::format("{}:{}", host, port);
}

}  // namespace

std::variant<Listener, std::string> Listener::Open(std::string_view address) {
  const std::optional<HostPort> at = Split(address);
  if (!at) {
    return fmt::format("cannot listen on '{}': want host:port", address);
  }
  std::string error;
  const AddressList list = Resolve(*at, error);
  for (const addrinfo* it = list.get(); it != nullptr; it = it->ai_next) {
    const int fd = ListenOn(*it);
    if (fd >= 0) return Listener(fd, BoundAddress(fd));
    error = std::generic_category().message(errno);
  }
  return fmt::format("cannot listen on '{}': {}", address, error);
}

Listener::Listener(int socket, std::string address)
    : socket_(socket), address_(std::move(address)) {}

Listener::Listener(Listener&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)),
      address_(std::move(other.address_)) {}

void Listener::StopListening() const { shutdown(socket_, SHUT_RDWR); }

Listener::~Listener() {
  if (socket_ >= 0) close(socket_);
}

}  // namespace sittuyin::service
