#include "service/rpc/frame_guard.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sittuyin::service {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr FrameGuard::Clock::time_point kNow{seconds(1000000)};
constexpr char kPreface[] = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

enum Type {
  kData,
  kHeaders,
  kPriority,
  kReset,
  kSettings,
  kPush,
  kPing,
  kGoAway,
  kWindowUpdate,
  kMore,
  kUnknown = 0x42,
};

std::string Frame(int type, int flags, std::size_t size, int stream = 1) {
  std::string frame = {static_cast<char>(size >> 16),
                       static_cast<char>(size >> 8),
                       static_cast<char>(size),
                       static_cast<char>(type),
                       static_cast<char>(flags),
                       0,
                       0,
                       static_cast<char>(stream >> 8),
                       static_cast<char>(stream)};
  // Looks like frames of every kind to who reads from the wrong place.
  return frame + std::string(size, '\3');
}

const std::string kSettingsAck = Frame(kSettings, 1, 0);

// What a client sends for the call that has that stream.
using Call = std::function<std::string(int stream)>;

// How many calls pass after a greeting, `most` of them sent at `kNow` and each
// answered.
int Passed(const Call& call, int most, bool acknowledged = true) {
  FrameGuard guard;
  EXPECT_TRUE(guard.Pass(kPreface + Frame(kSettings, 0, 18), kNow));
  if (acknowledged) {
    guard.LimitsSent();
    EXPECT_TRUE(guard.Pass(kSettingsAck, kNow));
  }
  int passed = 0;
  while (passed < most && guard.Pass(call(2 * passed + 1), kNow)) {
    guard.Sent(Frame(kHeaders, 5, 20, 2 * passed + 1));
    ++passed;
  }
  return passed;
}

// How many of `frame` do.
int Passed(const std::string& frame, int most, bool acknowledged = true) {
  return Passed([&](int) { return frame; }, most, acknowledged);
}

std::string BareCall(int stream) { return Frame(kHeaders, 4, 200, stream); }

TEST(FrameGuardTest, Pass_Calls_HaveNoLimit) {
  const std::string more = Frame(kData, 0, 16384) + Frame(kData, 1, 16384) +
                           Frame(kPing, 1, 8) + Frame(kWindowUpdate, 0, 4);
  EXPECT_EQ(Passed([&](int stream) { return BareCall(stream) + more; }, 5000),
            5000);
}

TEST(FrameGuardTest, Pass_FramesOfEachKind_AreAsManyAsCallsEarn) {
  for (const auto& [kind, frame] : {
           std::pair{"headers of an old call", Frame(kHeaders, 5, 0)},
           {"data without a byte", Frame(kData, 0, 0)},
           {"data of one byte", Frame(kData, 0, 1)},
           {"data that end a call", Frame(kData, 1, 0)},
           {"priority", Frame(kPriority, 0, 5)},
           {"settings acknowledged", kSettingsAck},
           {"promise", Frame(kPush, 4, 4)},
           {"ping answered", Frame(kPing, 1, 8)},
           {"farewell", Frame(kGoAway, 0, 8)},
           {"window", Frame(kWindowUpdate, 0, 4)},
           {"unknown", Frame(kUnknown, 0, 0)},
       }) {
    SCOPED_TRACE(kind);
    const std::string& one = frame;  // Clang 14 captures no binding.
    std::string earned;
    for (int i = 0; i < 256; ++i) earned += one;
    const auto call = [&](int stream) { return BareCall(stream) + earned; };
    EXPECT_EQ(Passed(call, 5000), 5000);
    const auto call_and_one = [&](int stream) { return call(stream) + one; };
    EXPECT_EQ(Passed(call_and_one, 5000), 1022);
    const auto one_call = [&](int stream) {
      return stream == 1 ? BareCall(1) : one;
    };
    EXPECT_EQ(Passed(one_call, 5000), 1 + 256 + 1022);
  }
}

TEST(FrameGuardTest, Pass_FramesOverTime_GoAndAreNotSavedUp) {
  const std::string frame = Frame(kWindowUpdate, 0, 4);
  FrameGuard guard;
  ASSERT_TRUE(guard.Pass(kPreface, kNow));
  auto now = kNow;
  for (int i = 0; i < 4000; ++i) {  // Two hundred a second.
    ASSERT_TRUE(guard.Pass(frame, now += milliseconds(5)));
  }
  now += seconds(3600);
  int passed = 0;
  while (passed < 5000 && guard.Pass(frame, now)) ++passed;
  EXPECT_EQ(passed, 1024);
}

