#include "service/http/hang_up_watch.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <future>

namespace sittuyin::service {
namespace {

class HangUpWatchTest : public testing::Test {
 protected:
  HangUpWatchTest() {
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends_.data()), 0);
  }
  ~HangUpWatchTest() override {
    close(ends_[0]);
    if (ends_[1] >= 0) close(ends_[1]);
  }
  void PeerLeaves() {
    close(ends_[1]);
    ends_[1] = -1;
  }

  std::array<int, 2> ends_;
  HangUpWatch watch_;
  std::promise<void> noticed_;
};

TEST_F(HangUpWatchTest, Watch_PeerLeaves_IsNoticed) {
  watch_.Watch(ends_[0], [this] { noticed_.set_value(); });
  PeerLeaves();
  noticed_.get_future().wait();
}

TEST_F(HangUpWatchTest, Watch_PeerHadLeft_IsNoticed) {
  PeerLeaves();
  watch_.Watch(ends_[0], [this] { noticed_.set_value(); });
  noticed_.get_future().wait();
}

TEST_F(HangUpWatchTest, Watch_PeerShutsItsSide_IsNoticed) {
  watch_.Watch(ends_[0], [this] { noticed_.set_value(); });
  shutdown(ends_[1], SHUT_WR);
  noticed_.get_future().wait();
}

TEST_F(HangUpWatchTest, Forget_PeerLeavesLater_IsNotNoticed) {
  std::atomic<bool> first_noticed = false;
  const auto ticket = watch_.Watch(ends_[0], [&] { first_noticed = true; });
  watch_.Forget(ends_[0], ticket);
  PeerLeaves();
  // The same socket under a new watch: only that one is told.
  watch_.Watch(ends_[0], [this] { noticed_.set_value(); });
  noticed_.get_future().wait();
  EXPECT_FALSE(first_noticed);
}

TEST_F(HangUpWatchTest, GiveUp_TellsPresentAndFutureOnce) {
  int told = 0;
  watch_.Watch(ends_[0], [&] { ++told; });
  watch_.GiveUp();
  EXPECT_EQ(told, 1);
  watch_.Watch(ends_[1], [&] { ++told; });
  EXPECT_EQ(told, 2);
}

}  // namespace
}  // namespace sittuyin::service
