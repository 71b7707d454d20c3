#include "service/telemetry/trace_context.h"

#include <gtest/gtest.h>

#include <string>

namespace sittuyin::service {
namespace {

TEST(TraceContextTest, TraceParentOf_WellFormed_IsAllOfIt) {
  const std::string text =
      "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  EXPECT_EQ(TraceParentOf(text), text);
}

TEST(TraceContextTest, TraceParentOf_LaterVersionWithMoreFields_CutsThemOff) {
  EXPECT_EQ(TraceParentOf(
                "01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-x"),
            "01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");
}

TEST(TraceContextTest, TraceIdOf_IsTheSecondField) {
  EXPECT_EQ(
      TraceIdOf("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"),
      "4bf92f3577b34da6a3ce929d0e0e4736");
  EXPECT_EQ(TraceIdOf(""), "");
}

TEST(TraceContextTest, TraceParentOf_Malformed_IsEmpty) {
  const std::string malformed[] = {
      "", "00",
      // Version 00 has nothing after the flags; ff is forbidden.
      "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-x",
      "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
      "01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01x",
      // All zeros.
      "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
      "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
      // Upper case, no hex, no dash, too short.
      "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
      "00-4bf92f3577b34da6a3ce929d0e0e473g-00f067aa0ba902b7-01",
      "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0x",
      "00_4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
      "00-4bf92f3577b34da6a3ce929d0e0e4736_00f067aa0ba902b7-01",
      "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7_01",
      "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0"};
  for (const std::string& text : malformed) {
    EXPECT_EQ(TraceParentOf(text), "") << text;
  }
}

}  // namespace
}  // namespace sittuyin::service
