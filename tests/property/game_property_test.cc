// Whole games by chance: what the engine says of each position against the
// slow law's game, and hashes against the men themselves.
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/game/game.h"
#include "engine/notation/fen.h"
#include "gtest/gtest.h"
#include "tests/property/random_positions.h"
#include "tests/property/slow_law.h"
#include "tests/testing/positions.h"

namespace sittuyin {
namespace {

using slow::Flavour;
using slow::Intent;
using slow::Law;
using slow::Random;
using slow::State;

constexpr int kGamesFromTheStart = 3;
constexpr int kGamesOfAFlavour = 3;
constexpr int kEndings = 12;
constexpr int kMostPlies = 180;

std::string PhaseName(Phase phase) {
  return phase == Phase::kDeployment ? "DEPLOYMENT"
         : phase == Phase::kPlay     ? "PLAY"
                                     : "FINISHED";
}

std::string SlowPhase(const State& state, std::string_view termination) {
  if (termination != "NONE") return "FINISHED";
  const std::string_view own = state.black_to_move ? "kfrsn" : "KFRSN";
  return state.hand.find_first_of(own) == std::string::npos ? "PLAY"
                                                            : "DEPLOYMENT";
}

Result SlowResult(const State& state, std::string_view termination) {
  if (termination == "NONE") return Result::kOngoing;
  if (termination != "CHECKMATE") return Result::kDraw;
  return state.black_to_move ? Result::kRedWins : Result::kBlackWins;
}

// Endings in which counts, clocks and repetitions come about.
constexpr std::string_view kEndingFens[] = {
    "4k3/8/8/8/8/8/6r1/7K[] w - - 0 10",
    "8/8/8/8/8/8/6R1/4K2k[] b - 32 5 10",
    "k7/8/8/8/8/8/6r1/5N1K[] w - - 0 10",
    "4k3/8/8/8/8/8/R7/4K3[] b - - 0 10",
    "4k3/8/8/8/8/8/R7/4K3[] b - 32 20 10",
    "r7/4k3/8/8/8/8/8/4K3[] w - 32 11 10",
    "4k3/8/8/8/8/8/SS6/4K3[] w - - 3 10",
    "4k3/8/8/8/8/8/SF6/4K3[] b - 88 60 10",
    "4k3/8/8/8/8/8/NN6/4K3[] b - 128 100 10",
    "4k3/8/8/8/8/8/NF6/4K3[] w - - 80 10",
    "4k3/p7/8/8/8/8/R7/4K3[] w - - 0 10",
    "4k3/8/8/3P4/8/8/8/R3K3[] w - - 0 10",
    "4k3/8/8/3P4/8/8/P7/N3K3[] w - - 60 10",
    "4k3/8/8/8/8/8/8/4K3[Rn] w - - 0 10",
    "4k3/8/8/8/8/8/8/4K3[RSrn] b - - 0 10",
    "1k4PK/3r4/8/8/8/8/8/8[] w - - 0 10",
    "3K4/8/p7/P7/8/5p1p/5pfp/5ppk[] w - - 0 10",
    "8/8/8/8/K7/5p1p/5pfp/5ppk[] w - - 0 10",
    "4kf2/8/8/8/8/8/p7/1F2K3[] w - - 70 10"};

class GamePropertyTest : public testing::EveryRuleSetTest {
 protected:
  const slow::Laws& SlowLaws() const {
    return slow::kAllLaws[static_cast<std::size_t>(GetParam())];
  }

  // The same hash for the same position, and for no other.
  void ExpectHashTellsPositions(const State& state, const Position& position) {
    const std::string key = Key(state);
    const auto [by_key, new_key] = hashes_.emplace(key, position.hash());
    ASSERT_EQ(by_key->second, position.hash());
    const auto [by_hash, new_hash] = keys_.emplace(position.hash(), key);
    ASSERT_EQ(by_hash->second, key);
    ASSERT_EQ(position.hash(), position.RecomputeHash());
  }

  void ExpectSameCount(const State& state, const GameState& given) {
    const bool bare_kings =
        state.cells.find_first_not_of(".Kk") == std::string::npos;
    if (bare_kings) return;  // Dead; who attacks whom is nobody's question.
    ASSERT_EQ(given.counting.has_value(), state.count_limit != 0);
    if (!given.counting) return;
    ++seen_["count"];
    const bool red_attacks =
        state.cells.find_first_of("FRSN") != std::string::npos;
    EXPECT_EQ(given.counting->attacker,
              red_attacks ? Color::kRed : Color::kBlack);
    EXPECT_EQ(given.counting->limit_moves, state.count_limit / 2);
    EXPECT_EQ(given.counting->plies_counted, state.counted);
    EXPECT_EQ(given.counting->moves_left,
              state.count_limit / 2 - state.counted / 2);
  }

