// sittuyin_server: reads the settings, serves until a stop signal, drains.
#include <fcntl.h>
#include <google/protobuf/stubs/logging.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <memory>
#include <string>
#include <variant>

#include "absl/synchronization/mutex.h"
#include "service/config/config.h"
#include "service/http/open_files.h"
#include "service/server/server.h"
#include "service/server/signals.h"

namespace {

using sittuyin::service::Config;
using sittuyin::service::EarlyExit;
using sittuyin::service::Server;

// Else a socket would get the number of a standard stream that is closed, and
// what is written to it. Before main, for gRPC opens a file before that.
[[gnu::constructor(101)]] void OpenStandardStreams() {
  int next = 0;
  while (next >= 0 && next <= STDERR_FILENO) next = open("/dev/null", O_RDWR);
  close(next);
}

void Print(std::FILE* stream, const std::string& text) {
  std::fputs(text.c_str(), stream);
  std::fflush(stream);
}

int Serve(const Config& config) {
  // What protobuf cannot parse is refused, and logged as that.
  google::protobuf::SetLogHandler(nullptr);
  // A debugging aid that Debian's Abseil has on, at a price on each of gRPC's
  // locks.
  absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore);
  sittuyin::service::RaiseOpenFilesLimit();
  sittuyin::service::BlockStopSignals();
  auto started = Server::Start(config);
  if (const auto* exit = std::get_if<EarlyExit>(&started)) {
    Print(stderr, exit->text);
    return exit->code;
  }
  Server& server = *std::get<std::unique_ptr<Server>>(started);
  Print(stdout, server.ServingLine());
  sittuyin::service::AwaitStopSignal();
  sittuyin::service::ExitOnStopSignal();
  server.Drain();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  signal(SIGPIPE, SIG_IGN);  // Whoever reads the log may go before us.
  const auto loaded = sittuyin::service::LoadConfig(argc, argv, environ);
  if (const auto* exit = std::get_if<EarlyExit>(&loaded)) {
    Print(exit->code == 0 ? stdout : stderr, exit->text);
    return exit->code;
  }
  return Serve(std::get<Config>(loaded));
}
