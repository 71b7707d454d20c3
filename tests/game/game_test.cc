// A game from its start: what is played, refused, over, and said of it.
#include "engine/game/game.h"

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/notation/fen.h"
#include "engine/notation/move_text.h"
#include "engine/rules/movegen.h"
#include "gmock/gmock.h"
#include "tests/testing/positions.h"

namespace sittuyin {
namespace {

using ::testing::ElementsAre;
using testing::FenAfter;
using testing::GameAt;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;
using testing::SquareNames;
using testing::TerminationName;

// Names the reason for which `text` cannot be played; empty when it can.
std::string Refusal(const Game& game, std::string_view text) {
  const auto read = game.Read(text);
  const auto* violation = std::get_if<Violation>(&read);
  return violation == nullptr ? "" : std::string(ReasonName(violation->reason));
}

class GameTest : public testing::EveryRuleSetTest {};

TEST_P(GameTest, Start_EmptyText_IsTheStartPosition) {
  const Game game = GameAt(GetParam(), "");
  EXPECT_EQ(ToFen(game.position()), kStartFen);
  const GameState state = game.State();
  EXPECT_EQ(state.phase, Phase::kDeployment);
  EXPECT_EQ(state.side_to_move, Color::kRed);
  EXPECT_EQ(state.checkers, 0);
  EXPECT_EQ(state.result, Result::kOngoing);
  EXPECT_EQ(state.termination, Termination::kNone);
  EXPECT_THAT(state.claims, IsEmpty());
  EXPECT_EQ(state.halfmove_clock, 0);
  EXPECT_EQ(state.fullmove_number, 1);
  EXPECT_EQ(state.repetitions, 1);
  EXPECT_FALSE(state.counting.has_value());
}

TEST_P(GameTest, Start_NoFen_IsRefused) {
  const auto start = Game::Start(GetParam(), "nonsense");
  ASSERT_FALSE(std::holds_alternative<Game>(start));
  EXPECT_TRUE(
      std::holds_alternative<FenError>(std::get<Game::StartError>(start)));
}

TEST_P(GameTest, Describe_StartError_NamesEachFault) {
  const auto described = [](std::string_view fen) {
    const auto start = Game::Start(GetParam(), fen);
    return Describe(std::get<Game::StartError>(start));
  };
  EXPECT_THAT(described("nonsense"), HasSubstr("the board has 1 rank"));
  EXPECT_THAT(
      described("8/8/8/8/8/8/8/8[] w - - 0 1"),
      MatchesRegex("Red has no king[^.]*\\. Black has no king[^.]*\\."));
}

TEST_P(GameTest, Play_IllegalMove_LeavesTheGameAsItWas) {
  Game game = GameAt(GetParam(), "", {"K@e1"});
  const std::string before = ToFen(game.position());
  const std::size_t hashes = game.hashes().size();
  EXPECT_TRUE(std::holds_alternative<Violation>(game.Play("e4e5")));
  EXPECT_TRUE(std::holds_alternative<Violation>(game.Play("nonsense")));
  EXPECT_EQ(ToFen(game.position()), before);
  EXPECT_EQ(game.hashes().size(), hashes);
}

TEST_P(GameTest, Read_JudgesWithoutPlaying) {
  const Game game = GameAt(GetParam(), "");
  EXPECT_EQ(Refusal(game, "K@e1"), "");
  EXPECT_EQ(Refusal(game, "e4e5"), "MUST_DEPLOY");
  EXPECT_EQ(ToFen(game.position()), kStartFen);
}

TEST_P(GameTest, Phase_DeploymentWhileTheSideToMoveHasMenInHand) {
  EXPECT_EQ(
      GameAt(GetParam(), "4k3/8/8/8/8/8/7P/4K3[Rr] w - - 0 1").State().phase,
      Phase::kDeployment);
  EXPECT_EQ(
      GameAt(GetParam(), "4k3/8/8/8/8/8/7P/4K3[r] w - - 0 1").State().phase,
      Phase::kPlay);
  EXPECT_EQ(
      GameAt(GetParam(), "4k3/8/8/8/8/8/7P/4K3[r] b - - 0 1").State().phase,
      Phase::kDeployment);
}

TEST_P(GameTest, Checkers_AllMenThatGiveCheck) {
  EXPECT_THAT(
      SquareNames(GameAt(GetParam(), "4k3/8/3N4/8/8/8/7P/4RK2[] b - - 0 1")
                      .State()
                      .checkers),
      ElementsAre("e1", "d6"));
}

TEST_P(GameTest, MoveNumber_RisesAfterBlack) {
  const std::string fen = "4k3/7p/8/8/8/8/7P/4K3[] w - - 0 7";
  EXPECT_EQ(FenAfter(GetParam(), fen, {"e1d1"}),
            "4k3/7p/8/8/8/8/7P/3K4[] b - - 1 7");
  EXPECT_EQ(FenAfter(GetParam(), fen, {"e1d1", "e8d8"}),
            "3k4/7p/8/8/8/8/7P/3K4[] w - - 2 8");
}

TEST_P(GameTest, Over_AMoveIsRefusedAsGameOver) {
  Game game = GameAt(GetParam(), "k7/8/K7/8/8/7P/8/2R5[] w - - 0 1", {"c1c8"});
  EXPECT_TRUE(game.IsOver());
  EXPECT_EQ(Refusal(game, "a8a7"), "GAME_OVER");
  EXPECT_EQ(Refusal(game, "a8a1"), "GAME_OVER");
  EXPECT_EQ(Refusal(game, "Ka7"), "GAME_OVER");
  // Text that is no move comes first.
  EXPECT_EQ(Refusal(game, "nonsense"), "MALFORMED_MOVE");
  EXPECT_EQ(Refusal(game, ""), "MALFORMED_MOVE");
  const std::string before = ToFen(game.position());
  game.Play("a8a7");
  EXPECT_EQ(ToFen(game.position()), before);
}

TEST_P(GameTest, Over_ByADraw_LegalMovesOfThePositionAreRefusedToo) {
  const Game stalemate = GameAt(GetParam(), "8/8/8/8/8/K7/S7/k7[] b - - 0 1");
  EXPECT_EQ(Refusal(stalemate, "a1b1"), "GAME_OVER");
  if (Laws(GetParam()).dead_positions == DeadPositions::kNone) return;
  const Game dead = GameAt(GetParam(), "4k3/8/8/8/8/8/8/4K3[] w - - 0 1");
  EXPECT_EQ(Refusal(dead, "e1e2"), "GAME_OVER");
}

TEST_P(GameTest, StartInAnEndedPosition_IsJudgedSoAtOnce) {
  const auto ending = [&](const char* fen) {
    return std::string(TerminationName(GameAt(GetParam(), fen).Ending()));
  };
  const RuleSet& laws = Laws(GetParam());
  EXPECT_EQ(ending("k7/S7/1K6/8/8/8/8/1R6[] b - - 0 1"), "CHECKMATE");
  EXPECT_EQ(ending("8/8/8/8/8/K7/S7/k7[] b - - 0 1"), "STALEMATE");
  EXPECT_EQ(
      ending("4k3/8/8/8/8/8/8/4K3[] w - - 0 1"),
      laws.dead_positions == DeadPositions::kNone ? "NONE" : "DEAD_POSITION");
  EXPECT_EQ(ending("4k3/8/8/8/8/8/R7/4K3[] b - 32 33 10"),
            laws.counting ? "COUNT_EXHAUSTED" : "NONE");
  EXPECT_EQ(
      ending("4k3/8/8/8/8/7P/R7/4K3[] b - - 100 60"),
      laws.hundred_plies == DrawRule::kAutomatic ? "HUNDRED_PLIES" : "NONE");
}

TEST_P(GameTest, Finished_PhaseResultAndNoClaims) {
  const GameState mate =
      GameAt(GetParam(), "k7/S7/1K6/8/8/7P/8/1R6[] b - - 120 80").State();
  EXPECT_EQ(mate.phase, Phase::kFinished);
  EXPECT_EQ(mate.result, Result::kRedWins);
  EXPECT_EQ(mate.termination, Termination::kCheckmate);
  EXPECT_THAT(mate.claims, IsEmpty());
  EXPECT_EQ(GameAt(GetParam(),
                   testing::Flipped("k7/S7/1K6/8/8/7P/8/1R6[] b - - 0 80"))
                .State()
                .result,
            Result::kBlackWins);
  const GameState stalemate =
      GameAt(GetParam(), "8/8/8/8/8/K7/S7/k7[] b - - 120 80").State();
  EXPECT_EQ(stalemate.phase, Phase::kFinished);
  EXPECT_EQ(stalemate.result, Result::kDraw);
  EXPECT_THAT(stalemate.claims, IsEmpty());
}

TEST_P(GameTest, Hashes_OneForEachPosition) {
  const Game game = GameAt(GetParam(), "4k3/7p/8/8/8/8/7P/4K3[] w - - 0 7",
                           {"e1d1", "e8d8", "d1e1", "d8e8"});
  ASSERT_EQ(game.hashes().size(), 5);
  EXPECT_EQ(game.hashes().back(), game.position().hash());
  EXPECT_EQ(game.hashes()[0], game.hashes()[4]);
  EXPECT_NE(game.hashes()[0], game.hashes()[1]);
}

TEST_P(GameTest, PlayUnchecked_IsPlay) {
  Game played = GameAt(GetParam(), "", {"K@e1"});
  Game unchecked = GameAt(GetParam(), "");
  unchecked.PlayUnchecked(Move::Drop(PieceType::kKing, *SquareFromName("e1")));
  EXPECT_EQ(unchecked.position(), played.position());
  EXPECT_EQ(unchecked.hashes(), played.hashes());
}

SITTUYIN_EVERY_RULE_SET(GameTest);

}  // namespace
}  // namespace sittuyin
