#include "engine/search/exchange.h"

#include <algorithm>
#include <array>
#include <optional>

namespace sittuyin {
namespace {

// Cheapest first; the king last, since it may not be taken back.
constexpr std::array kByValue = {PieceType::kSoldier,  PieceType::kGeneral,
                                 PieceType::kElephant, PieceType::kHorse,
                                 PieceType::kChariot,  PieceType::kKing};

// The cheapest of `attackers` as a set of one.
struct Attacker {
  PieceType type;
  Bitboard set;
};
std::optional<Attacker> Cheapest(const Position& position, Bitboard attackers) {
  for (const PieceType type : kByValue) {
    if (const Bitboard men = attackers & position.Men(type); men != 0) {
      return Attacker{type, Bit(First(men))};
    }
  }
  return std::nullopt;
}

}  // namespace

Value ExchangeValue(const Position& position, Move move) {
  const Square to = move.to();
  Bitboard men = position.Occupied() & ~Bit(to);  // Still able to join in.
  PieceType standing;
  Value first = 0;
  if (move.IsDrop()) {
    standing = move.dropped();
  } else if (move.IsPromotion()) {
    standing = PieceType::kGeneral;
    first = ManValue(standing) - ManValue(PieceType::kSoldier);
    men &= ~Bit(move.from());
  } else {
    standing = position.TypeAt(move.from());
    if (position.IsCapture(move)) first = ManValue(position.TypeAt(to));
    men &= ~Bit(move.from());
  }

  // gains[n] is what the n-th capture leaves its side with if it is the last.
  std::array<Value, 2 * 16 + 1> gains;
  std::size_t n = 0;
  gains[0] = first;
  Color side = Opponent(position.side_to_move());
  const auto attackers = [&](Color color) {
    return position.Attackers(color, to, men | Bit(to)) & men;
  };
  while (const auto attacker = Cheapest(position, attackers(side))) {
    const bool guarded = attackers(Opponent(side)) != 0;
    if (attacker->type == PieceType::kKing && guarded) break;
    ++n;
    gains[n] = ManValue(standing) - gains[n - 1];
    standing = attacker->type;
    men ^= attacker->set;
    side = Opponent(side);
  }
  // Each side may stop before its capture.
  for (; n > 0; --n) gains[n - 1] = std::min(gains[n - 1], -gains[n]);
  return gains[0];
}

}  // namespace sittuyin
