#include "service/http/open_files.h"

#include <sys/resource.h>

#include <algorithm>

namespace sittuyin::service {
namespace {

// Eighteen that are open before the first connection, beside two for each
// thread; the admin door's connections; and files that are read.
constexpr std::size_t kBeside = 128;

constexpr std::size_t kFewest = 16;  // For connections, to start at all.

rlimit Limit() {
  rlimit now{};
  getrlimit(RLIMIT_NOFILE, &now);
  return now;
}

std::uint64_t BesideConnections(std::size_t threads) {
  return kBeside + 2 * threads;
}

}  // namespace

void RaiseOpenFilesLimit() {
  rlimit limit = Limit();
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

std::optional<OpenFiles> OpenFilesShortToStart(std::size_t threads) {
  const OpenFiles files{Limit().rlim_cur, BesideConnections(threads) + kFewest};
  if (files.limit >= files.wanted) return std::nullopt;
  return files;
}

ConnectionShares ShareOpenFiles(std::size_t threads, std::size_t rest) {
  const std::uint64_t limit = Limit().rlim_cur;
  const std::uint64_t beside = BesideConnections(threads);
  const std::uint64_t left = limit - beside;
  // An eighth on top is for those that have been cut and are not closed yet.
  const std::uint64_t wanted = rest + rest / 8;
  const std::uint64_t taken = std::min(wanted, left / 4 * 3);
  return {.rest = taken - taken / 9,
          .grpc = left - taken,
          .files = {limit, beside + (wanted + 2) / 3 * 4}};
}

}  // namespace sittuyin::service
