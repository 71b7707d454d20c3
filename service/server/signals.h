// SIGTERM, SIGINT and SIGHUP as an orderly request to stop.
#ifndef SITTUYIN_SERVICE_SERVER_SIGNALS_H_
#define SITTUYIN_SERVICE_SERVER_SIGNALS_H_

namespace sittuyin::service {

// Holds the stop signals back in this thread and in all it starts. To be
// called before any thread starts.
void BlockStopSignals();

// Waits for a stop signal. Precondition: they are blocked.
void AwaitStopSignal();

// From now on SIGTERM and SIGINT end the process at once, with code 1. SIGHUP
// does nothing any more, for a terminal that goes sends it, and its shell too.
void ExitOnStopSignal();

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_SERVER_SIGNALS_H_
