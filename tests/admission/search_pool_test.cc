#include "service/admission/search_pool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <atomic>
#include <future>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

namespace sittuyin::service {
namespace {

using Fate = SearchPool::Fate;
using Job = SearchPool::Job;
using Time = SearchPool::Time;
using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::nanoseconds;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::size_t kSmallHash = 1 << 16;

class RecordingObserver : public SearchPoolObserver {
 public:
  void StateChanged(const State& state) override {
    const std::lock_guard lock(mutex_);
    last_ = state;
  }
  void JobStarted(nanoseconds waited) override {
    EXPECT_GE(waited.count(), 0);
    ++started_;
  }
  void Decided(Fate fate) override {
    const std::lock_guard lock(mutex_);
    fates_.push_back(fate);
  }

  State last() const {
    const std::lock_guard lock(mutex_);
    return last_;
  }
  std::vector<Fate> fates() const {
    const std::lock_guard lock(mutex_);
    return fates_;
  }
  int started() const { return started_; }

 private:
  mutable std::mutex mutex_;
  State last_;
  std::vector<Fate> fates_;
  std::atomic<int> started_{0};
};

// A job that tells when it runs and goes on until it is let go. To be made
// before the pool, which it must outlive.
class Blocker {
 public:
  // Is expected to end any moment.
  Job AsJob() {
    return {.run = [this](auto&&...) { Run(); },
            .drop = [](auto&&...) { FAIL(); },
            .longest = nanoseconds(1)};
  }
  // One that is expected to take all of `time`.
  Job AsJobOf(nanoseconds time) {
    Job job = AsJob();
    job.longest = time;
    return job;
  }
  void Run() {
    running_.set_value();
    gate_.get_future().wait();
  }
  void AwaitRunning() { running_.get_future().wait(); }
  void LetGo() { gate_.set_value(); }

 private:
  std::promise<void> running_;
  std::promise<void> gate_;
};

Time In(nanoseconds time) { return std::chrono::steady_clock::now() + time; }

// One worker, busy until `busy_` is let go.
class BusyPoolTest : public testing::Test {
 protected:
  void Occupy(Job job) {
    ASSERT_FALSE(pool_.Submit(std::move(job)).refused);
    busy_.AwaitRunning();
  }

  // Occupies the worker with a job that ends when the pool stops it.
  void SearchUntilStopped() {
    const auto stop = std::make_shared<StopToken>();
    std::promise<void> running;
    Job search = Noting(0);
    search.stop = stop;
    search.run = [&running, stop](auto&&...) {
      running.set_value();
      while (!stop->StopRequested()) std::this_thread::yield();
    };
    ASSERT_FALSE(pool_.Submit(std::move(search)).refused);
    running.get_future().wait();
  }

  // A job that will take no time and notes that it ran.
  Job Noting(int number) {
    return {.run = [this, number](auto&&...) { ran_.push_back(number); },
            .drop =
                [this, number](Fate why, auto) {
                  const std::lock_guard lock(mutex_);
                  dropped_.emplace_back(number, why);
                },
            .longest = hours(1),
            .kind = 1};
  }
  Job NotingBy(int number, Time deadline) {
    Job job = Noting(number);
    job.deadline = deadline;
    return job;
  }

  std::vector<int> RunAll() {
    busy_.LetGo();
    pool_.Drain();
    return ran_;
  }

