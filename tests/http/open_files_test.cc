#include "service/http/open_files.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

namespace sittuyin::service {
namespace {

class OpenFilesTest : public testing::Test {
 protected:
  OpenFilesTest() { getrlimit(RLIMIT_NOFILE, &before_); }
  ~OpenFilesTest() override { setrlimit(RLIMIT_NOFILE, &before_); }

  void Allow(rlim_t files) {
    rlimit low = before_;
    low.rlim_cur = files;
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &low), 0);
  }

 private:
  rlimit before_{};
};

TEST_F(OpenFilesTest, OpenFilesShortFor_LimitTooLow_TellsBoth) {
  Allow(300);
  EXPECT_FALSE(OpenFilesShortFor(16).has_value());
  const auto few = OpenFilesShortFor(64);
  ASSERT_TRUE(few.has_value());
  EXPECT_EQ(few->limit, 300);
  EXPECT_EQ(few->wanted, 64 + 8 + 256);
}

TEST_F(OpenFilesTest, RaiseOpenFilesLimit_ReachesTheMostAllowed) {
  Allow(300);
  RaiseOpenFilesLimit();
  rlimit now{};
  getrlimit(RLIMIT_NOFILE, &now);
  EXPECT_EQ(now.rlim_cur, now.rlim_max);
}

TEST_F(OpenFilesTest, ConnectionsHeld_FitTheLimit) {
  for (const rlim_t limit : {400, 1000, 1024}) {
    Allow(limit);
    EXPECT_FALSE(OpenFilesShortFor(ConnectionsHeld()).has_value()) << limit;
    EXPECT_TRUE(OpenFilesShortFor(ConnectionsHeld() + 16).has_value()) << limit;
  }
  for (const rlim_t limit : {40, 256}) {
    Allow(limit);
    EXPECT_EQ(ConnectionsHeld(), 16) << limit;
  }
}

TEST_F(OpenFilesTest, OpenFilesShortToStart_LimitTooLow_TellsBoth) {
  Allow(40);
  EXPECT_FALSE(OpenFilesShortToStart(4).has_value());
  const auto few = OpenFilesShortToStart(5);
  ASSERT_TRUE(few.has_value());
  EXPECT_EQ(few->limit, 40);
  EXPECT_EQ(few->wanted, 42);
}

}  // namespace
}  // namespace sittuyin::service
