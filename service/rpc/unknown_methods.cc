#include "service/rpc/unknown_methods.h"

#include <google/protobuf/descriptor.h>

#include <string>

#include "service/errors/errors.h"
#include "service/rpc/rpc_peer.h"
#include "service/rpc/wire.h"
#include "sittuyin/v1/sittuyin.grpc.pb.h"

namespace sittuyin::service {
namespace {

// Deletes itself when gRPC is done with it.
class Refused : public grpc::ServerGenericBidiReactor {
 public:
  explicit Refused(const google::rpc::Status& status) {
    Finish(ToGrpc(status));
  }
  void OnDone() override { delete this; }
};

// `sittuyin.v1.SittuyinService has ValidateMove, LegalMoves`.
std::string KnownMethods() {
  const auto* service =
      google::protobuf::DescriptorPool::generated_pool()->FindServiceByName(
          v1::SittuyinService::service_full_name());
  std::string known = service->full_name() + " has ";
  for (int i = 0; i < service->method_count(); ++i) {
    known += (i == 0 ? "" : ", ") + service->method(i)->name();
  }
  return known;
}

}  // namespace

UnknownMethods::UnknownMethods(Telemetry& telemetry, Gate* gate)
    : telemetry_(telemetry),
      gate_(gate),
      unknown_(UnknownMethod(KnownMethods())) {}

grpc::ServerGenericBidiReactor* UnknownMethods::CreateReactor(
    grpc::GenericCallbackServerContext* context) {
  google::rpc::Status status;
  if (gate_ != nullptr) status = gate_->Admit(RpcPeer(*context));
  if (status.code() == grpc::StatusCode::OK) status = unknown_;
  telemetry_.Refused(Door::kGrpc, status, NamerOf(gate_, RpcPeer(*context)));
  return new Refused(status);
}

}  // namespace sittuyin::service
