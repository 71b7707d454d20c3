#include "engine/search/move_order.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "engine/eval/placement.h"
#include "engine/eval/value.h"
#include "engine/search/exchange.h"

namespace sittuyin {
namespace {

constexpr int kFromTable = 1 << 30;
constexpr int kGoodCapture = 1 << 24;
constexpr int kKiller = 1 << 20;
constexpr int kBadCapture = -(1 << 24);

// Dearest victim first, then the cheapest attacker.
int CaptureScore(const Position& position, Move move) {
  const bool good = ExchangeValue(position, move) >= 0;
  const int victim =
      position.IsCapture(move) ? ManValue(position.TypeAt(move.to())) : 0;
  return (good ? kGoodCapture : kBadCapture) + 16 * victim -
         ManValue(Mover(position, move)) / 16;
}

// The better squares first, as long as history knows nothing.
int QuietScore(const Position& position, Move move, const History& history) {
  const Color us = position.side_to_move();
  const PieceType type = Mover(position, move);
  int score = 4 * history.Of(us, type, move.to()) +
              Placement({us, type}, move.to()).middle;
  if (!move.IsDrop()) score -= Placement({us, type}, move.from()).middle;
  return score;
}

}  // namespace

void History::Update(Color color, PieceType type, Square to, int bonus) {
  std::int16_t& figure = table_[Index(color)][Index(type)][Index(to)];
  figure = static_cast<std::int16_t>(figure + bonus -
                                     figure * std::abs(bonus) / kMost);
}

MoveOrder::MoveOrder(const Position& position, const MoveList& moves,
                     Move from_table, const Killers& killers,
                     const History& history)
    : moves_(moves) {
  for (std::size_t i = 0; i < moves_.size(); ++i) {
    const Move move = moves_[i];
    if (move == from_table) {
      scores_[i] = kFromTable;
    } else if (!IsQuiet(position, move)) {
      scores_[i] = CaptureScore(position, move);
    } else if (move == killers[0] || move == killers[1]) {
      scores_[i] = kKiller + (move == killers[0] ? 1 : 0);
    } else {
      scores_[i] = QuietScore(position, move, history);
    }
  }
}

Move MoveOrder::Next() {
  if (next_ == moves_.size()) return {};
  std::size_t best = next_;
  for (std::size_t i = next_ + 1; i < moves_.size(); ++i) {
    if (scores_[i] > scores_[best]) best = i;
  }
  // Rotating instead of swapping would keep equals in the list's order; a swap
  // is as repeatable and cheaper.
  std::swap(scores_[next_], scores_[best]);
  std::swap(moves_.begin()[next_], moves_.begin()[best]);
  return moves_[next_++];
}

}  // namespace sittuyin
