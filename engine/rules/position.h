// A position under a rule set: the state a move changes.
#ifndef SITTUYIN_ENGINE_RULES_POSITION_H_
#define SITTUYIN_ENGINE_RULES_POSITION_H_

#include <array>
#include <cstdint>
#include <optional>

#include "engine/board/attacks.h"
#include "engine/board/bitboard.h"
#include "engine/board/move.h"
#include "engine/board/setup.h"
#include "engine/board/types.h"
#include "engine/rules/rule_set.h"

namespace sittuyin {

// The count against a bare king. It runs while limit_plies is not zero.
struct BareKingCount {
  int limit_plies = 0;  // Twice the attacker's moves: 32, 88, 128.
  int plies = 0;        // Plies counted so far.
  bool Exhausted() const { return limit_plies != 0 && plies > limit_plies; }
  friend bool operator==(const BareKingCount&, const BareKingCount&) = default;
};

// What Make needs to be taken back; opaque to callers.
struct Undo {
  std::uint64_t hash;
  BareKingCount count;
  std::uint32_t halfmove_clock;
  std::optional<PieceType> captured;
  bool turn_passed;
};

// Board, hands, side to move, clocks and count, with an incremental hash.
// Regular value type of about 200 bytes; thread-compatible.
class Position {
 public:
  // Precondition: ValidateSetup(setup) finds no fault. A rule set without
  // counting ignores the setup's count and starts its clock at 0 then.
  static Position FromSetup(const Setup& setup, const RuleSet& laws);
  Setup ToSetup() const;

  const RuleSet& laws() const { return *laws_; }
  Color side_to_move() const { return side_to_move_; }

  Bitboard Occupied() const { return by_color_[0] | by_color_[1]; }
  Bitboard Men(Color color) const { return by_color_[Index(color)]; }
  Bitboard Men(PieceType type) const { return by_type_[Index(type)]; }
  Bitboard Men(Color color, PieceType type) const {
    return Men(color) & Men(type);
  }
  std::optional<Man> ManAt(Square square) const {
    if (board_[Index(square)] == kEmpty) return std::nullopt;
    return Man{Contains(Men(Color::kRed), square) ? Color::kRed : Color::kBlack,
               TypeAt(square)};
  }
  // Where nobody stands, a value that is no enumerator.
  PieceType TypeAt(Square square) const {
    return static_cast<PieceType>(board_[Index(square)]);
  }

  int InHand(Color color, PieceType type) const {
    return hands_[Index(color)] >> (4 * Index(type)) & 15;
  }
  bool HandEmpty(Color color) const { return hands_[Index(color)] == 0; }

  // Plies without capture, soldier move, promotion or drop.
  int halfmove_clock() const { return static_cast<int>(halfmove_clock_); }
  int fullmove_number() const { return static_cast<int>(fullmove_number_); }
  const BareKingCount& count() const { return count_; }

  // Equal for equal men, hands and side to move; clocks do not enter.
  std::uint64_t hash() const { return hash_; }
  // The hash computed anew, for checks of the incremental one.
  std::uint64_t RecomputeHash() const;

  // Men of `by` that attack `square` with the given occupation.
  Bitboard Attackers(Color by, Square square, Bitboard occupied) const;
  // Men that give check to the king of `color`; empty when it is in hand.
  Bitboard CheckersOf(Color color) const;
  Bitboard Checkers() const { return CheckersOf(side_to_move_); }
  bool InCheck() const { return Checkers() != 0; }

  // Does the move take a man? Precondition: legal here.
  bool IsCapture(Move move) const {
    return !move.IsDrop() && move.from() != move.to() &&
           Contains(Occupied(), move.to());
  }

  // Plays `move` and returns what Unmake needs. Precondition: legal here.
  Undo Make(Move move);
  // Takes back the last move made. Precondition: `undo` came from that Make.
  void Unmake(Move move, const Undo& undo);

  // Passes the turn without a move, for search only. The clock runs on, the
  // count does not.
  Undo MakeNull();
  void UnmakeNull(const Undo& undo);

  friend bool operator==(const Position&, const Position&) = default;

 private:
  explicit Position(const RuleSet& laws) : laws_(&laws) { board_.fill(kEmpty); }

  static constexpr std::uint8_t kEmpty = 255;

  void Put(Color color, PieceType type, Square square);
  void Remove(Color color, PieceType type, Square square);
  // Moves a man between two squares, the second one empty.
  void Shift(Color color, PieceType type, Square from, Square to);
  void AddToHand(Color color, PieceType type, int by);
  void PassTurn();
  void UpdateCount(Color mover);

  const RuleSet* laws_;
  std::array<Bitboard, 2> by_color_{};
  std::array<Bitboard, kPieceTypeCount> by_type_{};
  std::array<std::uint8_t, kSquareCount> board_;
  // Four bits a type, the king's lowest.
  std::array<std::uint32_t, 2> hands_{};
  Color side_to_move_ = Color::kRed;
  BareKingCount count_;
  std::uint32_t halfmove_clock_ = 0;
  std::uint32_t fullmove_number_ = 1;
  std::uint64_t hash_ = 0;
};

}  // namespace sittuyin

#endif  // SITTUYIN_ENGINE_RULES_POSITION_H_
