#include "engine/rules/movegen.h"

#include <algorithm>

#include "engine/board/attacks.h"

namespace sittuyin {
namespace {

// A sink takes sets of moves that share an origin (or, for soldiers, a
// direction) and lists, counts or searches them. Done() ends generation early.

struct ListSink {
  static constexpr bool Done() { return false; }
  void Drops(PieceType type, Bitboard targets) {
    while (targets != 0) list.Add(Move::Drop(type, PopFirst(targets)));
  }
  void Steps(Square from, Bitboard targets) {
    while (targets != 0) list.Add(Move::Step(from, PopFirst(targets)));
  }
  void Promotions(Square from, Bitboard targets) {
    while (targets != 0) list.Add(Move::Promotion(from, PopFirst(targets)));
  }
  // Every target is reached from the square `offset` below it.
  void SoldierSteps(int offset, Bitboard targets) {
    while (targets != 0) {
      const Square to = PopFirst(targets);
      list.Add(Move::Step(static_cast<Square>(Index(to) - offset), to));
    }
  }
  MoveList list;
};

// Lists what lands in `wanted`, and promotions; no drops.
struct CaptureSink : ListSink {
  explicit CaptureSink(Bitboard wanted_squares) : wanted(wanted_squares) {}
  void Drops(PieceType, Bitboard) {}
  void Steps(Square from, Bitboard targets) {
    ListSink::Steps(from, targets & wanted);
  }
  void SoldierSteps(int offset, Bitboard targets) {
    ListSink::SoldierSteps(offset, targets & wanted);
  }
  Bitboard wanted;
};

struct CountSink {
  static constexpr bool Done() { return false; }
  void Drops(PieceType, Bitboard targets) { count += Count(targets); }
  void Steps(Square, Bitboard targets) { count += Count(targets); }
  void Promotions(Square, Bitboard targets) { count += Count(targets); }
  void SoldierSteps(int, Bitboard targets) { count += Count(targets); }
  int count = 0;
};

struct AnySink {
  bool Done() const { return any != 0; }
  void Drops(PieceType, Bitboard targets) { any |= targets; }
  void Steps(Square, Bitboard targets) { any |= targets; }
  void Promotions(Square, Bitboard targets) { any |= targets; }
  void SoldierSteps(int, Bitboard targets) { any |= targets; }
  Bitboard any = 0;
};

// Generates the moves of the side to move, `us`, that the law of moves, drops
// and promotions allows. Pins and checkers are computed once; no move is made
// to be tested.
template <Color us, class Sink>
class Generator {
 public:
  Generator(const Position& position, Sink& sink)
      : position_(position),
        sink_(sink),
        ours_(position.Men(us)),
        theirs_(position.Men(them)),
        occupied_(ours_ | theirs_) {
    FindCheckersAndPins();
  }

  void Run() {
    // Law: while a side has men in hand its only moves are drops; a side with
    // no legal drop moves on the board.
    if (!position_.HandEmpty(us) && Drops()) return;
    // Law: no move ever captures a king.
    targets_ = ~ours_ & ~position_.Men(PieceType::kKing);
    if (checkers_ != 0) {
      targets_ &= MoreThanOne(checkers_) ? 0 : checkers_ | blocks_;
    }
    if (targets_ != 0) {
      Soldiers();
      if (sink_.Done()) return;
      Men();
      if (sink_.Done()) return;
      Promotions();
      if (sink_.Done()) return;
    }
    King();
  }

 private:
  static constexpr Color them = Opponent(us);

  void FindCheckersAndPins() {
    const Bitboard king = position_.Men(us, PieceType::kKing);
    if (king == 0) return;
    const Square square = First(king);
    const auto enemy = [this](PieceType type) {
      return theirs_ & position_.Men(type);
    };
    checkers_ = (GeneralAttacks(square) & enemy(PieceType::kGeneral)) |
                (ElephantAttacks(us, square) & enemy(PieceType::kElephant)) |
                (HorseAttacks(square) & enemy(PieceType::kHorse)) |
                (SoldierAttacks(us, square) & enemy(PieceType::kSoldier));
    file_ = FileSet(FileOf(square));
    rank_ = RankSet(RankOf(square));
    Bitboard chariots = enemy(PieceType::kChariot) & (file_ | rank_);
    while (chariots != 0) {
      const Square chariot = PopFirst(chariots);
      const Bitboard between = Between(square, chariot);
      const Bitboard shield = between & occupied_;
      if (shield == 0) {
        checkers_ |= Bit(chariot);
        blocks_ = between;
      } else if (!MoreThanOne(shield)) {
        pinned_ |= shield & ours_;
      }
    }
  }

