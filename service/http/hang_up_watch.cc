#include "service/http/hang_up_watch.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <utility>

namespace sittuyin::service {

HangUpWatch::HangUpWatch()
    : epoll_(epoll_create1(EPOLL_CLOEXEC)),
      wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  epoll_event event{.events = EPOLLIN, .data = {.u64 = 0}};
  epoll_ctl(epoll_, EPOLL_CTL_ADD, wake_, &event);
  if (works()) thread_ = std::thread([this] { Run(); });
}

HangUpWatch::~HangUpWatch() {
  if (thread_.joinable()) {
    eventfd_write(wake_, 1);
    thread_.join();
  }
  close(wake_);
  close(epoll_);
}

HangUpWatch::Ticket HangUpWatch::Watch(int socket, OnHangUp on_hang_up) {
  std::unique_lock lock(mutex_);
  const Ticket ticket = next_++;
  if (given_up_) {
    lock.unlock();
    on_hang_up();
    return ticket;
  }
  watched_.emplace(ticket, std::move(on_hang_up));
  epoll_event event{.events = EPOLLRDHUP | EPOLLONESHOT,
                    .data = {.u64 = ticket}};
  epoll_ctl(epoll_, EPOLL_CTL_ADD, socket, &event);
  return ticket;
}

void HangUpWatch::Forget(int socket, Ticket ticket) {
  const std::lock_guard lock(mutex_);
  epoll_ctl(epoll_, EPOLL_CTL_DEL, socket, nullptr);
  watched_.erase(ticket);
}

void HangUpWatch::GiveUp() {
  std::unordered_map<Ticket, OnHangUp> watched;
  {
    const std::lock_guard lock(mutex_);
    given_up_ = true;
    watched.swap(watched_);
  }
  for (const auto& [ticket, on_hang_up] : watched) on_hang_up();
}

void HangUpWatch::Run() {
  std::array<epoll_event, 64> events;
  while (true) {
    const int count = epoll_wait(epoll_, events.data(), events.size(), -1);
    for (int i = 0; i < count; ++i) {
      if (events[i].data.u64 == 0) return;
      Fire(events[i].data.u64);
    }
  }
}

void HangUpWatch::Fire(Ticket ticket) {
  OnHangUp on_hang_up;
  {
    const std::lock_guard lock(mutex_);
    const auto it = watched_.find(ticket);
    if (it == watched_.end()) return;
    on_hang_up = std::move(it->second);
    watched_.erase(it);
  }
  on_hang_up();
}

}  // namespace sittuyin::service
