#include "service/access/change_detector.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/access/scratch.h"

namespace sittuyin::service {
namespace {

TEST(ChangeDetectorTest, Poll_NothingChanged_IsFalse) {
  const Scratch scratch;
  ChangeDetector detector({scratch.Write("a", "1"), scratch.PathOf("none")});
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(detector.Poll());
}

TEST(ChangeDetectorTest, Poll_FileSwapped_IsTrueOnceStill) {
  const Scratch scratch;
  ChangeDetector detector({scratch.Write("a", "1")});
  scratch.Swap("a", "2");
  EXPECT_FALSE(detector.Poll());
  EXPECT_TRUE(detector.Poll());
  EXPECT_FALSE(detector.Poll());
}

TEST(ChangeDetectorTest, Poll_FilesWrittenOneAfterAnother_IsOneChange) {
  const Scratch scratch;
  ChangeDetector detector({scratch.Write("a", "1"), scratch.Write("b", "1")});
  scratch.Swap("a", "2");
  EXPECT_FALSE(detector.Poll());
  scratch.Swap("b", "2");
  EXPECT_FALSE(detector.Poll());
  EXPECT_TRUE(detector.Poll());
  EXPECT_FALSE(detector.Poll());
}

TEST(ChangeDetectorTest, Poll_WrittenInPlace_IsSeen) {
  const Scratch scratch;
  ChangeDetector detector({scratch.Write("a", "1")});
  scratch.Write("a", "22");
  EXPECT_FALSE(detector.Poll());
  EXPECT_TRUE(detector.Poll());
}

TEST(ChangeDetectorTest, Poll_LinkAboveTheFileSwapped_IsSeen) {
  const Scratch scratch;  // As Kubernetes lays out a secret.
  for (const char* folder : {"first", "second"}) {
    std::filesystem::create_directory(scratch.PathOf(folder));
    scratch.Write(std::string(folder) + "/a", "1");
  }
  std::filesystem::create_symlink("first", scratch.PathOf("data"));
  std::filesystem::create_symlink("data/a", scratch.PathOf("a"));
  ChangeDetector detector({scratch.PathOf("a")});
  std::filesystem::create_symlink("second", scratch.PathOf("fresh"));
  std::filesystem::rename(scratch.PathOf("fresh"), scratch.PathOf("data"));
  EXPECT_FALSE(detector.Poll());
  EXPECT_TRUE(detector.Poll());
}

TEST(ChangeDetectorTest, Poll_GoneAndBack_IsEachAChange) {
  const Scratch scratch;
  ChangeDetector detector({scratch.Write("a", "1")});
  std::filesystem::rename(scratch.PathOf("a"), scratch.PathOf("b"));
  EXPECT_FALSE(detector.Poll());
  EXPECT_TRUE(detector.Poll());
  scratch.Write("a", "1");
  EXPECT_FALSE(detector.Poll());
  EXPECT_TRUE(detector.Poll());
}

}  // namespace
}  // namespace sittuyin::service