  // Where a pinned man may go: along the line that pins it. The only squares
  // it reaches there lie between its king and the chariot, or are its own.
  Bitboard PinLine(Bitboard man) const {
    if ((man & pinned_) == 0) return ~Bitboard{0};
    return (man & file_) != 0 ? file_ : rank_;
  }

  // The squares the enemy attacks, seen through our king.
  Bitboard Danger() const {
    const Bitboard king = position_.Men(us, PieceType::kKing);
    const auto enemy = [this](PieceType type) {
      return theirs_ & position_.Men(type);
    };
    Bitboard danger = KingAttacks(enemy(PieceType::kKing)) |
                      GeneralAttacks(enemy(PieceType::kGeneral)) |
                      ElephantAttacks(them, enemy(PieceType::kElephant)) |
                      HorseAttacks(enemy(PieceType::kHorse)) |
                      SoldierAttacks(them, enemy(PieceType::kSoldier));
    Bitboard chariots = enemy(PieceType::kChariot);
    while (chariots != 0) {
      danger |= ChariotAttacks(PopFirst(chariots), occupied_ ^ king);
    }
    return danger;
  }

  // Law: one man of the hand on an empty square of the own first three ranks,
  // chariots on the first alone; the own king, if it stands, not in check
  // afterwards. Returns whether any drop is legal.
  bool Drops() {
    Bitboard zone = DeploymentZone(us) & ~occupied_;
    if (checkers_ != 0) zone &= MoreThanOne(checkers_) ? 0 : blocks_;
    Bitboard any = 0;
    for (PieceType type : kDeployedTypes) {
      if (position_.InHand(us, type) == 0) continue;
      Bitboard targets = zone;
      if (type == PieceType::kChariot) targets &= BackRank(us);
      if (type == PieceType::kKing) targets &= ~Danger();
      any |= targets;
      sink_.Drops(type, targets);
    }
    return any != 0;
  }

  void Soldiers() {
    constexpr int kAhead = us == Color::kRed ? 8 : -8;
    const Bitboard soldiers = position_.Men(us, PieceType::kSoldier);
    const Bitboard free = soldiers & ~pinned_;
    // Of the pinned ones only those on the king's file have a move, ahead.
    const Bitboard may_advance = free | (soldiers & pinned_ & file_);
    const Bitboard captures = theirs_ & targets_;
    sink_.SoldierSteps(kAhead,
                       Forward(us, may_advance) & ~occupied_ & targets_);
    sink_.SoldierSteps(kAhead + 1, Forward(us, East(free)) & captures);
    sink_.SoldierSteps(kAhead - 1, Forward(us, West(free)) & captures);
  }

  void Men() {
    Each(PieceType::kHorse, [](Square s) { return HorseAttacks(s); });
    Each(PieceType::kElephant, [](Square s) { return ElephantAttacks(us, s); });
    Each(PieceType::kChariot,
         [this](Square s) { return ChariotAttacks(s, occupied_); });
    Each(PieceType::kGeneral, [](Square s) { return GeneralAttacks(s); });
  }

  template <class AttacksOf>
  void Each(PieceType type, AttacksOf attacks_of) {
    Bitboard men = position_.Men(us, type);
    while (men != 0) {
      const Square from = PopFirst(men);
      sink_.Steps(from, attacks_of(from) & targets_ & PinLine(Bit(from)));
    }
  }

  // Own soldiers that alone shield the enemy king from an own chariot.
  Bitboard Discoverers() const {
    const Bitboard king = position_.Men(them, PieceType::kKing);
    if (king == 0) return 0;
    Bitboard discoverers = 0;
    Bitboard chariots = position_.Men(us, PieceType::kChariot);
    while (chariots != 0) {
      const Bitboard shield =
          Between(First(king), PopFirst(chariots)) & occupied_;
      if (!MoreThanOne(shield)) discoverers |= shield;
    }
    return discoverers;
  }

  // Law: a soldier becomes a general when its side has none, from the long
  // diagonals in the enemy half or as its side's last soldier; on its square
  // or an empty diagonal neighbour; the new general attacks no enemy man; the
  // own king is not in check afterwards; where forbidden, the step uncovers
  // no check by an own chariot.
  void Promotions() {
    if (position_.Men(us, PieceType::kGeneral) != 0 ||
        position_.InHand(us, PieceType::kGeneral) != 0) {
      return;
    }
    const Bitboard soldiers = position_.Men(us, PieceType::kSoldier);
    Bitboard candidates =
        MoreThanOne(soldiers) ? soldiers & PromotionSquares(us) : soldiers;
    if (candidates == 0) return;
    const Bitboard quiet = ~Diagonals(theirs_);
    // A step is diagonal, so it leaves every line a soldier can shield.
    const Bitboard stay_only =
        pinned_ |
        (position_.laws().promotion_may_discover_check ? 0 : Discoverers());
    do {
      const Square from = PopFirst(candidates);
      // Staying answers no check.
      Bitboard targets = checkers_ == 0 ? Bit(from) : 0;
      if (!Contains(stay_only, from)) {
        targets |= GeneralAttacks(from) & ~occupied_ & targets_;
      }
      sink_.Promotions(from, targets & quiet);
    } while (candidates != 0);
  }

