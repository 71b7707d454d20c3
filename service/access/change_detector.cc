#include "service/access/change_detector.h"

#include <sys/stat.h>

#include <utility>

namespace sittuyin::service {
namespace {

std::int64_t Nanoseconds(const timespec& time) {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

}  // namespace

ChangeDetector::ChangeDetector(std::vector<std::string> paths)
    : paths_(std::move(paths)), known_(Stamps()), last_(known_) {}

ChangeDetector::Stamp ChangeDetector::StampOf(const std::string& path) {
  struct stat file;
  if (stat(path.c_str(), &file) != 0) return {};
  return {.device = file.st_dev,
          .inode = file.st_ino,
          .size = file.st_size,
          .modified = Nanoseconds(file.st_mtim),
          .changed = Nanoseconds(file.st_ctim)};
}

std::vector<ChangeDetector::Stamp> ChangeDetector::Stamps() const {
  std::vector<Stamp> stamps;
  for (const std::string& path : paths_) stamps.push_back(StampOf(path));
  return stamps;
}

ChangeDetector::State ChangeDetector::Poll() {
  std::vector<Stamp> now = Stamps();
  const bool still = now == last_;
  last_ = std::move(now);
  if (!still) return State::kUnsettled;
  if (last_ == known_) return State::kKnown;
  known_ = last_;
  return State::kNew;
}

}  // namespace sittuyin::service
