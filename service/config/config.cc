#include "service/config/config.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "absl/flags/commandlineflag.h"
#include "absl/flags/flag.h"
#include "absl/flags/reflection.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "service/config/build_info.h"
#include "service/config/flag_types.h"

namespace sittuyin::service {
namespace {

using WorkerCount = InRange<int, 0, 256>;
using QueueLength = InRange<int, 0, 65536>;
using Mebibytes = InRange<int, 1, 65536>;
using ConnectionCount = InRange<int, 16, 65536>;
using ConnectionShare = InRange<int, 0, 65536>;
using Share = InRange<double, 0, 1>;
using CallCount = InRange<int, 0, 10000>;

}  // namespace
}  // namespace sittuyin::service

namespace config = sittuyin::service;

ABSL_FLAG(config::Address, grpc_address, {"0.0.0.0:50051"},
          "where gRPC is served; port 0 picks a free one");
ABSL_FLAG(config::Address, rest_address, {"0.0.0.0:8080"},
          "where REST is served; port 0 picks a free one");
ABSL_FLAG(config::Address, admin_address, {"0.0.0.0:9464"},
          "where metrics and probes are served; never expose it publicly");
ABSL_FLAG(bool, reflection, true,
          "whether gRPC tells generic clients what it serves; without it they "
          "need the .proto");
ABSL_FLAG(
    config::ConnectionCount, rest_connections, {1024},
    "REST connections open at a time; for one more, the one is closed that "
    "has done nothing longest");
ABSL_FLAG(config::ConnectionShare, rest_connections_per_address, {0},
          "the same from one address, 0 = any number; behind a proxy all come "
          "from the proxy's");
ABSL_FLAG(config::Origins, cors_allowed_origins, {},
          "web pages that may read REST answers: their origins, "
          "https://example.org, with commas between, or * for all");
ABSL_FLAG(config::RuleSetName, default_rule_set, {sittuyin::RuleSetId::kYouzai},
          "rule set of requests that name none: YOUZAI, VCHESS, CHESSPLAYX, "
          "PYCHESS or TRADITIONAL");
ABSL_FLAG(config::PositiveDuration, default_move_time, {absl::Seconds(1)},
          "time for a move when a request sets no limit; never more than "
          "--max_move_time");
ABSL_FLAG(config::PositiveDuration, max_move_time, {absl::Seconds(10)},
          "cap on the time of any search");
ABSL_FLAG(config::WorkerCount, search_workers, {0},
          "threads that search; 0 = one for each core that affinity and "
          "control group grant");
ABSL_FLAG(config::QueueLength, search_queue, {64},
          "searches that may wait for a worker; more are refused");
ABSL_FLAG(config::Mebibytes, hash_mb, {16},
          "transposition table of each search worker, in MiB; less where all "
          "would take more than half of the machine's memory or the control "
          "group's");
ABSL_FLAG(config::Share, access_log_sample, {0.01},
          "share of calls written to the log, 0 to 1");
ABSL_FLAG(config::Delay, max_connection_age, {absl::Seconds(30)},
          "age at which clients are asked to connect anew, so that new "
          "replicas get calls; 0 = never");
ABSL_FLAG(config::Delay, drain_delay, {absl::Seconds(5)},
          "how long calls are still taken after SIGTERM, until balancers have "
          "seen that the server is not ready");
ABSL_FLAG(config::PositiveDuration, drain_timeout, {absl::Seconds(25)},
          "how long running calls may take to finish after that");
ABSL_FLAG(config::PositiveDuration, slow_call_threshold,
          {absl::Milliseconds(500)},
          "calls that take longer, search time aside, are logged");
ABSL_FLAG(std::string, tls_cert_file, "",
          "PEM file of the certificate and its chain for gRPC and REST over "
          "TLS, read again when it changes; empty = in clear");
ABSL_FLAG(std::string, tls_key_file, "",
          "PEM file of the certificate's private key");
ABSL_FLAG(std::string, tls_client_ca_file, "",
          "PEM file of the CAs of which callers must have a certificate; empty "
          "= they need none");
ABSL_FLAG(config::Names, allowed_client_names, {},
          "names (DNS, URI or common name) of the client certificates that may "
          "call, with commas between; empty = all of the CA");
ABSL_FLAG(std::string, token_file, "",
          "file of the bearer tokens that may call, a line name:sha256 each, "
          "read again when it changes; empty = callers need none");
ABSL_FLAG(bool, health_needs_credentials, false,
          "whether gRPC health wants what the other methods want");
ABSL_FLAG(config::Rate, requests_per_second, {0},
          "calls of one caller a second; 0 = any number");
ABSL_FLAG(config::CallCount, burst, {0},
          "calls of one caller at once; 0 = as many as in a second");
