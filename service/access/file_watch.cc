#include "service/access/file_watch.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>

namespace sittuyin::service {
namespace {

constexpr std::chrono::seconds kInterval(1);

}  // namespace

FileWatch::FileWatch(std::vector<Watched> watched)
    : watched_(std::move(watched)) {
  if (watched_.empty()) return;
  thread_ = std::jthread([this](const std::stop_token& stop) { Run(stop); });
}

void FileWatch::Run(const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any stopped;
  std::unique_lock lock(mutex);
  while (!stopped.wait_for(lock, stop, kInterval,
                           [&] { return stop.stop_requested(); })) {
    for (Watched& watched : watched_) Look(watched);
  }
}

void FileWatch::Look(Watched& watched) {
  using enum ChangeDetector::State;
  const auto state = watched.files.Poll();
  if (state == kUnsettled || (state == kKnown && !watched.fault)) return;
  auto fault = watched.reload();
  const bool told = state == kKnown && fault == watched.fault;
  if (fault && !told) watched.complain(*fault);
  watched.fault = std::move(fault);
}

}  // namespace sittuyin::service
