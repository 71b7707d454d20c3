// How many files the process may open, and what its connections need.
#ifndef SITTUYIN_SERVICE_HTTP_OPEN_FILES_H_
#define SITTUYIN_SERVICE_HTTP_OPEN_FILES_H_

#include <cstddef>
#include <cstdint>
#include <optional>

namespace sittuyin::service {

struct OpenFiles {
  std::uint64_t limit;   // RLIMIT_NOFILE, as it stands.
  std::uint64_t wanted;  // What it ought to be.
};

// Raises the limit to the most that the process may have.
void RaiseOpenFilesLimit();

// Nothing when the limit holds `connections` and what else the service opens.
std::optional<OpenFiles> OpenFilesShortFor(std::size_t connections);

// How many connections the limit holds beside what else the service opens; at
// least 16.
std::size_t ConnectionsHeld();

// Nothing when the limit holds what the service with `threads` for REST opens
// before the first connection. gRPC aborts where it does not.
std::optional<OpenFiles> OpenFilesShortToStart(std::size_t threads);

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_HTTP_OPEN_FILES_H_
