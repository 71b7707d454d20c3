// The end of the game and the draws that may be claimed, as far as one
// position tells. Repetition is the game's to judge.
#ifndef SITTUYIN_ENGINE_RULES_ENDING_H_
#define SITTUYIN_ENGINE_RULES_ENDING_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/rules/position.h"

namespace sittuyin {

// In the order in which they are judged.
enum class Termination : std::uint8_t {
  kNone,
  kCheckmate,
  kStalemate,
  kDeadPosition,
  kCountExhausted,
  kThreefoldRepetition,
  kHundredPlies,
};

enum class DrawClaim : std::uint8_t {
  kThreefoldRepetition,
  kHundredPlies,
  kOnlyPromotionsLeft,
};

inline constexpr int kClockLimitPlies = 100;
inline constexpr int kRepetitionLimit = 3;

// No sequence of moves can mate, by material alone, as far as the rule set
// asks. Never while a hand holds a man.
bool IsDeadPosition(const Position& position);

// How the game ends here. `repetitions` counts this position's occurrences,
// the present one included.
Termination JudgeEnding(const Position& position, int repetitions);

// The same for a position that is known to have a legal move.
Termination JudgeDraw(const Position& position, int repetitions);

// The draws the side to move may claim, in the order of the enum; empty when
// the game has ended.
std::vector<DrawClaim> ClaimsOf(const Position& position, int repetitions);

// The side that chases the bare king while a count runs; nothing otherwise.
std::optional<Color> CountingAttacker(const Position& position);

}  // namespace sittuyin

#endif  // SITTUYIN_ENGINE_RULES_ENDING_H_
