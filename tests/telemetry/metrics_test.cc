#include "service/telemetry/metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <string_view>

#include "service/errors/reason.h"

namespace sittuyin::service {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;
using testing::Not;

long Lines(const std::string& text) {
  return std::count(text.begin(), text.end(), '\n');
}

TEST(MetricsTest, Exposition_AtStart_HasEveryMetricOfTheContract) {
  const Metrics metrics("1.2.3", "abc");
  const std::string text = metrics.Exposition();
  for (const char* line :
       {"sittuyin_requests_total{code=\"OK\",door=\"grpc\","
        "method=\"ValidateMove\"} 0",
        "sittuyin_requests_total{code=\"UNAUTHENTICATED\",door=\"rest\","
        "method=\"Analyze\"} 0",
        "sittuyin_request_duration_seconds_count{door=\"rest\","
        "method=\"BestMove\"} 0",
        "sittuyin_requests_in_flight{method=\"LegalMoves\"} 0",
        "sittuyin_rejections_total{reason=\"SEARCH_QUEUE_FULL\"} 0",
        "sittuyin_search_queue_depth 0",
        "sittuyin_search_workers{state=\"busy\"} 0",
        "sittuyin_search_workers{state=\"idle\"} 0",
        "sittuyin_search_queue_seconds_count 0",
        "sittuyin_search_nodes_total 0", "sittuyin_search_depth_count 0",
        "sittuyin_illegal_moves_total{reason=\"MUST_NOT_STALEMATE\"} 0",
        "sittuyin_build_info{commit=\"abc\",version=\"1.2.3\"} 1"}) {
    EXPECT_THAT(text, HasSubstr(std::string(line) + "\n"));
  }
  EXPECT_THAT(text, Not(HasSubstr("UNSPECIFIED")));
  for (const char* name :
       {"process_cpu_seconds_total", "process_open_fds", "process_max_fds",
        "process_virtual_memory_bytes", "process_virtual_memory_max_bytes",
        "process_resident_memory_bytes", "process_start_time_seconds",
        "process_threads"}) {
    EXPECT_THAT(text, HasSubstr("# TYPE " + std::string(name) + " "));
  }
}

TEST(MetricsTest, Request_StartedAndFinished_IsCountedByItsLabels) {
  Metrics metrics("", "");
  metrics.RequestStarted(Method::kBestMove);
  EXPECT_THAT(
      metrics.Exposition(),
      HasSubstr("sittuyin_requests_in_flight{method=\"BestMove\"} 1\n"));
  metrics.RequestFinished(Method::kBestMove, Door::kRest, 14,
                          milliseconds(300));
  const std::string text = metrics.Exposition();
  EXPECT_THAT(
      text, HasSubstr("sittuyin_requests_in_flight{method=\"BestMove\"} 0\n"));
  EXPECT_THAT(text, HasSubstr("sittuyin_requests_total{code=\"UNAVAILABLE\","
                              "door=\"rest\",method=\"BestMove\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("sittuyin_request_duration_seconds_bucket{"
                              "door=\"rest\",method=\"BestMove\","
                              "le=\"0.25\"} 0\n"));
  EXPECT_THAT(text, HasSubstr("sittuyin_request_duration_seconds_bucket{"
                              "door=\"rest\",method=\"BestMove\","
                              "le=\"0.5\"} 1\n"));
}

TEST(MetricsTest, Search_Told_MovesItsMetrics) {
  Metrics metrics("", "");
  metrics.SetSearchPool(3, 2, 1);
  metrics.SearchWaited(milliseconds(20));
  metrics.Searched(12345, 7);
  const std::string text = metrics.Exposition();
  for (const char* line :
       {"sittuyin_search_queue_depth 3\n",
        "sittuyin_search_workers{state=\"busy\"} 2\n",
        "sittuyin_search_workers{state=\"idle\"} 1\n",
        "sittuyin_search_queue_seconds_bucket{le=\"0.01\"} 0\n",
        "sittuyin_search_queue_seconds_bucket{le=\"0.025\"} 1\n",
        "sittuyin_search_nodes_total 12345\n",
        "sittuyin_search_depth_bucket{le=\"6\"} 0\n",
        "sittuyin_search_depth_bucket{le=\"8\"} 1\n"}) {
    EXPECT_THAT(text, HasSubstr(line));
  }
}

TEST(MetricsTest, Rejected_EveryReason_IsCountedAsItself) {
  Metrics metrics("", "");
  for (const std::string_view reason : kReasonNames) metrics.Rejected(reason);
  const std::string text = metrics.Exposition();
  for (const std::string_view reason : kReasonNames) {
    EXPECT_THAT(text, HasSubstr("sittuyin_rejections_total{reason=\"" +
                                std::string(reason) + "\"} 1\n"));
  }
}

TEST(MetricsTest, SearchDecided_EveryFate_IsCountedAsItself) {
  Metrics metrics("", "");
  int times = 0;
  for (std::size_t i = 0; i < SearchPoolObserver::kFateNames.size(); ++i) {
    const auto fate = static_cast<SearchPoolObserver::Fate>(i);
    for (int n = ++times; n > 0; --n) metrics.SearchDecided(fate);
  }
  const std::string text = metrics.Exposition();
  times = 0;
  for (const char* outcome :
       {"queue_full", "too_late", "draining", "begun", "expired", "left"}) {
    EXPECT_THAT(text, HasSubstr("sittuyin_search_outcomes_total{outcome=\"" +
                                std::string(outcome) + "\"} " +
                                std::to_string(++times) + "\n"));
  }
}

TEST(MetricsTest, Reason_Unknown_MakesNoSeries) {
  Metrics metrics("", "");
  const std::string before = metrics.Exposition();
  metrics.Rejected("NO_SUCH_REASON");
  metrics.IllegalMove("NO_SUCH_REASON");
  const std::string after = metrics.Exposition();
  EXPECT_EQ(Lines(after), Lines(before));
  EXPECT_THAT(after,
              HasSubstr("sittuyin_rejections_total{reason=\"INTERNAL\"} 1\n"));
}

TEST(MetricsTest, Series_AfterAThousandRandomCalls_AreAsManyAsBefore) {
  Metrics metrics("", "");
  const long before = Lines(metrics.Exposition());
  std::mt19937 random(7);
  for (int i = 0; i < 1000; ++i) {
    const auto method = static_cast<Method>(random() % kMethodNames.size());
    const auto door = static_cast<Door>(random() % kDoorNames.size());
    metrics.RequestStarted(method);
    metrics.RequestFinished(method, door, static_cast<int>(random()) % 100,
                            milliseconds(random() % 20000));
    metrics.Rejected(std::to_string(random()));
    metrics.IllegalMove(std::to_string(random()));
    metrics.Searched(random(), random());
  }
  EXPECT_EQ(Lines(metrics.Exposition()), before);
}

TEST(MetricsTest, Exposition_PromtoolCheck_IsClean) {
  if (std::system("command -v promtool >/dev/null") != 0) {
    GTEST_SKIP() << "promtool is not installed";
  }
  Metrics metrics("1.2.3", "abc");
  metrics.Searched(10, 3);
  FILE* promtool = popen("promtool check metrics", "w");
  ASSERT_NE(promtool, nullptr);
  const std::string text = metrics.Exposition();
  std::fwrite(text.data(), 1, text.size(), promtool);
  EXPECT_EQ(pclose(promtool), 0);
}

}  // namespace
}  // namespace sittuyin::service
