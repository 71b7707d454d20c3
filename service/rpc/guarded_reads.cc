#include "service/rpc/guarded_reads.h"

#include <grpc/support/log.h>
#include <openssl/ssl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>
#include <thread>
#include <vector>

#include "service/rpc/frame_guard.h"

// What --wrap calls the functions themselves.
// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {
int __real_accept4(int fd, sockaddr* address, socklen_t* size, int flags);
int __real_close(int fd);
ssize_t __real_recvmsg(int fd, msghdr* message, int flags);
ssize_t __real_sendmsg(int fd, const msghdr* message, int flags);
int __real_SSL_read(SSL* ssl, void* buffer, int size);
int __real_SSL_write(SSL* ssl, const void* buffer, int size);
}
// NOLINTEND(bugprone-reserved-identifier)

namespace sittuyin::service {
namespace {

RapidResets& AllRapidResets() {
  static auto* const all = new RapidResets();
  return *all;
}

OpenCalls& AllCalls() {
  static auto* const all = new OpenCalls();
  return *all;
}

// What one connection sends and is sent, in clear or within TLS.
struct Guarded {
  // The first bytes tell: a client in clear begins with the preface, which no
  // TLS record does.
  std::atomic<bool> is_tls = false;  // Who writes looks, too.
  bool begun = false;
  FrameGuard frames{&AllRapidResets(), &AllCalls()};
};

constexpr char kTlsHandshake = 0x16;

void Complain() {
  gpr_log(GPR_ERROR,
          "A client asked for more than a connection may; it is cut off.");
}

// By file descriptor. gRPC reads a connection from one thread at a time, and
// closes it when none reads or writes it.
class Connections {
 public:
  static Connections& Get() {
    static auto* const connections = new Connections();
    return *connections;
  }

  void Allow(std::size_t most) { most_ = most; }

  // False when there is no room for another.
  bool Accepted(int fd) {
    if (static_cast<std::size_t>(fd) >= by_fd_.size() || open_ >= most_) {
      return false;
    }
    by_fd_[static_cast<std::size_t>(fd)] = std::make_unique<Guarded>();
    ++open_;
    return true;
  }

  // That of one accepted.
  void Closing(int fd) {
    by_fd_[static_cast<std::size_t>(fd)] = nullptr;
    --open_;
  }

  std::size_t open() const { return open_; }

  // Null for what was not accepted.
  Guarded* Find(int fd) const {
    if (static_cast<std::size_t>(fd) >= by_fd_.size()) return nullptr;
    return by_fd_[static_cast<std::size_t>(fd)].get();
  }

 private:
  // With the last of the numbers gRPC's memory has long run out.
  Connections() {
    rlimit files{};
    getrlimit(RLIMIT_NOFILE, &files);
    by_fd_.resize(std::min<std::size_t>(files.rlim_cur, 1 << 17));
  }

