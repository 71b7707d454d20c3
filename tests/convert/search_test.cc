#include "service/convert/search.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <utility>

#include "tests/testing/equals_proto.h"
#include "tests/testing/refusal.h"

namespace sittuyin::service {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::seconds;

constexpr MoveTimePolicy kPolicy = {.when_unlimited = seconds(1),
                                    .longest = seconds(10)};

template <typename Request>
Request Parsed(const std::string& text) {
  Request request;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &request));
  return request;
}

SearchLimits Limits(const std::string& text) {
  SearchLimits limits;
  const auto refusal =
      ReadLimits(Parsed<v1::BestMoveRequest>(text), kPolicy, &limits);
  EXPECT_FALSE(refusal) << refusal->DebugString();
  return limits;
}

TEST(ReadLimitsTest, ReadLimits_None_GivesTheDefaultTime) {
  const SearchLimits limits = Limits("");
  EXPECT_EQ(limits.move_time, seconds(1));
  EXPECT_EQ(limits.depth, kMaxSearchDepth);
  EXPECT_EQ(limits.nodes, std::nullopt);
  EXPECT_EQ(limits.multi_pv, 1);
  EXPECT_EQ(limits.level, 0);
}

TEST(ReadLimitsTest, ReadLimits_MoveTime_IsCutToTheLongest) {
  EXPECT_EQ(Limits("limits { move_time { nanos: 50000000 } }").move_time,
            milliseconds(50));
  EXPECT_EQ(Limits("limits { move_time { seconds: 10 nanos: 1 } }").move_time,
            seconds(10));
  EXPECT_EQ(Limits("limits { move_time { seconds: 9999999999 } }").move_time,
            seconds(10));
}

TEST(ReadLimitsTest, ReadLimits_ZeroMoveTime_IsNoLimit) {
  EXPECT_EQ(Limits("limits { move_time {} }").move_time, seconds(1));
}

TEST(ReadLimitsTest, ReadLimits_DepthOrNodes_RunToTheLongestTime) {
  const SearchLimits depth = Limits("limits { depth: 64 }");
  EXPECT_EQ(depth.depth, 64);
  EXPECT_EQ(depth.move_time, seconds(10));
  const SearchLimits nodes = Limits("limits { nodes: 18446744073709551615 }");
  EXPECT_EQ(nodes.nodes, std::numeric_limits<NodeCount>::max());
  EXPECT_EQ(nodes.move_time, seconds(10));
}

TEST(ReadLimitsTest, ReadLimits_AllLimits_HoldTogether) {
  const SearchLimits limits = Limits(
      "limits { depth: 7 nodes: 1000 move_time { seconds: 2 } } "
      "level: 10 multi_pv: 10");
  EXPECT_EQ(limits.depth, 7);
  EXPECT_EQ(limits.nodes, 1000u);
  EXPECT_EQ(limits.move_time, seconds(2));
  EXPECT_EQ(limits.level, 10);
  EXPECT_EQ(limits.multi_pv, 10);
}

struct BadLimits {
  std::string request;
  std::string field;
};

class BadLimitsTest : public testing::TestWithParam<BadLimits> {};

TEST_P(BadLimitsTest, ReadLimits_OutOfRange_NamesTheField) {
  SearchLimits limits;
  const auto refusal = ReadLimits(
      Parsed<v1::BestMoveRequest>(GetParam().request), kPolicy, &limits);
  ASSERT_TRUE(refusal);
  EXPECT_THAT(*refusal, RefusedFor("FIELD_OUT_OF_RANGE", GetParam().field));
}

INSTANTIATE_TEST_SUITE_P(
    Fields, BadLimitsTest,
    testing::Values(
        BadLimits{"level: 11", "level"},
        BadLimits{"level: 4294967295", "level"},
        BadLimits{"multi_pv: 11", "multi_pv"},
        BadLimits{"multi_pv: 4294967295", "multi_pv"},
        BadLimits{"limits { depth: 65 }", "limits.depth"},
        BadLimits{"limits { depth: 4294967295 }", "limits.depth"},
        BadLimits{"limits { move_time { seconds: -1 } }", "limits.move_time"},
        BadLimits{"limits { move_time { nanos: -1 } }", "limits.move_time"},
        BadLimits{"limits { move_time { seconds: 1 nanos: -1 } }",
                  "limits.move_time"},
        BadLimits{"limits { move_time { nanos: 1000000000 } }",
                  "limits.move_time"},
        BadLimits{"limits { move_time { seconds: 9223372036854775807 } }",
                  "limits.move_time"}));

