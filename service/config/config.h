// Everything an operator may set, read from flags and environment.
#ifndef SITTUYIN_SERVICE_CONFIG_CONFIG_H_
#define SITTUYIN_SERVICE_CONFIG_CONFIG_H_

#include <chrono>
#include <cstddef>
#include <string>
#include <variant>
#include <vector>

#include "engine/rules/rule_set.h"
#include "service/access/access_settings.h"

namespace sittuyin::service {

struct Config {
  std::string grpc_address;  // host:port; port 0 picks a free one.
  std::string rest_address;
  std::string admin_address;
  bool reflection;                                // Whether gRPC serves it.
  std::size_t rest_connections;                   // Open at a time.
  unsigned rest_connections_per_address;          // 0 = any number.
  std::vector<std::string> cors_allowed_origins;  // `*` = all.
  RuleSetId default_rule_set;                     // Of requests that name none.
  std::chrono::nanoseconds default_move_time;     // Never above max_move_time.
  std::chrono::nanoseconds max_move_time;
  std::size_t search_workers;  // Threads that search; 0 = one for each core.
  std::size_t search_queue;    // Searches that may wait for a worker.
  std::size_t hash_bytes;      // Transposition table of each worker.
  double access_log_sample;    // Share of calls that are logged, 0 to 1.
  std::chrono::nanoseconds max_connection_age;  // 0 = no limit.
  std::chrono::nanoseconds drain_delay;
  std::chrono::nanoseconds drain_timeout;
  std::chrono::nanoseconds slow_call_threshold;
  AccessSettings access;
  std::vector<std::string> unknown_variables = {};  // SITTUYIN_*, of no flag.
};

// The program is to end before it serves: with `code` 0 and a text for stdout
// (--help, --version), or with 2 and one line for stderr that names the
// setting at fault.
struct EarlyExit {
  int code;
  std::string text;
};

// Reads the settings: a flag on the command line, else SITTUYIN_<FLAG> of
// `environment` (NAME=VALUE each, null at the end), else the default. Sets the
// process's flags, so call it once, before threads start.
std::variant<Config, EarlyExit> LoadConfig(int argc, const char* const* argv,
                                           const char* const* environment);

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_CONFIG_CONFIG_H_
