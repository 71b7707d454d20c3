#include "engine/rules/ending.h"

#include <algorithm>

#include "engine/rules/movegen.h"

namespace sittuyin {
namespace {

// Squares of even file + rank; a general never leaves its parity.
constexpr Bitboard kEvenSquares = 0xaa55aa55aa55aa55;

bool HandsEmpty(const Position& position) {
  return position.HandEmpty(Color::kRed) && position.HandEmpty(Color::kBlack);
}

// Law: K v K, K+F v K, K+N v K, K+P v K, and K+F v K+F with both generals on
// squares of one parity.
bool NobodyCanMate(const Position& position) {
  const Bitboard generals = position.Men(PieceType::kGeneral);
  switch (Count(position.Occupied())) {
    case 2:
      return true;
    case 3:
      return (generals | position.Men(PieceType::kHorse) |
              position.Men(PieceType::kSoldier)) != 0;
    case 4:
      return Count(generals & position.Men(Color::kRed)) == 1 &&
             Count(generals & position.Men(Color::kBlack)) == 1 &&
             Count(generals & kEvenSquares) != 1;
    default:
      return false;
  }
}

// Law: king and one soldier, and every legal move a promotion.
bool OnlyPromotionsLeft(const Position& position) {
  const Color us = position.side_to_move();
  const RuleSet& laws = position.laws();
  if (Count(position.Men(us)) != 2 || !position.HandEmpty(us) ||
      position.Men(us, PieceType::kKing) == 0 ||
      position.Men(us, PieceType::kSoldier) == 0 ||
      (position.InCheck() && !laws.only_promotions_left_in_check)) {
    return false;
  }
  const MoveList moves = LegalMoves(position);
  return !moves.empty() && std::ranges::all_of(moves, [](Move move) {
    return move.IsPromotion();
  });
}

bool Repeated(int repetitions) { return repetitions >= kRepetitionLimit; }

bool ClockRunOut(const Position& position) {
  return position.halfmove_clock() >= kClockLimitPlies;
}

}  // namespace

bool IsDeadPosition(const Position& position) {
  switch (position.laws().dead_positions) {
    case DeadPositions::kNone:
      return false;
    case DeadPositions::kBareKings:
      return Count(position.Occupied()) == 2 && HandsEmpty(position);
    case DeadPositions::kAll:
      break;
  }
  return NobodyCanMate(position) && HandsEmpty(position);
}

Termination JudgeEnding(const Position& position, int repetitions) {
  if (!HasLegalMove(position)) {
    return position.InCheck() ? Termination::kCheckmate
                              : Termination::kStalemate;
  }
  return JudgeDraw(position, repetitions);
}

Termination JudgeDraw(const Position& position, int repetitions) {
  const RuleSet& laws = position.laws();
  if (IsDeadPosition(position)) return Termination::kDeadPosition;
  if (position.count().Exhausted()) return Termination::kCountExhausted;
  if (laws.threefold_repetition == DrawRule::kAutomatic &&
      Repeated(repetitions)) {
    return Termination::kThreefoldRepetition;
  }
  if (laws.hundred_plies == DrawRule::kAutomatic && ClockRunOut(position)) {
    return Termination::kHundredPlies;
  }
  return Termination::kNone;
}

std::vector<DrawClaim> ClaimsOf(const Position& position, int repetitions) {
  const RuleSet& laws = position.laws();
  std::vector<DrawClaim> claims;
  if (JudgeEnding(position, repetitions) != Termination::kNone) return claims;
  if (laws.threefold_repetition == DrawRule::kOnClaim &&
      Repeated(repetitions)) {
    claims.push_back(DrawClaim::kThreefoldRepetition);
  }
  if (laws.hundred_plies == DrawRule::kOnClaim && ClockRunOut(position)) {
    claims.push_back(DrawClaim::kHundredPlies);
  }
  if (laws.only_promotions_left == DrawRule::kOnClaim &&
      OnlyPromotionsLeft(position)) {
    claims.push_back(DrawClaim::kOnlyPromotionsLeft);
  }
  return claims;
}

std::optional<Color> CountingAttacker(const Position& position) {
  if (position.count().limit_plies == 0) return std::nullopt;
  for (Color color : kColors) {
    if (MoreThanOne(position.Men(color))) return color;
  }
  return std::nullopt;  // The bare king has taken the last man.
}

}  // namespace sittuyin
