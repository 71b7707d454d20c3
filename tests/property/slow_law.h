// The law of sittuyin a second time, as plainly as its text reads: men as
// letters in a string, moves tried one by one on a copy of the board. Knows
// nothing of the engine; far too slow for anything but tests.
#ifndef SITTUYIN_TESTS_PROPERTY_SLOW_LAW_H_
#define SITTUYIN_TESTS_PROPERTY_SLOW_LAW_H_

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sittuyin::slow {

enum class Draw { kNone, kAutomatic, kOnClaim };
enum class Dead { kNone, kBareKings, kAll };

// One column of the law's table of rule sets.
struct Laws {
  std::string_view name;
  bool red_first;
  bool may_discover_check;
  bool must_not_stalemate;
  Draw hundred_plies;
  Draw threefold;
  Dead dead;
  bool only_promotions_claim;
  bool only_promotions_claim_in_check;
  bool counting;
  bool step_back_promotes;
};

// YOUZAI, VCHESS, CHESSPLAYX, PYCHESS, TRADITIONAL.
extern const std::array<Laws, 5> kAllLaws;

// A position with its clocks. Squares are numbered a1 = 0, b1 = 1, ... h8.
struct State {
  std::string cells = std::string(64, '.');  // Letters as in a FEN, or dots.
  std::string hand;                          // Both sides' men in hand.
  bool black_to_move = false;
  int clock = 0;
  int count_limit = 0;  // In plies; 0 when no count runs.
  int counted = 0;
  int number = 1;
};

// Reads the six fields of a canonical FEN.
State FromFen(std::string_view fen);
std::string Fen(const State& state);
// Equal for what the law calls the same position, and only for that.
std::string Key(const State& state);
// The same position seen from the other side of the board.
State Flipped(const State& state);

// A move as one may wish for it: of `drop` (upper case) when not 0.
struct Intent {
  char drop = 0;
  int from = 0;
  int to = 0;
  bool promotes = false;
};
std::string SquareName(int square);
std::string Uci(const Intent& intent);

// Squares of the men that attack the king of the side, if it stands.
std::vector<int> CheckersOf(const std::string& cells, bool black);
State After(const State& state, const Intent& move, const Laws& laws);

// Everything the law says of one position.
class Law {
 public:
  Law(const State& state, const Laws& laws);

  const State& state() const { return state_; }
  const std::vector<Intent>& legal() const { return legal_; }
  bool InCheck() const { return in_check_; }
  std::string San(const Intent& move) const;

  // Name of the first reason, in the order of the contract, that forbids
  // `intent`; empty when it is legal; kTakesKing where the law forbids the
  // move but the contract has no reason for it.
  std::string_view Reason(const Intent& intent) const;
  // Whether that reason, looked at alone, is true.
  bool Holds(std::string_view reason, const Intent& intent) const;
  // What stands in the way; nothing where the contract leaves it open.
  std::optional<std::vector<int>> SquaresOf(std::string_view reason,
                                            const Intent& intent) const;
  // The legal move that `intent` writes: a promotion in place as one.
  Intent Meant(const Intent& intent) const;

 private:
  struct Clause;
  static const std::vector<Clause>& DropClauses();
  static const std::vector<Clause>& BoardClauses();
  static const std::vector<Clause>& PromotionClauses();
  static const std::vector<Clause>& SoldierClauses();
  static const std::vector<Clause>& OtherClauses();
  static const std::vector<Clause>& CommonClauses();
  std::array<const std::vector<Clause>*, 3> ClausesFor(const Intent&) const;

  bool IsPromotion(const Intent& intent) const;
  bool IsStepBack(const Intent& intent) const;
  bool Stalemates(const Intent& move) const;

  State state_;
  const Laws& laws_;
  bool in_check_ = false;
  bool has_drop_ = false;
  bool ban_off_ = false;
  std::vector<Intent> legal_;
};

inline constexpr std::string_view kTakesKing = "(takes the king)";

// A game from a state on.
class Game {
 public:
  Game(const State& state, const Laws& laws);
  void Play(const Intent& move);
  const State& state() const { return state_; }
  const Law& law() const { return *law_; }
  int Repetitions() const;
  std::string Termination() const;
  std::vector<std::string> Claims() const;

 private:
  State state_;
  const Laws& laws_;
  std::vector<std::string> keys_;
  std::optional<Law> law_;  // Of the present position.
};

// Names of all faults of a position, each once, sorted.
std::vector<std::string> Faults(const State& state);

}  // namespace sittuyin::slow

#endif  // SITTUYIN_TESTS_PROPERTY_SLOW_LAW_H_
