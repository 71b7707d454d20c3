// Sets of squares as 64-bit words, bit i standing for square i.
#ifndef SITTUYIN_ENGINE_BOARD_BITBOARD_H_
#define SITTUYIN_ENGINE_BOARD_BITBOARD_H_

#include <array>
#include <bit>
#include <cstdint>

#include "engine/board/types.h"

namespace sittuyin {

using Bitboard = std::uint64_t;

inline constexpr Bitboard kFileA = 0x0101010101010101;
inline constexpr Bitboard kFileH = kFileA << 7;
inline constexpr Bitboard kRank1 = 0xff;

constexpr Bitboard Bit(Square square) { return Bitboard{1} << Index(square); }
constexpr bool Contains(Bitboard set, Square square) {
  return (set >> Index(square)) & 1;
}
constexpr int Count(Bitboard set) { return std::popcount(set); }
constexpr bool MoreThanOne(Bitboard set) { return (set & (set - 1)) != 0; }
// Lowest square of `set`. Precondition: not empty.
constexpr Square First(Bitboard set) {
  return static_cast<Square>(std::countr_zero(set));
}
// Removes and returns the lowest square. Precondition: not empty.
constexpr Square PopFirst(Bitboard& set) {
  const Square square = First(set);
  set &= set - 1;
  return square;
}

constexpr Bitboard RankSet(int rank) { return kRank1 << (8 * rank); }
constexpr Bitboard FileSet(int file) { return kFileA << file; }

// Every square of `set` moved by one step; what leaves the board is dropped.
constexpr Bitboard North(Bitboard set) { return set << 8; }
constexpr Bitboard South(Bitboard set) { return set >> 8; }
constexpr Bitboard East(Bitboard set) { return (set & ~kFileH) << 1; }
constexpr Bitboard West(Bitboard set) { return (set & ~kFileA) >> 1; }

// One step ahead as `color` sees it.
constexpr Bitboard Forward(Color color, Bitboard set) {
  return color == Color::kRed ? North(set) : South(set);
}
// The four diagonal neighbours.
constexpr Bitboard Diagonals(Bitboard set) {
  const Bitboard sides = East(set) | West(set);
  return North(sides) | South(sides);
}

// The squares on which `color` deploys: its own first three ranks.
constexpr Bitboard DeploymentZone(Color color) {
  return color == Color::kRed ? Bitboard{0xffffff} : Bitboard{0xffffff} << 40;
}
// The rank on which `color` deploys its chariots.
constexpr Bitboard BackRank(Color color) {
  return color == Color::kRed ? RankSet(0) : RankSet(7);
}
// The squares of both long diagonals in the half of `color`'s enemy.
constexpr Bitboard PromotionSquares(Color color) {
  constexpr Bitboard kDiagonals = 0x8142241818244281;
  return color == Color::kRed ? kDiagonals & 0xffffffff00000000
                              : kDiagonals & 0x00000000ffffffff;
}

}  // namespace sittuyin

#endif  // SITTUYIN_ENGINE_BOARD_BITBOARD_H_
