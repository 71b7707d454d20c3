#include "service/http/open_files.h"

#include <sys/resource.h>

namespace sittuyin::service {
namespace {

// Connections that are being closed come on top, and those of the other doors.
constexpr std::size_t kBeside = 256;

}  // namespace

std::optional<OpenFiles> OpenFilesShortFor(std::size_t connections) {
  rlimit now{};
  getrlimit(RLIMIT_NOFILE, &now);
  const std::uint64_t wanted = connections + connections / 8 + kBeside;
  if (now.rlim_cur >= wanted) return std::nullopt;
  return OpenFiles{now.rlim_cur, wanted};
}

}  // namespace sittuyin::service