TEST(FrameGuardTest, Pass_FramesEarned_AreSavedUpFor256Calls) {
  FrameGuard guard;
  guard.LimitsSent();
  ASSERT_TRUE(guard.Pass(kPreface + kSettingsAck, kNow));
  for (int stream = 1; stream < 1000; stream += 2) {
    ASSERT_TRUE(guard.Pass(BareCall(stream), kNow));
  }
  int passed = 0;
  while (passed < 100000 &&
         guard.Pass(Frame(kWindowUpdate, 0, 4), kNow + seconds(9))) {
    ++passed;
  }
  EXPECT_EQ(passed, 65536);
}

// gRPC passes over them, and takes lower streams after them.
TEST(FrameGuardTest, Pass_HeadersOfAnEvenStream_AreTheEnd) {
  for (const int stream : {0, 2, 30000}) {
    FrameGuard guard;
    EXPECT_TRUE(guard.Pass(kPreface + BareCall(7), kNow));
    EXPECT_FALSE(guard.Pass(BareCall(stream), kNow)) << stream;
  }
}

TEST(FrameGuardTest, Pass_ReservedBit_IsNoPartOfTheStream) {
  std::string first = BareCall(1);
  first[5] = '\x80';
  FrameGuard guard;
  ASSERT_TRUE(guard.Pass(kPreface + kSettingsAck + first, kNow));
  const auto now = kNow + milliseconds(10);
  int passed = 0;
  while (guard.Pass(
      BareCall(2 * passed + 3) + Frame(kReset, 0, 4, 2 * passed + 3), now)) {
    ++passed;
  }
  EXPECT_EQ(passed, 64);
}

TEST(FrameGuardTest, Pass_CallsWithoutAnswer_AreLimited) {
  FrameGuard guard;
  guard.LimitsSent();
  ASSERT_TRUE(guard.Pass(kPreface + kSettingsAck, kNow));
  int passed = 0;
  while (guard.Pass(BareCall(2 * passed + 1), kNow)) ++passed;
  EXPECT_EQ(passed, 512);
}

TEST(FrameGuardTest, Pass_CallsWithoutAcknowledgement_AreLimited) {
  EXPECT_EQ(Passed(BareCall, 5000, false), 512);
}

TEST(FrameGuardTest, Pass_CallsAcknowledgedBeforeTheLimitsAreSent_AreLimited) {
  EXPECT_EQ(Passed([](int stream) { return kSettingsAck + BareCall(stream); },
                   5000, false),
            512);
}

TEST(FrameGuardTest, Pass_Resets_AreLimitedThoseOfCallsJustBegunFurther) {
  EXPECT_EQ(Passed(
                [](int stream) {
                  return BareCall(stream) + Frame(kReset, 0, 4, stream);
                },
                5000),
            64);
  for (const auto& [pause, most] :
       {std::pair{milliseconds(0), 64}, {milliseconds(10), 400}}) {
    FrameGuard guard;
    ASSERT_TRUE(guard.Pass(kPreface + kSettingsAck, kNow));
    for (int call = 1; call < 801; call += 2) {
      ASSERT_TRUE(guard.Pass(BareCall(call), kNow));
    }
    int passed = 0;
    while (guard.Pass(Frame(kReset, 0, 4, 2 * passed + 1), kNow + pause)) {
      ++passed;
    }
    EXPECT_EQ(passed, most);
  }
}

TEST(FrameGuardTest, Pass_RapidResetsOfAllConnections_AreLimitedTogether) {
  RapidResets all;
  int passed = 0;
  for (int connection = 0; connection < 100; ++connection) {
    FrameGuard guard(&all);
    ASSERT_TRUE(guard.Pass(kPreface + kSettingsAck, kNow));
    for (int call = 1; call < 100; call += 2) {
      passed += guard.Pass(BareCall(call) + Frame(kReset, 0, 4, call), kNow);
    }
  }
  EXPECT_EQ(passed, 2048);
}

// A connection that has begun `calls`, which `all` counts.
std::unique_ptr<FrameGuard> WithCalls(int calls, OpenCalls& all) {
  auto guard = std::make_unique<FrameGuard>(nullptr, &all);
  guard->LimitsSent();
  EXPECT_TRUE(guard->Pass(kPreface + kSettingsAck, kNow));
  for (int i = 0; i < calls; ++i) {
    EXPECT_TRUE(guard->Pass(Frame(kHeaders, 4, 0, 2 * i + 1), kNow));
  }
  return guard;
}

