#include "service/admission/forecast.h"

#include <gtest/gtest.h>

namespace sittuyin::service {
namespace {

using std::chrono::seconds;
using Time = ExpectedJob::Time;

constexpr Time kStart{seconds(1000)};
constexpr Time At(int second) { return kStart + seconds(second); }

ExpectedJob Job(int wanted_start, int duration, int latest_end = 100) {
  return {.wanted_start = At(wanted_start),
          .latest_end = At(latest_end),
          .duration = seconds(duration)};
}

TEST(ForecastTest, Foresee_NoJobs_WaitsForTheFirstFreeWorker) {
  const Forecast forecast = Foresee({At(3), At(2)}, {});
  EXPECT_EQ(forecast.late, 0u);
  EXPECT_EQ(forecast.all_begun, At(2));
}

TEST(ForecastTest, Foresee_Jobs_GoToTheWorkerFreeFirst) {
  // The first takes the second worker until 7, the second the first until 4,
  // the third that one until 14.
  const Forecast forecast =
      Foresee({At(3), At(2)}, {Job(2, 5), Job(3, 1), Job(4, 10)});
  EXPECT_EQ(forecast.late, 0u);
  EXPECT_EQ(forecast.all_begun, At(7));
}

TEST(ForecastTest, Foresee_TurnAfterWantedStart_IsLate) {
  const Forecast forecast =
      Foresee({At(0)}, {Job(0, 5), Job(4, 9), Job(14, 1)});
  EXPECT_EQ(forecast.late, 1u);
  EXPECT_EQ(forecast.all_begun, At(15));
}

TEST(ForecastTest, Foresee_TurnAfterLatestEnd_TakesNoTime) {
  const Forecast forecast = Foresee({At(0)}, {Job(0, 5), Job(1, 9, 5)});
  EXPECT_EQ(forecast.late, 1u);
  EXPECT_EQ(forecast.all_begun, At(5));
}

TEST(ForecastTest, Foresee_LongJob_GoesNoFurtherThanItsLatestEnd) {
  EXPECT_EQ(Foresee({At(0)}, {Job(0, 50, 8)}).all_begun, At(8));
}

}  // namespace
}  // namespace sittuyin::service
