// Server reflection: what generic clients ask before they call.
#ifndef SITTUYIN_SERVICE_RPC_REFLECTION_H_
#define SITTUYIN_SERVICE_RPC_REFLECTION_H_

#include <string>
#include <vector>

#include "grpc/reflection/v1alpha/reflection.grpc.pb.h"
#include "service/access/gate.h"

namespace sittuyin::service {

// Answers from the descriptors linked into the program. A service of our own:
// gRPC's holds a thread for each stream and lets everybody in. Thread-safe.
class ReflectionService
    : public grpc::reflection::v1alpha::ServerReflection::CallbackService {
 public:
  using Request = grpc::reflection::v1alpha::ServerReflectionRequest;
  using Response = grpc::reflection::v1alpha::ServerReflectionResponse;

  // `services` are the full names of those that the server has; `gate`, which
  // may be null, admits streams and must outlive the service.
  ReflectionService(std::vector<std::string> services, Gate* gate);

  grpc::ServerBidiReactor<Request, Response>* ServerReflectionInfo(
      grpc::CallbackServerContext* context) override;

 private:
  class Stream;

  Response Answer(const Request& request) const;

  const std::vector<std::string> services_;
  Gate* const gate_;
};

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_RPC_REFLECTION_H_
