// The reactors of the calls that search. Each deletes itself when gRPC is done
// with it.
#ifndef SITTUYIN_SERVICE_RPC_SEARCH_REACTORS_H_
#define SITTUYIN_SERVICE_RPC_SEARCH_REACTORS_H_

#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/server_callback.h>

#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "google/rpc/status.pb.h"
#include "service/api/caller.h"
#include "service/rpc/open_searches.h"
#include "service/telemetry/call.h"
#include "sittuyin/v1/sittuyin.pb.h"

namespace sittuyin::service {

// One answer.
class BestMoveReactor : public grpc::ServerUnaryReactor {
 public:
  // `context` lives and `namer` names the caller as long as gRPC is not done
  // with the reactor, for so long `open` counts it and must outlive it.
  BestMoveReactor(grpc::CallbackServerContext& context,
                  std::unique_ptr<Call> call,
                  std::function<std::string()> namer, OpenSearches& open,
                  grpc::ByteBuffer* answer);

  Call& call() { return *call_; }
  std::shared_ptr<Caller> caller() const { return caller_; }

  // To be called once, from any thread; nothing may be called after.
  void Done(const google::rpc::Status& status,
            const v1::BestMoveResponse& answer);

  void OnCancel() override;
  void OnDone() override;

 private:
  grpc::CallbackServerContext& context_;
  const std::unique_ptr<Call> call_;
  const std::function<std::string()> namer_;
  OpenSearches& open_;
  grpc::ByteBuffer* const answer_;
  const std::shared_ptr<Caller> caller_ = std::make_shared<Caller>();
};

// A stream of answers. Those that gRPC cannot take yet wait: there are no more
// than a search has depths.
class AnalyzeReactor : public grpc::ServerWriteReactor<grpc::ByteBuffer> {
 public:
  // The arguments as BestMoveReactor has them.
  AnalyzeReactor(grpc::CallbackServerContext& context,
                 std::unique_ptr<Call> call, std::function<std::string()> namer,
                 OpenSearches& open);

  Call& call() { return *call_; }
  std::shared_ptr<Caller> caller() const { return caller_; }

  // From one thread at a time.
  void Write(const v1::AnalyzeResponse& answer);
  // To be called once, after the last Write; nothing may be called after.
  void Done(const google::rpc::Status& status);

  void OnWriteDone(bool ok) override;
  void OnCancel() override;
  void OnDone() override;

 private:
  grpc::CallbackServerContext& context_;
  const std::unique_ptr<Call> call_;
  const std::function<std::string()> namer_;
  OpenSearches& open_;
  const std::shared_ptr<Caller> caller_ = std::make_shared<Caller>();
  std::mutex mutex_;
  std::deque<grpc::ByteBuffer> unsent_;  // The first is being written.
  std::optional<grpc::Status> end_;      // Set while the last are written.
};

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_RPC_SEARCH_REACTORS_H_
