// How fast the law is: moves counted, moves listed from text, games replayed.
#include <benchmark/benchmark.h>

#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "engine/game/game.h"
#include "engine/notation/fen.h"
#include "engine/notation/move_text.h"
#include "engine/rules/movegen.h"
#include "engine/rules/perft.h"

namespace sittuyin {
namespace {

constexpr std::string_view kMiddleGame =
    "1s1r2r1/s3f1k1/1n1n1p1p/1p1ppp2/1P2P1PP/R1PP1SN1/3FSNK1/R7[] w - - 0 18";
constexpr std::string_view kEndGame =
    "5f2/1s1s4/5P1P/rpP5/1P2k3/4n1K1/8/8[] w - - 1 53";
constexpr std::array kFens = {kStartFen, kMiddleGame, kEndGame};

Position Read(std::string_view fen) {
  return Position::FromSetup(std::get<Setup>(ParseFen(fen)),
                             Laws(RuleSetId::kPychess));
}

void BM_Perft(benchmark::State& state) {
  Position position = Read(kFens[static_cast<std::size_t>(state.range(0))]);
  NodeCount nodes = 0;
  for (auto _ : state) {
    nodes += Perft(position, static_cast<int>(state.range(1)));
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(nodes));
}
BENCHMARK(BM_Perft)->Args({0, 3})->Args({1, 4})->Args({2, 5});

// One item = a FEN read, judged possible and its legal moves listed.
void BM_LegalMovesFromFen(benchmark::State& state) {
  const std::string_view fen = kFens[static_cast<std::size_t>(state.range(0))];
  for (auto _ : state) {
    const auto game = Game::Start(RuleSetId::kPychess, fen);
    benchmark::DoNotOptimize(LegalMoves(std::get<Game>(game).position()));
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(BM_LegalMovesFromFen)->DenseRange(0, kFens.size() - 1);

// Moves in UCI of a random game of `plies` plies that has not ended by then.
std::vector<std::string> RandomGame(RuleSetId rule_set, std::size_t plies) {
  std::mt19937 random(1);
  std::vector<std::string> moves;
  Game game = std::get<Game>(Game::Start(rule_set));
  while (moves.size() < plies) {
    if (game.IsOver()) {
      game = std::get<Game>(Game::Start(rule_set));
      moves.clear();
    }
    const MoveList legal = LegalMoves(game.position());
    const Move move = legal[random() % legal.size()];
    moves.push_back(ToUci(move));
    game.PlayUnchecked(move);
  }
  return moves;
}

void BM_ReplayAndStatus(benchmark::State& state) {
  const std::vector<std::string> moves =
      RandomGame(RuleSetId::kPychess, static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) {
    Game game = std::get<Game>(Game::Start(RuleSetId::kPychess));
    for (const std::string& move : moves) {
      benchmark::DoNotOptimize(game.Play(move));
    }
    benchmark::DoNotOptimize(game.State());
  }
}
BENCHMARK(BM_ReplayAndStatus)->Arg(40)->Arg(400)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace sittuyin

BENCHMARK_MAIN();
