// The search of a game's future: alpha-beta over its legal continuations.
#ifndef SITTUYIN_ENGINE_SEARCH_TREE_H_
#define SITTUYIN_ENGINE_SEARCH_TREE_H_

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/eval/value.h"
#include "engine/game/game.h"
#include "engine/rules/position.h"
#include "engine/search/budget.h"
#include "engine/search/move_order.h"
#include "engine/search/transposition_table.h"

namespace sittuyin {

// A move at the root with what the search has found of it.
struct RootMove {
  Move move;
  // Of the iteration under way; -kInfinite when not better than another.
  Value value = -kInfinite;
  Value previous = -kInfinite;  // Of the iteration before.
  std::vector<Move> line;       // Starts with `move`.
};

// One search from one game. Knows the draws of the game's rule set: who may
// claim one has a draw at least, and plays on for more.
class Tree {
 public:
  // `table` and `budget` must outlive the tree.
  Tree(const Game& game, TranspositionTable& table, Budget& budget);

  // Searches `moves` in their order to `depth` within the window and returns
  // the best value. Sets value and line of each move that raised alpha. When
  // the budget is spent on the way the return value means nothing, while the
  // moves hold what was found so far.
  Value SearchRoot(std::span<RootMove> moves, int depth, Value alpha,
                   Value beta);

  // The reply that the search expects to `move`, if it knows one.
  std::optional<Move> ExpectedReply(Move move);

  // Positions visited so far.
  NodeCount nodes() const { return nodes_; }

 private:
  struct Frame {
    Killers killers;
    Value evaluation = 0;
    int line_length = 0;
    std::array<Move, kMaxPly> line;  // Best continuation from here.
  };
  // The values that matter to a node.
  struct Window {
    Value alpha;
    Value beta;
    bool IsPv() const { return beta - alpha > 1; }
  };

  // What the search of a node needs to know beside its window.
  struct Node {
    Color us;
    int depth;
    int ply;
    bool pv;
    bool in_check;
  };

  Value Search(Window window, int depth, int ply, bool null_allowed);
  Value Quiesce(Window window, int depth, int ply);
  // What both begin with: the limits and the draws. `go` searches the rest,
  // in a window that lies above a draw that may be claimed.
  template <typename Go>
  Value Visit(Window window, int ply, Go go);
  Value Explore(Window window, int depth, int ply, bool null_allowed);
  Value ExploreQuietly(Window window, int depth, int ply);
  Value SearchMoves(const Node& node, Window window, Move from_table);
  // Searches one move of a node, the `index`-th; nothing when it is late and
  // too unlikely to raise alpha to be searched at all.
  std::optional<Value> TryMove(const Node& node, Window window, Move move,
                               bool quiet, int index);

  // Searches the position after a move of `us`, which in Red-first deployment
  // may be for the same side to move; the value is `us`'s.
  Value Descend(Color us, Window window, int depth, int ply,
                bool null_allowed = true);
  Value DescendQuietly(Color us, Window window, int depth, int ply);
  // As Descend for a move that is not the first: narrowly and less deep, and
  // again where it surprises.
  Value DescendLate(Color us, Window window, int depth, int reduction, int ply);

  // The value that the table settles for this window; nothing otherwise.
  std::optional<Value> Recall(const std::optional<TableEntry>& known,
                              Window window, int depth, int ply) const;
  bool MayShorten(const Node& node) const;
  bool IsWorthACapture(Move move, Value alpha, int depth, int ply) const;
  std::optional<Value> TryNullMove(Value beta, int depth, int ply);
  bool MayPass() const;
  // The value as far as a glance tells.
  Value Estimate() const;
  bool MayClaimOnlyPromotions() const;
  // Whether the position is a draw other than stalemate, or may be claimed one.
  DrawRule DrawHere() const;
  DrawRule DrawByRepetition() const;

  Undo Make(Move move);
  void Unmake(Move move, const Undo& undo);

  void KeepLine(int ply, Move move);
  void RewardQuiet(Move best, const MoveList& tried, int depth, int ply);
  void Remember(Value value, Bound bound, Move move, int depth, int ply);
  // Hash of the position, and of its clocks where they bear on the value.
  std::uint64_t Key() const;

  Position position_;
  TranspositionTable& table_;
  Budget& budget_;
  NodeCount nodes_ = 0;
  std::vector<std::uint64_t> hashes_;  // Since the start of the game.
  const std::size_t root_;             // Index of the root in it.
  std::size_t repeatable_from_ = 0;    // No repetition reaches behind a pass.
  const bool clock_counts_;  // False where nobody claimed it before the root.
  int root_depth_ = 0;
  History history_;
  std::array<Frame, kMaxPly + 1> frames_;
};

}  // namespace sittuyin

#endif  // SITTUYIN_ENGINE_SEARCH_TREE_H_
