#include "service/http/open_files.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

namespace sittuyin::service {
namespace {

TEST(OpenFilesTest, OpenFilesShortFor_LimitTooLow_TellsBoth) {
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  rlimit low = before;
  low.rlim_cur = 300;
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &low), 0);
  const auto enough = OpenFilesShortFor(16);
  const auto few = OpenFilesShortFor(64);
  setrlimit(RLIMIT_NOFILE, &before);
  EXPECT_FALSE(enough.has_value());
  ASSERT_TRUE(few.has_value());
  EXPECT_EQ(few->limit, 300);
  EXPECT_EQ(few->wanted, 64 + 8 + 256);
}

TEST(OpenFilesTest, OpenFilesShortToStart_LimitTooLow_TellsBoth) {
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  rlimit low = before;
  low.rlim_cur = 40;
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &low), 0);
  const auto enough = OpenFilesShortToStart(4);
  const auto few = OpenFilesShortToStart(5);
  setrlimit(RLIMIT_NOFILE, &before);
  EXPECT_FALSE(enough.has_value());
  ASSERT_TRUE(few.has_value());
  EXPECT_EQ(few->limit, 40);
  EXPECT_EQ(few->wanted, 42);
}

}  // namespace
}  // namespace sittuyin::service