  std::vector<std::unique_ptr<Guarded>> by_fd_;
  std::atomic<std::size_t> most_ = 0;
  std::atomic<std::size_t> open_ = 0;
};

std::atomic<bool> guarding = false;
std::atomic<bool> holding = false;

// Null where nothing is guarded.
Guarded* GuardedAt(int fd) {
  return guarding ? Connections::Get().Find(fd) : nullptr;
}

bool PassClear(Guarded& guarded, const msghdr& message, std::size_t size) {
  const auto now = FrameGuard::Clock::now();
  for (std::size_t i = 0; i < message.msg_iovlen && size > 0; ++i) {
    const std::string_view bytes(
        static_cast<const char*>(message.msg_iov[i].iov_base),
        std::min(size, message.msg_iov[i].iov_len));
    size -= bytes.size();
    if (bytes.empty()) continue;
    if (!guarded.begun) guarded.is_tls = bytes.front() == kTlsHandshake;
    guarded.begun = true;
    if (guarded.is_tls) return true;
    if (!guarded.frames.Pass(bytes, now)) return false;
  }
  return true;
}

void NoteSent(Guarded& guarded, const msghdr& message, std::size_t size) {
  for (std::size_t i = 0; i < message.msg_iovlen && size > 0; ++i) {
    const std::string_view bytes(
        static_cast<const char*>(message.msg_iov[i].iov_base),
        std::min(size, message.msg_iov[i].iov_len));
    size -= bytes.size();
    guarded.frames.Sent(bytes);
  }
}

int GuardIndex() {
  static const int index = SSL_get_ex_new_index(
      0, nullptr, nullptr, nullptr,
      [](void*, void* guard, CRYPTO_EX_DATA*, int, long, void*) {
        delete static_cast<FrameGuard*>(guard);
      });
  return index;
}

FrameGuard& GuardOf(SSL* ssl) {
  auto* guard = static_cast<FrameGuard*>(SSL_get_ex_data(ssl, GuardIndex()));
  if (guard == nullptr) {
    guard = new FrameGuard(&AllRapidResets(), &AllCalls());
    SSL_set_ex_data(ssl, GuardIndex(), guard);
  }
  return *guard;
}

}  // namespace

void GuardReads(std::size_t most) {
  Connections::Get().Allow(most);
  guarding = true;
}

HoldReads::HoldReads() { holding = true; }

HoldReads::~HoldReads() { holding = false; }

void HoldReads::AwaitNoneOpen(std::chrono::steady_clock::time_point end) const {
  while (Connections::Get().open() > 0 &&
         std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {

// gRPC would never accept again after an error that says that the process has
// no more file descriptors.
int __wrap_accept4(int fd, sockaddr* address, socklen_t* size, int flags) {
  const socklen_t room = *size;
  while (true) {
    if (holding) {
      errno = EAGAIN;
      return -1;
    }
    *size = room;
    const int accepted = __real_accept4(fd, address, size, flags);
    if (!guarding) return accepted;
    if (accepted < 0) {
      if (errno == EMFILE || errno == ENFILE) errno = EAGAIN;
      return accepted;
    }
    if (Connections::Get().Accepted(accepted)) return accepted;
    close(accepted);
  }
}

int __wrap_close(int fd) {
  if (GuardedAt(fd) != nullptr) Connections::Get().Closing(fd);
  return __real_close(fd);
}

ssize_t __wrap_recvmsg(int fd, msghdr* message, int flags) {
  Guarded* const guarded = GuardedAt(fd);
  if (guarded == nullptr || (flags & MSG_ERRQUEUE) != 0) {
    return __real_recvmsg(fd, message, flags);
  }
  if (holding) {
    errno = EAGAIN;
    return -1;
  }
  const ssize_t size = __real_recvmsg(fd, message, flags);
  if (size <= 0 ||
      PassClear(*guarded, *message, static_cast<std::size_t>(size))) {
    return size;
  }
  Complain();
  errno = ECONNRESET;
  return -1;
}

// The first that a server sends are its limits.
ssize_t __wrap_sendmsg(int fd, const msghdr* message, int flags) {
  Guarded* const guarded = GuardedAt(fd);
  if (guarded != nullptr) guarded->frames.LimitsSent();
  const ssize_t size = __real_sendmsg(fd, message, flags);
  if (guarded != nullptr && !guarded->is_tls && size > 0) {
    NoteSent(*guarded, *message, static_cast<std::size_t>(size));
  }
  return size;
}

int __wrap_SSL_write(SSL* ssl, const void* buffer, int size) {
  FrameGuard* const guard =
      guarding && SSL_is_server(ssl) != 0 ? &GuardOf(ssl) : nullptr;
  if (guard != nullptr) guard->LimitsSent();
  const int written = __real_SSL_write(ssl, buffer, size);
  if (guard != nullptr && written > 0) {
    guard->Sent(
        {static_cast<const char*>(buffer), static_cast<std::size_t>(written)});
  }
  return written;
}

// An error of SSL_read cannot be made from outside, so what must not be handed
// on is made into what gRPC ends a connection for: frames of sixteen mebibytes.
int __wrap_SSL_read(SSL* ssl, void* buffer, int capacity) {
  const int size = __real_SSL_read(ssl, buffer, capacity);
  if (!guarding || size <= 0 || SSL_is_server(ssl) == 0) return size;
  const std::string_view bytes(static_cast<const char*>(buffer),
                               static_cast<std::size_t>(size));
  if (!GuardOf(ssl).Pass(bytes, FrameGuard::Clock::now())) {
    Complain();
    std::memset(buffer, 0xff, static_cast<std::size_t>(size));
  }
  return size;
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier)

}  // namespace sittuyin::service