// Connections of which each has its share, and all together more than go by
// without a question.
constexpr int kShare = 264;

std::vector<std::unique_ptr<FrameGuard>> WithManyCalls(OpenCalls& all) {
  std::vector<std::unique_ptr<FrameGuard>> guards;
  while (guards.size() < 32) guards.push_back(WithCalls(kShare, all));
  return guards;
}

constexpr int kNext = 2 * kShare + 1;

TEST(FrameGuardTest, Pass_CallsOfAllConnections_HaveAShareEach) {
  OpenCalls all;
  auto guards = WithManyCalls(all);
  const auto other = WithCalls(40, all);
  EXPECT_TRUE(other->Pass(Frame(kHeaders, 4, 0, kNext), kNow));
  EXPECT_FALSE(guards.back()->Pass(Frame(kHeaders, 4, 0, kNext), kNow));
  guards.resize(24);
  EXPECT_TRUE(guards.back()->Pass(Frame(kHeaders, 4, 0, kNext), kNow));
}

TEST(FrameGuardTest, Pass_CallsThatHaveEnded_AreNotCounted) {
  const std::string settings = Frame(kSettings, 0, 18, 0);
  const std::pair<const char*, std::string> ends[] = {
      {"an answer",
       Frame(kHeaders, 4, 9) + Frame(kData, 0, 300) + Frame(kHeaders, 5, 20)},
      {"a refusal", Frame(kHeaders, 5, 20)},
      {"data at last", Frame(kData, 1, 3)},
      {"a reset", Frame(kReset, 0, 4)},
      {"a reset behind an answer",
       Frame(kHeaders, 5, 20) + Frame(kReset, 0, 4)},
  };
  for (const auto& [name, end] : ends) {
    OpenCalls all;
    const auto guards = WithManyCalls(all);
    guards[0]->Sent(settings);
    for (const char byte : end) guards[0]->Sent({&byte, 1});
    EXPECT_TRUE(guards[0]->Pass(Frame(kHeaders, 4, 0, kNext), kNow)) << name;
    EXPECT_FALSE(guards[0]->Pass(Frame(kHeaders, 4, 0, kNext + 2), kNow))
        << name;
  }
}

TEST(FrameGuardTest, Pass_AnAnswerThatGoesOn_IsCounted) {
  OpenCalls all;
  const auto guards = WithManyCalls(all);
  guards[0]->Sent(Frame(kHeaders, 4, 9) + Frame(kData, 0, 300) +
                  Frame(kSettings, 1, 0, 0) + Frame(kPing, 1, 8, 0));
  EXPECT_FALSE(guards[0]->Pass(Frame(kHeaders, 4, 0, kNext), kNow));
}

TEST(FrameGuardTest, Pass_ACallTakenBack_IsNotCounted) {
  OpenCalls all;
  const auto guards = WithManyCalls(all);
  EXPECT_TRUE(guards[0]->Pass(
      Frame(kReset, 0, 4) + Frame(kHeaders, 4, 0, kNext), kNow));
}

TEST(FrameGuardTest, Pass_PingsBesideCalls_Go) {
  const std::string more = Frame(kData, 1, 40) + Frame(kPing, 0, 8);
  EXPECT_EQ(Passed([&](int stream) { return BareCall(stream) + more; }, 5000),
            5000);
}

TEST(FrameGuardTest, Pass_PingsAndSettings_AreLimited) {
  EXPECT_EQ(Passed(Frame(kPing, 0, 8), 5000), 200);
  EXPECT_EQ(Passed(Frame(kSettings, 0, 6), 5000), 199);
}

TEST(FrameGuardTest, Pass_ResetsOverTime_Go) {
  FrameGuard guard;
  ASSERT_TRUE(guard.Pass(kPreface + Frame(kHeaders, 4, 200), kNow));
  for (int i = 2; i < 2000; ++i) {  // Two hundred a second.
    ASSERT_TRUE(guard.Pass(Frame(kReset, 0, 4), kNow + milliseconds(5) * i));
  }
}

