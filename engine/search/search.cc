#include "engine/search/search.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <random>
#include <span>
#include <utility>

#include "engine/eval/evaluate.h"
#include "engine/eval/outcome.h"
#include "engine/rules/ending.h"
#include "engine/rules/movegen.h"
#include "engine/search/budget.h"
#include "engine/search/level.h"
#include "engine/search/transposition_table.h"
#include "engine/search/tree.h"

namespace sittuyin {
namespace {

// A forced move is looked at no further than its score needs.
constexpr int kForcedMoveDepth = 6;
constexpr NodeCount kForcedMoveNodes = 20'000;

constexpr int kNarrowWindowDepth = 4;  // Shallower values jump too much.
constexpr Value kNarrowWindow = 25;

// The winner's moves in a mate of `value`, whose line is `moves`.
int MateInMoves(const Position& root, Value value,
                std::span<const Move> moves) {
  const int plies = kMate - std::abs(value);
  // In Red-first deployment turns do not alternate, so the line is asked.
  int own = (plies + 1) / 2;
  if (static_cast<int>(moves.size()) == plies) {
    Position position = root;
    const Color winner =
        value > 0 ? root.side_to_move() : Opponent(root.side_to_move());
    own = 0;
    for (const Move move : moves) {
      own += position.side_to_move() == winner;
      position.Make(move);
    }
  }
  return value > 0 ? own : -own;
}

Score ToScore(const Position& root, Value value, std::span<const Move> moves) {
  const Outcome outcome = ExpectedOutcome(value);
  Score score{.win = outcome.win, .draw = outcome.draw, .loss = outcome.loss};
  if (IsMate(value)) {
    score.mate_in_moves = MateInMoves(root, value, moves);
  } else {
    score.centipawns = value;
  }
  return score;
}

// Every legal move with its line and value as a glance at the position after
// it tells, best first.
std::vector<RootMove> GlanceAtMoves(const Position& root) {
  std::vector<RootMove> moves;
  Position position = root;
  for (const Move move : LegalMoves(root)) {
    const Undo undo = position.Make(move);
    const Value value = Evaluate(position);
    const bool same_side = position.side_to_move() == root.side_to_move();
    position.Unmake(move, undo);
    moves.push_back({.move = move,
                     .value = -kInfinite,
                     .previous = same_side ? value : -value,
                     .line = {move}});
  }
  std::stable_sort(moves.begin(), moves.end(),
                   [](const RootMove& a, const RootMove& b) {
                     return a.previous > b.previous;
                   });
  return moves;
}

// Moves whose value is unknown keep their order behind the others.
void SortByValue(std::span<RootMove> moves) {
  std::stable_sort(
      moves.begin(), moves.end(),
      [](const RootMove& a, const RootMove& b) { return a.value > b.value; });
}

// A search that deepens: one call of Search.
class Deepening {
 public:
  Deepening(const Game& game, const SearchLimits& limits,
            TranspositionTable& table, Budget& budget)
      : game_(game),
        limits_(limits),
        budget_(budget),
        tree_(std::make_unique<Tree>(game, table, budget)),
        moves_(GlanceAtMoves(game.position())),
        width_(std::min(static_cast<std::size_t>(limits.multi_pv),
                        moves_.size())) {}

  // Deepens until a limit stops it. Calls `on_depth`, which may be empty, after
  // each depth before it begins the next.
  StopReason Run(const std::function<void()>& on_depth) {
    KeepLines();
    for (int depth = 1; depth <= limits_.depth; ++depth) {
      if (!SearchDepth(depth)) return *budget_.reason();
      depth_ = depth;
      for (RootMove& move : moves_) move.previous = move.value;
      KeepLines();
      if (MatesSettled(depth)) return StopReason::kMateFound;
      if (on_depth && depth < limits_.depth) on_depth();
    }
    return StopReason::kDepth;
  }

  // The lines of the deepest search, best first; at least one.
  const std::vector<RootMove>& lines() const { return lines_; }
  int depth() const { return depth_; }
  NodeCount nodes() const { return tree_->nodes(); }
  std::optional<Move> ExpectedReply(Move move) {
    return tree_->ExpectedReply(move);
  }

  SearchLine ToLine(const RootMove& move) const {
    return {.score = ToScore(game_.position(), move.previous, move.line),
            .moves = move.line,
            .depth = depth_};
  }

 private:
  void KeepLines() {
    lines_.assign(moves_.begin(),
                  moves_.begin() + static_cast<std::ptrdiff_t>(width_));
  }

  // False when the budget was spent on the way; what was found until then has
  // gone into the lines.
  bool SearchDepth(int depth) {
    for (std::size_t i = 0; i < width_; ++i) {
      const std::span<RootMove> rest = std::span(moves_).subspan(i);
      SearchWidened(rest, depth);
      SortByValue(rest);
      if (budget_.reason()) {
        PutFirst(moves_.front());
        return false;
      }
    }
    SortByValue(std::span(moves_).first(width_));
    return true;
  }

