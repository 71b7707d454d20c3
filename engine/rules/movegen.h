// The legal moves of a position.
#ifndef SITTUYIN_ENGINE_RULES_MOVEGEN_H_
#define SITTUYIN_ENGINE_RULES_MOVEGEN_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/board/move.h"
#include "engine/rules/position.h"

namespace sittuyin {

// A list of moves with its storage inside. No position has more legal moves
// than it holds: 88 drops, or at most 16 men of at most 14 moves each.
class MoveList {
 public:
  void Add(Move move) { moves_[size_++] = move; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Move operator[](std::size_t i) const { return moves_[i]; }
  const Move* begin() const { return moves_.data(); }
  const Move* end() const { return moves_.data() + size_; }
  Move* begin() { return moves_.data(); }
  Move* end() { return moves_.data() + size_; }
  bool Contains(Move move) const;
  // Drops the moves from index `size` on. Precondition: size <= size().
  void Truncate(std::size_t size) { size_ = size; }

 private:
  std::array<Move, 256> moves_;
  std::size_t size_ = 0;
};

// All legal moves in a fixed order that depends on the position alone. Whether
// the game has ended by a draw is not asked here.
MoveList LegalMoves(const Position& position);

// The number of legal moves, without listing them.
int CountLegalMoves(const Position& position);

// Whether any legal move exists: cheaper than counting.
bool HasLegalMove(const Position& position);

// Whether the ban on stalemating, where the rule set has it, takes this move,
// which otherwise is legal.
bool IsBannedStalemate(const Position& position, Move move);

// The legal captures and the promotions, for quiescence search.
MoveList LegalCapturesAndPromotions(const Position& position);

}  // namespace sittuyin

#endif  // SITTUYIN_ENGINE_RULES_MOVEGEN_H_
