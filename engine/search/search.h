// The engine's player: the best move of a game within limits.
#ifndef SITTUYIN_ENGINE_SEARCH_SEARCH_H_
#define SITTUYIN_ENGINE_SEARCH_SEARCH_H_

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "engine/board/move.h"
#include "engine/game/game.h"
#include "engine/rules/perft.h"

namespace sittuyin {

using SearchClock = std::chrono::steady_clock;

// Set from any thread; the search looks at it often enough to stop within
// milliseconds.
class StopToken {
 public:
  void RequestStop() { stopped_.store(true, std::memory_order_relaxed); }
  bool StopRequested() const {
    return stopped_.load(std::memory_order_relaxed);
  }

 private:
  std::atomic<bool> stopped_{false};
};

inline constexpr int kMaxSearchDepth = 64;
inline constexpr int kMaxMultiPv = 10;
inline constexpr int kMaxLevel = 10;

struct SearchLimits {
  // Time for the move from the start of Search; none = unbounded.
  std::optional<std::chrono::nanoseconds> move_time;
  // The caller's deadline, margin already taken off; none = unbounded.
  std::optional<SearchClock::time_point> deadline;
  int depth = kMaxSearchDepth;     // 1 to kMaxSearchDepth.
  std::optional<NodeCount> nodes;  // Nodes; none = unbounded.
  int multi_pv = 1;                // Lines wanted, 1 to kMaxMultiPv.
  int level = 0;                   // 0 full strength, 1 beginner to 10.
  std::uint64_t seed = 0;          // Of the weaker levels' variety.
};

// From the mover's side.
struct Score {
  // Hundredths of a soldier, when mate_in_moves is 0.
  int centipawns = 0;
  // Moves of the winner to the mate; negative = being mated; 0 = no mate seen.
  int mate_in_moves = 0;
  // Expected outcomes in thousandths that sum to 1000.
  int win = 0, draw = 1000, loss = 0;
};

struct SearchLine {
  Score score;
  std::vector<Move> moves;  // Each legal after the ones before; never empty.
  int depth = 0;
};

enum class StopReason : std::uint8_t {
  kDepth,       // The depth asked for was searched.
  kNodes,       // The node limit was reached.
  kTime,        // The move time was used up.
  kDeadline,    // The deadline came, or the caller left.
  kForcedMove,  // One legal move only.
  kMateFound,   // A mate that deeper search cannot better.
};

struct SearchResult {
  Move best;  // Always legal.
  std::optional<Move> ponder;
  std::vector<SearchLine> lines;  // Best first.
  int depth = 0;                  // Finished depth.
  NodeCount nodes = 0;
  std::chrono::nanoseconds elapsed{0};
  StopReason stop_reason = StopReason::kDepth;
  // A draw may be claimed now and the mover, standing worse or equal, would
  // rather claim it than play `best`.
  bool claims_draw = false;
};

// Searches one game at a time; owns its tables. Not thread-safe: one for each
// worker. Each search starts from empty tables, so that the same game, limits
// of depth or nodes, and seed give the same answer.
class Searcher {
 public:
  // Takes about `hash_bytes` for its transposition table, once.
  explicit Searcher(std::size_t hash_bytes);
  ~Searcher();
  Searcher(const Searcher&) = delete;
  Searcher& operator=(const Searcher&) = delete;

  using OnDepth = std::function<void(const SearchResult&)>;

  // The best move. `on_depth`, when given, is called on the calling thread
  // after each finished depth with what Search would give if its time were over
  // now; after the last one only when a deeper search was begun, for the result
  // itself speaks of it. A stop request gives the best move found so far:
  // always one, however early. Precondition: the game is not over.
  SearchResult Search(const Game& game, const SearchLimits& limits,
                      const StopToken& stop, const OnDepth& on_depth = {});

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sittuyin

#endif  // SITTUYIN_ENGINE_SEARCH_SEARCH_H_
