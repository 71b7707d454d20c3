// A small file as text.
#ifndef SITTUYIN_SERVICE_ACCESS_READ_FILE_H_
#define SITTUYIN_SERVICE_ACCESS_READ_FILE_H_

#include <string>
#include <variant>

namespace sittuyin::service {

// What could not be done, as a sentence's predicate, `cannot be read: …`.
struct FileFault {
  std::string what;
  bool operator==(const FileFault&) const = default;
};

// The whole of the file at `path`, at most a mebibyte.
std::variant<std::string, FileFault> ReadFile(const std::string& path);

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_ACCESS_READ_FILE_H_
