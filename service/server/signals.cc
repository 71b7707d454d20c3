#include "service/server/signals.h"

#include <signal.h>
#include <unistd.h>

#include <condition_variable>
#include <mutex>
#include <thread>

namespace sittuyin::service {
namespace {

// Without SIGHUP where that is ignored, as nohup has it: a signal that is
// blocked waits all the same.
sigset_t StopSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  struct sigaction hangup = {};
  sigaction(SIGHUP, nullptr, &hangup);
  if (hangup.sa_handler != SIG_IGN) sigaddset(&signals, SIGHUP);
  return signals;
}

// What the thread that waits for signals shares with the one that serves.
struct Life {
  enum class Phase { kStarting, kServing, kStopping };
  std::mutex mutex;
  std::condition_variable stopping;
  Phase phase = Phase::kStarting;
};

// Never destroyed: the thread lives as long as the process.
Life& TheLife() {
  static Life& life = *new Life;
  return life;
}

void Receive(int signal) {
  using Phase = Life::Phase;
  Life& life = TheLife();
  const std::lock_guard lock(life.mutex);
  if (life.phase == Phase::kStarting) _exit(0);
  if (life.phase == Phase::kStopping && signal != SIGHUP) _exit(1);
  life.phase = Phase::kStopping;
  life.stopping.notify_one();
}

}  // namespace

void BlockStopSignals() {
  const sigset_t signals = StopSignals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

void EndOnStopSignal() {
  std::thread([signals = StopSignals()] {
    while (true) {
      int signal = 0;
      if (sigwait(&signals, &signal) == 0) Receive(signal);
    }
  }).detach();
}

void DrainOnStopSignal() {
  Life& life = TheLife();
  const std::lock_guard lock(life.mutex);
  life.phase = Life::Phase::kServing;
}

void AwaitStopSignal() {
  Life& life = TheLife();
  std::unique_lock lock(life.mutex);
  life.stopping.wait(lock,
                     [&life] { return life.phase == Life::Phase::kStopping; });
}

}  // namespace sittuyin::service