  void ExpectSameState(const slow::Game& slow_game, const Game& game) {
    const State& state = slow_game.state();
    const GameState given = game.State();
    const std::string termination = slow_game.Termination();
    ASSERT_EQ(testing::TerminationName(given.termination), termination);
    ASSERT_EQ(game.Ending(), given.termination);
    ASSERT_EQ(game.IsOver(), termination != "NONE");
    EXPECT_EQ(testing::ClaimNames(given.claims), slow_game.Claims());
    EXPECT_EQ(PhaseName(given.phase), SlowPhase(state, termination));
    EXPECT_EQ(given.result, SlowResult(state, termination));
    EXPECT_EQ(given.side_to_move,
              state.black_to_move ? Color::kBlack : Color::kRed);
    std::vector<std::string> checkers;
    for (int s : slow::CheckersOf(state.cells, state.black_to_move)) {
      checkers.push_back(slow::SquareName(s));
    }
    EXPECT_EQ(testing::SquareNames(given.checkers), checkers);
    EXPECT_EQ(given.halfmove_clock, state.clock);
    EXPECT_EQ(given.fullmove_number, state.number);
    EXPECT_EQ(given.repetitions, slow_game.Repetitions());
    EXPECT_EQ(ToFen(game.position()), slow::Fen(state));
    ExpectSameCount(state, given);
    ASSERT_NO_FATAL_FAILURE(ExpectHashTellsPositions(state, game.position()));
    ++seen_[termination];
    for (const std::string& claim : slow_game.Claims()) {
      ++seen_["claim " + claim];
    }
  }

  // A legal move by chance; in quiet games rather one that changes little.
  Intent Pick(const Law& law, Random& random, bool quiet) {
    const int size = static_cast<int>(law.legal().size());
    Intent move = law.legal()[random.Below(size)];
    for (int tries = 0; quiet && tries < 4; ++tries) {
      const State& state = law.state();
      const bool soldier = move.drop == 0 && !move.promotes &&
                           (state.cells[move.from] | 0x20) == 'p';
      const bool shuffles =
          move.drop == 0 && state.cells[move.to] == '.' && !soldier;
      if (shuffles) break;
      move = law.legal()[random.Below(size)];
    }
    return move;
  }

  void PlayOut(const State& start, Random& random, bool quiet) {
    SCOPED_TRACE(slow::Fen(start));
    slow::Game slow_game(start, SlowLaws());
    Game game(Position::FromSetup(slow::ToSetup(start), Laws(GetParam())));
    std::string moves;
    for (int ply = 0; ply < kMostPlies; ++ply) {
      ExpectSameState(slow_game, game);
      ASSERT_FALSE(HasFailure()) << slow::Fen(slow_game.state()) << moves;
      if (slow_game.Termination() != "NONE") {
        const auto read = game.Read("a1a1");
        ASSERT_EQ(std::get<Violation>(read).reason, ViolationReason::kGameOver);
        return;
      }
      const Intent move = Pick(slow_game.law(), random, quiet);
      moves += ' ' + slow::Uci(move);
      slow_game.Play(move);
      const auto played = game.Play(slow::Uci(move));
      ASSERT_TRUE(std::holds_alternative<Move>(played)) << moves;
    }
  }

  std::map<std::string, int> seen_;

 private:
  std::map<std::string, std::uint64_t> hashes_;
  std::map<std::uint64_t, std::string> keys_;
};

TEST_P(GamePropertyTest, GamesFromTheStart_AreAsTheSlowLawSays) {
  Random random(41);
  for (int i = 0; i < kGamesFromTheStart * slow::Effort(); ++i) {
    ASSERT_NO_FATAL_FAILURE(
        PlayOut(slow::FromFen(kStartFen), random, i % 2 == 0));
  }
}

TEST_P(GamePropertyTest, GamesFromHandMadePositions_AreAsTheSlowLawSays) {
  Random random(42);
  for (int i = 0; i < kGamesOfAFlavour * slow::Effort(); ++i) {
    for (const Flavour flavour : slow::kFlavours) {
      ASSERT_NO_FATAL_FAILURE(
          PlayOut(RandomState(random, flavour), random, i % 2 == 0));
    }
  }
}

TEST_P(GamePropertyTest, Endings_AreAsTheSlowLawSays) {
  Random random(43);
  for (int i = 0; i < kEndings * slow::Effort(); ++i) {
    for (const std::string_view fen : kEndingFens) {
      ASSERT_NO_FATAL_FAILURE(PlayOut(slow::FromFen(fen), random, true));
    }
  }
  // No ending and no claim of this rule set that the test never met.
  const slow::Laws& laws = SlowLaws();
  std::vector<std::string> expected = {"NONE", "STALEMATE"};
  if (laws.dead != slow::Dead::kNone) expected.push_back("DEAD_POSITION");
  if (laws.counting) {
    expected.insert(expected.end(), {"count", "COUNT_EXHAUSTED"});
  }
  const auto expect_draw = [&](slow::Draw draw, const std::string& name) {
    if (draw == slow::Draw::kAutomatic) expected.push_back(name);
    if (draw == slow::Draw::kOnClaim) expected.push_back("claim " + name);
  };
  expect_draw(laws.threefold, "THREEFOLD_REPETITION");
  expect_draw(laws.hundred_plies, "HUNDRED_PLIES");
  if (laws.only_promotions_claim) {
    expected.push_back("claim ONLY_PROMOTIONS_LEFT");
  }
  for (const std::string& name : expected) EXPECT_GT(seen_[name], 0) << name;
}

SITTUYIN_EVERY_RULE_SET(GamePropertyTest);

}  // namespace
}  // namespace sittuyin