TEST(FrameGuardTest, Pass_Metadata_IsLimitedOverAllItsFrames) {
  const std::string begin = Frame(kHeaders, 0, 16384);
  FrameGuard guard;
  EXPECT_TRUE(guard.Pass(kPreface + begin + Frame(kMore, 0, 16384), kNow));
  EXPECT_TRUE(guard.Pass(begin + Frame(kMore, 0, 1), kNow));
  EXPECT_FALSE(guard.Pass(Frame(kMore, 0, 0), kNow));
  EXPECT_FALSE(FrameGuard().Pass(kPreface + Frame(kHeaders, 4, 32769), kNow));
}

TEST(FrameGuardTest, Pass_MetadataWithoutAcknowledging_IsLimitedOverAllCalls) {
  const Call call = [](int stream) { return Frame(kHeaders, 4, 8192, stream); };
  EXPECT_EQ(Passed(call, 5000, false), 16);
  EXPECT_EQ(Passed(call, 5000), 5000);
}

TEST(FrameGuardTest, Pass_DataOfACall_IsLimited) {
  EXPECT_EQ(Passed(Frame(kData, 0, 16384), 5000), 256);
  EXPECT_EQ(Passed(Frame(kData, 1, (4 << 20) + 1), 50), 0);
  EXPECT_EQ(Passed(Frame(kData, 1, 4 << 20), 50), 50);
  EXPECT_EQ(Passed(
                [](int stream) {
                  return BareCall(stream) + Frame(kData, 0, 131072, stream) +
                         Frame(kData, 1, 0, stream);
                },
                5000),
            5000);
  EXPECT_EQ(Passed(Frame(kData, 0, 131072) + Frame(kReset, 0, 4), 60), 60);
  EXPECT_EQ(Passed(
                [](int stream) {
                  return BareCall(stream) + Frame(kData, 0, 131072, stream) +
                         Frame(kHeaders, 5, 9, stream);
                },
                5000),
            5000);
}

TEST(FrameGuardTest, Pass_DataOfManyCalls_IsLimitedWhileTheyLast) {
  for (const auto& [end, most] :
       {std::pair{Frame(kPing, 1, 8), 32}, {Frame(kReset, 0, 4, 1), 33}}) {
    FrameGuard guard;
    ASSERT_TRUE(guard.Pass(kPreface + kSettingsAck, kNow));
    ASSERT_TRUE(guard.Pass(Frame(kData, 0, 1 << 20, 1) + end, kNow));
    int calls = 1;
    while (calls < 100 &&
           guard.Pass(Frame(kData, 0, 1 << 20, 2 * calls + 1), kNow)) {
      ++calls;
    }
    EXPECT_EQ(calls, most);
  }
}

TEST(FrameGuardTest, Pass_DataOfCallsPushedOutByOthers_CountsOn) {
  FrameGuard guard;
  std::string begin = kPreface + kSettingsAck;
  for (int call = 1; call < 20; call += 2) begin += BareCall(call);
  for (int i = 0; i < 1024; ++i) begin += Frame(kData, 0, 0, 10001 + 2 * i);
  ASSERT_TRUE(guard.Pass(begin, kNow));
  int passed = 0;
  while (passed < 100 && guard.Pass(Frame(kData, 0, 1 << 20), kNow)) ++passed;
  EXPECT_EQ(passed, 32);
}

TEST(FrameGuardTest, Pass_Broken_StaysSo) {
  FrameGuard guard;
  EXPECT_FALSE(guard.Pass(kPreface + Frame(kHeaders, 4, 40000), kNow));
  EXPECT_FALSE(guard.Pass(Frame(kData, 0, 1), kNow + seconds(100)));
  EXPECT_FALSE(guard.Pass("", kNow));
}

TEST(FrameGuardTest, Pass_InPiecesOfAnySize_IsTheSame) {
  std::string bytes = kPreface + kSettingsAck;
  for (int i = 0; i < 100; ++i) {
    bytes += Frame(kHeaders, 4, 40) + Frame(kData, 1, 33) + Frame(kReset, 0, 4);
  }
  for (std::size_t piece = 1; piece < 60; ++piece) {
    FrameGuard guard;
    std::size_t passed = 0;
    while (passed < bytes.size() &&
           guard.Pass(std::string_view(bytes).substr(passed, piece), kNow)) {
      passed += piece;
    }
    // The header of the 65th reset.
    const std::size_t call = 49 + 42 + 13;
    const std::size_t last = 24 + 9 + 64 * call + 49 + 42 + 9;
    EXPECT_LE(passed, last) << piece;
    EXPECT_GT(passed + piece, last - 1) << piece;
  }
}

}  // namespace
}  // namespace sittuyin::service
