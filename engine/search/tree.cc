#include "engine/search/tree.h"

#include <algorithm>
#include <cmath>

#include "engine/eval/evaluate.h"
#include "engine/rules/ending.h"
#include "engine/rules/legality.h"
#include "engine/rules/movegen.h"
#include "engine/search/exchange.h"

namespace sittuyin {
namespace {

constexpr int kFutilityDepth = 6;
constexpr int kNullMoveDepth = 3;
constexpr int kReductionDepth = 3;
constexpr int kLosingCaptureDepth = 3;
constexpr Value kMarginPerPly = 85;
constexpr Value kQuiescenceMargin = 140;
constexpr int kPromotionsInQuiescence = 2;  // Plies of it that try them.

// By how many plies a late quiet move is searched less deep.
int Reduction(int depth, int index) {
  static const auto kTable = [] {
    std::array<std::array<std::int8_t, 64>, 64> table{};
    for (int d = 1; d < 64; ++d) {
      for (int i = 1; i < 64; ++i) {
        table[d][i] =
            static_cast<std::int8_t>(0.6 + std::log(d) * std::log(i) / 2.1);
      }
    }
    return table;
  }();
  return kTable[std::min(depth, 63)][std::min(index, 63)];
}

// A table's mates count from its node, a search's from the root.
std::int16_t ToTable(Value value, int ply) {
  if (value >= kLeastMate) value += ply;
  if (value <= -kLeastMate) value -= ply;
  return static_cast<std::int16_t>(value);
}
Value FromTable(Value value, int ply) {
  if (value >= kLeastMate) return value - ply;
  if (value <= -kLeastMate) return value + ply;
  return value;
}

std::uint64_t Mix(std::uint64_t x) {
  x = (x + 0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9;
  return (x ^ x >> 31) * 0x94d049bb133111eb;
}

}  // namespace

Tree::Tree(const Game& game, TranspositionTable& table, Budget& budget)
    : position_(game.position()),
      table_(table),
      budget_(budget),
      hashes_(game.hashes()),
      root_(hashes_.size() - 1),
      clock_counts_(game.laws().hundred_plies != DrawRule::kNone &&
                    position_.halfmove_clock() < kClockLimitPlies) {
  hashes_.reserve(hashes_.size() + kMaxPly + 1);
}

Undo Tree::Make(Move move) {
  const Undo undo = position_.Make(move);
  hashes_.push_back(position_.hash());
  return undo;
}

void Tree::Unmake(Move move, const Undo& undo) {
  hashes_.pop_back();
  position_.Unmake(move, undo);
}

std::uint64_t Tree::Key() const {
  constexpr int kClockBears = kClockLimitPlies - 40;
  std::uint64_t key = position_.hash();
  const BareKingCount& count = position_.count();
  if (count.limit_plies != 0) {
    key ^= Mix(static_cast<std::uint64_t>(count.limit_plies) << 32 |
               static_cast<std::uint64_t>(count.plies));
  }
  const int clock = position_.halfmove_clock();
  if (clock_counts_ && clock > kClockBears) {
    key ^= Mix(~static_cast<std::uint64_t>(clock));
  }
  return key;
}

// Once in the tree is as good as three times: who repeats once can again.
DrawRule Tree::DrawByRepetition() const {
  const std::size_t here = hashes_.size() - 1;
  const std::size_t since =
      std::min(static_cast<std::size_t>(position_.halfmove_clock()),
               here - repeatable_from_);
  int before_root = 0;
  for (std::size_t back = 4; back <= since; back += 2) {
    if (hashes_[here - back] != hashes_[here]) continue;
    if (here - back > root_) return DrawRule::kAutomatic;
    if (++before_root == kRepetitionLimit - 1) {
      return position_.laws().threefold_repetition;
    }
  }
  return DrawRule::kNone;
}

DrawRule Tree::DrawHere() const {
  DrawRule draw = DrawRule::kNone;
  if (position_.count().Exhausted() || IsDeadPosition(position_)) {
    draw = DrawRule::kAutomatic;
  } else if (clock_counts_ && position_.halfmove_clock() >= kClockLimitPlies) {
    draw = position_.laws().hundred_plies;
  } else {
    draw = DrawByRepetition();
  }
  if (draw == DrawRule::kNone && MayClaimOnlyPromotions()) {
    draw = DrawRule::kOnClaim;
  }
  // Checkmate beats any draw of the same ply.
  const bool may_be_mate = draw != DrawRule::kNone && position_.InCheck();
  return may_be_mate && !HasLegalMove(position_) ? DrawRule::kNone : draw;
}

Value Tree::Estimate() const {
  const Value value = Evaluate(position_);
  // A quiet move lets the other side have the draw.
  const bool last =
      clock_counts_ && position_.halfmove_clock() >= kClockLimitPlies - 1;
  return last ? std::min(value, kDrawValue) : value;
}

bool Tree::MayClaimOnlyPromotions() const {
  const Bitboard men = position_.Men(position_.side_to_move());
  if (Count(men) != 2 || (men & position_.Men(PieceType::kSoldier)) == 0) {
    return false;
  }
  const auto claims = ClaimsOf(position_, 1);
  return std::find(claims.begin(), claims.end(),
                   DrawClaim::kOnlyPromotionsLeft) != claims.end();
}

void Tree::KeepLine(int ply, Move move) {
  Frame& frame = frames_[ply];
  const Frame& next = frames_[ply + 1];
  frame.line[0] = move;
  std::copy_n(next.line.begin(), next.line_length, frame.line.begin() + 1);
  frame.line_length = next.line_length + 1;
}

void Tree::Remember(Value value, Bound bound, Move move, int depth, int ply) {
  table_.Store(
      Key(), {.move = move,
              .value = ToTable(value, ply),
              .evaluation = static_cast<std::int16_t>(frames_[ply].evaluation),
              .depth = static_cast<std::uint8_t>(std::clamp(depth, 0, 255)),
              .bound = bound});
}

void Tree::RewardQuiet(Move best, const MoveList& tried, int depth, int ply) {
  Killers& killers = frames_[ply].killers;
  if (killers[0] != best) killers = {best, killers[0]};
  const Color us = position_.side_to_move();
  const int bonus = std::min(20 * depth * depth + 40 * depth, 1600);
  for (const Move move : tried) {
    history_.Update(us, Mover(position_, move), move.to(),
                    move == best ? bonus : -bonus);
  }
}

Value Tree::Descend(Color us, Window window, int depth, int ply,
                    bool null_allowed) {
  if (position_.side_to_move() == us) {
    return Search(window, depth, ply + 1, null_allowed);
  }
  return -Search({-window.beta, -window.alpha}, depth, ply + 1, null_allowed);
}

Value Tree::DescendQuietly(Color us, Window window, int depth, int ply) {
  if (position_.side_to_move() == us) return Quiesce(window, depth, ply + 1);
  return -Quiesce({-window.beta, -window.alpha}, depth, ply + 1);
}

Value Tree::DescendLate(Color us, Window window, int depth, int reduction,
                        int ply) {
  const Window narrow{window.alpha, window.alpha + 1};
  Value value = Descend(us, narrow, depth - reduction, ply);
  if (value > window.alpha && reduction > 0) {
    value = Descend(us, narrow, depth, ply);
  }
  if (value > window.alpha && value < window.beta) {
    value = Descend(us, window, depth, ply);
  }
  return value;
}

// Passing tells nothing where a move may be a burden: with few men, while a
// bare king is chased, while men are dropped.
bool Tree::MayPass() const {
  if (!position_.HandEmpty(Color::kRed) ||
      !position_.HandEmpty(Color::kBlack) ||
      position_.count().limit_plies != 0) {
    return false;
  }
  const Bitboard own = position_.Men(position_.side_to_move());
  const Bitboard officers = own & ~position_.Men(PieceType::kKing) &
                            ~position_.Men(PieceType::kSoldier) &
                            ~position_.Men(PieceType::kGeneral);
  return MoreThanOne(officers) ||
         (officers & position_.Men(PieceType::kChariot)) != 0;
}

std::optional<Value> Tree::TryNullMove(Value beta, int depth, int ply) {
  const Frame& frame = frames_[ply];
  if (depth < kNullMoveDepth || frame.evaluation < beta || IsMate(beta) ||
      !MayPass()) {
    return std::nullopt;
  }
  const int reduction =
      3 + depth / 4 + std::min((frame.evaluation - beta) / 180, 2);
  const std::size_t repeatable_from = repeatable_from_;
  const Color us = position_.side_to_move();
  const Undo undo = position_.MakeNull();
  hashes_.push_back(position_.hash());
  repeatable_from_ = hashes_.size() - 1;
  const Value value =
      Descend(us, {beta - 1, beta}, depth - reduction, ply, false);
  repeatable_from_ = repeatable_from;
  hashes_.pop_back();
  position_.UnmakeNull(undo);
  if (value < beta) return std::nullopt;
  return IsMate(value) ? beta : value;
}

std::optional<Value> Tree::Recall(const std::optional<TableEntry>& known,
                                  Window window, int depth, int ply) const {
  if (!known || window.IsPv() || known->depth < depth) return std::nullopt;
  const Value value = FromTable(known->value, ply);
  const bool settles = known->bound == Bound::kExact ||
                       (known->bound == Bound::kLower ? value >= window.beta
                                                      : value <= window.alpha);
  return settles ? std::optional(value) : std::nullopt;
}

template <typename Go>
Value Tree::Visit(Window window, int ply, Go go) {
  frames_[ply].line_length = 0;
  if (budget_.Spent(nodes_)) return kDrawValue;
  ++nodes_;
  const DrawRule draw = DrawHere();
  if (draw == DrawRule::kAutomatic) return kDrawValue;
  if (ply >= kMaxPly - 1) return Estimate();
  if (draw == DrawRule::kNone) return go(window);
  // Who may claim has no less. What the table keeps is the value without the
  // claim, for that may be the game's, not the position's.
  if (kDrawValue >= window.beta) return kDrawValue;
  window.alpha = std::max(window.alpha, kDrawValue);
  return std::max(kDrawValue, go(window));
}

Value Tree::Search(Window window, int depth, int ply, bool null_allowed) {
  if (depth <= 0) return Quiesce(window, 0, ply);
  return Visit(window, ply, [=, this](Window above) {
    return Explore(above, depth, ply, null_allowed);
  });
}

Value Tree::Quiesce(Window window, int depth, int ply) {
  return Visit(window, ply, [=, this](Window above) {
    return ExploreQuietly(above, depth, ply);
  });
}

Value Tree::Explore(Window window, int depth, int ply, bool null_allowed) {
  Frame& frame = frames_[ply];
  // No line from here can be worse than mate now or better than mate next.
  window.alpha = std::max(window.alpha, -kMate + ply);
  window.beta = std::min(window.beta, kMate - ply - 1);
  if (window.alpha >= window.beta) return window.alpha;

  const auto known = table_.Find(Key());
  if (const auto value = Recall(known, window, depth, ply)) return *value;
  const Move from_table = known ? known->move : Move();

  const Node node{.us = position_.side_to_move(),
                  // Without a first move to trust, a shallower look finds one.
                  .depth = depth - (!from_table && depth >= 5 ? 1 : 0),
                  .ply = ply,
                  .pv = window.IsPv(),
                  .in_check = position_.InCheck()};
  frame.evaluation = node.in_check ? 0 : known ? known->evaluation : Estimate();
  frames_[ply + 1].killers = {};
  if (MayShorten(node)) {
    if (node.depth <= kFutilityDepth && !IsMate(window.beta) &&
        frame.evaluation - kMarginPerPly * node.depth >= window.beta) {
      return frame.evaluation;
    }
    if (null_allowed) {
      if (const auto value = TryNullMove(window.beta, node.depth, ply)) {
        return *value;
      }
      if (budget_.reason()) return kDrawValue;
    }
  }
  return SearchMoves(node, window, from_table);
}

// Where the static evaluation may stand for a search: off the main line, out
// of check, and not while the men that it judges are still in hand.
bool Tree::MayShorten(const Node& node) const {
  return !node.pv && !node.in_check && position_.HandEmpty(node.us);
}

Value Tree::SearchMoves(const Node& node, Window window, Move from_table) {
  const MoveList moves = LegalMoves(position_);
  if (moves.empty()) return node.in_check ? -kMate + node.ply : kDrawValue;
  const Value old_alpha = window.alpha;
  Value best = -kInfinite;

  MoveOrder order(position_, moves, from_table, frames_[node.ply].killers,
                  history_);
  MoveList quiets;
  Move best_move;
  int index = 0;
  for (Move move = order.Next(); move; move = order.Next(), ++index) {
    const bool quiet = IsQuiet(position_, move);
    const auto value =
        TryMove(node, window, move, quiet, best > -kLeastMate ? index : 0);
    if (budget_.reason()) return kDrawValue;
    if (!value) continue;
    if (quiet) quiets.Add(move);
    if (*value <= best) continue;
    best = *value;
    if (best <= window.alpha) continue;
    window.alpha = best;
    best_move = move;
    if (node.pv) KeepLine(node.ply, move);
    if (best >= window.beta) {
      if (quiet) RewardQuiet(move, quiets, node.depth, node.ply);
      break;
    }
  }
  const Bound bound = best >= window.beta             ? Bound::kLower
                      : best > old_alpha && best_move ? Bound::kExact
                                                      : Bound::kUpper;
  Remember(best, bound, best_move, node.depth, node.ply);
  return best;
}

std::optional<Value> Tree::TryMove(const Node& node, Window window, Move move,
                                   bool quiet, int index) {
  const bool late =
      index > 0 && node.depth <= kFutilityDepth && MayShorten(node);
  if (late && !quiet && node.depth <= kLosingCaptureDepth &&
      ExchangeValue(position_, move) < -kMarginPerPly * node.depth) {
    return std::nullopt;
  }
  const bool hopeless =
      late && quiet &&
      (index > 5 + node.depth * node.depth ||
       frames_[node.ply].evaluation + kMarginPerPly * (node.depth + 1) <=
           window.alpha);
  const int history = history_.Of(node.us, Mover(position_, move), move.to());
  const Undo undo = Make(move);
  const bool checks = position_.InCheck();
  std::optional<Value> value;
  if (!hopeless || checks) {
    const bool extends = checks && node.ply < 2 * root_depth_;
    const int next_depth = node.depth - (extends ? 0 : 1);
    if (index == 0) {
      value = Descend(node.us, window, next_depth, node.ply);
    } else {
      int reduction = 0;
      if (quiet && !checks && !node.in_check && node.depth >= kReductionDepth) {
        reduction = std::clamp(
            Reduction(node.depth, index) - (node.pv ? 1 : 0) - history / 4096,
            0, next_depth - 1);
      }
      value = DescendLate(node.us, window, next_depth, reduction, node.ply);
    }
  }
  Unmake(move, undo);
  return value;
}

// Follows captures and promotions until the position is quiet enough for the
// evaluation to be trusted; out of check every move.
Value Tree::ExploreQuietly(Window window, int depth, int ply) {
  Frame& frame = frames_[ply];
  const auto known = table_.Find(Key());
  if (const auto value = Recall(known, window, 0, ply)) return *value;

  const Color us = position_.side_to_move();
  const bool in_check = position_.InCheck();
  Value best = -kMate + ply;
  frame.evaluation = 0;
  if (!in_check) {
    frame.evaluation = known ? known->evaluation : Estimate();
    best = frame.evaluation;
  }
  // Only a side with few men is ever stalemated.
  constexpr int kFewMen = 4;
  if (best >= window.beta && Count(position_.Men(us)) > kFewMen) return best;
  const MoveList moves =
      in_check ? LegalMoves(position_) : LegalCapturesAndPromotions(position_);
  if (moves.empty()) {
    return in_check || HasLegalMove(position_) ? best : kDrawValue;
  }
  if (best >= window.beta) return best;
  const Value old_alpha = window.alpha;
  window.alpha = std::max(window.alpha, best);

  MoveOrder order(position_, moves, known ? known->move : Move(), {}, history_);
  Move best_move;
  for (Move move = order.Next(); move; move = order.Next()) {
    if (!in_check && !IsWorthACapture(move, window.alpha, depth, ply)) continue;
    const Undo undo = Make(move);
    const Value value = DescendQuietly(us, window, depth - 1, ply);
    Unmake(move, undo);
    if (budget_.reason()) return kDrawValue;
    if (value <= best) continue;
    best = value;
    if (value <= window.alpha) continue;
    window.alpha = value;
    best_move = move;
    if (window.IsPv()) KeepLine(ply, move);
    if (value >= window.beta) break;
  }
  const Bound bound = best >= window.beta             ? Bound::kLower
                      : best > old_alpha && best_move ? Bound::kExact
                                                      : Bound::kUpper;
  Remember(best, bound, best_move, 0, ply);
  return best;
}

// Can a capture or promotion still raise alpha, and does it not lose a man?
bool Tree::IsWorthACapture(Move move, Value alpha, int depth, int ply) const {
  if (move.IsPromotion() && depth <= -kPromotionsInQuiescence) return false;
  const PieceType gained = position_.IsCapture(move)
                               ? position_.TypeAt(move.to())
                               : PieceType::kGeneral;
  return frames_[ply].evaluation + ManValue(gained) + kQuiescenceMargin >
             alpha &&
         ExchangeValue(position_, move) >= 0;
}

Value Tree::SearchRoot(std::span<RootMove> moves, int depth, Value alpha,
                       Value beta) {
  root_depth_ = depth;
  frames_[1].killers = {};
  const Color us = position_.side_to_move();
  Value best = -kInfinite;
  for (RootMove& root : moves) root.value = -kInfinite;
  int index = 0;
  for (RootMove& root : moves) {
    const bool quiet = IsQuiet(position_, root.move);
    const Undo undo = Make(root.move);
    const bool checks = position_.InCheck();
    const int next_depth = depth - 1 + (checks ? 1 : 0);
    Value value;
    if (index == 0) {
      value = Descend(us, {alpha, beta}, next_depth, 0);
    } else {
      int reduction = 0;
      if (depth >= kReductionDepth && quiet && !checks) {
        reduction = std::clamp(Reduction(depth, index) - 1, 0, next_depth - 1);
      }
      value = DescendLate(us, {alpha, beta}, next_depth, reduction, 0);
    }
    Unmake(root.move, undo);
    if (budget_.reason()) return best;
    ++index;
    best = std::max(best, value);
    if (value <= alpha) continue;
    alpha = value;
    root.value = value;
    const Frame& next = frames_[1];
    root.line.assign(1, root.move);
    root.line.insert(root.line.end(), next.line.begin(),
                     next.line.begin() + next.line_length);
    if (value >= beta) break;
  }
  return best;
}

std::optional<Move> Tree::ExpectedReply(Move move) {
  const Undo undo = Make(move);
  const auto known = table_.Find(Key());
  std::optional<Move> reply;
  if (known && known->move && IsLegal(position_, known->move)) {
    reply = known->move;
  }
  Unmake(move, undo);
  return reply;
}

}  // namespace sittuyin
