// Counts of move sequences, the yardstick of every move generator.
#ifndef SITTUYIN_ENGINE_RULES_PERFT_H_
#define SITTUYIN_ENGINE_RULES_PERFT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "engine/rules/position.h"

namespace sittuyin {

using NodeCount = std::uint64_t;

// Sequences of exactly `depth` legal moves. Draws do not end a line. Leaves
// are counted, not played. `position` is restored. Precondition: depth >= 0.
NodeCount Perft(Position& position, int depth);

struct DivideEntry {
  Move move;
  NodeCount nodes;
};
// Perft of each legal move, in the order of LegalMoves.
std::vector<DivideEntry> Divide(Position& position, int depth);

// As Perft, slower: plays every leaf and checks at each node that make and
// unmake restore the position, that the hash equals the recomputed one, that
// the count of moves, their existence, the list and the judgement of single
// moves agree. The first broken invariant goes to `fault`, empty otherwise.
NodeCount CheckingPerft(Position& position, int depth, std::string& fault);

}  // namespace sittuyin

#endif  // SITTUYIN_ENGINE_RULES_PERFT_H_
