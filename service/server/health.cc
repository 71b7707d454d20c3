#include "service/server/health.h"

#include <cstddef>
#include <string>

#include "service/rpc/rpc_peer.h"
#include "service/rpc/wire.h"
#include "sittuyin/v1/sittuyin.grpc.pb.h"

namespace sittuyin::service {
namespace {

using ServingStatus = grpc::health::v1::HealthCheckResponse::ServingStatus;
using grpc::health::v1::HealthCheckResponse;

// gRPC keeps the request for as long as the stream.
constexpr std::size_t kMostWatchBytes = 1024;

bool IsKnown(const std::string& service) {
  return service.empty() || service == v1::SittuyinService::service_full_name();
}

ServingStatus StatusOf(bool serving) {
  return serving ? HealthCheckResponse::SERVING
                 : HealthCheckResponse::NOT_SERVING;
}

// A stream that is refused. Deletes itself when gRPC is done with it.
class Refused : public grpc::ServerWriteReactor<HealthCheckResponse> {
 public:
  explicit Refused(const grpc::Status& status) { Finish(status); }
  void OnDone() override { delete this; }
};

}  // namespace

// One stream. Told its status at the beginning and, when serving stops, once
// more. Deletes itself when gRPC is done with it.
class HealthService::Watcher : public grpc::ServerWriteReactor<Response> {
 public:
  Watcher(HealthService& owner, bool known) : owner_(owner), known_(known) {}

  void Begin(bool serving) {
    first_.set_status(known_ ? StatusOf(serving)
                             : HealthCheckResponse::SERVICE_UNKNOWN);
    writing_ = true;
    stopping_ = !serving;
    StartWrite(&first_);
  }

  void Stop() {
    {
      std::lock_guard lock(mutex_);
      stopping_ = true;
      if (writing_ || finished_) return;
      finished_ = true;
    }
    SayStopped();
  }

  void OnWriteDone(bool) override {
    {
      std::lock_guard lock(mutex_);
      writing_ = false;
      if (!stopping_ || finished_) return;
      finished_ = true;
    }
    SayStopped();
  }

  void OnCancel() override {
    {
      std::lock_guard lock(mutex_);
      if (finished_) return;
      finished_ = true;
    }
    Finish(grpc::Status::CANCELLED);
  }

  void OnDone() override {
    {
      std::lock_guard lock(owner_.mutex_);
      owner_.watchers_.erase(this);
    }
    delete this;
  }

 private:
  // Called by whoever set finished_, with no write under way.
  void SayStopped() {
    const grpc::Status status(grpc::StatusCode::UNAVAILABLE,
                              "This server is stopping.");
    last_.set_status(known_ ? HealthCheckResponse::NOT_SERVING
                            : HealthCheckResponse::SERVICE_UNKNOWN);
    if (last_.status() == first_.status()) return Finish(status);
    StartWriteAndFinish(&last_, {}, status);
  }

  HealthService& owner_;
  const bool known_;
  Response first_;
  Response last_;
  std::mutex mutex_;
  bool writing_ = false;
  bool stopping_ = false;
  bool finished_ = false;  // Finish has been called, or is about to be.
};

grpc::Status HealthService::Authenticate(
    const grpc::CallbackServerContext& context) const {
  if (gate_ == nullptr) return grpc::Status::OK;
  const RpcPeer peer(context);
  const google::rpc::Status status = gate_->Authenticate(peer);
  if (status.code() != 0) {
    telemetry_.Refused(Door::kGrpc, status, NamerOf(gate_, peer));
  }
  return ToGrpc(status);
}

bool HealthService::IsServing() const {
  std::lock_guard lock(mutex_);
  return serving_;
}

void HealthService::StopServing() {
  // A watcher that is done waits for the lock before it goes.
  std::lock_guard lock(mutex_);
  serving_ = false;
  for (Watcher* watcher : watchers_) watcher->Stop();
}

grpc::ServerUnaryReactor* HealthService::Check(
    grpc::CallbackServerContext* context, const Request* request,
    Response* response) {
  auto* reactor = context->DefaultReactor();
  if (const auto status = Authenticate(*context); !status.ok()) {
    reactor->Finish(status);
    return reactor;
  }
  if (!IsKnown(request->service())) {
    reactor->Finish({grpc::StatusCode::NOT_FOUND,
                     std::string("There is no such service: ask for \"\" or ") +
                         v1::SittuyinService::service_full_name() + "."});
    return reactor;
  }
  response->set_status(StatusOf(IsServing()));
  reactor->Finish(grpc::Status::OK);
  return reactor;
}

grpc::ServerWriteReactor<HealthService::Response>* HealthService::Watch(
    grpc::CallbackServerContext* context, const Request* request) {
  if (const auto status = Authenticate(*context); !status.ok()) {
    return new Refused(status);
  }
  if (request->ByteSizeLong() > kMostWatchBytes) {
    return new Refused(
        {grpc::StatusCode::INVALID_ARGUMENT, "No service has so long a name."});
  }
  auto* watcher = new Watcher(*this, IsKnown(request->service()));
  std::lock_guard lock(mutex_);
  watchers_.insert(watcher);
  watcher->Begin(serving_);
  return watcher;
}

}  // namespace sittuyin::service