  // Searches around the value of the depth before and widens the window until
  // the value lies in it.
  void SearchWidened(std::span<RootMove> moves, int depth) {
    const Value guess = moves.front().previous;
    Value width = kNarrowWindow;
    Value alpha = -kInfinite, beta = kInfinite;
    if (depth >= kNarrowWindowDepth && !IsMate(guess) && guess != -kInfinite) {
      alpha = guess - width;
      beta = guess + width;
    }
    while (true) {
      const Value value = tree_->SearchRoot(moves, depth, alpha, beta);
      if (budget_.reason()) return;
      width *= 4;
      if (value <= alpha) {
        alpha = std::max(value - width, -kInfinite);
      } else if (value >= beta) {
        beta = std::min(value + width, kInfinite);
        SortByValue(moves);
        PutFirst(moves_.front());
      } else {
        return;
      }
      if (IsMate(value)) {
        alpha = -kInfinite;
        beta = kInfinite;
      }
    }
  }

  // A depth left unfinished still counts once it has found a best move, for
  // the best of the depth before is searched first. Not where several lines
  // are compared: then all must be of one depth.
  void PutFirst(RootMove best) {
    if (best.value == -kInfinite || width_ > 1) return;
    best.previous = best.value;
    lines_.front() = std::move(best);
  }

  // Are all lines mates that no deeper search can better?
  bool MatesSettled(int depth) const {
    return std::all_of(
        lines_.begin(), lines_.end(), [depth](const RootMove& line) {
          return IsMate(line.value) && kMate - std::abs(line.value) <= depth;
        });
  }

  const Game& game_;
  const SearchLimits& limits_;
  Budget& budget_;
  std::unique_ptr<Tree> tree_;  // Too large for the stack of a small thread.
  std::vector<RootMove> moves_;
  std::vector<RootMove> lines_;
  const std::size_t width_;
  int depth_ = 0;
};

std::uint64_t SeedOf(std::uint64_t seed, const Position& position) {
  if (seed == 0) {
    std::random_device device;
    return std::uint64_t{device()} << 32 | device();
  }
  return seed ^ position.hash();
}

}  // namespace

class Searcher::Impl {
 public:
  explicit Impl(std::size_t hash_bytes) : table_(hash_bytes) {}

  SearchResult Search(const Game& game, const SearchLimits& asked,
                      const StopToken& stop, const OnDepth& on_depth) {
    const SearchClock::time_point start = SearchClock::now();
    table_.Empty();
    SearchLimits limits = asked;
    const bool forced = CountLegalMoves(game.position()) == 1;
    const auto profile = ProfileOf(asked.level);
    if (profile) Restrict(limits, profile->depth, profile->nodes);
    if (profile)
      limits.multi_pv = std::max(profile->candidates, asked.multi_pv);
    if (forced) Restrict(limits, kForcedMoveDepth, kForcedMoveNodes);

    Budget budget(limits, start, stop);
    Deepening deepening(game, limits, table_, budget);
    const std::uint64_t seed =
        profile ? SeedOf(asked.seed, game.position()) : 0;
    const auto result_so_far = [&](StopReason reason) {
      SearchResult result;
      result.stop_reason = forced ? StopReason::kForcedMove : reason;
      result.depth = deepening.depth();
      result.nodes = deepening.nodes();
      std::vector<RootMove> lines = deepening.lines();
      result.claims_draw = ClaimsDraw(game, lines.front().previous);
      if (profile) PreferCandidate(lines, profile->wavering, seed);
      const auto shown = static_cast<std::size_t>(asked.multi_pv);
      lines.resize(std::min(shown, lines.size()));
      for (const RootMove& line : lines) {
        result.lines.push_back(deepening.ToLine(line));
      }
      result.best = result.lines.front().moves.front();
      result.ponder = PonderOf(game, deepening, result.lines.front());
      result.elapsed = SearchClock::now() - start;
      return result;
    };
    std::function<void()> report;
    if (on_depth) {
      report = [&] { on_depth(result_so_far(budget.EndOfTime())); };
    }
    return result_so_far(deepening.Run(report));
  }

 private:
  static void Restrict(SearchLimits& limits, int depth, NodeCount nodes) {
    limits.depth = std::min(limits.depth, depth);
    limits.nodes = std::min(limits.nodes.value_or(nodes), nodes);
  }

  // The mover stands no better than a draw that it may claim.
  static bool ClaimsDraw(const Game& game, Value value) {
    return value <= kDrawValue &&
           !ClaimsOf(game.position(), game.Repetitions()).empty();
  }

  // A weaker player's choice goes before the better moves.
  static void PreferCandidate(std::vector<RootMove>& lines, Value wavering,
                              std::uint64_t seed) {
    std::vector<Value> values;
    values.reserve(lines.size());
    for (const RootMove& line : lines) values.push_back(line.previous);
    const auto chosen =
        lines.begin() +
        static_cast<std::ptrdiff_t>(ChooseCandidate(values, wavering, seed));
    std::rotate(lines.begin(), chosen, chosen + 1);
  }

  static std::optional<Move> PonderOf(const Game& game, Deepening& deepening,
                                      const SearchLine& line) {
    Game after = game;
    after.PlayUnchecked(line.moves.front());
    if (after.IsOver()) return std::nullopt;
    if (line.moves.size() > 1) return line.moves[1];
    return deepening.ExpectedReply(line.moves.front());
  }

  TranspositionTable table_;
};

Searcher::Searcher(std::size_t hash_bytes)
    : impl_(std::make_unique<Impl>(hash_bytes)) {}
Searcher::~Searcher() = default;

SearchResult Searcher::Search(const Game& game, const SearchLimits& limits,
                              const StopToken& stop, const OnDepth& on_depth) {
  return impl_->Search(game, limits, stop, on_depth);
}

}  // namespace sittuyin
