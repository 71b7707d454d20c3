#include "service/http/connection_table.h"

#include <sys/socket.h>

#include <algorithm>

namespace sittuyin::service {

void OpenConnection::AwaitClient(Clock::time_point now, Clock::duration most) {
  since_ = now;
  due_ = now + most;
  sends_ = true;
}

void OpenConnection::HurryClient(Clock::time_point now, Clock::duration most) {
  since_ = now;
  due_ = std::min(now + most, due_.load());
}

void OpenConnection::AwaitTaking(Clock::time_point now, Clock::duration most,
                                 bool hurried) {
  sends_ = false;
  since_ = now;
  due_ = hurried ? std::min(now + most, due_.load()) : now + most;
}

void OpenConnection::AwaitServer() {
  since_ = kNever;
  due_ = kNever;
}

OpenConnection& ConnectionTable::Opened(int socket, Clock::time_point now,
                                        Clock::duration most) {
  const std::lock_guard lock(mutex_);
  OpenConnection& opened = connections_.emplace_front(socket);
  opened.place_ = connections_.begin();
  opened.AwaitClient(now, most);
  if (age_ > Clock::duration::zero()) {
    std::uniform_real_distribution<double> spread(0.9, 1.1);
    opened.old_at_ = now + std::chrono::duration_cast<Clock::duration>(
                               age_ * spread(random_));
  }
  if (++uncut_ <= most_) return opened;
  OpenConnection* longest = &opened;
  // The newest come first: of equals the oldest is cut.
  for (OpenConnection& other : connections_) {
    if (!other.cut_ && other.since_.load() <= longest->since_.load()) {
      longest = &other;
    }
  }
  Cut(*longest);
  crowded_();
  return opened;
}

void ConnectionTable::Closed(OpenConnection& connection) {
  const std::lock_guard lock(mutex_);
  if (!connection.cut_) --uncut_;
  connections_.erase(connection.place_);
  if (connections_.empty()) emptied_.notify_all();
}

void ConnectionTable::NoteAge(Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  for (OpenConnection& connection : connections_) {
    if (now >= connection.old_at_) connection.old_ = true;
  }
}

void ConnectionTable::CutOverdue(Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  for (OpenConnection& connection : connections_) {
    if (connection.cut_) continue;
    if (connection.due_.load() >= now && !HasLeft(connection, now)) continue;
    // Else the kernel would keep what the client does not take for minutes.
    const linger none{.l_onoff = 1, .l_linger = 0};
    setsockopt(connection.socket_, SOL_SOCKET, SO_LINGER, &none, sizeof(none));
    Cut(connection);
  }
}

bool ConnectionTable::HasLeft(const OpenConnection& connection,
                              Clock::time_point now) {
  // A client may end its side with a request that is still to be read.
  constexpr std::chrono::seconds kToBeRead(1);
  char byte = 0;
  return connection.sends_.load() &&
         now - kToBeRead > connection.since_.load() &&
         recv(connection.socket_, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
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
