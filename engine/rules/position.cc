#include "engine/rules/position.h"

#include "engine/rules/zobrist.h"

namespace sittuyin {
namespace {

using zobrist::kKeys;

// The attacker's limit by its best man, in plies: a chariot 16 moves, else an
// elephant 44, else a horse 64, else no count.
struct CountLimit {
  PieceType best;
  int plies;
};
constexpr std::array<CountLimit, 3> kCountLimits = {{
    {PieceType::kChariot, 32},
    {PieceType::kElephant, 88},
    {PieceType::kHorse, 128},
}};

}  // namespace

void Position::Put(Color color, PieceType type, Square square) {
  by_color_[Index(color)] |= Bit(square);
  by_type_[Index(type)] |= Bit(square);
  board_[Index(square)] = static_cast<std::uint8_t>(type);
  hash_ ^= kKeys.man[Index(color)][Index(type)][Index(square)];
}

void Position::Remove(Color color, PieceType type, Square square) {
  by_color_[Index(color)] ^= Bit(square);
  by_type_[Index(type)] ^= Bit(square);
  board_[Index(square)] = kEmpty;
  hash_ ^= kKeys.man[Index(color)][Index(type)][Index(square)];
}

void Position::Shift(Color color, PieceType type, Square from, Square to) {
  const Bitboard both = Bit(from) | Bit(to);
  by_color_[Index(color)] ^= both;
  by_type_[Index(type)] ^= both;
  board_[Index(from)] = kEmpty;
  board_[Index(to)] = static_cast<std::uint8_t>(type);
  const auto& keys = kKeys.man[Index(color)][Index(type)];
  hash_ ^= keys[Index(from)] ^ keys[Index(to)];
}

void Position::AddToHand(Color color, PieceType type, int by) {
  const auto& keys = kKeys.hand[Index(color)][Index(type)];
  const int held = InHand(color, type);
  hash_ ^= keys[held] ^ keys[held + by];
  hands_[Index(color)] += static_cast<std::uint32_t>(by) << (4 * Index(type));
}

void Position::PassTurn() {
  side_to_move_ = Opponent(side_to_move_);
  hash_ ^= kKeys.black_to_move;
}

Position Position::FromSetup(const Setup& setup, const RuleSet& laws) {
  Position position(laws);
  for (int i = 0; i < kSquareCount; ++i) {
    if (const auto& man = setup.board[i]) {
      position.Put(man->color, man->type, static_cast<Square>(i));
    }
  }
  for (Color color : kColors) {
    for (PieceType type : kDeployedTypes) {
      position.AddToHand(color, type, setup.hands[Index(color)][Index(type)]);
    }
  }
  if (setup.side_to_move == Color::kBlack) position.PassTurn();
  if (setup.count_limit_plies == 0) {
    position.halfmove_clock_ = static_cast<std::uint32_t>(setup.clock_plies);
  } else if (laws.counting) {
    position.count_ = {.limit_plies = setup.count_limit_plies,
                       .plies = setup.clock_plies};
  }
  position.fullmove_number_ = static_cast<std::uint32_t>(setup.fullmove_number);
  return position;
}

Setup Position::ToSetup() const {
  Setup setup;
  for (int i = 0; i < kSquareCount; ++i) {
    setup.board[i] = ManAt(static_cast<Square>(i));
  }
  for (Color color : kColors) {
    for (PieceType type : kPieceTypes) {
      setup.hands[Index(color)][Index(type)] =
          static_cast<std::uint8_t>(InHand(color, type));
    }
  }
  setup.side_to_move = side_to_move_;
  setup.count_limit_plies = count_.limit_plies;
  setup.clock_plies = count_.limit_plies != 0 ? count_.plies : halfmove_clock();
  setup.fullmove_number = fullmove_number();
  return setup;
}

std::uint64_t Position::RecomputeHash() const {
  std::uint64_t hash = side_to_move_ == Color::kBlack ? kKeys.black_to_move : 0;
  for (Color color : kColors) {
    for (PieceType type : kPieceTypes) {
      Bitboard men = Men(color, type);
      while (men != 0) {
        hash ^= kKeys.man[Index(color)][Index(type)][Index(PopFirst(men))];
      }
      hash ^= kKeys.hand[Index(color)][Index(type)][InHand(color, type)];
    }
  }
  return hash;
}

Bitboard Position::Attackers(Color by, Square square, Bitboard occupied) const {
  // A man attacks the square if a man of its type, moving the other way,
  // would attack it from there.
  const Color other = Opponent(by);
  Bitboard attackers =
      (KingAttacks(square) & Men(PieceType::kKing)) |
      (GeneralAttacks(square) & Men(PieceType::kGeneral)) |
      (ElephantAttacks(other, square) & Men(PieceType::kElephant)) |
      (HorseAttacks(square) & Men(PieceType::kHorse)) |
      (SoldierAttacks(other, square) & Men(PieceType::kSoldier));
  const Bitboard in_line = FileSet(FileOf(square)) | RankSet(RankOf(square));
  if ((in_line & Men(by, PieceType::kChariot)) != 0) {
    attackers |= ChariotAttacks(square, occupied) & Men(PieceType::kChariot);
  }
  return attackers & Men(by);
}

Bitboard Position::CheckersOf(Color color) const {
  const Bitboard king = Men(color, PieceType::kKing);
  return king == 0 ? 0 : Attackers(Opponent(color), First(king), Occupied());
}

void Position::UpdateCount(Color mover) {
  if (count_.limit_plies != 0) {
    ++count_.plies;
    return;
  }
  // The count starts after the move that leaves a bare king to move, when no
  // soldier is left and nothing is in hand.
  if (Men(PieceType::kSoldier) != 0 || !laws_->counting ||
      MoreThanOne(Men(Opponent(mover))) || side_to_move_ == mover ||
      (hands_[0] | hands_[1]) != 0) {
    return;
  }
  for (const CountLimit& limit : kCountLimits) {
    if (Men(mover, limit.best) != 0) {
      count_ = {.limit_plies = limit.plies, .plies = 0};
      return;
    }
  }
}

Undo Position::Make(Move move) {
  Undo undo{.hash = hash_,
            .count = count_,
            .halfmove_clock = halfmove_clock_,
            .captured = std::nullopt,
            .turn_passed = true};
  const Color us = side_to_move_;
  const Square to = move.to();
  bool resets_clock = true;
  if (move.IsDrop()) {
    AddToHand(us, move.dropped(), -1);
    Put(us, move.dropped(), to);
    // Law: in Red-first order a drop passes the turn only when it empties the
    // dropper's hand.
    undo.turn_passed =
        laws_->deployment == DeploymentOrder::kAlternate || HandEmpty(us);
  } else if (move.IsPromotion()) {
    Remove(us, PieceType::kSoldier, move.from());
    Put(us, PieceType::kGeneral, to);
  } else {
    const PieceType type = TypeAt(move.from());
    if (Contains(Men(Opponent(us)), to)) {
      undo.captured = TypeAt(to);
      Remove(Opponent(us), *undo.captured, to);
    } else {
      resets_clock = type == PieceType::kSoldier;
    }
    Shift(us, type, move.from(), to);
  }
  halfmove_clock_ = resets_clock ? 0 : halfmove_clock_ + 1;
  // Law: the move number rises after each move or drop of Black.
  fullmove_number_ += static_cast<std::uint32_t>(us == Color::kBlack);
  if (undo.turn_passed) PassTurn();
  UpdateCount(us);
  return undo;
}

void Position::Unmake(Move move, const Undo& undo) {
  if (undo.turn_passed) side_to_move_ = Opponent(side_to_move_);
  const Color us = side_to_move_;
  const Square to = move.to();
  fullmove_number_ -= static_cast<std::uint32_t>(us == Color::kBlack);
  if (move.IsDrop()) {
    Remove(us, move.dropped(), to);
    AddToHand(us, move.dropped(), 1);
  } else if (move.IsPromotion()) {
    Remove(us, PieceType::kGeneral, to);
    Put(us, PieceType::kSoldier, move.from());
  } else {
    const PieceType type = TypeAt(to);
    Shift(us, type, to, move.from());
    if (undo.captured) Put(Opponent(us), *undo.captured, to);
  }
  halfmove_clock_ = undo.halfmove_clock;
  count_ = undo.count;
  hash_ = undo.hash;
}

Undo Position::MakeNull() {
  const Undo undo{.hash = hash_,
                  .count = count_,
                  .halfmove_clock = halfmove_clock_,
                  .captured = std::nullopt,
                  .turn_passed = true};
  ++halfmove_clock_;
  PassTurn();
  return undo;
}

void Position::UnmakeNull(const Undo& undo) {
  side_to_move_ = Opponent(side_to_move_);
  halfmove_clock_ = undo.halfmove_clock;
  hash_ = undo.hash;
}

}  // namespace sittuyin
