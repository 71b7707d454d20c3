// Reads files again when they have changed.
#ifndef SITTUYIN_SERVICE_ACCESS_FILE_WATCH_H_
#define SITTUYIN_SERVICE_ACCESS_FILE_WATCH_H_

#include <functional>
#include <optional>
#include <stop_token>
#include <thread>
#include <vector>

#include "service/access/change_detector.h"
#include "service/access/read_file.h"

namespace sittuyin::service {

// Has a thread of its own, which looks each second, so that a change is acted
// upon within two, and none when there is nothing to watch. What failed is
// tried again each second, for it need not be for the files that it did.
class FileWatch {
 public:
  // The functions are called on the watch's thread.
  struct Watched {
    ChangeDetector files;
    std::function<std::optional<FileFault>()> reload;
    // Once for each change of the files, and when they fail for another reason.
    std::function<void(const FileFault&)> complain;
    std::optional<FileFault> fault = {};  // Of the last reload.
  };

  explicit FileWatch(std::vector<Watched> watched);

  // True while files are watched.
  bool active() const { return thread_.joinable(); }

 private:
  void Run(const std::stop_token& stop);
  static void Look(Watched& watched);

  std::vector<Watched> watched_;
  std::jthread thread_;  // The last member: it ends first.
};

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_ACCESS_FILE_WATCH_H_
