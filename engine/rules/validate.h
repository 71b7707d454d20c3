// What makes a position impossible: every fault at once.
#ifndef SITTUYIN_ENGINE_RULES_VALIDATE_H_
#define SITTUYIN_ENGINE_RULES_VALIDATE_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/board/setup.h"
#include "engine/board/types.h"

namespace sittuyin {

enum class SetupFault : std::uint8_t {
  kNoKing,               // A side has no king, on the board or in hand.
  kTooManyKings,         // More than one king.
  kTooManyGenerals,      // More than one general.
  kTooManyElephants,     // More than two elephants.
  kTooManyHorses,        // More than two horses.
  kTooManyChariots,      // More than two chariots.
  kTooManySoldiers,      // More than eight soldiers.
  kSoldierInHand,        // Soldiers stand on the board from the start.
  kKingsAdjacent,        // The kings touch.
  kOpponentInCheck,      // The side not to move is in check and the other has
                         // no man in hand: its king could be captured.
  kHandCannotBeDropped,  // Not enough empty squares for the hand.
};

// The fault's name in the contract, `NO_KING` and so on.
std::string_view FaultName(SetupFault fault);

struct SetupProblem {
  SetupFault fault;
  // The side at fault; for kKingsAdjacent nobody in particular.
  std::optional<Color> side;
  // One English sentence: what is wrong and what to send instead.
  std::string description;
};

// Every fault of `setup`, in the order of the enum, Red's before Black's;
// empty for a possible position. Counts board and hand together.
std::vector<SetupProblem> ValidateSetup(const Setup& setup);

}  // namespace sittuyin

#endif  // SITTUYIN_ENGINE_RULES_VALIDATE_H_
