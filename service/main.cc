// sittuyin_server: reads the settings, serves until a stop signal, drains.
#include <fcntl.h>
#include <google/protobuf/stubs/logging.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <memory>
#include <string>
#include <system_error>
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

// A stop signal may come as early as this.
[[gnu::constructor(101)]] void HoldStopSignals() {
  sittuyin::service::BlockStopSignals();
}

// Else a socket would get the number of a standard stream that is closed, and
// what is written to it. Before main, for gRPC opens a file before that.
[[gnu::constructor(102)]] void OpenStandardStreams() {
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
  sittuyin::service::EndOnStopSignal();
  auto started = Server::Start(config);
  if (const auto* exit = std::get_if<EarlyExit>(&started)) {
    Print(stderr, exit->text);
    return exit->code;
  }
  Server& server = *std::get<std::unique_ptr<Server>>(started);
  sittuyin::service::DrainOnStopSignal();
  Print(stdout, server.ServingLine());
  sittuyin::service::AwaitStopSignal();
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
  try {
    return Serve(std::get<Config>(loaded));
  } catch (const std::system_error& error) {  // No thread can be started.
    Print(stderr, std::string("start: ") + error.what() + "\n");
    return 1;
  }
}
