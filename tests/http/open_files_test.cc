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

TEST_F(OpenFilesTest, RaiseOpenFilesLimit_ReachesTheMostAllowed) {
  Allow(300);
  RaiseOpenFilesLimit();
  rlimit now{};
  getrlimit(RLIMIT_NOFILE, &now);
  EXPECT_EQ(now.rlim_cur, now.rlim_max);
}

TEST_F(OpenFilesTest, ShareOpenFiles_LimitTooLow_LeavesAQuarterToGrpc) {
  Allow(128 + 2 * 4 + 400);
  const ConnectionShares shares = ShareOpenFiles(4, 1024);
  EXPECT_EQ(shares.rest, 267);  // And 33 that are being closed.
  EXPECT_EQ(shares.grpc, 100);
  EXPECT_EQ(shares.files.limit, 536);
  EXPECT_EQ(shares.files.wanted, 128 + 2 * 4 + (1024 + 128) / 3 * 4);
}

TEST_F(OpenFilesTest, ShareOpenFiles_LimitAsWanted_HoldsWhatIsAskedFor) {
  for (const std::size_t rest : {16, 17, 64, 65}) {
    const std::uint64_t wanted = ShareOpenFiles(4, rest).files.wanted;
    Allow(wanted);
    EXPECT_EQ(ShareOpenFiles(4, rest).rest, rest);
    Allow(wanted - 1);
    EXPECT_LT(ShareOpenFiles(4, rest).rest, rest);
  }
}

TEST_F(OpenFilesTest, OpenFilesShortToStart_LimitTooLow_TellsBoth) {
  Allow(152);
  EXPECT_FALSE(OpenFilesShortToStart(4).has_value());
  const auto few = OpenFilesShortToStart(5);
  ASSERT_TRUE(few.has_value());
  EXPECT_EQ(few->limit, 152);
  EXPECT_EQ(few->wanted, 154);
}

}  // namespace
}  // namespace sittuyin::service
