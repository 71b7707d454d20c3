// The slow law against the published counts, so that what is measured by it
// is measured by something known.
#include "tests/property/slow_law.h"

#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>

#include "gtest/gtest.h"

namespace sittuyin::slow {
namespace {

const Laws& kVchess = kAllLaws[1];
const Laws& kPychess = kAllLaws[3];

std::uint64_t Perft(const State& state, const Laws& laws, int depth) {
  if (depth == 0) return 1;
  const Law law(state, laws);
  if (depth == 1) return law.legal().size();
  std::uint64_t nodes = 0;
  for (const Intent& move : law.legal()) {
    nodes += Perft(After(state, move, laws), laws, depth - 1);
  }
  return nodes;
}

TEST(SlowLawTest, Perft_RowsUpToFewNodes_CountAsPublished) {
  constexpr std::uint64_t kMostNodes = 40000;
  std::ifstream rows("tests/data/perft.tsv");
  int counted = 0;
  for (std::string line; std::getline(rows, line);) {
    if (line.starts_with('#')) continue;
    std::istringstream row(line);
    std::string fen;
    int depth = 0;
    std::uint64_t nodes = 0;
    std::getline(row, fen, '\t');
    row >> depth >> nodes;
    if (nodes > kMostNodes) continue;
    ++counted;
    EXPECT_EQ(Perft(FromFen(fen), kPychess, depth), nodes)
        << fen << " depth " << depth;
  }
  EXPECT_GT(counted, 100);
}

TEST(SlowLawTest, Perft_StartRedFirst_CountsAsPublished) {
  const State start =
      FromFen("8/8/4pppp/pppp4/4PPPP/PPPP4/8/8[KFRRSSNNkfrrssnn] w - - 0 1");
  EXPECT_EQ(Perft(start, kVchess, 1), 88);
  EXPECT_EQ(Perft(start, kVchess, 2), 6592);
}

TEST(SlowLawTest, Fen_OfFromFen_IsTheText) {
  for (const char* fen :
       {"8/8/4pppp/pppp4/4PPPP/PPPP4/8/8[KFRRSSNNkfrrssnn] w - - 0 1",
        "4k3/8/8/8/8/8/R7/4K3[] b - 32 7 10",
        "3kr3/8/4pppp/pppp4/4PPPP/PPPP4/2KSFS2/RN1N3R[frssnn] b - - 12 9"}) {
    EXPECT_EQ(Fen(FromFen(fen)), fen);
  }
}

}  // namespace
}  // namespace sittuyin::slow
