#include "engine/rules/perft.h"

#include <algorithm>
#include <variant>

#include "engine/rules/legality.h"
#include "engine/rules/movegen.h"

namespace sittuyin {
namespace {

// The first invariant that this node alone breaks; empty for a sound one.
std::string BrokenInvariant(const Position& position, const MoveList& moves) {
  if (position.hash() != position.RecomputeHash()) {
    return "the incremental hash differs from the recomputed one";
  }
  if (static_cast<int>(moves.size()) != CountLegalMoves(position)) {
    return "the count of legal moves differs from their list";
  }
  if (HasLegalMove(position) == moves.empty()) {
    return "the existence of a legal move differs from the list";
  }
  if (Position::FromSetup(position.ToSetup(), position.laws()).hash() !=
      position.hash()) {
    return "the position set up anew hashes differently";
  }
  for (Move move : moves) {
    const auto judged = Judge(position, move);
    const Move* legal = std::get_if<Move>(&judged);
    if (legal == nullptr || *legal != move) {
      return "a listed move is judged otherwise";
    }
  }
  return "";
}

}  // namespace

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

NodeCount CheckingPerft(Position& position, int depth, std::string& fault) {
  const MoveList moves = LegalMoves(position);
  if (fault.empty()) fault = BrokenInvariant(position, moves);
  if (depth == 0 || !fault.empty()) return 1;
  NodeCount nodes = 0;
  const Position before = position;
  for (Move move : moves) {
    const Undo undo = position.Make(move);
    nodes += CheckingPerft(position, depth - 1, fault);
    position.Unmake(move, undo);
    if (fault.empty() && position != before) {
      fault = "unmaking a move does not restore the position";
    }
  }
  return nodes;
}

}  // namespace sittuyin