ABSL_FLAG(bool, help, false, "print the flags and exit");
ABSL_FLAG(bool, version, false, "print the version and exit");

namespace sittuyin::service {
namespace {

using FlagsByName = std::map<std::string, absl::CommandLineFlag*>;

FlagsByName AllFlags() {
  FlagsByName flags;
  for (const auto& [name, flag] : absl::GetAllFlags()) {
    flags.emplace(std::string(name), flag);
  }
  return flags;
}

// --help and --version ask for one run of the program and have no variable.
bool IsRequest(const absl::CommandLineFlag& flag) {
  return flag.Name() == "help" || flag.Name() == "version";
}

constexpr std::string_view kPrefix = "SITTUYIN_";

// The flags by their variables.
FlagsByName FlagsByVariable(const FlagsByName& flags) {
  FlagsByName by_variable;
  for (const auto& [name, flag] : flags) {
    if (IsRequest(*flag)) continue;
    by_variable.emplace(std::string(kPrefix) + absl::AsciiStrToUpper(name),
                        flag);
  }
  return by_variable;
}

EarlyExit Refuse(const std::string& setting, const std::string& what) {
  std::string line = absl::StrCat(setting, ": ", what);
  std::replace_if(
      line.begin(), line.end(), [](char c) { return absl::ascii_iscntrl(c); },
      ' ');
  return {2, absl::StrCat(line, "\n")};
}

// Sets `flag` to `value`; `setting` is what the operator wrote.
std::optional<EarlyExit> Set(absl::CommandLineFlag& flag,
                             const std::string& setting,
                             std::string_view value) {
  std::string error;
  if (flag.ParseFrom({value.data(), value.size()}, &error)) {
    return std::nullopt;
  }
  return Refuse(setting, flag.IsOfType<bool>() ? "want true or false" : error);
}

using FlagSet = std::set<const absl::CommandLineFlag*>;

// The variables of the flags in `set` do not count. A variable of no flag may
// well be another's: Kubernetes makes such ones for a Service of that name. So
// it is only put into `unknown`.
std::optional<EarlyExit> ReadEnvironment(const FlagsByName& flags,
                                         const FlagSet& set,
                                         const char* const* environment,
                                         std::vector<std::string>& unknown) {
  const FlagsByName by_variable = FlagsByVariable(flags);
  for (; *environment != nullptr; ++environment) {
    const std::string_view pair = *environment;
    const auto equals = pair.find('=');
    if (equals == pair.npos) continue;  // As exec may hand on.
    const std::string variable(pair.substr(0, equals));
    const auto found = by_variable.find(variable);
    if (found != by_variable.end()) {
      if (set.contains(found->second)) continue;
      if (auto refusal =
              Set(*found->second, variable, pair.substr(equals + 1))) {
        return refusal;
      }
    } else if (std::string_view(variable).starts_with(kPrefix)) {
      unknown.push_back(variable);
    }
  }
  return std::nullopt;
}

// Accepts --name=value and --name value, with one dash or two. Puts the flags
// that it sets into `set`.
std::optional<EarlyExit> ReadCommandLine(const FlagsByName& flags, int argc,
                                         const char* const* argv,
                                         FlagSet& set) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    const auto start = argument.find_first_not_of('-');
    if (start == 0 || start > 2) {
      return Refuse(std::string(argument), "unknown argument; see --help");
    }
    const auto equals = argument.find('=');
    const std::string name(argument.substr(start, equals - start));
    const std::string setting = absl::StrCat("--", name);
    const auto found = flags.find(name);
    if (found == flags.end()) {
      return Refuse(setting, "unknown flag; see --help");
    }
    std::string_view value = "true";
    if (equals != std::string_view::npos) {
      value = argument.substr(equals + 1);
    } else if (!found->second->IsOfType<bool>()) {
      if (++i == argc) return Refuse(setting, "a value is missing");
      value = argv[i];
    }
    if (auto refusal = Set(*found->second, setting, value)) return refusal;
    set.insert(found->second);
  }
  return std::nullopt;
}

std::string HelpText(const FlagsByName& flags) {
  std::string text =
      "sittuyin_server: rules and engine of sittuyin over gRPC and REST.\n"
      "Every flag can be set as SITTUYIN_<FLAG> in the environment; the flag "
      "wins.\n\n";
  for (const auto& [name, flag] : flags) {
    absl::StrAppend(&text, "  --", name, " (default ", flag->DefaultValue(),
                    ")\n      ", flag->Help(), "\n");
  }
  return text;
}

