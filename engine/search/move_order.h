// Which moves to try first.
#ifndef SITTUYIN_ENGINE_SEARCH_MOVE_ORDER_H_
#define SITTUYIN_ENGINE_SEARCH_MOVE_ORDER_H_

#include <array>
#include <cstdint>

#include "engine/board/move.h"
#include "engine/rules/movegen.h"
#include "engine/rules/position.h"

namespace sittuyin {

// The type of the man that `move` sets on its target, before any promotion.
inline PieceType Mover(const Position& position, Move move) {
  return move.IsDrop() ? move.dropped() : position.TypeAt(move.from());
}

// Takes no man and makes no general.
inline bool IsQuiet(const Position& position, Move move) {
  return !move.IsPromotion() && !position.IsCapture(move);
}

// How often quiet moves have proved good, by side, man and target.
class History {
 public:
  static constexpr int kMost = 8192;

  int Of(Color color, PieceType type, Square to) const {
    return table_[Index(color)][Index(type)][Index(to)];
  }
  // Moves the figure towards kMost or -kMost by `bonus`, the less the nearer.
  void Update(Color color, PieceType type, Square to, int bonus);

 private:
  std::array<
      std::array<std::array<std::int16_t, kSquareCount>, kPieceTypeCount>, 2>
      table_{};
};

using Killers = std::array<Move, 2>;

// Hands out the moves of a list, the most promising first: the table's move,
// captures and promotions that do not lose, killers, quiet moves by history,
// losing captures.
class MoveOrder {
 public:
  MoveOrder(const Position& position, const MoveList& moves, Move from_table,
            const Killers& killers, const History& history);

  // The next move; no move when all have been handed out.
  Move Next();

 private:
  MoveList moves_;
  std::array<int, 256> scores_;
  std::size_t next_ = 0;
};

}  // namespace sittuyin

#endif  // SITTUYIN_ENGINE_SEARCH_MOVE_ORDER_H_
