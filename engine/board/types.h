// The vocabulary of the board: colours, men, squares.
#ifndef SITTUYIN_ENGINE_BOARD_TYPES_H_
#define SITTUYIN_ENGINE_BOARD_TYPES_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sittuyin {

// Red moves first and is written in upper case; its ranks are the board's.
enum class Color : std::uint8_t { kRed, kBlack };

inline constexpr std::array kColors = {Color::kRed, Color::kBlack};

constexpr Color Opponent(Color color) {
  return color == Color::kRed ? Color::kBlack : Color::kRed;
}
constexpr int Index(Color color) { return static_cast<int>(color); }

// In the order in which a hand is written: K F R S N, then the soldier, which
// is never in hand.
enum class PieceType : std::uint8_t {
  kKing,
  kGeneral,
  kChariot,
  kElephant,
  kHorse,
  kSoldier,
};

inline constexpr int kPieceTypeCount = 6;
inline constexpr std::array kPieceTypes = {
    PieceType::kKing,     PieceType::kGeneral, PieceType::kChariot,
    PieceType::kElephant, PieceType::kHorse,   PieceType::kSoldier};
// The men a side deploys: all but the soldiers.
inline constexpr std::array kDeployedTypes = {
    PieceType::kKing, PieceType::kGeneral, PieceType::kChariot,
    PieceType::kElephant, PieceType::kHorse};

constexpr int Index(PieceType type) { return static_cast<int>(type); }

// How many men of a type a side may own, board and hand together.
constexpr int FullComplement(PieceType type) {
  constexpr std::array<int, kPieceTypeCount> kCounts = {1, 1, 2, 2, 2, 8};
  return kCounts[Index(type)];
}

// A man: a piece type with its owner.
struct Man {
  Color color;
  PieceType type;
  friend constexpr bool operator==(const Man&, const Man&) = default;
};

// Canonical letter of a type, upper case: one of K F R S N P.
constexpr char Letter(PieceType type) { return "KFRSNP"[Index(type)]; }

// Canonical letter of a man: upper case for Red, lower case for Black.
constexpr char Letter(Man man) {
  const char upper = Letter(man.type);
  return man.color == Color::kRed ? upper
                                  : static_cast<char>(upper - 'A' + 'a');
}

// Type named by `letter` in either case; Q, G, M also name the general and
// B, E the elephant, as other sites write them. Nothing for other characters.
constexpr std::optional<PieceType> TypeFromLetter(char letter) {
  switch (letter | 0x20) {
    case 'k':
      return PieceType::kKing;
    case 'f':
    case 'q':
    case 'g':
    case 'm':
      return PieceType::kGeneral;
    case 'r':
      return PieceType::kChariot;
    case 's':
    case 'b':
    case 'e':
      return PieceType::kElephant;
    case 'n':
      return PieceType::kHorse;
    case 'p':
      return PieceType::kSoldier;
    default:
      return std::nullopt;
  }
}

// A square, a1 = 0, b1 = 1, ... h8 = 63.
enum class Square : std::uint8_t {};

inline constexpr int kSquareCount = 64;

constexpr int Index(Square square) { return static_cast<int>(square); }
// Precondition: 0 <= file, rank <= 7, counted from a and from 1.
constexpr Square MakeSquare(int file, int rank) {
  return static_cast<Square>(rank * 8 + file);
}
constexpr int FileOf(Square square) { return Index(square) & 7; }
constexpr int RankOf(Square square) { return Index(square) >> 3; }

// Name of the square, `a1` to `h8`.
inline std::string Name(Square square) {
  return {static_cast<char>('a' + FileOf(square)),
          static_cast<char>('1' + RankOf(square))};
}
// Square of that name (lower case); nothing for any other text.
constexpr std::optional<Square> SquareFromName(std::string_view name) {
  if (name.size() != 2) return std::nullopt;
  const int file = name[0] - 'a';
  const int rank = name[1] - '1';
  if (((file | rank) & ~7) != 0) return std::nullopt;
  return MakeSquare(file, rank);
}

}  // namespace sittuyin

#endif  // SITTUYIN_ENGINE_BOARD_TYPES_H_
