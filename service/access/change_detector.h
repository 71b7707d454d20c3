// Notices that files have changed.
#ifndef SITTUYIN_SERVICE_ACCESS_CHANGE_DETECTOR_H_
#define SITTUYIN_SERVICE_ACCESS_CHANGE_DETECTOR_H_

#include <cstdint>
#include <string>
#include <vector>

namespace sittuyin::service {

// Looks at what paths lead to, symbolic links followed, so that a swapped link
// anywhere on the way is a change. Thread-compatible.
class ChangeDetector {
 public:
  // To be made before the files are read for the first time.
  explicit ChangeDetector(std::vector<std::string> paths);

  enum class State {
    kUnsettled,  // They have changed since the call before.
    kKnown,      // They are those of the beginning or of the last kNew.
    kNew,
  };
  // Several files that are written one after another are one change.
  State Poll();

 private:
  // All zero for a file that is not there.
  struct Stamp {
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
    std::int64_t size = 0;
    std::int64_t modified = 0;  // In nanoseconds, as `changed`.
    std::int64_t changed = 0;
    bool operator==(const Stamp&) const = default;
  };
  static Stamp StampOf(const std::string& path);
  std::vector<Stamp> Stamps() const;

  const std::vector<std::string> paths_;
  std::vector<Stamp> known_;
  std::vector<Stamp> last_;
};

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_ACCESS_CHANGE_DETECTOR_H_
