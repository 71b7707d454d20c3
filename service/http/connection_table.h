// The open connections of an HTTP server, and how long each may take.
#ifndef SITTUYIN_SERVICE_HTTP_CONNECTION_TABLE_H_
#define SITTUYIN_SERVICE_HTTP_CONNECTION_TABLE_H_

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <list>
#include <mutex>

namespace sittuyin::service {

// A connection and until when its client may take. Set by the thread that
// serves the connection.
class OpenConnection {
 public:
  using Clock = std::chrono::steady_clock;

  explicit OpenConnection(int socket) : socket_(socket) {}

  // The client has its part to do by then.
  void AwaitClient(Clock::time_point due) { due_ = due; }
  // As AwaitClient, unless its time is up earlier.
  void HurryClient(Clock::time_point due);
  // The server has its part to do.
  void AwaitServer() { due_ = Clock::time_point::max(); }

 private:
  friend class ConnectionTable;

  const int socket_;
  std::atomic<Clock::time_point> due_{Clock::time_point::max()};
  // The table's, under its mutex.
  std::list<OpenConnection>::iterator place_;
  bool cut_ = false;
};

// Cuts connections by shutting their sockets down, whereupon their owner is to
// close them. Thread-safe.
class ConnectionTable {
 public:
  using Clock = OpenConnection::Clock;

  // At most `most` connections are open at a time.
  explicit ConnectionTable(std::size_t most) : most_(most) {}

  // A connection has come, whose client has its part to do by `due`. Where it
  // is one too many, the one is cut whose client's time would be up first; if
  // all others wait for the server, itself.
  OpenConnection& Opened(int socket, Clock::time_point due);
  // To be called before the socket is closed; `connection` is gone afterwards.
  void Closed(OpenConnection& connection);

  // Cuts those whose time is up. What their clients have not taken by then is
  // dropped.
  void CutOverdue(Clock::time_point now);

  // Cuts all and waits until they are closed, or for `most`.
  void CutAll(Clock::duration most);

 private:
  void Cut(OpenConnection& connection);  // Under mutex_.

  const std::size_t most_;
  std::mutex mutex_;
  std::condition_variable emptied_;
  std::list<OpenConnection> connections_;
  std::size_t uncut_ = 0;
};

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_HTTP_CONNECTION_TABLE_H_
