// A game: where it began, each move since, and what the law says of it now.
#ifndef SITTUYIN_ENGINE_GAME_GAME_H_
#define SITTUYIN_ENGINE_GAME_GAME_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/notation/fen.h"
#include "engine/rules/ending.h"
#include "engine/rules/position.h"
#include "engine/rules/validate.h"
#include "engine/rules/violation.h"

namespace sittuyin {

enum class Phase : std::uint8_t {
  kDeployment,  // The side to move has men in hand.
  kPlay,
  kFinished,
};

enum class Result : std::uint8_t { kOngoing, kRedWins, kBlackWins, kDraw };

// What the law says of a position with its history.
struct GameState {
  Phase phase;
  Color side_to_move;
  Bitboard checkers;  // Men that give check to the side to move.
  Result result;
  Termination termination;
  std::vector<DrawClaim> claims;
  int halfmove_clock;
  int fullmove_number;
  int repetitions;  // 1 at the first occurrence.
  struct Counting {
    Color attacker;
    int limit_moves;
    int plies_counted;
    int moves_left;
  };
  std::optional<Counting> counting;  // Absent when no count runs.
};

// Start plus moves, with the hashes that make repetition judgeable. Value
// type; thread-compatible.
class Game {
 public:
  // Why a start position cannot be used: no FEN, or faults of the position.
  using StartError = std::variant<FenError, std::vector<SetupProblem>>;

  // An empty `fen` is the start position.
  static std::variant<Game, StartError> Start(RuleSetId rule_set,
                                              std::string_view fen = {});

  // A game that begins at `position`.
  explicit Game(const Position& position);

  // Plays the move that `text` means. On a violation, kGameOver included, the
  // game is as before.
  std::variant<Move, Violation> Play(std::string_view text);

  // Judges as Play does, without playing.
  std::variant<Move, Violation> Read(std::string_view text) const;

  // Plays a move that is known to be legal in a game that goes on.
  void PlayUnchecked(Move move);

  const Position& position() const { return position_; }
  const RuleSet& laws() const { return position_.laws(); }

  // Occurrences of the present position since the start, itself included.
  int Repetitions() const;
  // Hashes of all positions since the start, the present one last.
  const std::vector<std::uint64_t>& hashes() const { return hashes_; }

  Termination Ending() const;
  bool IsOver() const { return Ending() != Termination::kNone; }
  GameState State() const;

 private:
  int RepetitionsThatEnd() const;

  Position position_;
  std::vector<std::uint64_t> hashes_;
};

// For the developer, in English: a sentence for each fault.
std::string Describe(const Game::StartError& error);

}  // namespace sittuyin

#endif  // SITTUYIN_ENGINE_GAME_GAME_H_
