#include "engine/search/bench.h"

#include <array>
#include <string_view>
#include <variant>

#include "engine/game/game.h"
#include "engine/search/search.h"

namespace sittuyin {
namespace {

struct BenchPosition {
  RuleSetId rule_set;
  std::string_view fen;
  int depth;
};

constexpr std::size_t kBenchHashBytes = 16 << 20;

constexpr std::array<BenchPosition, 8> kPositions = {{
    {RuleSetId::kPychess, "", 5},
    {RuleSetId::kTraditional, "", 5},
    {RuleSetId::kYouzai,
     "2r5/k1sn2n1/s3pppp/pppprf2/4PPPP/PPPPRR2/1S1NKN1S/4F3[] w - - 0 9", 11},
    {RuleSetId::kPychess,
     "1s1r2r1/s3f1k1/1n1n1p1p/1p1ppp2/1P2P1PP/R1PP1SN1/3FSNK1/R7[] w - - 0 18",
     11},
    {RuleSetId::kVchess, "5f2/1s1s4/5P1P/rpP5/1P2k3/4n1K1/8/8[] w - - 1 53",
     13},
    {RuleSetId::kChessplayx, "4k3/8/2p5/3P4/8/8/P7/4K3[] w - - 5 10", 15},
    {RuleSetId::kPychess, "8/8/8/4k3/8/8/8/R3K3[] b - 32 0 10", 15},
    {RuleSetId::kTraditional, "8/8/3k4/8/3SF3/3K4/8/8[] b - 88 0 10", 13},
}};

}  // namespace

double BenchResult::NodesPerSecond() const {
  const double seconds = std::chrono::duration<double>(elapsed).count();
  return seconds > 0 ? static_cast<double>(nodes) / seconds : 0;
}

BenchResult RunBench() {
  Searcher searcher(kBenchHashBytes);
  const StopToken never;
  BenchResult sum;
  for (const BenchPosition& position : kPositions) {
    const auto game = Game::Start(position.rule_set, position.fen);
    SearchLimits limits;
    limits.depth = position.depth;
    const SearchResult result =
        searcher.Search(std::get<Game>(game), limits, never);
    sum.nodes += result.nodes;
    sum.elapsed += result.elapsed;
  }
  return sum;
}

}  // namespace sittuyin
