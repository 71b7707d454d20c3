// The files that the process may open, and how its connections share them.
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

// Connections that may be open at a time.
struct ConnectionShares {
  std::size_t rest;
  std::size_t grpc;
  OpenFiles files;  // `wanted` for as many of REST as asked for.
};

// Raises RLIMIT_NOFILE to what the process may raise it to.
void RaiseOpenFilesLimit();

// Nothing when the limit holds what the service with `threads` for REST opens
// beside connections of players, and a few of those. gRPC aborts where it does
// not.
std::optional<OpenFiles> OpenFilesShortToStart(std::size_t threads);

// Shares the limit out so that no door, and no crowd at it, takes the files of
// another: REST gets `rest` if three quarters of what is left for connections
// hold them, gRPC the others. Precondition: the limit is not short to start.
ConnectionShares ShareOpenFiles(std::size_t threads, std::size_t rest);

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_HTTP_OPEN_FILES_H_
