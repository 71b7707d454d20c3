// The methods that search.
#include <gmock/gmock.h>

#include <thread>

#include "service/handlers/search_call.h"
#include "tests/handlers/api_fixture.h"
#include "tests/testing/equals_proto.h"
#include "tests/testing/refusal.h"

namespace sittuyin::service {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;
using testing::HasSubstr;
using testing::SizeIs;

constexpr char kFinished[] =
    R"pb(game { initial_fen: "4k3/8/8/8/8/8/8/4K3[] w" })pb";

TEST(SearchDeadlineTest, SearchDeadline_TimeLeft_KeepsAMargin) {
  const steady_clock::time_point now{seconds(100)};
  EXPECT_EQ(SearchDeadline(now + seconds(1), now), now + milliseconds(960));
  EXPECT_EQ(SearchDeadline(now + milliseconds(80), now),
            now + milliseconds(40));
  EXPECT_EQ(SearchDeadline(now + milliseconds(10), now), now + milliseconds(5));
  EXPECT_EQ(SearchDeadline(now - seconds(1), now), now - seconds(1));
}

TEST_F(ApiTest, BestMove_Depth_IsSearched) {
  const Best best = BestMove("limits { depth: 3 }");
  EXPECT_THAT(best.status, IsOk());
  EXPECT_TRUE(best.answer.has_best());
  EXPECT_EQ(best.answer.depth(), 3u);
  EXPECT_EQ(best.answer.stop_reason(), v1::STOP_REASON_DEPTH);
  EXPECT_THAT(best.answer.lines(), SizeIs(1));
  EXPECT_EQ(best.answer.lines(0).moves(0).uci(), best.answer.best().uci());
  EXPECT_EQ(best.answer.fen(), kStartFen);
}

TEST_F(ApiTest, BestMove_NoLimit_EndsByTheDefaultTime) {
  const Best best = BestMove("");
  EXPECT_THAT(best.status, IsOk());
  EXPECT_EQ(best.answer.stop_reason(), v1::STOP_REASON_TIME);
}

TEST_F(ApiTest, BestMove_MultiPv_GivesThatManyLines) {
  EXPECT_THAT(BestMove("limits { depth: 2 } multi_pv: 3").answer.lines(),
              SizeIs(3));
}

TEST_F(ApiTest, BestMove_SameSeedAndNodes_GiveTheSameAnswer) {
  const std::string request = "limits { nodes: 3000 } level: 3 seed: 7";
  v1::BestMoveResponse first = BestMove(request).answer;
  v1::BestMoveResponse second = BestMove(request).answer;
  first.clear_elapsed();
  second.clear_elapsed();
  EXPECT_THAT(first, EqualsProto(second.DebugString()));
}

TEST_F(ApiTest, BestMove_NoSeed_TakesARandomOne) {
  BestMove("limits { depth: 1 } level: 3 seed: 7");
  EXPECT_EQ(seeds_given_, 0u);
  BestMove("limits { depth: 1 } level: 3");
  EXPECT_EQ(seeds_given_, 1u);
}

TEST_F(ApiTest, BestMove_MateInOne_IsFound) {
  const Best best = BestMove(R"pb(
    game { initial_fen: "k7/8/1K6/8/8/8/8/7R[] w" }
    limits { depth: 3 })pb");
  EXPECT_EQ(best.answer.best().san(), "Rh8#");
  EXPECT_EQ(best.answer.lines(0).score().mate_in_moves(), 1);
}

TEST_F(ApiTest, BestMove_FinishedGame_IsRefused) {
  const Best best = BestMove(kFinished);
  EXPECT_EQ(best.status.code(), 9);
  EXPECT_THAT(best.status, RefusedAs("GAME_FINISHED"));
  EXPECT_FALSE(best.answer.has_best());
}

TEST_F(ApiTest, BestMove_LevelOutOfRange_IsRefused) {
  EXPECT_THAT(BestMove("level: 11").status,
              RefusedFor("FIELD_OUT_OF_RANGE", "level"));
}

TEST_F(ApiTest, BestMove_QueueFull_IsRefusedWithRetryInfo) {
  Blocker blocker(pool_);
  auto waiting = StartBestMove("limits { depth: 1 }");
  const Best refused = BestMove("limits { depth: 1 }");
  EXPECT_EQ(refused.status.code(), 14);
  EXPECT_THAT(refused.status, RefusedAs("SEARCH_QUEUE_FULL"));
  EXPECT_GE(RetryDelayOf(refused.status), milliseconds(10));
  blocker.LetGo();
  EXPECT_THAT(waiting.get().status, IsOk());
}

TEST_F(ApiTest, BestMove_QueueFullOfLongSearches_IsToBeTriedMuchLater) {
  Blocker blocker(pool_);
  auto waiting = StartBestMove("limits { move_time { seconds: 20 } }");
  const Best refused = BestMove("limits { depth: 1 }");
  EXPECT_THAT(refused.status, RefusedAs("SEARCH_QUEUE_FULL"));
  EXPECT_EQ(RetryDelayOf(refused.status), seconds(20));
  caller_->Leave();
  EXPECT_EQ(waiting.get().status.code(), 1);
  blocker.LetGo();
}

TEST_F(ApiTest, BestMove_NoTurnBeforeTheDeadline_IsRefusedAtOnce) {
  Blocker blocker(pool_, std::chrono::hours(1));
  const Best refused =
      BestMove("limits { depth: 1 }", steady_clock::now() + seconds(5));
  EXPECT_EQ(refused.status.code(), 4);
  EXPECT_THAT(refused.status, RefusedAs("DEADLINE_EXCEEDED"));
  EXPECT_EQ(RetryDelayOf(refused.status), seconds(30));
  EXPECT_THAT(telemetry_.metrics().Exposition(),
              HasSubstr("sittuyin_search_outcomes_total{"
                        "outcome=\"too_late\"} 1"));
  blocker.LetGo();
}

TEST_F(ApiTest, BestMove_Draining_IsRefusedWithRetryInfo) {
  pool_.StopAccepting();
  const Best refused = BestMove("limits { depth: 1 }");
  EXPECT_EQ(refused.status.code(), 14);
  EXPECT_THAT(refused.status, RefusedAs("DRAINING"));
  EXPECT_EQ(RetryDelayOf(refused.status), milliseconds(100));
}

TEST_F(ApiTest, BestMove_DeadlinePassed_IsRefused) {
  const Best best = BestMove("limits { depth: 1 }", steady_clock::now());
  EXPECT_EQ(best.status.code(), 4);
  EXPECT_THAT(best.status, RefusedAs("DEADLINE_EXCEEDED"));
  EXPECT_THAT(telemetry_.metrics().Exposition(),
              HasSubstr("sittuyin_search_nodes_total 0"));
}

TEST_F(ApiTest, BestMove_DeadlinePassesInTheQueue_IsRefusedThere) {
  Blocker blocker(pool_);
  const Best best =
      BestMove("limits { depth: 1 }", steady_clock::now() + milliseconds(300));
  EXPECT_THAT(best.status, RefusedAs("DEADLINE_EXCEEDED"));
  EXPECT_EQ(RetryDelayOf(best.status), milliseconds(10));
  EXPECT_THAT(telemetry_.metrics().Exposition(),
              HasSubstr("sittuyin_search_outcomes_total{"
                        "outcome=\"expired\"} 1"));
  blocker.LetGo();
}

TEST_F(ApiTest, BestMove_DrainEndsIt_IsAnsweredWithTheBestSoFar) {
  auto running = StartBestMove("limits { move_time { seconds: 86400 } }");
  pool_.Drain(steady_clock::now());
  const Best best = running.get();
  // It may not have begun.
  if (best.status.code() != 0) {
    EXPECT_THAT(best.status, RefusedAs("DRAINING"));
  } else {
    EXPECT_EQ(best.answer.stop_reason(), v1::STOP_REASON_DEADLINE);
  }
}

TEST_F(ApiTest, BestMove_Deadline_EndsTheSearchBeforeIt) {
  const Best best = BestMoveInTime(milliseconds(150));
  EXPECT_THAT(best.status, IsOk());
  EXPECT_EQ(best.answer.stop_reason(), v1::STOP_REASON_DEADLINE);
}

TEST_F(ApiTest, BestMove_FreeWorkerDoesNotBegin_IsAnsweredWithAMove) {
  std::promise<void> answering, let_go;
  ASSERT_FALSE(pool_
                   .Submit({.run = [](auto&&...) {},
                            .answer =
                                [&] {
                                  answering.set_value();
                                  let_go.get_future().wait();
                                },
                            .longest = seconds(1)})
                   .refused);
  answering.get_future().wait();
  const Best best = BestMoveInTime(milliseconds(150));
  let_go.set_value();
  EXPECT_THAT(best.status, IsOk());
  EXPECT_TRUE(best.answer.has_best());
  EXPECT_EQ(best.answer.depth(), 0u);
  EXPECT_EQ(best.answer.stop_reason(), v1::STOP_REASON_DEADLINE);
}

TEST_F(ApiTest, BestMove_CallerLeftInTheQueue_IsNotSearched) {
  Blocker blocker(pool_);
  auto waiting = StartBestMove("limits { depth: 1 }");
  caller_->Leave();
  EXPECT_EQ(waiting.get().status.code(), 1);
  blocker.LetGo();
  EXPECT_THAT(telemetry_.metrics().Exposition(),
              HasSubstr("sittuyin_search_nodes_total 0"));
}

TEST_F(ApiTest, BestMove_CallerLeaves_EndsTheSearch) {
  auto running = StartBestMove("limits { move_time { seconds: 86400 } }");
  caller_->Leave();
  EXPECT_EQ(running.get().status.code(), 1);
}

TEST_F(ApiTest, Analyze_Depth_StreamsEachDepthTheLastWithTheResult) {
  const Analysis analysis = Analyze("limits { depth: 4 } multi_pv: 2");
  EXPECT_THAT(analysis.status, IsOk());
  ASSERT_THAT(analysis.messages, SizeIs(4));
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(analysis.messages[i].depth(), i + 1);
    EXPECT_THAT(analysis.messages[i].lines(), SizeIs(2));
    EXPECT_EQ(analysis.messages[i].has_result(), i == 3);
  }
  const v1::AnalyzeResponse& last = analysis.messages.back();
  v1::BestMoveResponse best =
      BestMove("limits { depth: 4 } multi_pv: 2 seed: 1").answer;
  *best.mutable_elapsed() = last.result().elapsed();
  EXPECT_THAT(last.result(), EqualsProto(best.DebugString()));
}

