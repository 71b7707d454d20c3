// The socket a door listens on.
#ifndef SITTUYIN_SERVICE_HTTP_LISTENER_H_
#define SITTUYIN_SERVICE_HTTP_LISTENER_H_

#include <string>
#include <string_view>
#include <variant>

namespace sittuyin::service {

// Owns a listening TCP socket.
class Listener {
 public:
  // Listens on `address`, `host:port` with a name, an IPv4 address or a
  // bracketed IPv6 address; port 0 picks a free one. On failure one sentence
  // that names the address. A port that another server holds is a failure.
  static std::variant<Listener, std::string> Open(std::string_view address);

  ~Listener();
  Listener(Listener&& other) noexcept;
  Listener& operator=(Listener&& other) = delete;

  int socket() const { return socket_; }
  // Refuses new connections from now on, those not yet accepted included.
  void StopListening() const;
  // Where it listens in numbers, `127.0.0.1:1234` or `[::1]:1234`.
  const std::string& address() const { return address_; }

 private:
  Listener(int socket, std::string address);

  int socket_;
  std::string address_;
};

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_HTTP_LISTENER_H_
