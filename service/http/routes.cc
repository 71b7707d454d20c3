#include "service/http/routes.h"

#include <set>

#include "google/api/annotations.pb.h"

namespace sittuyin::service {
namespace {

using google::api::HttpRule;
using google::protobuf::MethodDescriptor;
using google::protobuf::ServiceDescriptor;

Route RouteOf(const MethodDescriptor& rpc, Method method,
              const HttpRule& rule) {
  const bool is_get = rule.pattern_case() == HttpRule::kGet;
  return Route{.rpc = &rpc,
               .method = method,
               .verb = is_get ? "GET" : "POST",
               .path = is_get ? rule.get() : rule.post(),
               .has_body = !rule.body().empty()};
}

// In alphabetical order, HEAD beside GET.
std::string AllowedOf(const std::vector<Route>& routes) {
  std::set<std::string> verbs;
  for (const Route& route : routes) {
    verbs.insert(route.verb);
    if (route.verb == "GET") verbs.insert("HEAD");
  }
  std::string allowed;
  for (const std::string& verb : verbs) {
    if (!allowed.empty()) allowed += ", ";
    allowed += verb;
  }
  return allowed;
}

}  // namespace

std::vector<Route> RoutesOf(const MethodDescriptor& rpc) {
  const std::optional<Method> method = MethodNamed(rpc.name());
  if (!method || !rpc.options().HasExtension(google::api::http)) return {};
  const HttpRule& rule = rpc.options().GetExtension(google::api::http);
  std::vector<Route> routes = {RouteOf(rpc, *method, rule)};
  for (const HttpRule& binding : rule.additional_bindings()) {
    routes.push_back(RouteOf(rpc, *method, binding));
  }
  return routes;
}

RouteTable::RouteTable(const ServiceDescriptor& service) {
  for (int i = 0; i < service.method_count(); ++i) {
    for (Route& route : RoutesOf(*service.method(i))) {
      paths_[route.path].routes.push_back(std::move(route));
    }
  }
  for (auto& [name, path] : paths_) path.allowed = AllowedOf(path.routes);
}

std::optional<RouteTable::Match> RouteTable::Find(std::string_view verb,
                                                  std::string_view path) const {
  const auto it = paths_.find(path);
  if (it == paths_.end()) return std::nullopt;
  Match match{.allowed = it->second.allowed};
  const std::string_view wanted = verb == "HEAD" ? "GET" : verb;
  for (const Route& route : it->second.routes) {
    if (route.verb == wanted) match.route = &route;
  }
  return match;
}

}  // namespace sittuyin::service
