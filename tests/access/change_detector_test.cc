#include "service/access/change_detector.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/access/scratch.h"

namespace sittuyin::service {
namespace {

using enum ChangeDetector::State;

TEST(ChangeDetectorTest, Poll_NothingChanged_AreKnown) {
  const Scratch scratch;
  ChangeDetector detector({scratch.Write("a", "1"), scratch.PathOf("none")});
  for (int i = 0; i < 3; ++i) EXPECT_EQ(detector.Poll(), kKnown);
}

TEST(ChangeDetectorTest, Poll_FileSwapped_IsNewOnceStill) {
  const Scratch scratch;
  ChangeDetector detector({scratch.Write("a", "1")});
  scratch.Swap("a", "2");
  EXPECT_EQ(detector.Poll(), kUnsettled);
  EXPECT_EQ(detector.Poll(), kNew);
  EXPECT_EQ(detector.Poll(), kKnown);
}

TEST(ChangeDetectorTest, Poll_FilesWrittenOneAfterAnother_IsOneChange) {
  const Scratch scratch;
  ChangeDetector detector({scratch.Write("a", "1"), scratch.Write("b", "1")});
  scratch.Swap("a", "2");
  EXPECT_EQ(detector.Poll(), kUnsettled);
  scratch.Swap("b", "2");
  EXPECT_EQ(detector.Poll(), kUnsettled);
  EXPECT_EQ(detector.Poll(), kNew);
  EXPECT_EQ(detector.Poll(), kKnown);
}

TEST(ChangeDetectorTest, Poll_WrittenInPlace_IsSeen) {
  const Scratch scratch;
  ChangeDetector detector({scratch.Write("a", "1")});
  scratch.Write("a", "22");
  EXPECT_EQ(detector.Poll(), kUnsettled);
  EXPECT_EQ(detector.Poll(), kNew);
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
  EXPECT_EQ(detector.Poll(), kUnsettled);
  EXPECT_EQ(detector.Poll(), kNew);
}

TEST(ChangeDetectorTest, Poll_GoneAndBack_IsNewEachTime) {
  const Scratch scratch;
  ChangeDetector detector({scratch.Write("a", "1")});
  std::filesystem::rename(scratch.PathOf("a"), scratch.PathOf("b"));
  EXPECT_EQ(detector.Poll(), kUnsettled);
  EXPECT_EQ(detector.Poll(), kNew);
  scratch.Write("a", "1");
  EXPECT_EQ(detector.Poll(), kUnsettled);
  EXPECT_EQ(detector.Poll(), kNew);
}

}  // namespace
}  // namespace sittuyin::service
