// Reads files again when they have changed.
#ifndef SITTUYIN_SERVICE_ACCESS_FILE_WATCH_H_
#define SITTUYIN_SERVICE_ACCESS_FILE_WATCH_H_

#include <functional>
#include <thread>
#include <vector>

#include "service/access/change_detector.h"

namespace sittuyin::service {

// Has a thread of its own, which looks each second, so that a change is acted
// upon within two, and none when there is nothing to watch.
class FileWatch {
 public:
  struct Watched {
    ChangeDetector files;
    std::function<void()> reload;  // Called on the watch's thread.
  };

  explicit FileWatch(std::vector<Watched> watched);

  // True while files are watched.
  bool active() const { return thread_.joinable(); }

 private:
  void Run(const std::stop_token& stop);

  std::vector<Watched> watched_;
  std::jthread thread_;  // The last member: it ends first.
};

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_ACCESS_FILE_WATCH_H_