TEST_F(ApiTest, Analyze_WorkerIsLate_SearchTimeLastsUntilTheAnswer) {
  const auto call = telemetry_.Begin(Method::kAnalyze, Door::kGrpc, {});
  std::chrono::nanoseconds kept{0};  // For good if no depth is done in time.
  v1::AnalyzeResponse last;
  std::promise<std::chrono::nanoseconds> search_time;
  api_.Analyze(
      {*call, {}, caller_},
      Parsed<v1::AnalyzeRequest>("limits { move_time { nanos: 20000000 } }"),
      [&](const v1::AnalyzeResponse& message) {
        last = message;
        if (message.has_result() || kept.count() > 0) return;
        kept = milliseconds(100);
        std::this_thread::sleep_for(kept);
      },
      [&](const google::rpc::Status&) {
        search_time.set_value(*call->facts().search_time);
      });
  const auto took = search_time.get_future().get();
  EXPECT_GE(took, kept);
  // The time that the answer tells ends with the depth that it has.
  EXPECT_GT(took, std::chrono::nanoseconds(last.result().elapsed().nanos()));
}

TEST_F(ApiTest, Analyze_Refusals_AreBestMoves) {
  EXPECT_THAT(Analyze(kFinished).status, RefusedAs("GAME_FINISHED"));
  EXPECT_THAT(Analyze("multi_pv: 11").status,
              RefusedFor("FIELD_OUT_OF_RANGE", "multi_pv"));
  pool_.StopAccepting();
  const Analysis refused = Analyze("limits { depth: 1 }");
  EXPECT_THAT(refused.status, RefusedAs("DRAINING"));
  EXPECT_THAT(refused.messages, SizeIs(0));
}

}  // namespace
}  // namespace sittuyin::service
