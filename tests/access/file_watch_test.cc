#include "service/access/file_watch.h"

#include <gtest/gtest.h>

#include <future>

#include "tests/access/scratch.h"

namespace sittuyin::service {
namespace {

TEST(FileWatchTest, Constructor_NothingToWatch_StartsNoThread) {
  EXPECT_FALSE(FileWatch({}).active());
}

TEST(FileWatchTest, Run_FileChanges_Reloads) {
  const Scratch scratch;
  const std::string path = scratch.Write("a", "1");
  std::promise<void> reloaded;
  const FileWatch watch(
      {{ChangeDetector({path}), [&] { reloaded.set_value(); }}});
  scratch.Swap("a", "2");
  reloaded.get_future().wait();
}

}  // namespace
}  // namespace sittuyin::service
