// Any text as a FEN: read, judged, written and read back alike.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "engine/notation/fen.h"
#include "engine/rules/movegen.h"
#include "engine/rules/position.h"
#include "engine/rules/rule_set.h"
#include "engine/rules/validate.h"
#include "tests/fuzz/require.h"

namespace sittuyin {
namespace {

// Whether `position` may follow a legal move. The only fault that one can bring
// is to leave men in hand no square to be dropped on.
bool MayFollow(const Position& position) {
  return std::ranges::all_of(
      ValidateSetup(position.ToSetup()), [](const SetupProblem& problem) {
        return problem.fault == SetupFault::kHandCannotBeDropped;
      });
}

void CheckPosition(const Setup& setup, const RuleSet& laws) {
  const Position position = Position::FromSetup(setup, laws);
  Require(position.hash() == position.RecomputeHash());
  const auto read = ParseFen(ToFen(position));
  Require(std::holds_alternative<Setup>(read));
  Require(Position::FromSetup(std::get<Setup>(read), laws) == position);

  const MoveList moves = LegalMoves(position);
  Require(CountLegalMoves(position) == static_cast<int>(moves.size()));
  Require(HasLegalMove(position) == !moves.empty());
  Position copy = position;
  for (const Move move : moves) {
    const Undo undo = copy.Make(move);
    Require(copy.hash() == copy.RecomputeHash());
    Require(MayFollow(copy));
    Require(std::holds_alternative<Setup>(ParseFen(ToFen(copy))));
    copy.Unmake(move, undo);
    Require(copy == position);
  }
}

void CheckText(std::string_view text) {
  const auto read = ParseFen(text);
  if (const auto* error = std::get_if<FenError>(&read)) {
    Require(!error->message.empty());
    return;
  }
  const Setup& setup = std::get<Setup>(read);
  const auto problems = ValidateSetup(setup);
  for (const SetupProblem& problem : problems) {
    Require(!problem.description.empty());
  }
  if (!problems.empty()) return;
  for (const RuleSet& laws : kRuleSets) CheckPosition(setup, laws);
}

}  // namespace
}  // namespace sittuyin

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  sittuyin::CheckText({reinterpret_cast<const char*>(data), size});
  return 0;
}
