#include "engine/eval/bare_king.h"

#include <algorithm>
#include <cstdlib>

namespace sittuyin {
namespace {

int Distance(Square a, Square b) {
  return std::max(std::abs(FileOf(a) - FileOf(b)),
                  std::abs(RankOf(a) - RankOf(b)));
}

// Steps to the nearer of a rank's or file's two ends, 0 to 3.
int EndDistance(int coordinate) { return std::min(coordinate, 7 - coordinate); }

// How far the bare king is driven. Elephants mate on the rank towards which
// they walk, and sooner the nearer the king is to it; other men at any edge,
// soonest in a corner. (Found by solving elephant with general, horse or
// elephant.)
Value Driven(const Position& position, Color attacker, Square king) {
  const int file = EndDistance(FileOf(king));
  if (position.Men(attacker, PieceType::kChariot) == 0 &&
      position.Men(attacker, PieceType::kElephant) != 0) {
    const int ahead = attacker == Color::kRed ? RankOf(king) : 7 - RankOf(king);
    return 12 * ahead + 8 * (3 - file);
  }
  const int rank = EndDistance(RankOf(king));
  return 14 * (3 - std::min(file, rank)) + 10 * (3 - std::max(file, rank));
}

// The squares from which a soldier may still come to promote.
Bitboard BeforePromotion(Color color) {
  Bitboard set = PromotionSquares(color);
  for (int i = 0; i < 7; ++i) set |= Forward(Opponent(color), set);
  return set;
}

// Can the men force a mate at all? A chariot; or two men with an elephant
// among them; or three. A general still to be made is as good as one made.
// (Horse with general wins one position in 25, two horses none.)
bool CanForceMate(const Position& position, Color attacker) {
  const auto men = [&](PieceType type) {
    return Count(position.Men(attacker, type));
  };
  if (men(PieceType::kChariot) > 0) return true;
  const bool general = men(PieceType::kGeneral) > 0 ||
                       (position.Men(attacker, PieceType::kSoldier) &
                        BeforePromotion(attacker)) != 0;
  const int officers = men(PieceType::kElephant) + men(PieceType::kHorse) +
                       static_cast<int>(general);
  return officers > 2 || (officers == 2 && men(PieceType::kElephant) > 0);
}

Value Material(const Position& position, Color color) {
  Value sum = 0;
  for (const PieceType type : kPieceTypes) {
    sum += Count(position.Men(color, type)) * kManValues[Index(type)].end;
  }
  return sum;
}

}  // namespace

bool IsBare(const Position& position, Color color) {
  const Color other = Opponent(color);
  return position.HandEmpty(color) && position.HandEmpty(other) &&
         position.Men(color) == position.Men(color, PieceType::kKing) &&
         position.Men(other, PieceType::kKing) != 0;
}

Value EvaluateChase(const Position& position, Color attacker) {
  const Square own = First(position.Men(attacker, PieceType::kKing));
  const Square king = First(position.Men(Opponent(attacker), PieceType::kKing));
  Value value = Material(position, attacker);
  if (!CanForceMate(position, attacker)) return value / 16;

  constexpr Value kWinning = 400;
  value += kWinning + Driven(position, attacker, king) +
           8 * (7 - Distance(own, king));
  Bitboard others = position.Men(attacker) &
                    ~position.Men(attacker, PieceType::kKing) &
                    ~position.Men(attacker, PieceType::kChariot);
  while (others != 0) value += 2 * (7 - Distance(PopFirst(others), king));

  const BareKingCount& count = position.count();
  if (count.limit_plies == 0) return value;
  const int left = std::max(0, count.limit_plies - count.plies);
  return value / 4 + value * 3 / 4 * left / count.limit_plies;
}

}  // namespace sittuyin
