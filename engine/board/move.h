// A move as the engine passes it around: sixteen bits.
#ifndef SITTUYIN_ENGINE_BOARD_MOVE_H_
#define SITTUYIN_ENGINE_BOARD_MOVE_H_

#include <cstdint>

#include "engine/board/types.h"

namespace sittuyin {

// A drop, a board move (step or capture) or a promotion (in place when from
// equals to). Regular value type; the default value is no move. A Move is
// meaningful only together with the position it was made for.
class Move {
 public:
  constexpr Move() = default;

  static constexpr Move Drop(PieceType type, Square to) {
    return Move(kDrop, Index(type), to);
  }
  static constexpr Move Step(Square from, Square to) {
    return Move(kStep, Index(from), to);
  }
  static constexpr Move Promotion(Square from, Square to) {
    return Move(kPromotion, Index(from), to);
  }
  // The inverse of `bits`, for tables that store moves.
  static constexpr Move FromBits(std::uint16_t bits) {
    Move move;
    move.bits_ = bits;
    return move;
  }

  // Are these the bits of some drop, board move or promotion?
  constexpr bool IsWellFormed() const {
    const std::uint16_t kind = bits_ & ~kSquaresMask;
    return kind == kStep || kind == kPromotion ||
           (kind == kDrop && ((bits_ >> 6) & 63) < kPieceTypeCount);
  }

  constexpr bool IsDrop() const { return (bits_ & kKindMask) == kDrop; }
  constexpr bool IsPromotion() const {
    return (bits_ & kKindMask) == kPromotion;
  }
  // Precondition of `from`: not a drop; of `dropped`: a drop.
  constexpr Square from() const {
    return static_cast<Square>((bits_ >> 6) & 63);
  }
  constexpr PieceType dropped() const {
    return static_cast<PieceType>((bits_ >> 6) & 63);
  }
  constexpr Square to() const { return static_cast<Square>(bits_ & 63); }
  constexpr std::uint16_t bits() const { return bits_; }

  // False for the default value only.
  constexpr explicit operator bool() const { return bits_ != 0; }
  friend constexpr bool operator==(Move, Move) = default;

 private:
  static constexpr std::uint16_t kStep = 1 << 12;
  static constexpr std::uint16_t kDrop = 2 << 12;
  static constexpr std::uint16_t kPromotion = 3 << 12;
  static constexpr std::uint16_t kKindMask = 3 << 12;
  static constexpr std::uint16_t kSquaresMask = (1 << 12) - 1;

  constexpr Move(std::uint16_t kind, int origin, Square to)
      : bits_(static_cast<std::uint16_t>(kind | origin << 6 | Index(to))) {}

  std::uint16_t bits_ = 0;
};

}  // namespace sittuyin

#endif  // SITTUYIN_ENGINE_BOARD_MOVE_H_
