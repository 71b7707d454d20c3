// The five rule sets as one table of values. Everything in which sites differ
// stands here; the rest of the engine asks the table and never names a site.
#ifndef SITTUYIN_ENGINE_RULES_RULE_SET_H_
#define SITTUYIN_ENGINE_RULES_RULE_SET_H_

#include <array>
#include <cstdint>
#include <string_view>

namespace sittuyin {

enum class RuleSetId : std::uint8_t {
  kYouzai,
  kVchess,
  kChessplayx,
  kPychess,
  kTraditional,
};

enum class DeploymentOrder : std::uint8_t {
  kAlternate,  // Red and Black drop in turn, Red first.
  kRedFirst,   // A drop passes the turn only when it empties the hand.
};

// How a draw comes about under a rule set.
enum class DrawRule : std::uint8_t { kNone, kAutomatic, kOnClaim };

// Which positions end the game because no sequence of moves can mate.
enum class DeadPositions : std::uint8_t {
  kNone,
  kBareKings,  // K v K alone.
  kAll,        // Every material balance without a possible mate.
};

struct RuleSet {
  RuleSetId id;
  std::string_view name;  // As the service's enum writes it, without prefix.
  DeploymentOrder deployment;
  // May a promotion step uncover a check by an own chariot?
  bool promotion_may_discover_check;
  // Is a move illegal when it leaves the opponent stalemated?
  bool stalemating_is_illegal;
  DrawRule hundred_plies;
  DrawRule threefold_repetition;
  DeadPositions dead_positions;
  // The draw of king and one soldier when every legal move is a promotion.
  DrawRule only_promotions_left;
  // Does that draw stand while in check?
  bool only_promotions_left_in_check;
  // Do the counting rules run against a bare king?
  bool counting;
  // Does a soldier's step straight back write a promotion in place?
  bool step_back_promotes_in_place;
};

inline constexpr std::array<RuleSet, 5> kRuleSets = {{
    {.id = RuleSetId::kYouzai,
     .name = "YOUZAI",
     .deployment = DeploymentOrder::kAlternate,
     .promotion_may_discover_check = true,
     .stalemating_is_illegal = false,
     .hundred_plies = DrawRule::kAutomatic,
     .threefold_repetition = DrawRule::kAutomatic,
     .dead_positions = DeadPositions::kBareKings,
     .only_promotions_left = DrawRule::kNone,
     .only_promotions_left_in_check = false,
     .counting = false,
     .step_back_promotes_in_place = false},
    {.id = RuleSetId::kVchess,
     .name = "VCHESS",
     .deployment = DeploymentOrder::kRedFirst,
     .promotion_may_discover_check = false,
     .stalemating_is_illegal = false,
     .hundred_plies = DrawRule::kNone,
     .threefold_repetition = DrawRule::kOnClaim,
     .dead_positions = DeadPositions::kNone,
     .only_promotions_left = DrawRule::kNone,
     .only_promotions_left_in_check = false,
     .counting = false,
     .step_back_promotes_in_place = true},
    {.id = RuleSetId::kChessplayx,
     .name = "CHESSPLAYX",
     .deployment = DeploymentOrder::kAlternate,
     .promotion_may_discover_check = true,
     .stalemating_is_illegal = false,
     .hundred_plies = DrawRule::kOnClaim,
     .threefold_repetition = DrawRule::kOnClaim,
     .dead_positions = DeadPositions::kAll,
     .only_promotions_left = DrawRule::kOnClaim,
     .only_promotions_left_in_check = true,
     .counting = true,
     .step_back_promotes_in_place = false},
    {.id = RuleSetId::kPychess,
     .name = "PYCHESS",
     .deployment = DeploymentOrder::kAlternate,
     .promotion_may_discover_check = false,
     .stalemating_is_illegal = false,
     .hundred_plies = DrawRule::kOnClaim,
     .threefold_repetition = DrawRule::kOnClaim,
     .dead_positions = DeadPositions::kAll,
     .only_promotions_left = DrawRule::kOnClaim,
     .only_promotions_left_in_check = false,
     .counting = true,
     .step_back_promotes_in_place = false},
    {.id = RuleSetId::kTraditional,
     .name = "TRADITIONAL",
     .deployment = DeploymentOrder::kRedFirst,
     .promotion_may_discover_check = false,
     .stalemating_is_illegal = true,
     .hundred_plies = DrawRule::kOnClaim,
     .threefold_repetition = DrawRule::kOnClaim,
     .dead_positions = DeadPositions::kAll,
     .only_promotions_left = DrawRule::kOnClaim,
     .only_promotions_left_in_check = false,
     .counting = true,
     .step_back_promotes_in_place = false},
}};

// The laws of `id`. The reference is valid for the life of the process.
constexpr const RuleSet& Laws(RuleSetId id) {
  return kRuleSets[static_cast<std::size_t>(id)];
}

}  // namespace sittuyin

#endif  // SITTUYIN_ENGINE_RULES_RULE_SET_H_
