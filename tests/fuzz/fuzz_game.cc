// Whole games: the first byte picks the rule set, each other byte a legal move.
#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>

#include "engine/game/game.h"
#include "engine/notation/move_text.h"
#include "engine/rules/movegen.h"
#include "engine/rules/rule_set.h"
#include "engine/rules/validate.h"
#include "tests/fuzz/require.h"

namespace sittuyin {
namespace {

void CheckState(const Game& game) {
  const GameState state = game.State();
  const bool over = state.termination != Termination::kNone;
  Require(over == game.IsOver());
  Require(over == (state.result != Result::kOngoing));
  Require(over == (state.phase == Phase::kFinished));
  Require(!over || state.claims.empty());
  Require(state.repetitions >= 1);
  Require(!state.counting || state.counting->moves_left >= 0);
  Require(ValidateSetup(game.position().ToSetup()).empty());
}

void PlayGame(RuleSetId rule_set, std::span<const std::uint8_t> choices) {
  Game game = std::get<Game>(Game::Start(rule_set));
  for (const std::uint8_t choice : choices) {
    CheckState(game);
    const MoveList moves = LegalMoves(game.position());
    if (game.IsOver()) {
      Require(std::get<Violation>(game.Read("e1e2")).reason ==
              ViolationReason::kGameOver);
      return;
    }
    Require(!moves.empty());
    const Move move = moves[choice % moves.size()];
    Require(std::get<Move>(game.Read(ToUci(move))) == move);
    Require(std::get<Move>(game.Play(ToSan(game.position(), move))) == move);
  }
  CheckState(game);
}

}  // namespace
}  // namespace sittuyin

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  if (size == 0) return 0;
  const auto& laws = sittuyin::kRuleSets[data[0] % sittuyin::kRuleSets.size()];
  sittuyin::PlayGame(laws.id, std::span(data, size).subspan(1));
  return 0;
}
