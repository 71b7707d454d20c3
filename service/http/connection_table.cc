#include "service/http/connection_table.h"

#include <sys/socket.h>

#include <algorithm>

namespace sittuyin::service {

void OpenConnection::HurryClient(Clock::time_point due) {
  due_ = std::min(due, due_.load());
}

OpenConnection& ConnectionTable::Opened(int socket, Clock::time_point due) {
  const std::lock_guard lock(mutex_);
  OpenConnection& opened = connections_.emplace_front(socket);
  opened.place_ = connections_.begin();
  opened.AwaitClient(due);
  if (++uncut_ <= most_) return opened;
  OpenConnection* first = &opened;
  // The newest come first: of equals the oldest is cut.
  for (OpenConnection& other : connections_) {
    if (!other.cut_ && other.due_.load() <= first->due_.load()) first = &other;
  }
  Cut(*first);
  return opened;
}

void ConnectionTable::Closed(OpenConnection& connection) {
  const std::lock_guard lock(mutex_);
  if (!connection.cut_) --uncut_;
  connections_.erase(connection.place_);
  if (connections_.empty()) emptied_.notify_all();
}

void ConnectionTable::CutOverdue(Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  for (OpenConnection& connection : connections_) {
    if (connection.cut_ || connection.due_.load() >= now) continue;
    // Else the kernel would keep what the client does not take for minutes.
    const linger none{.l_onoff = 1, .l_linger = 0};
    setsockopt(connection.socket_, SOL_SOCKET, SO_LINGER, &none, sizeof(none));
    Cut(connection);
  }
}

void ConnectionTable::CutAll(Clock::duration most) {
  std::unique_lock lock(mutex_);
  for (OpenConnection& connection : connections_) {
    if (!connection.cut_) Cut(connection);
  }
  emptied_.wait_for(lock, most, [this] { return connections_.empty(); });
}

void ConnectionTable::Cut(OpenConnection& connection) {
  connection.cut_ = true;
  --uncut_;
  shutdown(connection.socket_, SHUT_RDWR);
}

}  // namespace sittuyin::service
