#include "tests/fuzz/core.h"

#include <google/rpc/error_details.pb.h>
#include <spdlog/sinks/null_sink.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <future>
#include <utility>

#include "service/api/api.h"
#include "service/server/pool_metrics.h"
#include "service/telemetry/telemetry.h"
#include "sittuyin/v1/sittuyin.pb.h"
#include "tests/fuzz/require.h"

namespace sittuyin::service {
namespace {

using google::protobuf::Message;
using google::rpc::Status;

constexpr std::uint64_t kMaxNodes = 200;
constexpr int kInvalidArgument = 3;
constexpr int kFailedPrecondition = 9;

TelemetryOptions Silent() {
  TelemetryOptions options;
  options.log_sink = std::make_shared<spdlog::sinks::null_sink_mt>();
  return options;
}

void CheckRefusal(const Status& status) {
  Require(status.code() == kInvalidArgument ||
          status.code() == kFailedPrecondition);
  Require(!status.message().empty());
  google::rpc::ErrorInfo info;
  Require(status.details_size() > 0 && status.details(0).UnpackTo(&info));
  Require(!info.reason().empty() && info.domain() == "sittuyin.v1");
}

void CheckAnswer(const v1::ValidateMoveResponse& answer) {
  Require(answer.legal() == answer.has_move());
  Require(answer.legal() != answer.has_violation());
  Require(answer.legal() ||
          answer.violation().reason() != v1::VIOLATION_REASON_UNSPECIFIED);
  Require(!answer.fen().empty() && answer.has_state());
}
void CheckAnswer(const v1::LegalMovesResponse& answer) {
  Require(!answer.fen().empty() && answer.has_state());
}
void CheckAnswer(const v1::GameStatusResponse& answer) {
  Require(!answer.fen().empty() && answer.has_state());
}

}  // namespace

class Core::Impl {
 public:
  template <typename Request, typename Response>
  using AtOnce = Status (Api::*)(const CallContext&, const Request&,
                                 Response*) const;

  template <typename Request, typename Response>
  Answer Ask(Method name, AtOnce<Request, Response> method,
             const Message& request) {
    const auto call = telemetry_.Begin(name, Door::kGrpc, {});
    auto answer = std::make_unique<Response>();
    Status status = (api_.*method)(
        {*call, {}, {}}, static_cast<const Request&>(request), answer.get());
    call->Finish(status);
    if (status.code() == 0) CheckAnswer(*answer);
    return {std::move(status), std::move(answer)};
  }

  Answer BestMove(const Message& request) {
    v1::BestMoveRequest limited;
    limited.CopyFrom(request);
    auto& limits = *limited.mutable_limits();
    limits.set_nodes(std::clamp(limits.nodes(), std::uint64_t{1}, kMaxNodes));
    const auto call = telemetry_.Begin(Method::kBestMove, Door::kGrpc, {});
    std::promise<Answer> promise;
    api_.BestMove(
        {*call, {}, std::make_shared<Caller>()}, limited,
        [&](Status status, v1::BestMoveResponse answer) {
          call->Finish(status);
          Require(status.code() != 0 || answer.has_best());
          promise.set_value({std::move(status),
                             std::make_unique<v1::BestMoveResponse>(answer)});
        });
    return promise.get_future().get();
  }

 private:
  Telemetry telemetry_{Silent()};
  PoolMetrics pool_metrics_{telemetry_.metrics()};
  SearchPool pool_{{.workers = 1, .queue = 1, .hash_bytes = 1 << 16},
                   pool_metrics_};
  const Api api_{{.default_rule_set = RuleSetId::kYouzai,
                  .move_time = {.when_unlimited = std::chrono::seconds(1),
                                .longest = std::chrono::seconds(1)},
                  .random_seed = [] { return 1; }},
                 pool_};
};

Core::Core() : impl_(std::make_unique<Impl>()) {}
Core::~Core() = default;

std::unique_ptr<Message> Core::NewRequest(std::size_t index) {
  const std::array<const Message*, kMethods> kinds = {
      &v1::ValidateMoveRequest::default_instance(),
      &v1::LegalMovesRequest::default_instance(),
      &v1::GameStatusRequest::default_instance(),
      &v1::BestMoveRequest::default_instance()};
  return std::unique_ptr<Message>(kinds[index % kMethods]->New());
}

Core::Answer Core::Ask(const Message& request) {
  const auto* type = request.GetDescriptor();
  Answer answer =
      type == v1::ValidateMoveRequest::descriptor()
          ? impl_->Ask(Method::kValidateMove, &Api::ValidateMove, request)
      : type == v1::LegalMovesRequest::descriptor()
          ? impl_->Ask(Method::kLegalMoves, &Api::LegalMoves, request)
      : type == v1::GameStatusRequest::descriptor()
          ? impl_->Ask(Method::kGameStatus, &Api::GameStatus, request)
          : impl_->BestMove(request);
  if (answer.status.code() != 0) CheckRefusal(answer.status);
  return answer;
}

}  // namespace sittuyin::service
