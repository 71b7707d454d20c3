// Which rpc answers which HTTP method and path, from the contract itself.
#ifndef SITTUYIN_SERVICE_HTTP_ROUTES_H_
#define SITTUYIN_SERVICE_HTTP_ROUTES_H_

#include <google/protobuf/descriptor.h>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "service/telemetry/method.h"

namespace sittuyin::service {

// A way to call an rpc.
struct Route {
  const google::protobuf::MethodDescriptor* rpc;
  Method method;
  std::string verb;  // GET or POST.
  std::string path;
  bool has_body;  // The body is the request; else the query is.
};

// The ways to call `rpc` that its google.api.http option declares, the first
// one first; empty when it has none.
std::vector<Route> RoutesOf(const google::protobuf::MethodDescriptor& rpc);

// Thread-compatible.
class RouteTable {
 public:
  // Every way to call every rpc of `service`.
  explicit RouteTable(const google::protobuf::ServiceDescriptor& service);

  struct Match {
    const Route* route = nullptr;  // Null when the path has no such verb.
    std::string allowed;           // The path's verbs as `Allow` lists them.
  };
  // Nothing for an unknown path. HEAD is answered where GET is.
  std::optional<Match> Find(std::string_view verb, std::string_view path) const;

 private:
  struct Path {
    std::vector<Route> routes;
    std::string allowed;
  };
  std::map<std::string, Path, std::less<>> paths_;
};

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_HTTP_ROUTES_H_
