// The open connections of an HTTP server, and how long each may take.
#ifndef SITTUYIN_SERVICE_HTTP_CONNECTION_TABLE_H_
#define SITTUYIN_SERVICE_HTTP_CONNECTION_TABLE_H_

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <list>
#include <mutex>
#include <random>
#include <utility>

namespace sittuyin::service {

// A connection and how long its client may take. Set by the thread that serves
// the connection.
class OpenConnection {
 public:
  using Clock = std::chrono::steady_clock;

  explicit OpenConnection(int socket) : socket_(socket) {}

  // The client has from `now` on so long to send its part.
  void AwaitClient(Clock::time_point now, Clock::duration most);
  // As AwaitClient, unless its time is up earlier.
  void HurryClient(Clock::time_point now, Clock::duration most);
  // The client has so long to take an answer; unless its time is up earlier if
  // it is `hurried`.
  void AwaitTaking(Clock::time_point now, Clock::duration most, bool hurried);
  // The server has its part to do.
  void AwaitServer();

  // Its age is over: its next answer is to be its last.
  bool IsOld() const { return old_.load(std::memory_order_relaxed); }

 private:
  friend class ConnectionTable;

  static constexpr Clock::time_point kNever = Clock::time_point::max();

  const int socket_;
  std::atomic<Clock::time_point> since_{
      kNever};                                  // When the client's part began.
  std::atomic<Clock::time_point> due_{kNever};  // When its time is up.
  std::atomic<bool> sends_{true};               // The client's part is to send.
  std::atomic<bool> old_{false};
  // The table's, under its mutex.
  std::list<OpenConnection>::iterator place_;
  Clock::time_point old_at_ = kNever;
  bool cut_ = false;
};

// Cuts connections by shutting their sockets down, whereupon their owner is to
// close them. Thread-safe.
class ConnectionTable {
 public:
  using Clock = OpenConnection::Clock;

  // At most `most` connections are open at a time; `crowded` is told of each
  // that is cut for one too many, and must not take long. Each is old at `age`,
  // give or take a tenth, so that those that came together do not all go
  // together; zero = never.
  explicit ConnectionTable(
      std::size_t most, Clock::duration age = {},
      std::function<void()> crowded = [] {})
      : most_(most), age_(age), crowded_(std::move(crowded)) {}

  // A connection has come, whose client has from `now` on so long for its part.
  // Where it is one too many, the one is cut whose client has kept the server
  // waiting longest, whatever for; if all others wait for the server, itself.
  OpenConnection& Opened(int socket, Clock::time_point now,
                         Clock::duration most);
  // To be called before the socket is closed; `connection` is gone afterwards.
  void Closed(OpenConnection& connection);

  // Notes which are old.
  void NoteAge(Clock::time_point now);

  // Cuts those whose time is up, or whose client has ended its side without
  // doing its part, of which libmicrohttpd does not always hear. What clients
  // have not taken by then is dropped.
  void CutOverdue(Clock::time_point now);

  // Cuts all and waits until they are closed, or for `most`.
  void CutAll(Clock::duration most);

 private:
  static bool HasLeft(const OpenConnection& connection, Clock::time_point now);
  void Cut(OpenConnection& connection);  // Under mutex_.

  const std::size_t most_;
  const Clock::duration age_;
  const std::function<void()> crowded_;
  std::mutex mutex_;
  std::condition_variable emptied_;
  std::list<OpenConnection> connections_;
  std::size_t uncut_ = 0;
  std::minstd_rand random_{std::random_device()()};
};

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_HTTP_CONNECTION_TABLE_H_
