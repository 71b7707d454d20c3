// The published counts. SITTUYIN_DEEP=1 or --deep takes every row.
#include "engine/rules/perft.h"

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "engine/notation/fen.h"
#include "engine/rules/movegen.h"
#include "gtest/gtest.h"
#include "tests/testing/positions.h"

namespace sittuyin {
namespace {

using testing::At;
using testing::Flipped;

struct Row {
  std::string fen;
  int depth;
  NodeCount nodes;
};

std::vector<Row> ReadRows() {
  std::ifstream file("tests/data/perft.tsv");
  std::vector<Row> rows;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream fields(line);
    Row row;
    std::getline(fields, row.fen, '\t');
    fields >> row.depth >> row.nodes;
    rows.push_back(row);
  }
  return rows;
}

bool Deep() {
  const char* deep = std::getenv("SITTUYIN_DEEP");
  return deep != nullptr && std::string_view(deep) == "1";
}

constexpr NodeCount kMostNodes = 5'000'000;
constexpr NodeCount kMostCheckedNodes = 60'000;

TEST(PerftTest, PublishedRows_CountAsPublished) {
  int counted = 0;
  NodeCount total = 0;
  for (const Row& row : ReadRows()) {
    if (row.nodes > kMostNodes && !Deep()) continue;
    Position position = At(RuleSetId::kPychess, row.fen);
    EXPECT_EQ(Perft(position, row.depth), row.nodes)
        << row.fen << " depth " << row.depth;
    ++counted;
    total += row.nodes;
  }
  std::cout << counted << " rows, " << total << " nodes\n";
  EXPECT_GE(counted, 300);
}

TEST(PerftTest, PublishedRows_ColoursExchanged_CountTheSame) {
  for (const Row& row : ReadRows()) {
    if (row.nodes > kMostCheckedNodes) continue;
    Position position = At(RuleSetId::kPychess, Flipped(row.fen));
    EXPECT_EQ(Perft(position, row.depth), row.nodes)
        << Flipped(row.fen) << " depth " << row.depth;
  }
}

TEST(PerftTest, StartAlternateOrder_CountsAsPublished) {
  for (const RuleSetId id :
       {RuleSetId::kYouzai, RuleSetId::kChessplayx, RuleSetId::kPychess}) {
    Position start = At(id, "");
    EXPECT_EQ(Perft(start, 0), 1);
    EXPECT_EQ(Perft(start, 1), 88);
    EXPECT_EQ(Perft(start, 2), 7744);
    EXPECT_EQ(Perft(start, 3), 580096);
  }
}

TEST(PerftTest, StartRedFirstOrder_CountsAsPublished) {
  for (const RuleSetId id : {RuleSetId::kVchess, RuleSetId::kTraditional}) {
    Position start = At(id, "");
    EXPECT_EQ(Perft(start, 1), 88);
    EXPECT_EQ(Perft(start, 2), 6592);
    EXPECT_EQ(Perft(start, 3), 414288);
  }
}

TEST(PerftTest, Vectors_CountAsPublished) {
  Position attacked =
      At(RuleSetId::kPychess, "4k3/8/2p5/3P4/8/8/P7/4K3[] w - - 5 10");
  EXPECT_EQ(Perft(attacked, 1), 11);
  EXPECT_EQ(Perft(attacked, 2), 100);
  EXPECT_EQ(Perft(attacked, 3), 1096);
  Position discovered =
      At(RuleSetId::kPychess, "3k4/8/8/3P4/8/8/P7/3RK3[] w - - 5 10");
  EXPECT_EQ(Perft(discovered, 1), 13);
  EXPECT_EQ(Perft(discovered, 2), 61);
  EXPECT_EQ(Perft(discovered, 3), 1178);
  for (const RuleSetId id : {RuleSetId::kYouzai, RuleSetId::kChessplayx}) {
    Position allowed = At(id, "3k4/8/8/3P4/8/8/P7/3RK3[] w - - 5 10");
    EXPECT_EQ(Perft(allowed, 1), 17);
  }
}

TEST(PerftTest, Divide_SumsToPerftInTheOrderOfLegalMoves) {
  Position position =
      At(RuleSetId::kPychess,
         "1s1f1rrk/s4n2/1n2pppp/pppp4/4PPPP/PPPP4/3FSNS1/1RR2K1N[] w - - 0 9");
  const MoveList moves = LegalMoves(position);
  const std::vector<DivideEntry> entries = Divide(position, 3);
  ASSERT_EQ(entries.size(), moves.size());
  NodeCount sum = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    EXPECT_EQ(entries[i].move, moves[i]);
    sum += entries[i].nodes;
  }
  EXPECT_EQ(sum, 19382);
}

TEST(PerftTest, Perft_LeavesThePositionAsItWas) {
  Position position =
      At(RuleSetId::kPychess,
         "1s1f1rrk/s4n2/1n2pppp/pppp4/4PPPP/PPPP4/3FSNS1/1RR2K1N[] w - - 0 9");
  const Position before = position;
  Perft(position, 3);
  EXPECT_EQ(position, before);
}

class CheckingPerftTest : public testing::EveryRuleSetTest {};

TEST_P(CheckingPerftTest, PublishedRows_KeepEveryInvariant) {
  const NodeCount most = Deep() ? kMostNodes : kMostCheckedNodes;
  for (const Row& row : ReadRows()) {
    if (row.nodes > most) continue;
    Position position = At(GetParam(), row.fen);
    std::string fault;
    const NodeCount nodes = CheckingPerft(position, row.depth, fault);
    ASSERT_EQ(fault, "") << row.fen << " depth " << row.depth;
    if (GetParam() == RuleSetId::kPychess) {
      EXPECT_EQ(nodes, row.nodes) << row.fen << " depth " << row.depth;
    }
    EXPECT_EQ(nodes, Perft(position, row.depth)) << row.fen;
  }
}

SITTUYIN_EVERY_RULE_SET(CheckingPerftTest);

}  // namespace
}  // namespace sittuyin

// Takes --deep beside GoogleTest's own options.
int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) == "--deep") setenv("SITTUYIN_DEEP", "1", 1);
  }
  return RUN_ALL_TESTS();
}
