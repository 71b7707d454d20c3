// The core with a pool of one worker, asked as a door asks it.
#ifndef SITTUYIN_TESTS_HANDLERS_API_FIXTURE_H_
#define SITTUYIN_TESTS_HANDLERS_API_FIXTURE_H_

#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>
#include <spdlog/sinks/null_sink.h>

#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "service/api/api.h"
#include "service/server/pool_metrics.h"
#include "service/telemetry/telemetry.h"
#include "sittuyin/v1/sittuyin.pb.h"

namespace sittuyin::service {

template <typename Message>
Message Parsed(const std::string& text) {
  Message message;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &message));
  return message;
}

inline TelemetryOptions Silent() {
  TelemetryOptions options;
  options.log_sink = std::make_shared<spdlog::sinks::null_sink_mt>();
  return options;
}

// A job that runs until it is let go, so that what comes after it waits. The
// pool expects it to take `longest`.
class Blocker {
 public:
  explicit Blocker(SearchPool& pool, std::chrono::nanoseconds longest =
                                         std::chrono::nanoseconds(1)) {
    const auto admitted = pool.Submit({.run =
                                           [gates = gates_](auto&&...) {
                                             gates->running.set_value();
                                             gates->let_go.get_future().wait();
                                           },
                                       .longest = longest});
    EXPECT_FALSE(admitted.refused);
    gates_->running.get_future().wait();
  }
  void LetGo() { gates_->let_go.set_value(); }

 private:
  struct Gates {
    std::promise<void> running;
    std::promise<void> let_go;
  };
  const std::shared_ptr<Gates> gates_ = std::make_shared<Gates>();
};

class ApiTest : public testing::Test {
 protected:
  using Deadline = std::optional<std::chrono::steady_clock::time_point>;

  template <typename Answer, typename Request>
  using AtOnce = google::rpc::Status (Api::*)(const CallContext&,
                                              const Request&, Answer*) const;

  // Asks a method that answers at once.
  template <typename Answer, typename Request>
  std::pair<google::rpc::Status, Answer> Ask(AtOnce<Answer, Request> method,
                                             const std::string& request) {
    const auto call = telemetry_.Begin(Method::kValidateMove, Door::kGrpc, {});
    Answer answer;
    auto status =
        (api_.*method)({*call, {}, {}}, Parsed<Request>(request), &answer);
    call->Finish(status);
    return {std::move(status), std::move(answer)};
  }

  struct Best {
    google::rpc::Status status;
    v1::BestMoveResponse answer;
  };
  // Asks for a move; the future holds the answer when the call is done.
  std::future<Best> StartBestMove(const std::string& request,
                                  Deadline deadline = {}) {
    auto promise = std::make_shared<std::promise<Best>>();
    std::shared_ptr<Call> call =
        telemetry_.Begin(Method::kBestMove, Door::kGrpc, {});
    api_.BestMove({*call, deadline, caller_},
                  Parsed<v1::BestMoveRequest>(request),
                  [promise, call](google::rpc::Status status,
                                  v1::BestMoveResponse answer) {
                    call->Finish(status);
                    promise->set_value({std::move(status), std::move(answer)});
                  });
    return promise->get_future();
  }
  Best BestMove(const std::string& request, Deadline deadline = {}) {
    return StartBestMove(request, deadline).get();
  }

  // Searches for as long as may be. Tries again where a busy machine let the
  // time pass, for a while.
  Best BestMoveInTime(std::chrono::nanoseconds time) {
    Best best;
    int tries = 50;
    do {
      best = BestMove("limits { move_time { seconds: 86400 } }",
                      std::chrono::steady_clock::now() + time);
    } while (best.status.code() == 4 && --tries > 0);
    return best;
  }

  struct Analysis {
    google::rpc::Status status;
    std::vector<v1::AnalyzeResponse> messages;
  };
  Analysis Analyze(const std::string& request) {
    Analysis analysis;
    std::promise<void> finished;
    const auto call = telemetry_.Begin(Method::kAnalyze, Door::kGrpc, {});
    api_.Analyze(
        {*call, {}, caller_}, Parsed<v1::AnalyzeRequest>(request),
        [&](const v1::AnalyzeResponse& message) {
          analysis.messages.push_back(message);
        },
        [&](const google::rpc::Status& status) {
          analysis.status = status;
          call->Finish(status);
          finished.set_value();
        });
    finished.get_future().wait();
    return analysis;
  }

  Telemetry telemetry_{Silent()};
  PoolMetrics pool_metrics_{telemetry_.metrics()};
  SearchPool pool_{{.workers = 1, .queue = 1, .hash_bytes = 1 << 20},
                   pool_metrics_};
  const Api api_{{.default_rule_set = RuleSetId::kPychess,
                  .move_time = {.when_unlimited = std::chrono::milliseconds(20),
                                .longest = std::chrono::hours(24)},
                  .random_seed = [this] { return ++seeds_given_; }},
                 pool_};
  const std::shared_ptr<Caller> caller_ = std::make_shared<Caller>();
  std::uint64_t seeds_given_ = 0;
};

}  // namespace sittuyin::service

#endif  // SITTUYIN_TESTS_HANDLERS_API_FIXTURE_H_
