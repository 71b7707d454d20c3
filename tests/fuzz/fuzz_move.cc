// Any text as a move. The input is a digit for the rule set, a FEN, a line end
// and the move.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <variant>

#include "engine/game/game.h"
#include "engine/notation/move_text.h"
#include "engine/rules/legality.h"
#include "engine/rules/movegen.h"
#include "engine/rules/rule_set.h"
#include "tests/fuzz/require.h"

namespace sittuyin {
namespace {

void CheckMove(const Position& position, Move move) {
  Require(LegalMoves(position).Contains(move));
  Require(IsLegal(position, move));
  const auto uci = ReadMove(position, ToUci(move));
  Require(std::holds_alternative<Move>(uci) && std::get<Move>(uci) == move);
  const auto san = ReadMove(position, ToSan(position, move));
  Require(std::holds_alternative<Move>(san) && std::get<Move>(san) == move);
}

void CheckInput(std::string_view input) {
  if (input.empty()) return;
  const std::size_t id = static_cast<unsigned char>(input[0]);
  input.remove_prefix(1);
  const std::size_t end = std::min(input.find('\n'), input.size());
  const auto start =
      Game::Start(kRuleSets[id % kRuleSets.size()].id, input.substr(0, end));
  if (std::holds_alternative<Game::StartError>(start)) return;
  const Game& game = std::get<Game>(start);
  input.remove_prefix(std::min(end + 1, input.size()));

  const auto read = ReadMove(game.position(), input);
  if (const auto* move = std::get_if<Move>(&read)) {
    CheckMove(game.position(), *move);
  } else {
    const Violation& violation = std::get<Violation>(read);
    Require(violation.reason != ViolationReason::kGameOver);
    Require(!Describe(violation).empty());
    Require((violation.squares == 0) ==
            (violation.reason == ViolationReason::kMalformedMove));
  }
}

}  // namespace
}  // namespace sittuyin

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  sittuyin::CheckInput({reinterpret_cast<const char*>(data), size});
  return 0;
}
