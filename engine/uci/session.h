// The engine behind the UCI protocol, for GUIs and matches.
#ifndef SITTUYIN_ENGINE_UCI_SESSION_H_
#define SITTUYIN_ENGINE_UCI_SESSION_H_

#include <iosfwd>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "engine/game/game.h"
#include "engine/search/search.h"
#include "engine/uci/go_command.h"

namespace sittuyin {

// Reads commands from one stream and answers on another. While a search runs,
// `stop` and `quit` end it, `isready` and `uci` are answered, and any other
// command waits for it, or ends it if it is infinite. Besides the protocol it
// knows `d`, which prints the position, what the law says of it and its legal
// moves. Options: Hash (MiB), RuleSet, MultiPV, Level, Seed. A faulty
// command is answered by `info string` and changes nothing.
class UciSession {
 public:
  // Both streams must outlive the session.
  UciSession(std::istream& in, std::ostream& out);
  ~UciSession();
  UciSession(const UciSession&) = delete;
  UciSession& operator=(const UciSession&) = delete;

  // Serves until `quit` or the end of input; a running search ends as above
  // and its answer is still printed.
  void Run();

 private:
  using Words = std::vector<std::string>;

  void Obey(const Words& words);
  void Identify();
  void SetOption(const Words& words);
  void SetRuleSet(std::string_view name);
  void SetPosition(const Words& words);
  void Go(const Words& words);
  void StopSearch();
  void AwaitSearch();
  void Describe();

  void Search(const Game& game, const GoCommand& go);
  void Report(const SearchResult& so_far);
  void Print(std::string_view line);
  void Complain(std::string_view what);

  std::istream& in_;
  std::ostream& out_;
  std::mutex out_mutex_;  // Of out_: the search prints from its own thread.

  RuleSetId rule_set_ = RuleSetId::kPychess;  // As other engines play.
  SearchLimits defaults_;  // Multi-PV, level and seed as the options say.
  std::unique_ptr<Searcher> searcher_;
  Game game_;

  std::unique_ptr<StopToken> stop_;
  std::thread search_;
  bool infinite_ = false;
  std::string held_answer_;  // Of an infinite search, written by its thread.
};

}  // namespace sittuyin

#endif  // SITTUYIN_ENGINE_UCI_SESSION_H_
