#include "service/telemetry/log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spdlog/sinks/sink.h>

#include <future>
#include <memory>
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

TEST(LogTest, Write_NoUtf8_IsEscaped) {
  CapturedLog captured;
  Log(captured.sink())
      .Write(spdlog::level::info, "grpc",
             {{"what", std::string_view("te=t\xff\"")},
              {"caller", std::string_view("\u1019\u103c")}});
  const auto lines = captured.lines();
  ASSERT_EQ(lines.size(), 1);
  EXPECT_EQ(TextOf(lines[0], "what"), "te=t\\xff\\\"");
  EXPECT_EQ(TextOf(lines[0], "caller"), "\u1019\u103c");
}

// A reader that has stopped, until it is let go.
class StuckSink : public spdlog::sinks::sink {
 public:
  void LetGo() { go_.set_value(); }
  void log(const spdlog::details::log_msg&) override { gone_.wait(); }
  void flush() override {}
  void set_pattern(const std::string&) override {}
  void set_formatter(std::unique_ptr<spdlog::formatter>) override {}

 private:
  std::promise<void> go_;
  std::shared_future<void> gone_ = go_.get_future();
};

TEST(LogTest, Write_ReaderStuck_HoldsUpNeitherCallsNorTheEnd) {
  const auto sink = std::make_shared<StuckSink>();
  {
    Log log(sink);
    for (int i = 0; i < 10000; ++i) log.Write(spdlog::level::info, "call", {});
  }
  sink->LetGo();
}

}  // namespace
}  // namespace sittuyin::service
