#include "tests/fuzz/core.h"

#include <google/protobuf/stubs/logging.h>
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
#include "tests/fuzz/refusal.h"
#include "tests/fuzz/require.h"

namespace sittuyin::service {
namespace {

using google::protobuf::Message;
using google::rpc::Status;

constexpr std::uint64_t kMaxNodes = 16;

TelemetryOptions Silent() {
  TelemetryOptions options;
  options.access_log_sample = 0;
  options.lines_per_second = 0;
  options.log_sink = std::make_shared<spdlog::sinks::null_sink_mt>();
  return options;
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
  Impl() {
    // As in the server.
    google::protobuf::SetLogHandler(nullptr);
  }

  Message& Request(std::size_t index) {
    const std::array<Message*, kMethods> kinds = {
        &validate_move_, &legal_moves_, &game_status_, &best_move_};
    Message& request = *kinds[index % kMethods];
    request.Clear();
    return request;
  }

  Answer Ask(const Message& request) {
    if (&request == &validate_move_) {
      return Ask(Method::kValidateMove, &Api::ValidateMove, validate_move_,
                 move_validated_);
    }
    if (&request == &legal_moves_) {
      return Ask(Method::kLegalMoves, &Api::LegalMoves, legal_moves_,
                 moves_listed_);
    }
    if (&request == &game_status_) {
      return Ask(Method::kGameStatus, &Api::GameStatus, game_status_,
                 status_told_);
    }
    return AskBestMove();
  }

 private:
  template <typename Request, typename Response>
  using AtOnce = Status (Api::*)(const CallContext&, const Request&,
                                 Response*) const;

  template <typename Request, typename Response>
  Answer Ask(Method name, AtOnce<Request, Response> method,
             const Request& request, Response& answer) {
    const auto call = telemetry_.Begin(name, Door::kGrpc, {});
    answer.Clear();
    Status status = (api_.*method)({*call, {}, {}}, request, &answer);
    call->Finish(status);
    if (status.code() == 0) CheckAnswer(answer);
    return {std::move(status), &answer};
  }

  Answer AskBestMove() {
    auto& limits = *best_move_.mutable_limits();
    limits.set_nodes(std::clamp(limits.nodes(), std::uint64_t{1}, kMaxNodes));
    const auto call = telemetry_.Begin(Method::kBestMove, Door::kGrpc, {});
    std::promise<Status> done;
    api_.BestMove({*call, {}, std::make_shared<Caller>()}, best_move_,
                  [&](Status status, v1::BestMoveResponse answer) {
                    call->Finish(status);
                    Require(status.code() != 0 || answer.has_best());
                    move_found_ = std::move(answer);
                    done.set_value(std::move(status));
                  });
    return {done.get_future().get(), &move_found_};
  }

  Telemetry telemetry_{Silent()};
  PoolMetrics pool_metrics_{telemetry_.metrics()};
  SearchPool pool_{{.workers = 1, .queue = 1, .hash_bytes = 1 << 16},
                   pool_metrics_};
  const Api api_{{.default_rule_set = RuleSetId::kYouzai,
                  .move_time = {.when_unlimited = std::chrono::seconds(1),
                                .longest = std::chrono::seconds(1)},
                  .random_seed = [] { return 1; }},
                 pool_};
  // Requests and answers, kept so that a run need not make them.
  v1::ValidateMoveRequest validate_move_;
  v1::ValidateMoveResponse move_validated_;
  v1::LegalMovesRequest legal_moves_;
  v1::LegalMovesResponse moves_listed_;
  v1::GameStatusRequest game_status_;
  v1::GameStatusResponse status_told_;
  v1::BestMoveRequest best_move_;
  v1::BestMoveResponse move_found_;
};

Core::Core() : impl_(std::make_unique<Impl>()) {}
Core::~Core() = default;

Message& Core::Request(std::size_t index) { return impl_->Request(index); }

Core::Answer Core::Ask(const Message& request) {
  Answer answer = impl_->Ask(request);
  if (answer.status.code() != 0) CheckRefusal(answer.status);
  return answer;
}

}  // namespace sittuyin::service
