// SIGTERM, SIGINT and SIGHUP as an orderly request to stop.
#ifndef SITTUYIN_SERVICE_SERVER_SIGNALS_H_
#define SITTUYIN_SERVICE_SERVER_SIGNALS_H_

namespace sittuyin::service {

// Holds the stop signals back in this thread and in all it starts. To be
// called before any thread starts: as early as can be, for the kernel drops
// what reaches the first process of a container before.
void BlockStopSignals();

// From now on a stop signal ends the process at once with code 0, for nobody is
// served yet. Precondition: they are blocked. To be called once. Throws
// std::system_error when no thread can be started.
void EndOnStopSignal();

// From now on a stop signal ends AwaitStopSignal. Behind it SIGTERM and SIGINT
// end the process at once, with code 1; SIGHUP does nothing any more, for a
// terminal that goes sends it, and its shell too.
void DrainOnStopSignal();

// Waits for a stop signal. Precondition: DrainOnStopSignal was called.
void AwaitStopSignal();

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_SERVER_SIGNALS_H_
