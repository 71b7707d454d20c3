// Notices clients that leave before they have their answer.
#ifndef SITTUYIN_SERVICE_HTTP_HANG_UP_WATCH_H_
#define SITTUYIN_SERVICE_HTTP_HANG_UP_WATCH_H_

#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <unordered_map>

namespace sittuyin::service {

// Watches sockets with one thread. Needed because libmicrohttpd does not look
// at a suspended connection. Thread-safe.
class HangUpWatch {
 public:
  using OnHangUp = std::function<void()>;
  using Ticket = std::uint64_t;

  HangUpWatch();
  ~HangUpWatch();
  HangUpWatch(const HangUpWatch&) = delete;
  HangUpWatch& operator=(const HangUpWatch&) = delete;

  // False when the process had no file descriptors left for it.
  bool works() const { return epoll_ >= 0 && wake_ >= 0; }

  // Calls `on_hang_up` at most once, on the watch's thread, when the peer of
  // `socket` shuts down its side, or on the calling thread after GiveUp.
  Ticket Watch(int socket, OnHangUp on_hang_up);

  // Ends a watch; to be called before `socket` is closed. `on_hang_up` may
  // still be running when it returns.
  void Forget(int socket, Ticket ticket);

  // Treats every client, present and future, as one that has left.
  void GiveUp();

 private:
  void Run();
  void Fire(Ticket ticket);

  int epoll_;
  int wake_;  // Readable = the thread must end.
  std::mutex mutex_;
  Ticket next_ = 1;  // 0 is wake_'s.
  bool given_up_ = false;
  std::unordered_map<Ticket, OnHangUp> watched_;
  std::thread thread_;
};

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_HTTP_HANG_UP_WATCH_H_