  RecordingObserver observer_;
  Blocker busy_;
  std::vector<int> ran_;  // Of the worker's thread until the end.
  std::mutex mutex_;
  std::vector<std::pair<int, Fate>> dropped_;
  SearchPool pool_{{.workers = 1, .queue = 4, .hash_bytes = kSmallHash},
                   observer_};
};

TEST(SearchPoolTest, Submit_TwoWorkers_EachHasASearcherOfItsOwn) {
  RecordingObserver observer;
  SearchPool pool({.workers = 2, .queue = 2, .hash_bytes = kSmallHash},
                  observer);
  std::mutex mutex;
  std::set<Searcher*> seen;
  std::promise<void> both;
  std::shared_future<void> both_run = both.get_future().share();
  for (int i = 0; i < 2; ++i) {
    ASSERT_FALSE(pool.Submit({.run =
                                  [&](Searcher& searcher, auto&&...) {
                                    {
                                      const std::lock_guard lock(mutex);
                                      seen.insert(&searcher);
                                      if (seen.size() == 2) both.set_value();
                                    }
                                    both_run.wait();
                                  },
                              .drop = [](auto&&...) { FAIL(); },
                              .longest = seconds(1)})
                     .refused);
  }
  pool.Drain();
  EXPECT_EQ(seen.size(), 2u);
}

TEST(SearchPoolTest, Submit_Job_RunsBelowTheOthersPriority) {
  RecordingObserver observer;
  SearchPool pool({.workers = 1, .hash_bytes = kSmallHash}, observer);
  std::promise<int> niceness;
  ASSERT_FALSE(pool.Submit({.run =
                                [&](auto&&...) {
                                  niceness.set_value(
                                      getpriority(PRIO_PROCESS, 0));
                                },
                            .drop = [](auto&&...) { FAIL(); },
                            .longest = seconds(1)})
                   .refused);
  EXPECT_GT(niceness.get_future().get(), getpriority(PRIO_PROCESS, 0));
}

TEST(SearchPoolTest, Submit_NoQueue_StillServesIdleWorkers) {
  RecordingObserver observer;
  Blocker running;
  SearchPool pool({.workers = 1, .queue = 0, .hash_bytes = kSmallHash},
                  observer);
  ASSERT_FALSE(pool.Submit(running.AsJob()).refused);
  running.AwaitRunning();
  EXPECT_EQ(pool.Submit({.longest = seconds(1)}).refused, Fate::kQueueFull);
  running.LetGo();
}

TEST(SearchPoolTest, Submit_IdleWorkerHardlyAnyTimeLeft_Runs) {
  RecordingObserver observer;
  SearchPool pool({.workers = 1, .hash_bytes = kSmallHash}, observer);
  std::promise<std::optional<Time>> ran;
  const Time deadline = In(hours(1));
  ASSERT_FALSE(pool.Submit({.run = [&](auto&, auto,
                                       auto until) { ran.set_value(until); },
                            .drop = [](auto&&...) { FAIL(); },
                            .deadline = deadline,
                            .longest = hours(2)})
                   .refused);
  EXPECT_EQ(ran.get_future().get(), deadline);
}

TEST_F(BusyPoolTest, Answer_FindsItsWorkerFree) {
  // Whoever asks anew from the answer is not refused for its own search.
  std::promise<std::optional<Fate>> anew;
  Job job = busy_.AsJobOf(hours(1));
  job.answer = [&] {
    Job next = Noting(1);
    next.deadline = In(seconds(10));
    anew.set_value(pool_.Submit(std::move(next)).refused);
  };
  Occupy(std::move(job));
  busy_.LetGo();
  EXPECT_EQ(anew.get_future().get(), std::nullopt);
  pool_.Drain();
  EXPECT_THAT(ran_, testing::ElementsAre(1));
}

TEST_F(BusyPoolTest, Submit_QueueFull_IsRefused) {
  Occupy(busy_.AsJob());
  for (int i = 0; i < 4; ++i) EXPECT_FALSE(pool_.Submit(Noting(i)).refused);
  EXPECT_EQ(pool_.Submit(Noting(4)).refused, Fate::kQueueFull);
  EXPECT_EQ(observer_.last().queued, 4u);
  EXPECT_EQ(observer_.last().busy, 1u);
  EXPECT_EQ(observer_.last().idle, 0u);
  EXPECT_THAT(RunAll(), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(dropped_, IsEmpty());
}

TEST_F(BusyPoolTest, Submit_QueueFull_TellsWhenTheQueueWillHaveBegun) {
  Occupy(busy_.AsJobOf(seconds(100)));
  for (int i = 0; i < 4; ++i) {
    Job job = Noting(i);
    job.kind = 0;
    job.longest = seconds(1000);
    ASSERT_FALSE(pool_.Submit(std::move(job)).refused);
  }
  const auto refused = pool_.Submit(Noting(4));
  EXPECT_LE(refused.retry_after, seconds(4100));
  EXPECT_GT(refused.retry_after, seconds(4000));
  RunAll();
}

TEST_F(BusyPoolTest, Submit_NoDeadlines_RunInOrderOfArrival) {
  Occupy(busy_.AsJob());
  for (int i = 0; i < 4; ++i) ASSERT_FALSE(pool_.Submit(Noting(i)).refused);
  EXPECT_THAT(RunAll(), ElementsAre(0, 1, 2, 3));
}

TEST_F(BusyPoolTest, Submit_Deadlines_ShortestRunsFirst) {
  Occupy(busy_.AsJob());
  const Time soon = In(hours(1));
  ASSERT_FALSE(pool_.Submit(NotingBy(3, soon + hours(3))).refused);
  ASSERT_FALSE(pool_.Submit(NotingBy(1, soon)).refused);
  ASSERT_FALSE(pool_.Submit(NotingBy(2, soon)).refused);
  ASSERT_FALSE(pool_.Submit(NotingBy(0, soon - seconds(1))).refused);
  EXPECT_THAT(RunAll(), ElementsAre(0, 1, 2, 3));
}

TEST_F(BusyPoolTest, Submit_NoDeadline_CountsAsItsLongestTime) {
  Occupy(busy_.AsJob());
  ASSERT_FALSE(pool_.Submit(NotingBy(2, In(hours(2)))).refused);
  ASSERT_FALSE(pool_.Submit(Noting(1)).refused);  // An hour.
  ASSERT_FALSE(pool_.Submit(NotingBy(0, In(milliseconds(3'500'000)))).refused);
  EXPECT_THAT(RunAll(), ElementsAre(0, 1, 2));
}

TEST_F(BusyPoolTest, Submit_RunningOutlastsTheDeadline_IsRefusedAtOnce) {
  Occupy(busy_.AsJobOf(hours(2)));
  const auto refused = pool_.Submit(NotingBy(0, In(hours(1))));
  EXPECT_EQ(refused.refused, Fate::kTooLate);
  EXPECT_LE(refused.retry_after, hours(2));
  EXPECT_GT(refused.retry_after, hours(1));
  EXPECT_FALSE(pool_.Submit(NotingBy(1, In(hours(3)))).refused);
  EXPECT_THAT(RunAll(), ElementsAre(1));
}

TEST_F(BusyPoolTest, Submit_RunningEndsByItsDeadline_IsLetIn) {
  Job job = busy_.AsJobOf(hours(9));
  job.deadline = In(hours(1));
  Occupy(std::move(job));
  EXPECT_FALSE(pool_.Submit(NotingBy(0, In(hours(2)))).refused);
  RunAll();
}

TEST_F(BusyPoolTest, Submit_WaitingOutlastTheDeadline_IsRefusedAtOnce) {
  Occupy(busy_.AsJob());
  Job slow = Noting(1);
  slow.kind = 0;  // Takes an hour.
  for (int i = 0; i < 3; ++i) ASSERT_FALSE(pool_.Submit(slow).refused);
  const auto refused = pool_.Submit(NotingBy(2, In(hours(2))));
  EXPECT_EQ(refused.refused, Fate::kTooLate);
  EXPECT_LE(refused.retry_after, hours(3));
  EXPECT_GT(refused.retry_after, hours(2));
  // One that goes before them has its turn.
  EXPECT_FALSE(pool_.Submit(NotingBy(0, In(milliseconds(600'000)))).refused);
  EXPECT_THAT(RunAll(), ElementsAre(0, 1, 1, 1));
}

TEST_F(BusyPoolTest, Submit_WaitingTakeLessThanTheyMay_IsLetIn) {
  Occupy(busy_.AsJob());
  for (int i = 0; i < 3; ++i) ASSERT_FALSE(pool_.Submit(Noting(i)).refused);
  EXPECT_FALSE(pool_.Submit(NotingBy(3, In(hours(2)))).refused);
  EXPECT_THAT(RunAll(), ElementsAre(0, 1, 2, 3));
}

TEST_F(BusyPoolTest, Submit_HalfItsTimeIsLeft_IsLetIn) {
  Occupy(busy_.AsJobOf(hours(1)));
  Job search = NotingBy(0, In(minutes(75)));
  search.kind = 0;
  search.longest = minutes(29);  // Of which 15 are left.
  EXPECT_FALSE(pool_.Submit(search).refused);
  search.longest = minutes(40);
  search.deadline = In(minutes(79));
  EXPECT_EQ(pool_.Submit(search).refused, Fate::kTooLate);
  EXPECT_THAT(RunAll(), ElementsAre(0));
}

TEST_F(BusyPoolTest, Submit_WouldMakeAnotherLate_IsRefusedAtOnce) {
  Occupy(busy_.AsJobOf(hours(1)));
  const Time end = In(minutes(120));
  ASSERT_FALSE(pool_.Submit(NotingBy(0, end)).refused);
  Job before = NotingBy(1, end - milliseconds(1));
  before.kind = 0;
  before.longest = minutes(61);  // The other begins when this one ends.
  EXPECT_EQ(pool_.Submit(before).refused, Fate::kTooLate);
  before.longest = minutes(59);
  EXPECT_FALSE(pool_.Submit(before).refused);
  EXPECT_THAT(RunAll(), ElementsAre(1, 0));
}

TEST_F(BusyPoolTest, Deadline_PassesInTheQueue_IsDroppedWhileTheWorkerIsBusy) {
  Occupy(busy_.AsJob());
  std::promise<Fate> dropped;
  Job job = NotingBy(0, In(milliseconds(200)));
  job.drop = [&](Fate why, auto) { dropped.set_value(why); };
  job.late = [](Searcher&) { FAIL(); };
  ASSERT_FALSE(pool_.Submit(std::move(job)).refused);
  EXPECT_EQ(dropped.get_future().get(), Fate::kExpired);
  EXPECT_EQ(observer_.last().queued, 0u);
  EXPECT_THAT(RunAll(), IsEmpty());
}

TEST_F(BusyPoolTest, Deadline_EarlierThanTheOneAwaited_IsDroppedFirst) {
  Occupy(busy_.AsJob());
  std::promise<Fate> dropped;
  ASSERT_FALSE(pool_.Submit(NotingBy(1, In(hours(1)))).refused);
  Job job = NotingBy(0, In(milliseconds(200)));
  job.drop = [&](Fate why, auto) { dropped.set_value(why); };
  ASSERT_FALSE(pool_.Submit(std::move(job)).refused);
  EXPECT_EQ(dropped.get_future().get(), Fate::kExpired);
  EXPECT_THAT(RunAll(), ElementsAre(1));
}

TEST_F(BusyPoolTest, Late_RunOutlastsItsEnd_IsCalledMeanwhile) {
  std::promise<void> late;
  int answers = 0;
  Job job = busy_.AsJob();
  job.late = [&](Searcher&) { late.set_value(); };
  job.grace = milliseconds(1);
  job.answer = [&] { ++answers; };
  job.stop = std::make_shared<StopToken>();
  const auto stop = job.stop;
  Occupy(std::move(job));
  late.get_future().wait();
  EXPECT_TRUE(stop->StopRequested());
  EXPECT_EQ(observer_.last().busy, 1u);
  RunAll();
  EXPECT_EQ(answers, 1);
}

TEST_F(BusyPoolTest, Late_FreeWorkerDoesNotBegin_IsCalledInPlaceOfRun) {
  // A worker that answers counts as free.
  Blocker answering;
  Job before = Noting(0);
  before.answer = [&] { answering.Run(); };
  ASSERT_FALSE(pool_.Submit(std::move(before)).refused);
  answering.AwaitRunning();
  std::promise<void> late;
  Job job = NotingBy(1, In(milliseconds(1)));
  job.late = [&](Searcher&) { late.set_value(); };
  ASSERT_FALSE(pool_.Submit(std::move(job)).refused);
  late.get_future().wait();
  answering.LetGo();
  pool_.Drain();
  EXPECT_THAT(ran_, ElementsAre(0));
  EXPECT_THAT(dropped_, IsEmpty());
  EXPECT_THAT(observer_.fates(), ElementsAre(Fate::kBegun, Fate::kBegun));
}

TEST_F(BusyPoolTest, Late_EndsInTime_IsNotCalled) {
  Job job = busy_.AsJobOf(hours(1));
  job.late = [](Searcher&) { FAIL(); };
  Occupy(std::move(job));
  RunAll();
}

TEST_F(BusyPoolTest, Withdraw_Waiting_IsDroppedAndItsPlaceIsFree) {
  Occupy(busy_.AsJob());
  std::vector<SearchPool::Ticket> tickets;
  for (int i = 0; i < 4; ++i) {
    tickets.push_back(pool_.Submit(Noting(i)).ticket);
  }
  pool_.Withdraw(tickets[2]);
  EXPECT_THAT(dropped_, ElementsAre(std::pair(2, Fate::kLeft)));
  pool_.Withdraw(tickets[2]);  // No more there.
  EXPECT_FALSE(pool_.Submit(Noting(4)).refused);
  EXPECT_THAT(RunAll(), ElementsAre(0, 1, 3, 4));
}

TEST_F(BusyPoolTest, StopAccepting_RefusesNewRunsOld) {
  Occupy(busy_.AsJob());
  ASSERT_FALSE(pool_.Submit(Noting(0)).refused);
  pool_.StopAccepting();
  EXPECT_EQ(pool_.Submit(Noting(1)).refused, Fate::kDraining);
  EXPECT_THAT(RunAll(), ElementsAre(0));
}

TEST_F(BusyPoolTest, Drain_NoTimeLeft_StopsTheRunningAndDropsTheWaiting) {
  SearchUntilStopped();
  ASSERT_FALSE(pool_.Submit(Noting(1)).refused);
  pool_.Drain(In(nanoseconds(0)));
  EXPECT_THAT(dropped_, ElementsAre(std::pair(1, Fate::kDraining)));
  EXPECT_THAT(ran_, IsEmpty());
}

TEST_F(BusyPoolTest, Drain_TimeLeft_IsShared) {
  SearchUntilStopped();
  std::vector<Time> untils;
  Job waiting = Noting(1);
  waiting.run = [&](auto&, auto, std::optional<Time> until) {
    untils.push_back(until.value_or(Time()));
  };
  ASSERT_FALSE(pool_.Submit(waiting).refused);
  ASSERT_FALSE(pool_.Submit(waiting).refused);
  const Time end = In(seconds(2));  // Long for a worker to come by a core.
  pool_.Drain(end);
  ASSERT_EQ(untils.size(), 2u);
  EXPECT_LE(untils[0], end);
  EXPECT_LE(untils[1], end);
}

TEST_F(BusyPoolTest, Fates_OfEachJob_AreReported) {
  Occupy(busy_.AsJob());
  const auto leaves = pool_.Submit(Noting(0));
  pool_.Withdraw(leaves.ticket);
  EXPECT_TRUE(pool_.Submit(NotingBy(1, In(seconds(-1)))).refused);
  pool_.StopAccepting();
  EXPECT_TRUE(pool_.Submit(Noting(2)).refused);
  EXPECT_THAT(observer_.fates(), ElementsAre(Fate::kBegun, Fate::kLeft,
                                             Fate::kTooLate, Fate::kDraining));
  RunAll();
}

TEST(SearchPoolTest, Drain_Afterwards_AllIsIdleAndReported) {
  RecordingObserver observer;
  SearchPool pool({.workers = 3, .queue = 100, .hash_bytes = kSmallHash},
                  observer);
  std::atomic<int> ran{0};
  for (int i = 0; i < 100; ++i) {
    ASSERT_FALSE(pool.Submit({.run = [&](auto&&...) { ++ran; },
                              .drop = [](auto&&...) { FAIL(); },
                              .longest = seconds(1)})
                     .refused);
  }
  pool.Drain();
  EXPECT_EQ(ran, 100);
  EXPECT_EQ(observer.started(), 100);
  EXPECT_EQ(observer.last().queued, 0u);
  EXPECT_EQ(observer.last().busy, 0u);
  EXPECT_EQ(observer.last().idle, 3u);
}

}  // namespace
}  // namespace sittuyin::service