AccessSettings AccessFromFlags() {
  return {
      .tls = {.certificate = absl::GetFlag(FLAGS_tls_cert_file),
              .key = absl::GetFlag(FLAGS_tls_key_file),
              .client_ca = absl::GetFlag(FLAGS_tls_client_ca_file)},
      .client_names = absl::GetFlag(FLAGS_allowed_client_names).value,
      .token_file = absl::GetFlag(FLAGS_token_file),
      .health_needs_credentials = absl::GetFlag(FLAGS_health_needs_credentials),
      .requests_per_second = absl::GetFlag(FLAGS_requests_per_second).value,
      .burst = absl::GetFlag(FLAGS_burst).value,
  };
}

Config ConfigFromFlags() {
  const auto nanoseconds = [](const auto& flag) {
    return absl::ToChronoNanoseconds(flag.value);
  };
  const auto max_move_time = nanoseconds(absl::GetFlag(FLAGS_max_move_time));
  return {
      .grpc_address = absl::GetFlag(FLAGS_grpc_address).value,
      .rest_address = absl::GetFlag(FLAGS_rest_address).value,
      .admin_address = absl::GetFlag(FLAGS_admin_address).value,
      .reflection = absl::GetFlag(FLAGS_reflection),
      .rest_connections =
          static_cast<std::size_t>(absl::GetFlag(FLAGS_rest_connections).value),
      .rest_connections_per_address = static_cast<unsigned>(
          absl::GetFlag(FLAGS_rest_connections_per_address).value),
      .cors_allowed_origins = absl::GetFlag(FLAGS_cors_allowed_origins).value,
      .default_rule_set = absl::GetFlag(FLAGS_default_rule_set).value,
      .default_move_time = std::min(
          nanoseconds(absl::GetFlag(FLAGS_default_move_time)), max_move_time),
      .max_move_time = max_move_time,
      .search_workers =
          static_cast<std::size_t>(absl::GetFlag(FLAGS_search_workers).value),
      .search_queue =
          static_cast<std::size_t>(absl::GetFlag(FLAGS_search_queue).value),
      .hash_bytes = static_cast<std::size_t>(absl::GetFlag(FLAGS_hash_mb).value)
                    << 20,
      .access_log_sample = absl::GetFlag(FLAGS_access_log_sample).value,
      .max_connection_age =
          nanoseconds(absl::GetFlag(FLAGS_max_connection_age)),
      .drain_delay = nanoseconds(absl::GetFlag(FLAGS_drain_delay)),
      .drain_timeout = nanoseconds(absl::GetFlag(FLAGS_drain_timeout)),
      .slow_call_threshold =
          nanoseconds(absl::GetFlag(FLAGS_slow_call_threshold)),
      .access = AccessFromFlags(),
  };
}

// Flags that make no sense without another.
std::optional<EarlyExit> RefuseHalves(const AccessSettings& access) {
  struct Half {
    const std::string& set;
    const std::string& missing;
    const char* flag;
    const char* needs;
  };
  const TlsFiles& tls = access.tls;
  const std::string names = absl::StrJoin(access.client_names, ",");
  for (const Half& half :
       {Half{tls.certificate, tls.key, "--tls_cert_file", "--tls_key_file"},
        Half{tls.key, tls.certificate, "--tls_key_file", "--tls_cert_file"},
        Half{tls.client_ca, tls.certificate, "--tls_client_ca_file",
             "--tls_cert_file"},
        Half{names, tls.client_ca, "--allowed_client_names",
             "--tls_client_ca_file"}}) {
    if (!half.set.empty() && half.missing.empty()) {
      return Refuse(half.flag, absl::StrCat("needs ", half.needs));
    }
  }
  if (access.burst > 0 && access.requests_per_second == 0) {
    return Refuse("--burst", "needs --requests_per_second");
  }
  if (access.health_needs_credentials && tls.client_ca.empty() &&
      access.token_file.empty()) {
    return Refuse("--health_needs_credentials",
                  "needs --tls_client_ca_file or --token_file");
  }
  return std::nullopt;
}

}  // namespace

std::variant<Config, EarlyExit> LoadConfig(int argc, const char* const* argv,
                                           const char* const* environment) {
  const FlagsByName flags = AllFlags();
  FlagSet set;
  if (auto refusal = ReadCommandLine(flags, argc, argv, set)) return *refusal;
  if (absl::GetFlag(FLAGS_help)) return EarlyExit{0, HelpText(flags)};
  if (absl::GetFlag(FLAGS_version)) return EarlyExit{0, VersionLine()};
  std::vector<std::string> unknown;
  if (auto refusal = ReadEnvironment(flags, set, environment, unknown)) {
    return *refusal;
  }
  Config config = ConfigFromFlags();
  config.unknown_variables = std::move(unknown);
  if (auto refusal = RefuseHalves(config.access)) return *refusal;
  return config;
}

}  // namespace sittuyin::service
