#include "engine/uci/session.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <istream>
#include <ostream>
#include <sstream>
#include <utility>
#include <variant>

#include "engine/notation/fen.h"
#include "engine/notation/move_text.h"
#include "engine/rules/movegen.h"

namespace sittuyin {
namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;
constexpr std::size_t kDefaultHashMiB = 16;
constexpr std::size_t kMaxHashMiB = 4096;

std::vector<std::string> Split(const std::string& line) {
  std::istringstream stream(line);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

// Words from index `first` up to `last`, joined by spaces.
std::string Join(const std::vector<std::string>& words, std::size_t first,
                 std::size_t last) {
  std::string text;
  for (std::size_t i = first; i < last; ++i) {
    if (i > first) text += ' ';
    text += words[i];
  }
  return text;
}

// In the order of Termination.
constexpr std::string_view kTerminationNames[] = {
    "none",          "checkmate",       "stalemate",
    "dead_position", "count_exhausted", "threefold_repetition",
    "hundred_plies"};
// In the order of DrawClaim.
constexpr std::string_view kClaimNames[] = {
    "threefold_repetition", "hundred_plies", "only_promotions_left"};

std::string ToText(const Score& score) {
  return score.mate_in_moves != 0
             ? "mate " + std::to_string(score.mate_in_moves)
             : "cp " + std::to_string(score.centipawns);
}

}  // namespace

UciSession::UciSession(std::istream& in, std::ostream& out)
    : in_(in),
      out_(out),
      searcher_(std::make_unique<Searcher>(kDefaultHashMiB * kMiB)),
      game_(std::get<Game>(Game::Start(rule_set_))) {
  // Reading would flush a tied stream while the search prints to it.
  in_.tie(nullptr);
}

UciSession::~UciSession() { StopSearch(); }

void UciSession::Run() {
  for (std::string line; std::getline(in_, line);) {
    const Words words = Split(line);
    if (words.empty()) continue;
    if (words[0] == "quit") return StopSearch();
    Obey(words);
  }
  AwaitSearch();
}

void UciSession::Obey(const Words& words) {
  const std::string& command = words[0];
  if (command == "isready") return Print("readyok");
  if (command == "uci") return Identify();
  if (command == "stop") return StopSearch();
  // Whatever else comes changes what a running search uses.
  AwaitSearch();
  if (command == "setoption") return SetOption(words);
  if (command == "position") return SetPosition(words);
  if (command == "go") return Go(words);
  if (command == "d") return Describe();
  if (command != "ucinewgame") Complain("unknown command " + command);
}

void UciSession::Identify() {
  std::string rule_sets;
  for (const RuleSet& laws : kRuleSets) {
    rule_sets += " var " + std::string(laws.name);
  }
  Print("id name sittuyin");
  Print("id author the sittuyin authors");
  Print("option name Hash type spin default " +
        std::to_string(kDefaultHashMiB) + " min 1 max " +
        std::to_string(kMaxHashMiB));
  Print("option name RuleSet type combo default " +
        std::string(Laws(RuleSetId::kPychess).name) + rule_sets);
  Print("option name MultiPV type spin default 1 min 1 max " +
        std::to_string(kMaxMultiPv));
  Print("option name Level type spin default 0 min 0 max " +
        std::to_string(kMaxLevel));
  Print("option name Seed type string default 0");
  Print("uciok");
}

void UciSession::SetOption(const Words& words) {
  if (words.size() != 5 || words[1] != "name" || words[3] != "value") {
    return Complain("expected setoption name <one word> value <one word>");
  }
  const std::string& name = words[2];
  if (name == "RuleSet") return SetRuleSet(words[4]);
  const auto number = ParseNumber(words[4]);
  const auto in_range = [&](std::uint64_t low, std::uint64_t high) {
    return number && *number >= low && *number <= high;
  };
  if (name == "Hash" && in_range(1, kMaxHashMiB)) {
    searcher_ = std::make_unique<Searcher>(*number * kMiB);
  } else if (name == "MultiPV" && in_range(1, kMaxMultiPv)) {
    defaults_.multi_pv = static_cast<int>(*number);
  } else if (name == "Level" && in_range(0, kMaxLevel)) {
    defaults_.level = static_cast<int>(*number);
  } else if (name == "Seed" && number) {
    defaults_.seed = *number;
  } else {
    Complain("no option " + name + " with value " + words[4]);
  }
}

void UciSession::SetRuleSet(std::string_view name) {
  const auto laws =
      std::find_if(kRuleSets.begin(), kRuleSets.end(),
                   [name](const RuleSet& set) { return set.name == name; });
  if (laws == kRuleSets.end()) {
    return Complain("unknown rule set " + std::string(name));
  }
  rule_set_ = laws->id;
  game_ = std::get<Game>(Game::Start(rule_set_));
}

void UciSession::SetPosition(const Words& words) {
  const auto moves_at = static_cast<std::size_t>(
      std::find(words.begin(), words.end(), "moves") - words.begin());
  std::string fen;
  if (words.size() > 1 && words[1] == "fen") {
    fen = Join(words, 2, moves_at);
  } else if (words.size() < 2 || words[1] != "startpos") {
    return Complain("expected position startpos or position fen");
  }
  auto start = Game::Start(rule_set_, fen);
  if (const auto* error = std::get_if<Game::StartError>(&start)) {
    return Complain(sittuyin::Describe(*error));
  }
  Game game = std::get<Game>(std::move(start));
  for (std::size_t i = moves_at + 1; i < words.size(); ++i) {
    const auto played = game.Play(words[i]);
    if (const auto* violation = std::get_if<Violation>(&played)) {
      return Complain("illegal move " + words[i] + ": " +
                      sittuyin::Describe(*violation));
    }
  }
  game_ = std::move(game);
}

void UciSession::Go(const Words& words) {
  if (game_.IsOver()) return Print("bestmove (none)");
  stop_ = std::make_unique<StopToken>();
  const GoCommand go =
      ParseGo(words, game_.position().side_to_move(), defaults_);
  for (const std::string& fault : go.faults) Complain(fault);
  infinite_ = go.infinite;
  search_ = std::thread([this, game = game_, go] { Search(game, go); });
}

void UciSession::StopSearch() {
  if (stop_) stop_->RequestStop();
  AwaitSearch();
}

void UciSession::AwaitSearch() {
  if (!search_.joinable()) return;
  if (infinite_) stop_->RequestStop();
  search_.join();
  if (!held_answer_.empty()) Print(std::exchange(held_answer_, {}));
}

void UciSession::Search(const Game& game, const GoCommand& go) {
  const SearchResult result =
      searcher_->Search(game, go.limits, *stop_,
                        [this](const SearchResult& so_far) { Report(so_far); });
  Report(result);
  if (result.claims_draw) Print("info string claims the draw");
  std::string answer = "bestmove " + ToUci(result.best);
  if (result.ponder) answer += " ponder " + ToUci(*result.ponder);
  if (go.infinite) {
    held_answer_ = answer;
  } else {
    Print(answer);
  }
}

void UciSession::Report(const SearchResult& so_far) {
  const double seconds = std::chrono::duration<double>(so_far.elapsed).count();
  const auto speed = static_cast<NodeCount>(
      seconds > 0 ? static_cast<double>(so_far.nodes) / seconds : 0);
  int number = 0;
  for (const SearchLine& line : so_far.lines) {
    std::ostringstream text;
    text << "info depth " << so_far.depth << " multipv " << ++number
         << " score " << ToText(line.score) << " wdl " << line.score.win << ' '
         << line.score.draw << ' ' << line.score.loss << " nodes "
         << so_far.nodes << " nps " << speed << " time "
         << static_cast<std::int64_t>(seconds * 1000) << " pv";
    for (const Move move : line.moves) text << ' ' << ToUci(move);
    Print(text.str());
  }
}

void UciSession::Describe() {
  const GameState state = game_.State();
  Print("fen " + ToFen(game_.position()));
  Print("termination " +
        std::string(kTerminationNames[static_cast<int>(state.termination)]));
  std::string claims = "claims";
  for (const DrawClaim claim : state.claims) {
    claims += ' ' + std::string(kClaimNames[static_cast<int>(claim)]);
  }
  Print(claims);
  std::string moves = "moves";
  if (state.termination == Termination::kNone) {
    for (const Move move : LegalMoves(game_.position())) {
      moves += ' ' + ToUci(move);
    }
  }
  Print(moves);
}

void UciSession::Print(std::string_view line) {
  const std::lock_guard lock(out_mutex_);
  out_ << line << '\n' << std::flush;
}

void UciSession::Complain(std::string_view what) {
  Print("info string " + std::string(what));
}

}  // namespace sittuyin
