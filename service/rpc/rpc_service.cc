#include "service/rpc/rpc_service.h"

#include <google/protobuf/arena.h>
#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/server_callback.h>

#include <cstddef>
#include <memory>
#include <utility>

#include "service/rpc/rpc_peer.h"
#include "service/rpc/search_reactors.h"
#include "service/rpc/wire.h"
#include "sittuyin/v1/sittuyin.grpc.pb.h"

namespace sittuyin::service {
namespace {

using google::protobuf::Arena;
using google::rpc::Status;
using grpc::ByteBuffer;
using grpc::CallbackServerContext;
using grpc::ServerUnaryReactor;

using V1 = v1::SittuyinService;
using RawService =
    V1::WithRawCallbackMethod_ValidateMove<V1::WithRawCallbackMethod_LegalMoves<
        V1::WithRawCallbackMethod_GameStatus<V1::WithRawCallbackMethod_BestMove<
            V1::WithRawCallbackMethod_ListRuleSets<
                V1::WithRawCallbackMethod_Analyze<V1::Service>>>>>>;

// Memory for the messages of a call that is answered at once. Most fit into
// the block on the stack.
class CallArena {
 public:
  CallArena() : arena_(block_, sizeof(block_)) {}

  template <typename Message>
  Message* Make() {
    return Arena::CreateMessage<Message>(&arena_);
  }

 private:
  alignas(8) char block_[16384];
  Arena arena_;
};

// A request of up to so many bytes may be kept.
constexpr std::size_t kMostBytesKept = 4096;

// An empty request that the thread keeps from call to call: the moves' strings
// then cost neither memory nor its release.
template <typename Request>
Request* KeptRequest() {
  thread_local Request request;
  if constexpr (requires { request.release_game(); }) {
    // Clear alone would delete the game with the strings.
    std::unique_ptr<v1::Game> game(request.release_game());
    request.Clear();
    if (game != nullptr) {
      game->Clear();
      request.set_allocated_game(game.release());
    }
  }
  return &request;
}

class RpcService : public RawService {
 public:
  RpcService(const Api& api, Telemetry& telemetry, OpenSearches& searches,
             Gate* gate)
      : api_(api), telemetry_(telemetry), searches_(searches), gate_(gate) {}

  ServerUnaryReactor* ValidateMove(CallbackServerContext* context,
                                   const ByteBuffer* request,
                                   ByteBuffer* answer) override {
    return AnswerAtOnce(Method::kValidateMove, &Api::ValidateMove, context,
                        *request, answer);
  }
  ServerUnaryReactor* LegalMoves(CallbackServerContext* context,
                                 const ByteBuffer* request,
                                 ByteBuffer* answer) override {
    return AnswerAtOnce(Method::kLegalMoves, &Api::LegalMoves, context,
                        *request, answer);
  }
  ServerUnaryReactor* GameStatus(CallbackServerContext* context,
                                 const ByteBuffer* request,
                                 ByteBuffer* answer) override {
    return AnswerAtOnce(Method::kGameStatus, &Api::GameStatus, context,
                        *request, answer);
  }
  ServerUnaryReactor* ListRuleSets(CallbackServerContext* context,
                                   const ByteBuffer* request,
                                   ByteBuffer* answer) override {
    return AnswerAtOnce(Method::kListRuleSets, &Api::ListRuleSets, context,
                        *request, answer);
  }

  ServerUnaryReactor* BestMove(CallbackServerContext* context,
                               const ByteBuffer* request,
                               ByteBuffer* answer) override {
    auto* reactor = new BestMoveReactor(
        *context, Begin(Method::kBestMove, *context),
        NamerOf(gate_, RpcPeer(*context)), searches_, answer);
    v1::BestMoveRequest message;
    if (auto status = Read(*context, *request, &message); status.code() != 0) {
      reactor->Done(status, {});
      return reactor;
    }
    api_.BestMove(
        ContextOf(*reactor, *context), message,
        [reactor](const Status& status, const v1::BestMoveResponse& best) {
          reactor->Done(status, best);
        });
    return reactor;
  }

  grpc::ServerWriteReactor<ByteBuffer>* Analyze(
      CallbackServerContext* context, const ByteBuffer* request) override {
    auto* reactor =
        new AnalyzeReactor(*context, Begin(Method::kAnalyze, *context),
                           NamerOf(gate_, RpcPeer(*context)), searches_);
    v1::AnalyzeRequest message;
    if (auto status = Read(*context, *request, &message); status.code() != 0) {
      reactor->Done(status);
      return reactor;
    }
    api_.Analyze(
        ContextOf(*reactor, *context), message,
        [reactor](const v1::AnalyzeResponse& answer) {
          reactor->Write(answer);
        },
        [reactor](const Status& status) { reactor->Done(status); });
    return reactor;
  }

 private:
  std::unique_ptr<Call> Begin(Method method,
                              const CallbackServerContext& context) {
    return telemetry_.Begin(method, Door::kGrpc,
                            MetadataOf(context, "traceparent"));
  }

  // Reads the request, unless the caller may not send it.
  Status Read(const CallbackServerContext& context, const ByteBuffer& bytes,
              google::protobuf::MessageLite* request) const {
    if (gate_ != nullptr && gate_->checks()) {
      Status refusal = gate_->Admit(RpcPeer(context));
      if (refusal.code() != grpc::StatusCode::OK) return refusal;
    }
    return bytes.Valid() ? ReadBytes(bytes, request) : NoMessage(context);
  }

  template <typename Reactor>
  static CallContext ContextOf(Reactor& reactor,
                               const CallbackServerContext& context) {
    return {.call = reactor.call(),
            .deadline = DeadlineOf(context),
            .caller = reactor.caller()};
  }

  template <typename Request, typename Answer>
  ServerUnaryReactor* AnswerAtOnce(
      Method method,
      Status (Api::*ask)(const CallContext&, const Request&, Answer*) const,
      CallbackServerContext* context, const ByteBuffer& bytes,
      ByteBuffer* answer_bytes) {
    const auto call = Begin(method, *context);
    CallArena arena;
    auto* request = bytes.Length() <= kMostBytesKept ? KeptRequest<Request>()
                                                     : arena.Make<Request>();
    auto* answer = arena.Make<Answer>();
    Status status = Read(*context, bytes, request);
    if (status.code() == grpc::StatusCode::OK) {
      const CallContext call_context{
          .call = *call, .deadline = {}, .caller = {}};
      status = (api_.*ask)(call_context, *request, answer);
    }
    if (status.code() == grpc::StatusCode::OK) *answer_bytes = ToBytes(*answer);
    call->Finish(status, NamerOf(gate_, RpcPeer(*context)));
    ServerUnaryReactor* reactor = context->DefaultReactor();
    reactor->Finish(EndOf(*context, status));
    return reactor;
  }

  const Api& api_;
  Telemetry& telemetry_;
  OpenSearches& searches_;
  Gate* const gate_;
};

}  // namespace

std::unique_ptr<grpc::Service> MakeRpcService(const Api& api,
                                              Telemetry& telemetry,
                                              OpenSearches& searches,
                                              Gate* gate) {
  return std::make_unique<RpcService>(api, telemetry, searches, gate);
}

}  // namespace sittuyin::service
