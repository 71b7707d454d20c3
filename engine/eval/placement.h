// What a square is worth to a man that stands on it.
#ifndef SITTUYIN_ENGINE_EVAL_PLACEMENT_H_
#define SITTUYIN_ENGINE_EVAL_PLACEMENT_H_

#include <array>
#include <cstdint>

#include "engine/board/types.h"
#include "engine/eval/value.h"

namespace sittuyin {

namespace placement_internal {

// As Red looks at the board: a8 first, h1 last.
using Table = std::array<std::int8_t, kSquareCount>;

inline constexpr Table kKingMiddle = {
    -60, -60, -60, -60, -60, -60, -60, -60,  //
    -60, -60, -60, -60, -60, -60, -60, -60,  //
    -55, -55, -60, -60, -60, -60, -55, -55,  //
    -45, -45, -50, -55, -55, -50, -45, -45,  //
    -30, -30, -35, -40, -40, -35, -30, -30,  //
    -10, -12, -16, -20, -16, -10, -4,  -4,   //
    4,   6,   2,   -4,  -2,  6,   12,  10,   //
    8,   12,  8,   2,   2,   10,  14,  10,   //
};
inline constexpr Table kKingEnd = {
    -24, -16, -12, -8, -8, -12, -16, -24,  //
    -14, -4,  2,   6,  6,  2,   -4,  -14,  //
    -8,  4,   12,  16, 16, 12,  4,   -8,   //
    -6,  6,   16,  22, 22, 16,  6,   -6,   //
    -6,  6,   16,  22, 22, 16,  6,   -6,   //
    -8,  4,   12,  16, 16, 12,  4,   -8,   //
    -14, -4,  2,   6,  6,  2,   -4,  -14,  //
    -24, -16, -12, -8, -8, -12, -16, -24,  //
};
inline constexpr Table kGeneral = {
    -14, -10, -8, -6, -6, -8, -10, -14,  //
    -8,  -2,  0,  4,  4,  0,  -2,  -8,   //
    -4,  2,   8,  12, 12, 8,  2,   -4,   //
    -2,  6,   12, 16, 16, 12, 6,   -2,   //
    -2,  6,   12, 16, 16, 12, 6,   -2,   //
    -2,  4,   10, 14, 14, 12, 6,   0,    //
    -6,  0,   6,  10, 10, 6,  2,   -4,   //
    -16, -12, -8, -6, -6, -8, -12, -16,  //
};
inline constexpr Table kChariot = {
    6,  6,  8,  10, 10, 8,  6,  6,   //
    10, 12, 14, 14, 14, 14, 12, 10,  //
    4,  6,  8,  8,  8,  8,  6,  4,   //
    0,  2,  4,  6,  6,  4,  2,  0,   //
    -4, 0,  2,  4,  4,  2,  0,  -4,  //
    -6, -2, 0,  2,  2,  0,  -2, -6,  //
    -6, -2, 0,  2,  2,  0,  -2, -6,  //
    -4, 0,  4,  8,  8,  5,  1,  -4,  //
};
inline constexpr Table kElephant = {
    -26, -20, -16, -14, -14, -16, -20, -26,  //
    -10, -4,  0,   2,   2,   0,   -4,  -10,  //
    -2,  6,   10,  14,  14,  10,  6,   -2,   //
    2,   10,  16,  20,  20,  16,  10,  2,    //
    2,   10,  14,  18,  18,  16,  10,  2,    //
    -4,  4,   8,   12,  16,  14,  8,   -2,   //
    -12, -4,  2,   4,   4,   2,   -4,  -12,  //
    -26, -20, -16, -14, -14, -16, -20, -26,  //
};
inline constexpr Table kHorse = {
    -50, -30, -20, -16, -16, -20, -30, -50,  //
    -22, -8,  2,   6,   6,   2,   -8,  -22,  //
    -10, 6,   16,  20,  20,  16,  6,   -10,  //
    -6,  8,   18,  24,  24,  18,  8,   -6,   //
    -8,  6,   14,  18,  20,  16,  6,   -8,   //
    -14, 0,   8,   12,  16,  14,  4,   -12,  //
    -22, -10, 0,   6,   6,   2,   -8,  -22,  //
    -44, -28, -20, -16, -16, -20, -28, -44,  //
};
inline constexpr Table kSoldier = {
    -40, -40, -40, -40, -40, -40, -40, -40,  //
    -24, 6,   -10, -14, -14, -10, 6,   -24,  //
    -6,  4,   14,  -6,  -6,  14,  4,   -6,   //
    -2,  4,   12,  20,  20,  12,  4,   -2,   //
    -4,  2,   8,   14,  14,  8,   2,   -4,   //
    -6,  -2,  2,   4,   4,   2,   -2,  -6,   //
    0,   0,   0,   0,   0,   0,   0,   0,    //
    0,   0,   0,   0,   0,   0,   0,   0,    //
};

inline constexpr std::array<const Table*, kPieceTypeCount> kMiddle = {
    &kKingMiddle, &kGeneral, &kChariot, &kElephant, &kHorse, &kSoldier};
inline constexpr std::array<const Table*, kPieceTypeCount> kEnd = {
    &kKingEnd, &kGeneral, &kChariot, &kElephant, &kHorse, &kSoldier};

}  // namespace placement_internal

// The worth of `square` to `man`. The sides see the board turned by half a
// turn, as their soldiers stand at the start.
constexpr Phased Placement(Man man, Square square) {
  const int i = Index(square) ^ (man.color == Color::kRed ? 56 : 7);
  return {(*placement_internal::kMiddle[Index(man.type)])[i],
          (*placement_internal::kEnd[Index(man.type)])[i]};
}

}  // namespace sittuyin

#endif  // SITTUYIN_ENGINE_EVAL_PLACEMENT_H_