TEST(ReadLimitsTest, ReadLimits_OutOfRange_SaysTheRange) {
  const std::pair<std::string, std::string> cases[] = {
      {"level: 11", "level: want 1 to 10, or 0 for full strength."},
      {"multi_pv: 11", "multi_pv: want 1 to 10, or 0 for one line."},
      {"limits { depth: 65 }",
       "limits.depth: want 1 to 64, or 0 for no limit."},
      {"limits { move_time { seconds: -1 } }",
       "limits.move_time: want 0 s or more (over 10 s is cut to 10 s), with "
       "nanos from 0 to 999999999."}};
  for (const auto& [request, message] : cases) {
    SearchLimits limits;
    EXPECT_EQ(ReadLimits(Parsed<v1::BestMoveRequest>(request), kPolicy, &limits)
                  ->message(),
              message);
  }
}

TEST(ReadLimitsTest, ReadLimits_Analyze_HasTheSameRanges) {
  SearchLimits limits;
  EXPECT_THAT(
      *ReadLimits(Parsed<v1::AnalyzeRequest>("multi_pv: 11"), kPolicy, &limits),
      RefusedFor("FIELD_OUT_OF_RANGE", "multi_pv"));
  EXPECT_THAT(*ReadLimits(Parsed<v1::AnalyzeRequest>("limits { depth: 65 }"),
                          kPolicy, &limits),
              RefusedFor("FIELD_OUT_OF_RANGE", "limits.depth"));
}

Move Legal(const Game& game, std::string_view text) {
  return std::get<Move>(game.Read(text));
}

TEST(WriteResultTest, WriteResult_EverythingSet_IsWritten) {
  const Game game = std::get<Game>(
      Game::Start(RuleSetId::kPychess, "4k3/8/8/8/p7/P7/8/R3K3[] w"));
  Game after = game;
  after.PlayUnchecked(Legal(game, "a1d1"));
  const SearchResult result = {
      .best = Legal(game, "a1d1"),
      .ponder = Legal(after, "e8e7"),
      .lines =
          {{.score = {.centipawns = -25, .win = 400, .draw = 100, .loss = 500},
            .moves = {Legal(game, "a1d1"), Legal(after, "e8e7")},
            .depth = 3},
           {.score = {.mate_in_moves = -2, .win = 0, .draw = 0, .loss = 1000},
            .moves = {Legal(game, "a1b1")},
            .depth = 2}},
      .depth = 3,
      .nodes = 77,
      .elapsed = nanoseconds(1'000'000'005),
      .stop_reason = StopReason::kNodes,
      .claims_draw = true};
  v1::BestMoveResponse answer;
  WriteResult(game, result, &answer);

  EXPECT_EQ(answer.best().uci(), "a1d1");
  EXPECT_EQ(answer.ponder().san(), "Ke7");
  ASSERT_EQ(answer.lines_size(), 2);
  EXPECT_EQ(answer.lines(0).moves(1).uci(), "e8e7");
  EXPECT_EQ(answer.lines(0).depth(), 3u);
  EXPECT_THAT(answer.lines(0).score(), EqualsProto(R"pb(
                centipawns: -25
                wdl { win: 400 draw: 100 loss: 500 }
              )pb"));
  EXPECT_THAT(answer.lines(1).score(), EqualsProto(R"pb(
                mate_in_moves: -2
                wdl { loss: 1000 }
              )pb"));
  EXPECT_EQ(answer.depth(), 3u);
  EXPECT_EQ(answer.nodes(), 77u);
  EXPECT_THAT(answer.elapsed(), EqualsProto("seconds: 1 nanos: 5"));
  EXPECT_EQ(answer.stop_reason(), v1::STOP_REASON_NODES);
  EXPECT_TRUE(answer.claims_draw());
  EXPECT_EQ(answer.fen(), ToFen(game.position()));
  EXPECT_EQ(answer.state().side_to_move(), v1::COLOR_RED);

  v1::AnalyzeResponse last;
  WriteLastProgress(game, result, &last);
  EXPECT_THAT(last.result(), EqualsProto(answer.DebugString()));
  EXPECT_EQ(last.lines_size(), 2);
  EXPECT_EQ(last.depth(), 3u);
  EXPECT_EQ(last.nodes(), 77u);
}

TEST(WriteResultTest, WriteResult_LevelScore_IsZeroCentipawns) {
  const Game game =
      std::get<Game>(Game::Start(RuleSetId::kPychess, std::string_view{}));
  const Move best = Legal(game, "K@e1");
  v1::BestMoveResponse answer;
  WriteResult(game, {.best = best, .lines = {{.score = {}, .moves = {best}}}},
              &answer);
  EXPECT_FALSE(answer.has_ponder());
  EXPECT_EQ(answer.lines(0).score().value_case(), v1::Score::kCentipawns);
}

}  // namespace
}  // namespace sittuyin::service
