// The whole service: everything built, every door open, and the orderly end.
#ifndef SITTUYIN_SERVICE_SERVER_SERVER_H_
#define SITTUYIN_SERVICE_SERVER_SERVER_H_

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "service/access/access.h"
#include "service/admission/resources.h"
#include "service/admission/search_pool.h"
#include "service/api/api.h"
#include "service/config/config.h"
#include "service/http/admin_door.h"
#include "service/http/handshake_log.h"
#include "service/http/http_tls.h"
#include "service/http/open_files.h"
#include "service/http/rest_door.h"
#include "service/rpc/grpc_log.h"
#include "service/rpc/open_searches.h"
#include "service/rpc/reflection.h"
#include "service/rpc/rpc_door.h"
#include "service/rpc/rpc_service.h"
#include "service/rpc/rpc_tls.h"
#include "service/rpc/unknown_methods.h"
#include "service/server/health.h"
#include "service/server/pool_metrics.h"
#include "service/telemetry/telemetry.h"

namespace sittuyin::service {

// Owns all there is of the service, its threads too. Thread-compatible; one at
// a time in a process, for gRPC has one log.
class Server {
 public:
  // Opens every door and serves on threads of its own. Or tells how the program
  // is to end: with a line that names the setting that keeps a door shut, and
  // code 2 where its value names a file that cannot be used or wants memory
  // that is not there, else 1.
  static std::variant<std::unique_ptr<Server>, EarlyExit> Start(
      const Config& config);
  ~Server();

  // One line of JSON: where each door is.
  std::string ServingLine() const;

  // The orderly end. Reports NOT_SERVING, and goes on as before for the drain
  // delay. Then refuses new searches and new REST connections, and still
  // answers what else comes on open ones until the searches accepted before
  // have ended: within the drain timeout, each cut to its share of it. Then
  // closes every connection and returns. To be called once, from any thread.
  void Drain();

 private:
  Server(const Config& config, const Resources& resources,
         std::unique_ptr<Access> access);
  // A fault when the certificate cannot be used.
  std::optional<FileFault> MakeTls();
  void KeepAccessUpToDate();
  // Each opens a door; empty, or a line for the operator.
  std::string OpenRpc();
  std::string OpenRest();
  std::string OpenAdmin();
  void LogStart();

  const Config config_;
  const Resources resources_;
  const ConnectionShares connections_;
  Telemetry telemetry_;
  GrpcLog grpc_log_;
  HandshakeLog handshake_log_;
  std::unique_ptr<RpcTls> rpc_tls_;    // Null = in clear.
  std::unique_ptr<HttpTls> http_tls_;  // Null = in clear.
  const std::unique_ptr<Access> access_;
  PoolMetrics pool_metrics_;
  const PoolSize pool_size_;
  SearchPool pool_;
  Api api_;
  HealthService health_;
  OpenSearches rpc_searches_;
  const std::vector<std::unique_ptr<grpc::Service>> reflection_;
  const std::unique_ptr<grpc::Service> rpc_service_;
  UnknownMethods unknown_methods_;
  std::unique_ptr<RpcDoor> rpc_door_;
  std::unique_ptr<RestDoor> rest_door_;
  std::unique_ptr<AdminDoor> admin_door_;
};

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_SERVER_SERVER_H_
