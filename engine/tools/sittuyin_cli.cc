// The engine on the command line: counts, lists and measures moves.
#include <algorithm>
#include <array>
#include <iostream>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/game/game.h"
#include "engine/notation/fen.h"
#include "engine/notation/move_text.h"
#include "engine/rules/movegen.h"
#include "engine/rules/perft.h"
#include "engine/search/bench.h"
#include "engine/tools/options.h"

namespace sittuyin {
namespace {

constexpr int kOk = 0;
constexpr int kFailed = 1;
constexpr int kBadUse = 2;

constexpr std::string_view kHelp =
    "usage: sittuyin_cli COMMAND [OPTION...]\n"
    "  perft   counts the sequences of --depth moves, by first move\n"
    "  divide  the same\n"
    "  moves   for each line FEN [moves MOVE...] on standard input prints the\n"
    "          FEN after the moves, a tab and the legal moves, or `error` and\n"
    "          why\n"
    "  bench   searches fixed positions: the search's signature and speed\n"
    "options:\n"
    "  --rule_set=NAME  YOUZAI (default), VCHESS, CHESSPLAYX, PYCHESS or\n"
    "                   TRADITIONAL\n"
    "  --fen=FEN        where to begin (default: the start position)\n"
    "  --depth=N        moves to look ahead, from 1 (default 4)\n"
    "  --check          perft checks the engine's invariants at each node\n";

int Complain(std::string_view what) {
  std::cerr << "sittuyin_cli: " << what << '\n';
  return kBadUse;
}

int CheckedPerft(Position& position, int depth) {
  std::string fault;
  const NodeCount nodes = CheckingPerft(position, depth, fault);
  if (!fault.empty()) {
    std::cerr << "sittuyin_cli: " << fault << '\n';
    return kFailed;
  }
  std::cout << "nodes " << nodes << '\n';
  return kOk;
}

int RunPerft(const Options& options) {
  const auto start = Game::Start(options.rule_set, options.fen);
  if (const auto* error = std::get_if<Game::StartError>(&start)) {
    return Complain(Describe(*error));
  }
  Position position = std::get<Game>(start).position();
  if (options.check) return CheckedPerft(position, options.depth);
  NodeCount total = 0;
  for (const DivideEntry& entry : Divide(position, options.depth)) {
    std::cout << ToUci(entry.move) << ": " << entry.nodes << '\n';
    total += entry.nodes;
  }
  std::cout << "nodes " << total << '\n';
  return kOk;
}

// Plays the moves named in `moves`, separated by blanks; what is wrong with
// the first bad one, or nothing. The game's end does not stop them.
std::string PlayAll(Position& position, std::string_view moves) {
  while (!moves.empty()) {
    const std::size_t blank = std::min(moves.find(' '), moves.size());
    const std::string_view text = moves.substr(0, blank);
    moves.remove_prefix(std::min(blank + 1, moves.size()));
    if (text.empty()) continue;
    const auto move = ReadMove(position, text);
    if (const auto* violation = std::get_if<Violation>(&move)) {
      return std::string(text) + ": " + Describe(*violation);
    }
    position.Make(std::get<Move>(move));
  }
  return {};
}

// The answer of `moves` to one line.
std::string MovesOf(RuleSetId rule_set, std::string_view line) {
  constexpr std::string_view kMoves = " moves ";
  const std::size_t split = std::min(line.find(kMoves), line.size());
  const auto start = Game::Start(rule_set, line.substr(0, split));
  if (const auto* error = std::get_if<Game::StartError>(&start)) {
    return "error " + Describe(*error);
  }
  Position position = std::get<Game>(start).position();
  line.remove_prefix(std::min(split + kMoves.size(), line.size()));
  if (const std::string wrong = PlayAll(position, line); !wrong.empty()) {
    return "error " + wrong;
  }
  std::string answer = ToFen(position);
  char separator = '\t';
  for (const Move move : LegalMoves(position)) {
    answer += separator + ToUci(move);
    separator = ' ';
  }
  return answer;
}

int RunMoves(const Options& options) {
  for (std::string line; std::getline(std::cin, line);) {
    std::cout << MovesOf(options.rule_set, line) << '\n';
    // Many lines may wait in the buffer: answer them all, then flush.
    if (std::cin.rdbuf()->in_avail() <= 0) std::cout.flush();
  }
  return kOk;
}

int RunBenchmark(const Options&) {
  const BenchResult result = RunBench();
  std::cout << "Bench: " << result.nodes
            << "\nnodes/s: " << static_cast<NodeCount>(result.NodesPerSecond())
            << '\n';
  return kOk;
}

struct Command {
  std::string_view name;
  int (*run)(const Options& options);
};
constexpr std::array kCommands = {
    Command{"perft", RunPerft},
    Command{"divide", RunPerft},
    Command{"moves", RunMoves},
    Command{"bench", RunBenchmark},
};

int Main(std::span<char* const> args) {
  std::ios::sync_with_stdio(false);
  std::cin.tie(nullptr);
  const auto read = ReadOptions(args);
  if (const auto* wrong = std::get_if<std::string>(&read)) {
    return Complain(*wrong);
  }
  const Options& options = std::get<Options>(read);
  if (options.help) {
    std::cout << kHelp;
    return kOk;
  }
  const auto command =
      std::ranges::find(kCommands, options.command, &Command::name);
  if (command == kCommands.end()) {
    return Complain("no command '" + std::string(options.command) +
                    "'; see --help");
  }
  return command->run(options);
}

}  // namespace
}  // namespace sittuyin

int main(int argc, char** argv) {
  return sittuyin::Main(std::span(argv, argc).subspan(1));
}
