// Games: the first byte picks the rule set, the second where the game begins,
// each other byte a legal move and how it is written.
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <variant>

#include "engine/game/game.h"
#include "engine/notation/move_text.h"
#include "engine/rules/movegen.h"
#include "engine/rules/rule_set.h"
#include "engine/rules/validate.h"
#include "tests/fuzz/require.h"

namespace sittuyin {
namespace {

// The start and what long games come to, so that short ones reach every end.
constexpr std::array<std::string_view, 6> kStarts = {
    kStartFen,
    "2rr1k2/1ssf1n2/2n1pppp/pppp4/4PPPP/PPPP1N2/1SSFN3/2RR1K2[] w - - 0 9",
    // A clock and two counts that have almost run out.
    "4k3/4r3/3p4/8/8/3P4/4R3/4K3[] w - - 94 60",
    "4k3/8/8/8/8/8/R7/4K3[] w - 32 28 60",
    "4k3/8/3s4/8/8/8/8/4K3[] b - 88 84 60",
    // Soldiers about to promote.
    "4k3/8/2P5/3P4/4p3/5p2/8/4K3[] w - - 0 60"};

void RequireOver(const Game& game) {
  Require(std::get<Violation>(game.Read("e1e2")).reason ==
          ViolationReason::kGameOver);
}

// Returns whether the game is over.
bool CheckState(const Game& game) {
  const GameState state = game.State();
  const bool over = state.termination != Termination::kNone;
  Require(over == (state.result != Result::kOngoing));
  Require(over == (state.phase == Phase::kFinished));
  Require(!over || state.claims.empty());
  Require(state.repetitions >= 1);
  Require(!state.counting || state.counting->moves_left >= 0);
  return over;
}

void PlayMove(Game& game, std::uint8_t choice) {
  const MoveList moves = LegalMoves(game.position());
  Require(!moves.empty());
  const Move move = moves[(choice >> 1) % moves.size()];
  const auto played =
      game.Play((choice & 1) != 0 ? ToSan(game.position(), move) : ToUci(move));
  Require(std::get<Move>(played) == move);
}

void PlayGame(RuleSetId rule_set, std::string_view fen,
              std::span<const std::uint8_t> choices) {
  Game game = std::get<Game>(Game::Start(rule_set, fen));
  bool over = CheckState(game);
  for (std::size_t ply = 0; ply < choices.size() && !over; ++ply) {
    PlayMove(game, choices[ply]);
    over = CheckState(game);
  }
  if (over) RequireOver(game);
  Require(game.IsOver() == over);
  Require(ValidateSetup(game.position().ToSetup()).empty());
}

}  // namespace
}  // namespace sittuyin

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  using sittuyin::kRuleSets;
  using sittuyin::kStarts;
  if (size < 2) return 0;
  sittuyin::PlayGame(kRuleSets[data[0] % kRuleSets.size()].id,
                     kStarts[data[1] % kStarts.size()],
                     std::span(data, size).subspan(2));
  return 0;
}