  void King() {
    const Bitboard king = position_.Men(us, PieceType::kKing);
    if (king == 0) return;
    const Bitboard targets = KingAttacks(First(king)) & ~ours_;
    if (targets != 0) sink_.Steps(First(king), targets & ~Danger());
  }

  const Position& position_;
  Sink& sink_;
  const Bitboard ours_;
  const Bitboard theirs_;
  const Bitboard occupied_;
  Bitboard checkers_ = 0;
  Bitboard blocks_ = 0;   // Squares between our king and a checking chariot.
  Bitboard pinned_ = 0;   // Our men that alone shield our king.
  Bitboard file_ = 0;     // Of our king.
  Bitboard rank_ = 0;     // Of our king.
  Bitboard targets_ = 0;  // Where men other than the king may go.
};

template <class Sink>
void Generate(const Position& position, Sink& sink) {
  if (position.side_to_move() == Color::kRed) {
    Generator<Color::kRed, Sink>(position, sink).Run();
  } else {
    Generator<Color::kBlack, Sink>(position, sink).Run();
  }
}

// Whether some move may leave the opponent stalemated; false is certain.
// Each opposing man off its king's lines, which no chariot can pin, that has a
// move now is a witness against stalemate. One move takes or blocks one
// witness at most, so two of them settle it.
bool MayStalemate(const Position& position) {
  if (!position.laws().stalemating_is_illegal) return false;
  const Color them = Opponent(position.side_to_move());
  const Bitboard king = position.Men(them, PieceType::kKing);
  Bitboard off_lines = position.Men(them) & ~king;
  if (king != 0) {
    off_lines &= ~(FileSet(FileOf(First(king))) | RankSet(RankOf(First(king))));
  }
  const Bitboard soldiers = off_lines & position.Men(PieceType::kSoldier);
  int witnesses = Count(Forward(them, soldiers) & ~position.Occupied());
  const Bitboard closed = position.Men(them) | position.Men(PieceType::kKing);
  off_lines ^= soldiers;
  while (off_lines != 0 && witnesses < 2) {
    const Square square = PopFirst(off_lines);
    const Man man{them, position.TypeAt(square)};
    witnesses += (Attacks(man, square, position.Occupied()) & ~closed) != 0;
  }
  return witnesses < 2;
}

// After the move, is the opponent to move, not in check and without a move?
bool Stalemates(Position& position, Move move) {
  const Color us = position.side_to_move();
  const Undo undo = position.Make(move);
  const bool stalemate = position.side_to_move() != us && !position.InCheck() &&
                         !HasLegalMove(position);
  position.Unmake(move, undo);
  return stalemate;
}

// Law, where the rule set has it: a move that stalemates the opponent is
// illegal, unless the mover would have no other.
void DropStalemates(const Position& position, MoveList& moves) {
  if (!MayStalemate(position)) return;
  Position copy = position;
  Move* const end = std::stable_partition(
      moves.begin(), moves.end(),
      [&copy](Move move) { return !Stalemates(copy, move); });
  if (end != moves.begin()) {
    moves.Truncate(static_cast<std::size_t>(end - moves.begin()));
  }
}

}  // namespace

bool MoveList::Contains(Move move) const {
  return std::find(begin(), end(), move) != end();
}

MoveList LegalMoves(const Position& position) {
  ListSink sink;
  Generate(position, sink);
  DropStalemates(position, sink.list);
  return sink.list;
}

int CountLegalMoves(const Position& position) {
  if (MayStalemate(position)) {
    return static_cast<int>(LegalMoves(position).size());
  }
  CountSink sink;
  Generate(position, sink);
  return sink.count;
}

bool HasLegalMove(const Position& position) {
  // The ban on stalemating never takes the last move.
  AnySink sink;
  Generate(position, sink);
  return sink.any != 0;
}

bool IsBannedStalemate(const Position& position, Move move) {
  return MayStalemate(position) && !LegalMoves(position).Contains(move);
}

MoveList LegalCapturesAndPromotions(const Position& position) {
  if (MayStalemate(position)) {
    MoveList moves = LegalMoves(position);
    Move* const end = std::stable_partition(
        moves.begin(), moves.end(), [&position](Move move) {
          return move.IsPromotion() || position.IsCapture(move);
        });
    moves.Truncate(static_cast<std::size_t>(end - moves.begin()));
    return moves;
  }
  CaptureSink sink(position.Men(Opponent(position.side_to_move())));
  Generate(position, sink);
  return sink.list;
}

}  // namespace sittuyin
