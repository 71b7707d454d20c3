#include "engine/uci/go_command.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <vector>

namespace sittuyin {
namespace {

using std::chrono::milliseconds;

GoCommand Parse(std::initializer_list<std::string> words,
                Color us = Color::kRed) {
  const std::vector<std::string> list = words;
  return ParseGo(list, us, SearchLimits());
}

TEST(ParseNumberTest, WholeNumbersAlone) {
  EXPECT_EQ(ParseNumber("0"), 0u);
  EXPECT_EQ(ParseNumber("18446744073709551615"), 18446744073709551615u);
  for (const char* text :
       {"", "-1", "+1", "1x", " 1", "18446744073709551616"}) {
    EXPECT_FALSE(ParseNumber(text)) << text;
  }
}

TEST(ParseGoTest, NothingSaid_KeepsDefaults) {
  SearchLimits defaults;
  defaults.multi_pv = 3;
  defaults.level = 7;
  const std::vector<std::string> words = {"go"};
  const GoCommand go = ParseGo(words, Color::kRed, defaults);
  EXPECT_EQ(go.limits.multi_pv, 3);
  EXPECT_EQ(go.limits.level, 7);
  EXPECT_EQ(go.limits.depth, kMaxSearchDepth);
  EXPECT_FALSE(go.limits.move_time || go.limits.nodes || go.infinite);
}

TEST(ParseGoTest, Limits_AreRead) {
  const GoCommand go =
      Parse({"go", "depth", "7", "nodes", "900", "movetime", "250"});
  EXPECT_EQ(go.limits.depth, 7);
  EXPECT_EQ(go.limits.nodes, 900u);
  EXPECT_EQ(go.limits.move_time, milliseconds(250));
}

TEST(ParseGoTest, Depth_IsKeptInRange) {
  EXPECT_EQ(Parse({"go", "depth", "0"}).limits.depth, 1);
  EXPECT_EQ(Parse({"go", "depth", "999"}).limits.depth, kMaxSearchDepth);
}

TEST(ParseGoTest, Infinite_IsRead) {
  EXPECT_TRUE(Parse({"go", "infinite"}).infinite);
}

TEST(ParseGoTest, Clock_IsTheMoversAndShared) {
  const GoCommand red =
      Parse({"go", "wtime", "60000", "btime", "6000"}, Color::kRed);
  const GoCommand black =
      Parse({"go", "wtime", "60000", "btime", "6000"}, Color::kBlack);
  EXPECT_EQ(red.limits.move_time, milliseconds(2000));
  EXPECT_EQ(black.limits.move_time, milliseconds(200));
}

TEST(ParseGoTest, Clock_NeverSpendsMoreThanHalf) {
  EXPECT_LE(*Parse({"go", "wtime", "100", "winc", "5000"}).limits.move_time,
            milliseconds(51));
  EXPECT_LE(*Parse({"go", "wtime", "100", "movestogo", "1"}).limits.move_time,
            milliseconds(51));
}

TEST(ParseGoTest, NumberMissing_IsSkipped) {
  EXPECT_FALSE(Parse({"go", "movetime"}).limits.move_time);
  EXPECT_FALSE(Parse({"go", "nodes", "many"}).limits.nodes);
}

}  // namespace
}  // namespace sittuyin
