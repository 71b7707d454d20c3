#include "service/http/open_files.h"

#include <sys/resource.h>

#include <algorithm>

namespace sittuyin::service {
namespace {

// Connections that are being closed come on top, and those of the other doors.
constexpr std::size_t kBeside = 256;

constexpr std::uint64_t kLeastConnections = 16;

// Beside two for each thread. Eighteen are open before the first connection.
constexpr std::size_t kAtStart = 32;

rlimit Limit() {
  rlimit now{};
  getrlimit(RLIMIT_NOFILE, &now);
  return now;
}

std::optional<OpenFiles> ShortOf(std::uint64_t wanted) {
  const std::uint64_t limit = Limit().rlim_cur;
  if (limit >= wanted) return std::nullopt;
  return OpenFiles{limit, wanted};
}

}  // namespace

void RaiseOpenFilesLimit() {
  rlimit raised = Limit();
  raised.rlim_cur = raised.rlim_max;
  setrlimit(RLIMIT_NOFILE, &raised);
}

std::size_t ConnectionsHeld() {
  const std::uint64_t limit = Limit().rlim_cur;
  const std::uint64_t left = limit - std::min<std::uint64_t>(limit, kBeside);
  return std::max(left / 9 * 8, kLeastConnections);
}

std::optional<OpenFiles> OpenFilesShortFor(std::size_t connections) {
  return ShortOf(connections + connections / 8 + kBeside);
}

std::optional<OpenFiles> OpenFilesShortToStart(std::size_t threads) {
  return ShortOf(kAtStart + 2 * threads);
}

}  // namespace sittuyin::service
