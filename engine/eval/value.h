// The scale on which positions are compared.
#ifndef SITTUYIN_ENGINE_EVAL_VALUE_H_
#define SITTUYIN_ENGINE_EVAL_VALUE_H_

#include <array>

#include "engine/board/types.h"

namespace sittuyin {

// Hundredths of a soldier, from the side to move unless said otherwise. A mate
// is kMate less the plies that lead to it.
using Value = int;

inline constexpr int kMaxPly = 128;  // No line of search is longer.
inline constexpr Value kDrawValue = 0;
inline constexpr Value kMate = 30000;
inline constexpr Value kLeastMate = kMate - kMaxPly;
inline constexpr Value kInfinite = kMate + 1;
// Evaluations stay strictly within these bounds, clear of the mates.
inline constexpr Value kMaxEvaluation = 20000;

constexpr bool IsMate(Value value) {
  return value >= kLeastMate || value <= -kLeastMate;
}

// A value that fades from the middle game into the endgame.
struct Phased {
  int middle = 0;
  int end = 0;
  constexpr Phased& operator+=(Phased other) {
    middle += other.middle;
    end += other.end;
    return *this;
  }
  constexpr Phased& operator-=(Phased other) {
    middle -= other.middle;
    end -= other.end;
    return *this;
  }
  friend constexpr Phased operator*(Phased value, int factor) {
    return {value.middle * factor, value.end * factor};
  }
};

// What a man is worth, indexed by type; the king is beyond price.
inline constexpr std::array<Phased, kPieceTypeCount> kManValues = {{
    {0, 0},      // King.
    {180, 190},  // General.
    {560, 610},  // Chariot.
    {290, 300},  // Elephant.
    {330, 320},  // Horse.
    {90, 110},   // Soldier.
}};

// The one figure used where a phase makes no sense, as in exchanges.
constexpr Value ManValue(PieceType type) {
  return kManValues[Index(type)].middle;
}

}  // namespace sittuyin

#endif  // SITTUYIN_ENGINE_EVAL_VALUE_H_
