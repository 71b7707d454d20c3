#include "service/telemetry/log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/telemetry/captured_log.h"

namespace sittuyin::service {
namespace {

TEST(LogTest, Write_Fields_AreOneJsonObjectALine) {
  CapturedLog captured;
  {
    Log log(captured.sink());
    log.Write(spdlog::level::info, "first",
              {{"text", std::string_view("a \"quoted\"\nline")},
               {"count", std::uint64_t{7}},
               {"ms", 1.5}});
    log.Write(spdlog::level::err, "second", {});
  }
  const auto lines = captured.lines();
  ASSERT_EQ(lines.size(), 2);
  EXPECT_EQ(TextOf(lines[0], "level"), "info");
  EXPECT_EQ(TextOf(lines[0], "event"), "first");
  EXPECT_EQ(TextOf(lines[0], "text"), "a \"quoted\"\nline");
  EXPECT_EQ(NumberOf(lines[0], "count"), 7);
  EXPECT_EQ(NumberOf(lines[0], "ms"), 1.5);
  EXPECT_THAT(TextOf(lines[0], "time"),
              testing::MatchesRegex("[0-9]{4}-[0-9]{2}-[0-9]{2}T"
                                    "[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{6}Z"));
  EXPECT_EQ(TextOf(lines[1], "level"), "error");
  EXPECT_EQ(TextOf(lines[1], "event"), "second");
}

}  // namespace
}  // namespace sittuyin::service
