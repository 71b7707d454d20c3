#include "service/admission/search_pool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <mutex>
#include <set>
#include <vector>

namespace sittuyin::service {
namespace {

using Admission = SearchPool::Admission;
using std::chrono::nanoseconds;

class RecordingObserver : public SearchPoolObserver {
 public:
  void StateChanged(const State& state) override {
    std::lock_guard lock(mutex_);
    states_.push_back(state);
  }
  void JobStarted(nanoseconds) override { ++started_; }

  State last() const {
    std::lock_guard lock(mutex_);
    return states_.back();
  }
  int started() const { return started_; }

 private:
  mutable std::mutex mutex_;
  std::vector<State> states_;
  std::atomic<int> started_{0};
};

constexpr std::size_t kSmallHash = 1 << 16;

// A job that tells when it runs and goes on until it is let go. To be made
// before the pool, which it must outlive.
class Blocker {
 public:
  SearchPool::Job Job() {
    return [this](Searcher&, nanoseconds) {
      running_.set_value();
      gate_.get_future().wait();
    };
  }
  void AwaitRunning() { running_.get_future().wait(); }
  void LetGo() { gate_.set_value(); }

 private:
  std::promise<void> running_;
  std::promise<void> gate_;
};

TEST(SearchPoolTest, Submit_IdleWorker_RunsJobWithItsSearcher) {
  RecordingObserver observer;
  SearchPool pool({.workers = 1, .hash_bytes = kSmallHash}, observer);
  std::promise<Searcher*> used;
  ASSERT_EQ(pool.Submit([&](Searcher& searcher, nanoseconds waited) {
    EXPECT_GE(waited.count(), 0);
    used.set_value(&searcher);
  }),
            Admission::kAccepted);
  EXPECT_NE(used.get_future().get(), nullptr);
}

TEST(SearchPoolTest, Submit_TwoWorkers_EachHasASearcherOfItsOwn) {
  RecordingObserver observer;
  SearchPool pool({.workers = 2, .queue = 2, .hash_bytes = kSmallHash},
                  observer);
  std::mutex mutex;
  std::set<Searcher*> seen;
  std::promise<void> both;
  std::shared_future<void> both_run = both.get_future().share();
  for (int i = 0; i < 2; ++i) {
    ASSERT_EQ(pool.Submit([&](Searcher& searcher, nanoseconds) {
      {
        std::lock_guard lock(mutex);
        seen.insert(&searcher);
        if (seen.size() == 2) both.set_value();
      }
      both_run.wait();
    }),
              Admission::kAccepted);
  }
  pool.Drain();
  EXPECT_EQ(seen.size(), 2u);
}

TEST(SearchPoolTest, Submit_QueueFull_Refuses) {
  RecordingObserver observer;
  Blocker running;
  SearchPool pool({.workers = 1, .queue = 1, .hash_bytes = kSmallHash},
                  observer);
  ASSERT_EQ(pool.Submit(running.Job()), Admission::kAccepted);
  running.AwaitRunning();
  bool waited_ran = false;
  EXPECT_EQ(pool.Submit([&](Searcher&, nanoseconds) { waited_ran = true; }),
            Admission::kAccepted);
  EXPECT_EQ(pool.Submit([](Searcher&, nanoseconds) { FAIL(); }),
            Admission::kQueueFull);
  EXPECT_EQ(observer.last().queued, 1u);
  EXPECT_EQ(observer.last().busy, 1u);
  EXPECT_EQ(observer.last().idle, 0u);
  running.LetGo();
  pool.Drain();
  EXPECT_TRUE(waited_ran);
}

TEST(SearchPoolTest, Submit_NoQueue_StillServesIdleWorkers) {
  RecordingObserver observer;
  Blocker running;
  SearchPool pool({.workers = 1, .queue = 0, .hash_bytes = kSmallHash},
                  observer);
  ASSERT_EQ(pool.Submit(running.Job()), Admission::kAccepted);
  running.AwaitRunning();
  EXPECT_EQ(pool.Submit([](Searcher&, nanoseconds) { FAIL(); }),
            Admission::kQueueFull);
  running.LetGo();
}

TEST(SearchPoolTest, Submit_SeveralWaiting_RunInOrderOfArrival) {
  RecordingObserver observer;
  Blocker running;
  SearchPool pool({.workers = 1, .queue = 8, .hash_bytes = kSmallHash},
                  observer);
  ASSERT_EQ(pool.Submit(running.Job()), Admission::kAccepted);
  running.AwaitRunning();
  std::vector<int> order;
  for (int i = 0; i < 8; ++i) {
    ASSERT_EQ(pool.Submit(
                  [&order, i](Searcher&, nanoseconds) { order.push_back(i); }),
              Admission::kAccepted);
  }
  running.LetGo();
  pool.Drain();
  EXPECT_THAT(order, testing::ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
}

TEST(SearchPoolTest, StopAccepting_RefusesNewRunsOld) {
  RecordingObserver observer;
  Blocker running;
  SearchPool pool({.workers = 1, .queue = 1, .hash_bytes = kSmallHash},
                  observer);
  ASSERT_EQ(pool.Submit(running.Job()), Admission::kAccepted);
  running.AwaitRunning();
  bool waited_ran = false;
  ASSERT_EQ(pool.Submit([&](Searcher&, nanoseconds) { waited_ran = true; }),
            Admission::kAccepted);
  pool.StopAccepting();
  EXPECT_EQ(pool.Submit([](Searcher&, nanoseconds) { FAIL(); }),
            Admission::kDraining);
  running.LetGo();
  pool.Drain();
  EXPECT_TRUE(waited_ran);
}

TEST(SearchPoolTest, Drain_Afterwards_AllIsIdleAndReported) {
  RecordingObserver observer;
  SearchPool pool({.workers = 3, .queue = 100, .hash_bytes = kSmallHash},
                  observer);
  std::atomic<int> ran{0};
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(pool.Submit([&](Searcher&, nanoseconds) { ++ran; }),
              Admission::kAccepted);
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
