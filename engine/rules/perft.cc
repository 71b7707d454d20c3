#include "engine/rules/perft.h"

#include "engine/rules/movegen.h"

namespace sittuyin {

NodeCount Perft(Position& position, int depth) {
  if (depth == 0) return 1;
  if (depth == 1) return static_cast<NodeCount>(CountLegalMoves(position));
  NodeCount nodes = 0;
  for (Move move : LegalMoves(position)) {
    const Undo undo = position.Make(move);
    nodes += Perft(position, depth - 1);
    position.Unmake(move, undo);
  }
  return nodes;
}

std::vector<DivideEntry> Divide(Position& position, int depth) {
  std::vector<DivideEntry> entries;
  if (depth == 0) return entries;
  for (Move move : LegalMoves(position)) {
    const Undo undo = position.Make(move);
    entries.push_back({move, Perft(position, depth - 1)});
    position.Unmake(move, undo);
  }
  return entries;
}

}  // namespace sittuyin
