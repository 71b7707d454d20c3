// A fixed piece of work for the search: its signature and its speed.
#ifndef SITTUYIN_ENGINE_SEARCH_BENCH_H_
#define SITTUYIN_ENGINE_SEARCH_BENCH_H_

#include <chrono>

#include "engine/rules/perft.h"

namespace sittuyin {

struct BenchResult {
  // The same for the same engine on every machine; changes with any change of
  // search or evaluation that alters what is searched.
  NodeCount nodes = 0;
  std::chrono::nanoseconds elapsed{0};
  double NodesPerSecond() const;
};

// Searches a fixed set of positions, each to a fixed depth. Takes seconds.
BenchResult RunBench();

}  // namespace sittuyin

#endif  // SITTUYIN_ENGINE_SEARCH_BENCH_H_
