#include "engine/uci/go_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <vector>

namespace sittuyin {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

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

TEST(ParseGoTest, ClockBelowZero_IsEmpty) {
  for (const char* left : {"-50", "-0", "0"}) {
    const GoCommand go =
        Parse({"go", "wtime", left, "btime", "1000", "winc", "-7"});
    EXPECT_LE(*go.limits.move_time, milliseconds(1)) << left;
    EXPECT_THAT(go.faults, IsEmpty());
  }
}

TEST(ParseGoTest, FaultyNumber_IsNamedAndTheOtherLimitsHold) {
  const GoCommand go = Parse({"go", "movetime", "-5", "depth", "abc", "nodes",
                              "900", "wtime", "6000", "movestogo", "1.5"});
  EXPECT_EQ(go.limits.nodes, 900u);
  EXPECT_EQ(go.limits.depth, kMaxSearchDepth);
  EXPECT_EQ(go.limits.move_time, milliseconds(200));
  EXPECT_THAT(go.faults, ElementsAre("want a number after depth, not abc",
                                     "want a number after movetime, not -5",
                                     "want a number after movestogo, not 1.5"));
}

TEST(ParseGoTest, NoLimitLeft_TakesNoTime) {
  for (const auto& words :
       std::initializer_list<std::initializer_list<std::string>>{
           {"go", "movetime", "-5"},
           {"go", "movetime"},
           {"go", "depth", "abc"},
           {"go", "nodes", "18446744073709551616"},
           {"go", "wtime", "-x", "btime", "1000"}}) {
    const GoCommand go = Parse(words);
    EXPECT_EQ(go.limits.move_time, milliseconds(0));
    EXPECT_THAT(go.faults, SizeIs(1));
  }
  // Neither the other side's clock nor an increment alone is a limit.
  EXPECT_EQ(Parse({"go", "btime", "9"}).limits.move_time, milliseconds(0));
  EXPECT_EQ(Parse({"go", "winc", "9"}).limits.move_time, milliseconds(0));
}

TEST(ParseGoTest, InfiniteWithAFault_StaysInfinite) {
  const GoCommand go = Parse({"go", "infinite", "depth", "abc"});
  EXPECT_TRUE(go.infinite);
  EXPECT_FALSE(go.limits.move_time);
  EXPECT_THAT(go.faults, SizeIs(1));
}

}  // namespace
}  // namespace sittuyin
