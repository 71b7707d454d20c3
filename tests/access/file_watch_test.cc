#include "service/access/file_watch.h"

#include <gtest/gtest.h>

#include <future>
#include <string>
#include <vector>

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
  const FileWatch watch({{.files = ChangeDetector({path}),
                          .reload =
                              [&] {
                                reloaded.set_value();
                                return std::nullopt;
                              },
                          .complain = [](const FileFault&) { FAIL(); }}});
  scratch.Swap("a", "2");
  reloaded.get_future().wait();
}

TEST(FileWatchTest, Run_ReloadFails_IsTriedAgainAndToldOnceAReason) {
  const Scratch scratch;
  const std::string path = scratch.Write("a", "1");
  std::promise<void> reloaded;
  std::vector<std::optional<FileFault>> faults = {
      std::nullopt, FileFault{"second"}, FileFault{"first"},
      FileFault{"first"}};
  std::vector<std::string> told;
  const FileWatch watch(
      {{.files = ChangeDetector({path}),
        .reload =
            [&] {
              auto fault = faults.back();
              faults.pop_back();
              if (faults.empty()) reloaded.set_value();
              return fault;
            },
        .complain =
            [&](const FileFault& fault) { told.push_back(fault.what); }}});
  scratch.Swap("a", "2");
  reloaded.get_future().wait();
  EXPECT_EQ(told, (std::vector<std::string>{"first", "second"}));
}

TEST(FileWatchTest, Run_FilesChangeAndFailAgain_IsToldAgain) {
  const Scratch scratch;
  const std::string path = scratch.Write("a", "1");
  std::promise<void> told;
  int tellings = 0;
  const FileWatch watch({{.files = ChangeDetector({path}),
                          .reload = [] { return FileFault{"the same"}; },
                          .complain =
                              [&](const FileFault&) {
                                scratch.Swap("a", "3");
                                if (++tellings == 2) told.set_value();
                              }}});
  scratch.Swap("a", "2");
  told.get_future().wait();
}

}  // namespace
}  // namespace sittuyin::service
