// Why a move is not legal.
#ifndef SITTUYIN_ENGINE_RULES_VIOLATION_H_
#define SITTUYIN_ENGINE_RULES_VIOLATION_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/board/bitboard.h"

namespace sittuyin {

// The first that holds is given, in this order; but kSoldierAdvanceBlocked and
// kPathBlocked come before kOwnManOnTarget.
enum class ViolationReason : std::uint8_t {
  // Any text.
  kMalformedMove,  // The text is no move in UCI or SAN.
  kGameOver,       // The game had already ended.
  kAmbiguousMove,  // The SAN fits several legal moves.
  // A drop.
  kDeploymentOver,         // The side has no man left in hand.
  kNotInHand,              // It has, but none of this type.
  kOutsideDeploymentZone,  // Not on the side's first three ranks.
  kChariotOffBackRank,     // A chariot drops on the first rank only.
  kSquareOccupied,         // A man stands there.
  // A board move.
  kMustDeploy,   // While a drop is possible, nothing else is.
  kEmptySquare,  // No man on the square of origin.
  kNotYourMan,   // The man there is the opponent's.
  // A promotion.
  kOnlySoldiersPromote,
  kGeneralStillAlive,       // The side has a general, on the board or in hand.
  kNotOnPromotionSquare,    // Not on the diagonals, nor the last soldier.
  kManCannotReach,          // For any board move: the pattern never covers it.
  kPromotionCannotCapture,  // An enemy on the square of the new general.
  kOwnManOnTarget,          // For any board move.
  kPromotionAttacksEnemy,   // The new general would attack an enemy man.
  // A soldier's step or capture.
  kSoldierAdvanceBlocked,     // A man stands straight ahead.
  kSoldierCaptureNeedsEnemy,  // Diagonally ahead, and nobody there.
  // Any other man.
  kPathBlocked,  // A man stands between a chariot and its target.
  // All moves.
  kDoesNotAnswerCheck,       // In check before and after.
  kLeavesKingInCheck,        // In check only after.
  kPromotionDiscoversCheck,  // Where the rule set forbids it.
  kMustNotStalemate,         // Where the rule set forbids it.
};

inline constexpr int kViolationReasonCount =
    static_cast<int>(ViolationReason::kMustNotStalemate) + 1;

struct Violation {
  ViolationReason reason;
  // What stands in the way: the blocker, the men that would give check, the
  // men a new general would attack, the living general; else the target
  // square; nothing for text that is no move.
  Bitboard squares;
  friend bool operator==(const Violation&, const Violation&) = default;
};

// The reason's name in the contract, `MUST_DEPLOY` and so on.
std::string_view ReasonName(ViolationReason reason);

// One English sentence for a developer that names the squares.
std::string Describe(const Violation& violation);

}  // namespace sittuyin

#endif  // SITTUYIN_ENGINE_RULES_VIOLATION_H_
