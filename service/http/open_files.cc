#include "service/http/open_files.h"

#include <sys/resource.h>

namespace sittuyin::service {
namespace {

// Connections that are being closed come on top, and those of the other doors.
constexpr std::size_t kBeside = 256;

// Beside two for each thread. Eighteen are open before the first connection.
constexpr std::size_t kAtStart = 32;

std::optional<OpenFiles> ShortOf(std::uint64_t wanted) {
  rlimit now{};
  getrlimit(RLIMIT_NOFILE, &now);
  if (now.rlim_cur >= wanted) return std::nullopt;
  return OpenFiles{now.rlim_cur, wanted};
}

}  // namespace

std::optional<OpenFiles> OpenFilesShortFor(std::size_t connections) {
  return ShortOf(connections + connections / 8 + kBeside);
}

std::optional<OpenFiles> OpenFilesShortToStart(std::size_t threads) {
  return ShortOf(kAtStart + 2 * threads);
}

}  // namespace sittuyin::service
