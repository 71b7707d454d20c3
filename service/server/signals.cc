#include "service/server/signals.h"

#include <signal.h>
#include <unistd.h>

namespace sittuyin::service {
namespace {

// Those that are asked for twice where the first takes too long.
sigset_t ExitSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  return signals;
}

// Without SIGHUP where that is ignored, as nohup has it: a signal that is
// blocked waits all the same.
sigset_t StopSignals() {
  sigset_t signals = ExitSignals();
  struct sigaction hangup = {};
  sigaction(SIGHUP, nullptr, &hangup);
  if (hangup.sa_handler != SIG_IGN) sigaddset(&signals, SIGHUP);
  return signals;
}

}  // namespace

void BlockStopSignals() {
  const sigset_t signals = StopSignals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

void AwaitStopSignal() {
  const sigset_t signals = StopSignals();
  int signal = 0;
  sigwait(&signals, &signal);
}

void ExitOnStopSignal() {
  // A handler, because the kernel spares the first process of a container
  // what a signal does by default.
  struct sigaction action = {};
  action.sa_handler = [](int) { _exit(1); };
  sigaction(SIGTERM, &action, nullptr);
  sigaction(SIGINT, &action, nullptr);
  const sigset_t signals = ExitSignals();
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
}

}  // namespace sittuyin::service
