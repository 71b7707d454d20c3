#include "service/server/server.h"

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <algorithm>
#include <random>
#include <string_view>
#include <thread>
#include <utility>

#include "absl/strings/str_join.h"
#include "grpc/health/v1/health.grpc.pb.h"
#include "grpc/reflection/v1/reflection.grpc.pb.h"
#include "grpc/reflection/v1alpha/reflection.grpc.pb.h"
#include "service/config/build_info.h"
#include "service/http/listener.h"
#include "service/rpc/wire.h"
#include "sittuyin/v1/sittuyin.grpc.pb.h"

namespace sittuyin::service {
namespace {

using Clock = std::chrono::steady_clock;

// For the answers of searches that a drain has cut.
constexpr std::chrono::milliseconds kSendTime(500);

// The threads that are not the pool's: fourteen and three for each core at the
// start, and gRPC starts more as calls come.
constexpr std::size_t kThreadsBeside = 20;
constexpr std::size_t kThreadsPerCore = 5;

// More than who asks after the server's health needs.
constexpr std::size_t kAdminConnections = 64;

// What reflection tells, in alphabetical order.
const std::vector<std::string> kServiceNames = {
    grpc::health::v1::Health::service_full_name(),
    grpc::reflection::v1::ServerReflection::service_full_name(),
    grpc::reflection::v1alpha::ServerReflection::service_full_name(),
    v1::SittuyinService::service_full_name()};

TelemetryOptions TelemetryFor(const Config& config) {
  TelemetryOptions options;
  options.version = ThisBuild().version;
  options.commit = ThisBuild().commit;
  options.traces = true;
  options.access_log_sample = config.access_log_sample;
  options.slow_call = config.slow_call_threshold;
  return options;
}

std::uint64_t RandomSeed() {
  std::random_device device;
  return std::uint64_t{device()} << 32 | device();
}

HandlerSettings SettingsFor(const Config& config) {
  return {.default_rule_set = config.default_rule_set,
          .move_time = {.when_unlimited = config.default_move_time,
                        .longest = config.max_move_time},
          .random_seed = RandomSeed};
}

PoolSize WantedPool(const Config& config) {
  return {.workers = config.search_workers, .hash_bytes = config.hash_bytes};
}

// A search that waits for a full queue of the longest ones, and then a while.
std::chrono::nanoseconds LongestCall(const Config& config,
                                     std::size_t workers) {
  const auto turns =
      static_cast<std::int64_t>(2 + config.search_queue / workers);
  return config.max_move_time * turns + std::chrono::seconds(10);
}

// A line for the operator about the flag `name`.
std::string Blame(std::string_view name, std::string_view what) {
  return "--" + std::string(name) + ": " + std::string(what);
}

}  // namespace

Server::Server(const Config& config, const Resources& resources,
               std::unique_ptr<Access> access)
    : config_(config),
      resources_(resources),
      connections_(ShareOpenFiles(resources.cpus, config.rest_connections)),
      telemetry_(TelemetryFor(config)),
      grpc_log_(telemetry_),
      handshake_log_(telemetry_),
      access_(std::move(access)),
      pool_metrics_(telemetry_.metrics()),
      pool_size_(FitPool(WantedPool(config), resources)),
      pool_({.workers = pool_size_.workers,
             .queue = config.search_queue,
             .hash_bytes = pool_size_.hash_bytes},
            pool_metrics_),
      api_(SettingsFor(config), pool_),
      health_(telemetry_, access_->health_gate()),
      reflection_(MakeReflection(kServiceNames, telemetry_, access_->gate())),
      rpc_service_(
          MakeRpcService(api_, telemetry_, rpc_searches_, access_->gate())),
      unknown_methods_(telemetry_, access_->gate()) {}

Server::~Server() = default;

std::variant<std::unique_ptr<Server>, EarlyExit> Server::Start(
    const Config& config) {
  const Resources resources = ReadResources();
  if (const auto few = OpenFilesShortToStart(resources.cpus)) {
    return EarlyExit{1, "ulimit -n: want " + std::to_string(few->wanted) +
                            " open files, not " + std::to_string(few->limit) +
                            "\n"};
  }
  const PoolSize pool = FitPool(WantedPool(config), resources);
  if (!HasRoomFor(pool)) {
    return EarlyExit{
        2, Blame("hash_mb", "there is no memory for " +
                                std::to_string(pool.workers) + " tables of " +
                                std::to_string(pool.hash_bytes >> 20) +
                                " MiB: set less, or fewer --search_workers") +
               "\n"};
  }
  const std::size_t threads =
      pool.workers + kThreadsPerCore * resources.cpus + kThreadsBeside;
  if (!HasRoomForThreads(threads)) {
    return EarlyExit{1, "ulimit -u: want room for " + std::to_string(threads) +
                            " threads, in the control group's limit, too; or "
                            "set fewer --search_workers\n"};
  }
  auto access = Access::Open(config.access);
  if (const auto* fault = std::get_if<FileFault>(&access)) {
    return EarlyExit{2, fault->what + "\n"};
  }
  std::unique_ptr<Server> server(new Server(
      config, resources, std::get<std::unique_ptr<Access>>(std::move(access))));
  if (const auto fault = server->MakeTls()) {
    return EarlyExit{2, fault->what + "\n"};
  }
  for (const auto open :
       {&Server::OpenRest, &Server::OpenAdmin, &Server::OpenRpc}) {
    if (std::string fault = (*server.*open)(); !fault.empty()) {
      return EarlyExit{1, fault + "\n"};
    }
  }
  server->LogStart();
  server->KeepAccessUpToDate();
  return server;
}

std::optional<FileFault> Server::MakeTls() {
  const TlsMaterial* const material = access_->tls();
  if (material == nullptr) return std::nullopt;
  rpc_tls_ = std::make_unique<RpcTls>(*material);
  auto made = HttpTls::Make(*material);
  if (auto* fault = std::get_if<FileFault>(&made)) return std::move(*fault);
  http_tls_ = std::get<std::unique_ptr<HttpTls>>(std::move(made));
  return std::nullopt;
}

void Server::KeepAccessUpToDate() {
  access_->KeepUpToDate(telemetry_, [this](const TlsMaterial& material) {
    auto fault = http_tls_->Update(material);
    return fault ? fault : rpc_tls_->Update(material);
  });
}

std::string Server::OpenRpc() {
  std::vector<grpc::Service*> services = {rpc_service_.get(), &health_};
  if (config_.reflection) {
    for (const auto& service : reflection_) services.push_back(service.get());
  }
  rpc_door_ =
      RpcDoor::Start(config_.grpc_address, services,
                     {.most = config_.max_connection_age,
                      .grace = LongestCall(config_, pool_size_.workers)},
                     rpc_tls_.get(), &unknown_methods_, connections_.grpc);
  if (rpc_door_ != nullptr) return {};
  // gRPC tells the reason to its log alone, at length.
  const auto why = Listener::Open(config_.grpc_address);
  const auto* fault = std::get_if<std::string>(&why);
  return Blame("grpc_address",
               fault != nullptr ? *fault : "gRPC cannot listen there");
}

std::string Server::OpenRest() {
  auto door = RestDoor::Start(
      api_, telemetry_,
      {.address = config_.rest_address,
       .threads = static_cast<unsigned>(resources_.cpus),
       .body_limit = kMaxRequestBytes,
       .connections = connections_.rest,
       .connections_per_address = config_.rest_connections_per_address,
       .connection_age = config_.max_connection_age,
       .tls = http_tls_.get()},
      CorsPolicy(config_.cors_allowed_origins), access_->gate());
  if (const auto* fault = std::get_if<std::string>(&door)) {
    return Blame("rest_address", *fault);
  }
  rest_door_ = std::get<std::unique_ptr<RestDoor>>(std::move(door));
  return {};
}

std::string Server::OpenAdmin() {
  AdminOptions options;
  options.http.address = config_.admin_address;
  options.http.connections = kAdminConnections;
  options.version = ThisBuild().version;
  options.commit = ThisBuild().commit;
  options.build_type = ThisBuild().build_type;
  options.ready = [this] { return health_.IsServing(); };
  auto door = AdminDoor::Start(telemetry_.metrics(), std::move(options));
  if (const auto* fault = std::get_if<std::string>(&door)) {
    return Blame("admin_address", *fault);
  }
  admin_door_ = std::get<std::unique_ptr<AdminDoor>>(std::move(door));
  return {};
}

void Server::LogStart() {
  const std::uint64_t workers = pool_size_.workers;
  const std::uint64_t hash_mb = pool_size_.hash_bytes >> 20;
  const TlsFiles& tls = config_.access.tls;
  const bool clear = tls.certificate.empty();
  telemetry_.Event("start", {{"version", ThisBuild().version},
                             {"commit", ThisBuild().commit},
                             {"grpc", rpc_door_->address()},
                             {"rest", rest_door_->address()},
                             {"admin", admin_door_->address()},
                             {"transport", clear                   ? "clear"
                                           : tls.client_ca.empty() ? "tls"
                                                                   : "mtls"},
                             {"search_workers", workers},
                             {"hash_mb", hash_mb}});
  if (clear && !config_.access.token_file.empty()) {
    telemetry_.Warning("tokens_in_clear",
                       {{"what",
                         "tokens can be read on the way: set "
                         "--tls_cert_file, or put TLS in front"}});
  }
  if (!config_.unknown_variables.empty()) {
    telemetry_.Warning(
        "unknown_variables",
        {{"what", "they are of no flag and ignored; see --help"},
         {"names", absl::StrJoin(config_.unknown_variables, " ")}});
  }
  if (connections_.rest < config_.rest_connections) {
    telemetry_.Warning(
        "few_open_files",
        {{"limit", connections_.files.limit},
         {"wanted", connections_.files.wanted},
         {"rest_connections_wanted", std::uint64_t{config_.rest_connections}},
         {"rest_connections", std::uint64_t{connections_.rest}}});
  }
  const PoolSize wanted = FitPool(WantedPool(config_), {resources_.cpus, {}});
  if (pool_size_ != wanted) {
    telemetry_.Warning(
        "hash_cut", {{"reason", "tables may take half of the memory there is"},
                     {"memory_mb", *resources_.memory >> 20},
                     {"search_workers_wanted", std::uint64_t{wanted.workers}},
                     {"search_workers", workers},
                     {"hash_mb_wanted", std::uint64_t{wanted.hash_bytes >> 20}},
                     {"hash_mb", hash_mb}});
  }
}

std::string Server::ServingLine() const {
  const std::pair<const char*, std::string_view> fields[] = {
      {"event", "serving"},
      {"grpc", rpc_door_->address()},
      {"rest", rest_door_->address()},
      {"admin", admin_door_->address()},
      {"version", ThisBuild().version}};
  rapidjson::StringBuffer line;
  rapidjson::Writer<rapidjson::StringBuffer> json(line);
  json.StartObject();
  for (const auto& [name, value] : fields) {
    json.Key(name);
    json.String(value.data(), static_cast<rapidjson::SizeType>(value.size()));
  }
  json.EndObject();
  return std::string(line.GetString()) + "\n";
}

void Server::Drain() {
  telemetry_.Event("drain", {});
  telemetry_.metrics().SetDraining();
  health_.StopServing();
  std::this_thread::sleep_for(config_.drain_delay);

  telemetry_.Event("refuse_searches", {});
  const auto deadline = Clock::now() + config_.drain_timeout;
  pool_.StopAccepting();
  rest_door_->StopAccepting();
  pool_.Drain(deadline - kSendTime);
  const auto all_sent = std::max(deadline, Clock::now() + kSendTime);
  rpc_searches_.AwaitNone(all_sent);
  rest_door_->Drain(all_sent);
  rpc_door_->Close();
  rest_door_.reset();  // What is left is cancelled.
  telemetry_.Event("stop", {});
}

}  // namespace sittuyin::service
