// Where a man attacks. Pure functions; tables are built by the compiler.
#ifndef SITTUYIN_ENGINE_BOARD_ATTACKS_H_
#define SITTUYIN_ENGINE_BOARD_ATTACKS_H_

#include <array>
#include <cstdint>

#include "engine/board/bitboard.h"
#include "engine/board/types.h"

namespace sittuyin {

// Set-wise attacks: the union over every square of `set`.
constexpr Bitboard KingAttacks(Bitboard set) {
  const Bitboard row = set | East(set) | West(set);
  return (row | North(row) | South(row)) & ~set;
}
constexpr Bitboard GeneralAttacks(Bitboard set) { return Diagonals(set); }
constexpr Bitboard ElephantAttacks(Color color, Bitboard set) {
  return Diagonals(set) | Forward(color, set);
}
constexpr Bitboard HorseAttacks(Bitboard set) {
  const Bitboard one = East(set) | West(set);
  const Bitboard two = East(East(set)) | West(West(set));
  return North(North(one)) | South(South(one)) | North(two) | South(two);
}
constexpr Bitboard SoldierAttacks(Color color, Bitboard set) {
  return Forward(color, East(set) | West(set));
}

namespace attacks_internal {

using SquareTable = std::array<Bitboard, kSquareCount>;

constexpr SquareTable TableOf(Bitboard (*attacks)(Bitboard)) {
  SquareTable table{};
  for (int i = 0; i < kSquareCount; ++i) table[i] = attacks(Bitboard{1} << i);
  return table;
}
inline constexpr SquareTable kKing = TableOf(KingAttacks);
inline constexpr SquareTable kGeneral = TableOf(GeneralAttacks);
inline constexpr SquareTable kHorse = TableOf(HorseAttacks);
// By colour.
inline constexpr std::array<SquareTable, 2> kElephants = {
    TableOf([](Bitboard set) { return ElephantAttacks(Color::kRed, set); }),
    TableOf([](Bitboard set) { return ElephantAttacks(Color::kBlack, set); })};
inline constexpr std::array<SquareTable, 2> kSoldiers = {
    TableOf([](Bitboard set) { return SoldierAttacks(Color::kRed, set); }),
    TableOf([](Bitboard set) { return SoldierAttacks(Color::kBlack, set); })};

// For a file 0-7 and the six inner squares of its rank as occupied, the
// squares a chariot reaches along the rank.
constexpr std::array<std::array<std::uint8_t, 64>, 8> MakeRankTable() {
  std::array<std::array<std::uint8_t, 64>, 8> table{};
  for (int file = 0; file < 8; ++file) {
    for (int inner = 0; inner < 64; ++inner) {
      const int occupied = inner << 1;
      std::uint8_t reached = 0;
      for (int f = file + 1; f < 8; ++f) {
        reached |= static_cast<std::uint8_t>(1 << f);
        if (occupied >> f & 1) break;
      }
      for (int f = file - 1; f >= 0; --f) {
        reached |= static_cast<std::uint8_t>(1 << f);
        if (occupied >> f & 1) break;
      }
      table[file][inner] = reached;
    }
  }
  return table;
}
inline constexpr auto kRank = MakeRankTable();

constexpr std::array<SquareTable, kSquareCount> MakeBetween() {
  std::array<SquareTable, kSquareCount> table{};
  for (int a = 0; a < kSquareCount; ++a) {
    for (int b = 0; b < kSquareCount; ++b) {
      int step = 0;
      if (a / 8 == b / 8) step = 1;
      if (a % 8 == b % 8) step = 8;
      if (step == 0 || a == b) continue;
      for (int s = (a < b ? a : b) + step; s < (a < b ? b : a); s += step) {
        table[a][b] |= Bitboard{1} << s;
      }
    }
  }
  return table;
}
inline constexpr auto kBetween = MakeBetween();

}  // namespace attacks_internal

constexpr Bitboard KingAttacks(Square square) {
  return attacks_internal::kKing[Index(square)];
}
constexpr Bitboard GeneralAttacks(Square square) {
  return attacks_internal::kGeneral[Index(square)];
}
constexpr Bitboard ElephantAttacks(Color color, Square square) {
  return attacks_internal::kElephants[Index(color)][Index(square)];
}
constexpr Bitboard HorseAttacks(Square square) {
  return attacks_internal::kHorse[Index(square)];
}
constexpr Bitboard SoldierAttacks(Color color, Square square) {
  return attacks_internal::kSoldiers[Index(color)][Index(square)];
}

// The squares a chariot on `square` reaches, up to and including the first
// occupied one in each direction. `square` itself need not be occupied.
constexpr Bitboard ChariotAttacks(Square square, Bitboard occupied) {
  const int shift = Index(square) & 56;
  const Bitboard along_rank =
      static_cast<Bitboard>(attacks_internal::kRank[FileOf(
          square)][(occupied >> (shift + 1)) & 63])
      << shift;
  // Subtracting twice the slider from the blockers of its file flips every
  // bit up to the first blocker; the mirrored board gives the other direction.
  const Bitboard file = FileSet(FileOf(square));
  const Bitboard blockers = occupied & file;
  const Bitboard up = blockers - 2 * Bit(square);
  const Bitboard down = __builtin_bswap64(__builtin_bswap64(blockers) -
                                          2 * __builtin_bswap64(Bit(square)));
  return along_rank | ((up ^ down) & file);
}

// The squares strictly between two squares of one rank or file; empty for
// neighbours and for squares not in line.
constexpr Bitboard Between(Square a, Square b) {
  return attacks_internal::kBetween[Index(a)][Index(b)];
}

// Where `man` on `square` attacks with the given occupation.
constexpr Bitboard Attacks(Man man, Square square, Bitboard occupied) {
  switch (man.type) {
    case PieceType::kKing:
      return KingAttacks(square);
    case PieceType::kGeneral:
      return GeneralAttacks(square);
    case PieceType::kChariot:
      return ChariotAttacks(square, occupied);
    case PieceType::kElephant:
      return ElephantAttacks(man.color, square);
    case PieceType::kHorse:
      return HorseAttacks(square);
    case PieceType::kSoldier:
      return SoldierAttacks(man.color, square);
  }
  return 0;
}

}  // namespace sittuyin

#endif  // SITTUYIN_ENGINE_BOARD_ATTACKS_H_
