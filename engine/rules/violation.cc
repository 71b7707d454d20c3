#include "engine/rules/violation.h"

#include <array>

namespace sittuyin {
namespace {

// What stands before the squares.
constexpr std::string_view kTarget = "target ";
constexpr std::string_view kInTheWay;

struct ReasonText {
  ViolationReason reason;
  std::string_view name;
  std::string_view sentence;  // Without its full stop; the squares follow.
  std::string_view squares = kTarget;
};

using enum ViolationReason;

constexpr std::array<ReasonText, kViolationReasonCount> kTexts = {{
    {kMalformedMove, "MALFORMED_MOVE",
     "The text is no move; send UCI such as K@e1, e4e5, d5d5f or d5e6f, or "
     "SAN"},
    {kGameOver, "GAME_OVER",
     "The game has ended; no further move can be played"},
    {kAmbiguousMove, "AMBIGUOUS_MOVE",
     "Several legal moves fit the text; name the square of origin"},
    {kDeploymentOver, "DEPLOYMENT_OVER",
     "The side to move has no man left in hand; move a man on the board"},
    {kNotInHand, "NOT_IN_HAND",
     "The side to move has no such man in hand; drop one that it holds"},
    {kOutsideDeploymentZone, "OUTSIDE_DEPLOYMENT_ZONE",
     "Men are dropped on the own first three ranks only"},
    {kChariotOffBackRank, "CHARIOT_OFF_BACK_RANK",
     "Chariots are dropped on the own first rank only"},
    {kSquareOccupied, "SQUARE_OCCUPIED",
     "A man is dropped on an empty square only"},
    {kMustDeploy, "MUST_DEPLOY",
     "While the side to move can drop a man from its hand, written K@e1, it "
     "must do so"},
    {kEmptySquare, "EMPTY_SQUARE", "No man stands on the square of origin"},
    {kNotYourMan, "NOT_YOUR_MAN",
     "The man on the square of origin belongs to the opponent"},
    {kOnlySoldiersPromote, "ONLY_SOLDIERS_PROMOTE",
     "Only a soldier can promote; leave the promotion suffix off"},
    {kGeneralStillAlive, "GENERAL_STILL_ALIVE",
     "A soldier promotes only when its side has no general", kInTheWay},
    {kNotOnPromotionSquare, "NOT_ON_PROMOTION_SQUARE",
     "A soldier promotes from the long diagonals in the enemy half, or as the "
     "last soldier of its side"},
    {kManCannotReach, "MAN_CANNOT_REACH",
     "The man does not move that way from its square; a drop is written K@e1"},
    {kPromotionCannotCapture, "PROMOTION_CANNOT_CAPTURE",
     "A promotion never captures; the new general needs an empty square"},
    {kOwnManOnTarget, "OWN_MAN_ON_TARGET",
     "An own man stands on the target square"},
    {kPromotionAttacksEnemy, "PROMOTION_ATTACKS_ENEMY",
     "The new general must attack no enemy man", kInTheWay},
    {kSoldierAdvanceBlocked, "SOLDIER_ADVANCE_BLOCKED",
     "A soldier steps straight forward onto an empty square only"},
    {kSoldierCaptureNeedsEnemy, "SOLDIER_CAPTURE_NEEDS_ENEMY",
     "A soldier goes diagonally forward only to capture an enemy man"},
    {kPathBlocked, "PATH_BLOCKED", "A man stands in the chariot's way",
     kInTheWay},
    {kDoesNotAnswerCheck, "DOES_NOT_ANSWER_CHECK",
     "The king is in check and would still be after the move", kInTheWay},
    {kLeavesKingInCheck, "LEAVES_KING_IN_CHECK",
     "The move would leave the own king in check", kInTheWay},
    {kPromotionDiscoversCheck, "PROMOTION_DISCOVERS_CHECK",
     "Under this rule set a promotion must not uncover a check by an own "
     "chariot",
     kInTheWay},
    {kMustNotStalemate, "MUST_NOT_STALEMATE",
     "Under this rule set a move must not stalemate the opponent"},
}};

constexpr bool InOrder() {
  for (std::size_t i = 0; i < kTexts.size(); ++i) {
    if (static_cast<std::size_t>(kTexts[i].reason) != i) return false;
  }
  return true;
}
static_assert(InOrder());

const ReasonText& TextOf(ViolationReason reason) {
  return kTexts[static_cast<std::size_t>(reason)];
}

}  // namespace

std::string_view ReasonName(ViolationReason reason) {
  return TextOf(reason).name;
}

std::string Describe(const Violation& violation) {
  const ReasonText& reason = TextOf(violation.reason);
  std::string text(reason.sentence);
  if (violation.squares == 0) return text + '.';
  text += " (";
  std::string_view separator = reason.squares;
  for (Bitboard left = violation.squares; left != 0;) {
    text += separator;
    text += Name(PopFirst(left));
    separator = ", ";
  }
  return text + ").";
}

}  // namespace sittuyin
