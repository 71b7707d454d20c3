#include "service/access/read_file.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include "tests/access/scratch.h"

namespace sittuyin::service {
namespace {

using testing::HasSubstr;

std::string FaultOf(const std::string& path) {
  const auto read = ReadFile(path);
  const auto* fault = std::get_if<FileFault>(&read);
  return fault == nullptr ? "" : fault->what;
}

TEST(ReadFileTest, ReadFile_AnyContent_IsWhole) {
  const Scratch scratch;
  for (const std::string& content :
       {std::string(), std::string("a\0b\n", 4), std::string(1 << 20, 'x')}) {
    const auto read = ReadFile(scratch.Write("a", content));
    ASSERT_TRUE(std::holds_alternative<std::string>(read));
    EXPECT_EQ(std::get<std::string>(read), content);
  }
}

TEST(ReadFileTest, ReadFile_NotThereOrAFolder_SaysSo) {
  const Scratch scratch;
  EXPECT_THAT(FaultOf(scratch.PathOf("none")), HasSubstr("No such file"));
  EXPECT_THAT(FaultOf(scratch.PathOf(".")), HasSubstr("Is a directory"));
}

TEST(ReadFileTest, ReadFile_TooLarge_IsRefused) {
  const Scratch scratch;
  const std::string path = scratch.Write("a", std::string((1 << 20) + 1, 'x'));
  EXPECT_THAT(FaultOf(path), HasSubstr("larger"));
}

TEST(ReadFileTest, ReadFile_PipeWithoutWriter_IsEmpty) {
  const Scratch scratch;
  ASSERT_EQ(mkfifo(scratch.PathOf("pipe").c_str(), 0600), 0);
  EXPECT_EQ(FaultOf(scratch.PathOf("pipe")), "");
}

}  // namespace
}  // namespace sittuyin::service
