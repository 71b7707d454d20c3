#include "service/access/read_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <system_error>

namespace sittuyin::service {
namespace {

constexpr std::size_t kMostBytes = 1 << 20;

FileFault CannotRead(int error) {
  return {"cannot be read: " + std::generic_category().message(error)};
}

}  // namespace

std::variant<std::string, FileFault> ReadFile(const std::string& path) {
  // A pipe that nobody writes to must not hold up the server.
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return CannotRead(errno);
  std::string text(kMostBytes + 1, '\0');
  std::size_t size = 0;
  ssize_t count = 1;
  while (count > 0 && size < text.size()) {
    count = read(fd, text.data() + size, text.size() - size);
    if (count > 0) size += static_cast<std::size_t>(count);
  }
  const int error = errno;
  close(fd);
  if (count < 0) return CannotRead(error);
  if (size > kMostBytes) return FileFault{"is larger than a mebibyte"};
  text.resize(size);
  text.shrink_to_fit();
  return text;
}

}  // namespace sittuyin::service
