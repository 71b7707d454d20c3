#include "tests/property/slow_law.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <sstream>

namespace sittuyin::slow {
namespace {

using Cells = std::string;

int File(int square) { return square % 8; }
int Rank(int square) { return square / 8; }
char Upper(char letter) { return static_cast<char>(std::toupper(letter)); }
char ForSide(char upper, bool black) {
  return black ? static_cast<char>(std::tolower(upper)) : upper;
}
bool IsOwn(char man, bool black) {
  return std::isalpha(man) && (std::islower(man) != 0) == black;
}
bool IsEnemy(char man, bool black) { return IsOwn(man, !black); }
// Rank 1 to 8 as the side counts them.
int OwnRank(int square, bool black) {
  return black ? 8 - Rank(square) : Rank(square) + 1;
}
int Across(int from, int to) { return std::abs(File(to) - File(from)); }
int Ahead(int from, int to, bool black) {
  return OwnRank(to, black) - OwnRank(from, black);
}
bool IsDiagonalNeighbour(int from, int to) {
  return Across(from, to) == 1 && std::abs(Ahead(from, to, false)) == 1;
}
bool IsStraightAhead(int from, int to, bool black) {
  return Across(from, to) == 0 && Ahead(from, to, black) == 1;
}
bool IsDiagonallyAhead(int from, int to, bool black) {
  return Across(from, to) == 1 && Ahead(from, to, black) == 1;
}

// Does the man's pattern of capture cover the square on an empty board?
bool Covers(char man, int from, int to) {
  const bool black = std::islower(man) != 0;
  const int across = Across(from, to);
  const int ahead = Ahead(from, to, black);
  switch (Upper(man)) {
    case 'K':
      return std::max(across, std::abs(ahead)) == 1;
    case 'F':
      return IsDiagonalNeighbour(from, to);
    case 'S':
      return IsDiagonalNeighbour(from, to) || IsStraightAhead(from, to, black);
    case 'N':
      return across * std::abs(ahead) == 2;
    case 'R':
      return (across == 0) != (ahead == 0);
    case 'P':
      return IsDiagonallyAhead(from, to, black);
  }
  return false;
}

// The squares strictly between two of one rank or file, nearest first.
std::vector<int> Between(int from, int to) {
  const auto sign = [](int n) { return (n > 0) - (n < 0); };
  const int step =
      8 * sign(Rank(to) - Rank(from)) + sign(File(to) - File(from));
  std::vector<int> squares;
  for (int s = from + step; s != to; s += step) squares.push_back(s);
  return squares;
}

std::optional<int> FirstBlocker(const Cells& cells, int from, int to) {
  for (int s : Between(from, to)) {
    if (cells[s] != '.') return s;
  }
  return std::nullopt;
}

bool Attacks(const Cells& cells, int from, int to) {
  if (!Covers(cells[from], from, to)) return false;
  return Upper(cells[from]) != 'R' || !FirstBlocker(cells, from, to);
}

int CountOf(const std::string& men, char letter) {
  return static_cast<int>(std::count(men.begin(), men.end(), letter));
}

std::string MenOf(const std::string& men, bool black) {
  std::string own;
  for (char man : men) {
    if (IsOwn(man, black)) own += Upper(man);
  }
  std::sort(own.begin(), own.end());
  return own;
}

bool Holds(const std::string& men, char letter) {
  return men.find(letter) != std::string::npos;
}

Cells CellsAfter(const State& state, const Intent& move) {
  Cells cells = state.cells;
  if (move.drop != 0) {
    cells[move.to] = ForSide(move.drop, state.black_to_move);
    return cells;
  }
  const char man = move.promotes ? ForSide('F', state.black_to_move)
                                 : state.cells[move.from];
  cells[move.from] = '.';
  cells[move.to] = man;
  return cells;
}

// Own men other than the origin's that attack the enemy king only after.
std::vector<int> UncoveringChariots(const State& state, const Intent& move) {
  const bool black = state.black_to_move;
  const Cells after = CellsAfter(state, move);
  const std::size_t king = after.find(ForSide('K', !black));
  std::vector<int> chariots;
  if (king == std::string::npos) return chariots;
  for (int s = 0; s < 64; ++s) {
    if (after[s] != ForSide('R', black)) continue;
    if (Attacks(after, s, static_cast<int>(king)) &&
        !Attacks(state.cells, s, static_cast<int>(king))) {
      chariots.push_back(s);
    }
  }
  return chariots;
}

std::vector<int> AttackedByNewGeneral(const State& state, const Intent& move) {
  const Cells after = CellsAfter(state, move);
  std::vector<int> attacked;
  for (int s = 0; s < 64; ++s) {
    if (IsEnemy(after[s], state.black_to_move) &&
        IsDiagonalNeighbour(move.to, s)) {
      attacked.push_back(s);
    }
  }
  return attacked;
}

bool HasGeneral(const State& state) {
  const char general = ForSide('F', state.black_to_move);
  return Holds(state.cells, general) || Holds(state.hand, general);
}

bool OnPromotionSquare(const State& state, int square) {
  const bool black = state.black_to_move;
  if (CountOf(state.cells, ForSide('P', black)) == 1) return true;
  const bool long_diagonal =
      File(square) == Rank(square) || File(square) + Rank(square) == 7;
  return long_diagonal && OwnRank(square, black) >= 5;
}

bool InEnemysReach(const Cells& cells, bool black) {
  return !CheckersOf(cells, black).empty();
}

// Sections 1 to 3 of the law.

std::vector<Intent> LegalDrops(const State& state) {
  const bool black = state.black_to_move;
  std::vector<Intent> drops;
  for (char letter : std::string("KFRSN")) {
    if (!Holds(state.hand, ForSide(letter, black))) continue;
    for (int to = 0; to < 64; ++to) {
      const int rank = OwnRank(to, black);
      if (state.cells[to] != '.' || rank > (letter == 'R' ? 1 : 3)) continue;
      const Intent drop{.drop = letter, .to = to};
      if (!InEnemysReach(CellsAfter(state, drop), black)) drops.push_back(drop);
    }
  }
  return drops;
}

bool IsStepOrCapture(const State& state, int from, int to) {
  const bool black = state.black_to_move;
  const char target = state.cells[to];
  if (!IsOwn(state.cells[from], black)) return false;
  if (IsOwn(target, black) || target == ForSide('K', !black)) return false;
  if (Upper(state.cells[from]) != 'P') return Attacks(state.cells, from, to);
  return target == '.' ? IsStraightAhead(from, to, black)
                       : IsDiagonallyAhead(from, to, black);
}

bool IsPromotionMove(const State& state, const Laws& laws, int from, int to) {
  if (state.cells[from] != ForSide('P', state.black_to_move)) return false;
  if (HasGeneral(state) || !OnPromotionSquare(state, from)) return false;
  if (from != to && !IsDiagonalNeighbour(from, to)) return false;
  if (from != to && state.cells[to] != '.') return false;
  const Intent move{.from = from, .to = to, .promotes = true};
  if (!AttackedByNewGeneral(state, move).empty()) return false;
  return laws.may_discover_check || UncoveringChariots(state, move).empty();
}

std::vector<Intent> LegalBoardMoves(const State& state, const Laws& laws) {
  std::vector<Intent> moves;
  const auto add = [&](const Intent& move) {
    if (!InEnemysReach(CellsAfter(state, move), state.black_to_move)) {
      moves.push_back(move);
    }
  };
  for (int from = 0; from < 64; ++from) {
    if (!IsOwn(state.cells[from], state.black_to_move)) continue;
    for (int to = 0; to < 64; ++to) {
      if (IsStepOrCapture(state, from, to)) add({.from = from, .to = to});
      if (IsPromotionMove(state, laws, from, to)) {
        add({.from = from, .to = to, .promotes = true});
      }
    }
  }
  return moves;
}

std::vector<Intent> LegalBySections1To3(const State& state, const Laws& laws) {
  std::vector<Intent> drops = LegalDrops(state);
  return drops.empty() ? LegalBoardMoves(state, laws) : drops;
}

// Section 6: what the move that led to `next` does to the count.
void UpdateCount(State& next, bool black_moved) {
  if (next.count_limit != 0) {
    ++next.counted;
    return;
  }
  if (!next.hand.empty()) return;
  if (Holds(next.cells, 'P') || Holds(next.cells, 'p')) return;
  const std::string attacker = MenOf(next.cells, black_moved);
  if (MenOf(next.cells, !black_moved) != "K" || attacker == "K") return;
  next.counted = 0;
  next.count_limit = Holds(attacker, 'R')   ? 32
                     : Holds(attacker, 'S') ? 88
                     : Holds(attacker, 'N') ? 128
                                            : 0;
}

bool IsDead(const State& state, Dead dead) {
  if (dead == Dead::kNone || !state.hand.empty()) return false;
  std::string red = MenOf(state.cells, false);
  std::string black = MenOf(state.cells, true);
  if (red.size() > black.size()) std::swap(red, black);
  if (red == "K" && black == "K") return true;
  if (dead == Dead::kBareKings) return false;
  if (red == "K") return black == "FK" || black == "KN" || black == "KP";
  if (red != "FK" || black != "FK") return false;
  const auto parity = [&](char general) {
    const int square = static_cast<int>(state.cells.find(general));
    return (File(square) + Rank(square)) % 2;
  };
  return parity('F') == parity('f');
}

}  // namespace

const std::array<Laws, 5> kAllLaws = {{
    {"YOUZAI", false, true, false, Draw::kAutomatic, Draw::kAutomatic,
     Dead::kBareKings, false, false, false, false},
    {"VCHESS", true, false, false, Draw::kNone, Draw::kOnClaim, Dead::kNone,
     false, false, false, true},
    {"CHESSPLAYX", false, true, false, Draw::kOnClaim, Draw::kOnClaim,
     Dead::kAll, true, true, true, false},
    {"PYCHESS", false, false, false, Draw::kOnClaim, Draw::kOnClaim, Dead::kAll,
     true, false, true, false},
    {"TRADITIONAL", true, false, true, Draw::kOnClaim, Draw::kOnClaim,
     Dead::kAll, true, false, true, false},
}};

State FromFen(std::string_view fen) {
  std::istringstream fields{std::string(fen)};
  std::string board, side, castling, count;
  State state;
  int fifth = 0;
  fields >> board >> side >> castling >> count >> fifth >> state.number;
  int rank = 7;
  int file = 0;
  std::size_t i = 0;
  for (; i < board.size() && board[i] != '['; ++i) {
    if (board[i] == '/') {
      --rank;
      file = 0;
    } else if (std::isdigit(board[i])) {
      file += board[i] - '0';
    } else {
      state.cells[8 * rank + file++] = board[i];
    }
  }
  state.hand = board.substr(i + 1, board.size() - i - 2);
  state.black_to_move = side == "b";
  state.count_limit = count == "-" ? 0 : std::stoi(count);
  (state.count_limit == 0 ? state.clock : state.counted) = fifth;
  return state;
}

std::string Fen(const State& state) {
  std::ostringstream out;
  for (int rank = 7; rank >= 0; --rank) {
    int empty = 0;
    for (int file = 0; file < 8; ++file) {
      const char man = state.cells[8 * rank + file];
      if (man == '.') {
        ++empty;
        continue;
      }
      if (empty > 0) out << empty;
      empty = 0;
      out << man;
    }
    if (empty > 0) out << empty;
    if (rank > 0) out << '/';
  }
  out << '[';
  for (char letter : std::string("KFRSNPkfrsnp")) {
    out << std::string(CountOf(state.hand, letter), letter);
  }
  out << "] " << (state.black_to_move ? 'b' : 'w') << " - ";
  if (state.count_limit == 0) {
    out << "- " << state.clock;
  } else {
    out << state.count_limit << ' ' << state.counted;
  }
  out << ' ' << state.number;
  return out.str();
}

std::string Key(const State& state) {
  std::string hand = state.hand;
  std::sort(hand.begin(), hand.end());
  return state.cells + hand + (state.black_to_move ? "b" : "w");
}

State Flipped(const State& state) {
  const auto swap_side = [](char man) {
    return ForSide(Upper(man), std::isupper(man) != 0);
  };
  State flipped = state;
  for (int s = 0; s < 64; ++s) {
    const char man = state.cells[s];
    flipped.cells[s ^ 56] = man == '.' ? '.' : swap_side(man);
  }
  for (char& man : flipped.hand) man = swap_side(man);
  flipped.black_to_move = !state.black_to_move;
  return flipped;
}

std::string SquareName(int square) {
  return {static_cast<char>('a' + File(square)),
          static_cast<char>('1' + Rank(square))};
}

std::string Uci(const Intent& intent) {
  if (intent.drop != 0) return intent.drop + ("@" + SquareName(intent.to));
  return SquareName(intent.from) + SquareName(intent.to) +
         (intent.promotes ? "f" : "");
}

std::vector<int> CheckersOf(const std::string& cells, bool black) {
  std::vector<int> checkers;
  const std::size_t king = cells.find(ForSide('K', black));
  if (king == std::string::npos) return checkers;
  for (int s = 0; s < 64; ++s) {
    if (IsEnemy(cells[s], black) && Attacks(cells, s, static_cast<int>(king))) {
      checkers.push_back(s);
    }
  }
  return checkers;
}

State After(const State& state, const Intent& move, const Laws& laws) {
  const bool black = state.black_to_move;
  State next = state;
  next.cells = CellsAfter(state, move);
  bool turn_passes = true;
  bool starts_clock_anew = true;
  if (move.drop != 0) {
    next.hand.erase(next.hand.find(ForSide(move.drop, black)), 1);
    turn_passes = !laws.red_first || MenOf(next.hand, black).empty();
  } else {
    starts_clock_anew = Upper(state.cells[move.from]) == 'P' ||
                        IsEnemy(state.cells[move.to], black);
  }
  next.clock = starts_clock_anew ? 0 : state.clock + 1;
  if (black) ++next.number;
  if (turn_passes) next.black_to_move = !black;
  if (laws.counting) UpdateCount(next, black);
  return next;
}

Law::Law(const State& state, const Laws& laws) : state_(state), laws_(laws) {
  in_check_ = InEnemysReach(state.cells, state.black_to_move);
  has_drop_ = !LegalDrops(state).empty();
  const std::vector<Intent> moves = LegalBySections1To3(state, laws);
  for (const Intent& move : moves) {
    if (!laws.must_not_stalemate || !Stalemates(move)) legal_.push_back(move);
  }
  ban_off_ = legal_.empty();
  if (ban_off_) legal_ = moves;
}

bool Law::Stalemates(const Intent& move) const {
  const State next = After(state_, move, laws_);
  return next.black_to_move != state_.black_to_move &&
         CheckersOf(next.cells, next.black_to_move).empty() &&
         LegalBySections1To3(next, laws_).empty();
}

std::string Law::San(const Intent& move) const {
  const std::string to = SquareName(move.to);
  std::string san;
  const char man = Upper(state_.cells[move.from]);
  const bool captures = state_.cells[move.to] != '.';
  if (move.drop != 0) {
    san = Uci(move);
  } else if (move.promotes) {
    san = SquareName(move.from) + (move.from == move.to ? "" : to) + "=F";
  } else if (man == 'P') {
    san = captures ? SquareName(move.from).substr(0, 1) + "x" + to : to;
  } else {
    bool rival = false;
    bool same_file = false;
    bool same_rank = false;
    for (const Intent& other : legal_) {
      if (other.drop != 0 || other.promotes || other.to != move.to ||
          other.from == move.from || Upper(state_.cells[other.from]) != man) {
        continue;
      }
      rival = true;
      same_file |= File(other.from) == File(move.from);
      same_rank |= Rank(other.from) == Rank(move.from);
    }
    const std::string from = SquareName(move.from);
    san = man;
    if (rival && (!same_file || same_rank)) san += from[0];
    if (same_file) san += from[1];
    if (captures) san += 'x';
    san += to;
  }
  const State next = After(state_, move, laws_);
  if (CheckersOf(next.cells, !state_.black_to_move).empty()) return san;
  return san + (LegalBySections1To3(next, laws_).empty() ? "#" : "+");
}

bool Law::IsStepBack(const Intent& intent) const {
  return laws_.step_back_promotes && intent.drop == 0 && !intent.promotes &&
         state_.cells[intent.from] == ForSide('P', state_.black_to_move) &&
         Across(intent.from, intent.to) == 0 &&
         Ahead(intent.from, intent.to, state_.black_to_move) == -1;
}

bool Law::IsPromotion(const Intent& intent) const {
  if (intent.drop != 0) return false;
  return intent.promotes || IsStepBack(intent) ||
         (intent.from == intent.to && Upper(state_.cells[intent.from]) == 'P');
}

Intent Law::Meant(const Intent& intent) const {
  Intent meant = intent;
  meant.promotes = IsPromotion(intent);
  if (IsStepBack(intent)) meant.to = intent.from;
  return meant;
}

// One reason and when it is true.
struct Law::Clause {
  std::string_view reason;
  bool (*holds)(const Law& law, const Intent& move);
};

const std::vector<Law::Clause>& Law::DropClauses() {
  static const auto& clauses = *new std::vector<Clause>{
      {"DEPLOYMENT_OVER",
       [](const Law& law, const Intent&) {
         return MenOf(law.state_.hand, law.state_.black_to_move).empty();
       }},
      {"NOT_IN_HAND",
       [](const Law& law, const Intent& move) {
         const char man = ForSide(move.drop, law.state_.black_to_move);
         return !slow::Holds(law.state_.hand, man);
       }},
      {"OUTSIDE_DEPLOYMENT_ZONE",
       [](const Law& law, const Intent& move) {
         return OwnRank(move.to, law.state_.black_to_move) > 3;
       }},
      {"CHARIOT_OFF_BACK_RANK",
       [](const Law& law, const Intent& move) {
         return move.drop == 'R' &&
                OwnRank(move.to, law.state_.black_to_move) > 1;
       }},
      {"SQUARE_OCCUPIED",
       [](const Law& law, const Intent& move) {
         return law.state_.cells[move.to] != '.';
       }},
  };
  return clauses;
}

const std::vector<Law::Clause>& Law::BoardClauses() {
  static const auto& clauses = *new std::vector<Clause>{
      {"MUST_DEPLOY",
       [](const Law& law, const Intent&) { return law.has_drop_; }},
      {"EMPTY_SQUARE",
       [](const Law& law, const Intent& move) {
         return law.state_.cells[move.from] == '.';
       }},
      {"NOT_YOUR_MAN",
       [](const Law& law, const Intent& move) {
         return IsEnemy(law.state_.cells[move.from], law.state_.black_to_move);
       }},
  };
  return clauses;
}

namespace {

bool OwnManOnTarget(const State& state, const Intent& move) {
  return move.from != move.to &&
         IsOwn(state.cells[move.to], state.black_to_move);
}

bool TakesKing(const State& state, const Intent& move) {
  return state.cells[move.to] == ForSide('K', !state.black_to_move);
}

}  // namespace

const std::vector<Law::Clause>& Law::PromotionClauses() {
  static const auto& clauses = *new std::vector<Clause>{
      {"ONLY_SOLDIERS_PROMOTE",
       [](const Law& law, const Intent& move) {
         return Upper(law.state_.cells[move.from]) != 'P';
       }},
      {"GENERAL_STILL_ALIVE",
       [](const Law& law, const Intent&) { return HasGeneral(law.state_); }},
      {"NOT_ON_PROMOTION_SQUARE",
       [](const Law& law, const Intent& move) {
         return !OnPromotionSquare(law.state_, move.from);
       }},
      {"MAN_CANNOT_REACH",
       [](const Law&, const Intent& move) {
         return move.from != move.to &&
                !IsDiagonalNeighbour(move.from, move.to);
       }},
      {"PROMOTION_CANNOT_CAPTURE",
       [](const Law& law, const Intent& move) {
         return IsEnemy(law.state_.cells[move.to], law.state_.black_to_move);
       }},
      {"OWN_MAN_ON_TARGET",
       [](const Law& law, const Intent& move) {
         return OwnManOnTarget(law.state_, move);
       }},
      {"PROMOTION_ATTACKS_ENEMY",
       [](const Law& law, const Intent& move) {
         return !AttackedByNewGeneral(law.state_, move).empty();
       }},
  };
  return clauses;
}

const std::vector<Law::Clause>& Law::SoldierClauses() {
  static const auto& clauses = *new std::vector<Clause>{
      {"SOLDIER_ADVANCE_BLOCKED",
       [](const Law& law, const Intent& move) {
         const State& state = law.state_;
         return IsStraightAhead(move.from, move.to, state.black_to_move) &&
                state.cells[move.to] != '.';
       }},
      {"OWN_MAN_ON_TARGET",
       [](const Law& law, const Intent& move) {
         const State& state = law.state_;
         return IsDiagonallyAhead(move.from, move.to, state.black_to_move) &&
                OwnManOnTarget(state, move);
       }},
      {"SOLDIER_CAPTURE_NEEDS_ENEMY",
       [](const Law& law, const Intent& move) {
         const State& state = law.state_;
         return IsDiagonallyAhead(move.from, move.to, state.black_to_move) &&
                state.cells[move.to] == '.';
       }},
      {"MAN_CANNOT_REACH",
       [](const Law& law, const Intent& move) {
         const bool black = law.state_.black_to_move;
         return !IsStraightAhead(move.from, move.to, black) &&
                !IsDiagonallyAhead(move.from, move.to, black);
       }},
      {kTakesKing,
       [](const Law& law, const Intent& move) {
         return TakesKing(law.state_, move);
       }},
  };
  return clauses;
}

const std::vector<Law::Clause>& Law::OtherClauses() {
  static const auto& clauses = *new std::vector<Clause>{
      {"MAN_CANNOT_REACH",
       [](const Law& law, const Intent& move) {
         return !Covers(law.state_.cells[move.from], move.from, move.to);
       }},
      {"PATH_BLOCKED",
       [](const Law& law, const Intent& move) {
         return Upper(law.state_.cells[move.from]) == 'R' &&
                FirstBlocker(law.state_.cells, move.from, move.to).has_value();
       }},
      {"OWN_MAN_ON_TARGET",
       [](const Law& law, const Intent& move) {
         return OwnManOnTarget(law.state_, move);
       }},
      {kTakesKing,
       [](const Law& law, const Intent& move) {
         return TakesKing(law.state_, move);
       }},
  };
  return clauses;
}

const std::vector<Law::Clause>& Law::CommonClauses() {
  static const auto& clauses = *new std::vector<Clause>{
      {"DOES_NOT_ANSWER_CHECK",
       [](const Law& law, const Intent& move) {
         return law.InCheck() && InEnemysReach(CellsAfter(law.state_, move),
                                               law.state_.black_to_move);
       }},
      {"LEAVES_KING_IN_CHECK",
       [](const Law& law, const Intent& move) {
         return !law.InCheck() && InEnemysReach(CellsAfter(law.state_, move),
                                                law.state_.black_to_move);
       }},
      {"PROMOTION_DISCOVERS_CHECK",
       [](const Law& law, const Intent& move) {
         return !law.laws_.may_discover_check && move.promotes &&
                !UncoveringChariots(law.state_, move).empty();
       }},
      {"MUST_NOT_STALEMATE",
       [](const Law& law, const Intent& move) {
         return law.laws_.must_not_stalemate && !law.ban_off_ &&
                law.Stalemates(move);
       }},
  };
  return clauses;
}

std::array<const std::vector<Law::Clause>*, 3> Law::ClausesFor(
    const Intent& intent) const {
  static const auto& none = *new std::vector<Clause>;
  if (intent.drop != 0) return {&none, &DropClauses(), &CommonClauses()};
  const bool soldier = Upper(state_.cells[intent.from]) == 'P';
  return {&BoardClauses(),
          intent.promotes ? &PromotionClauses()
          : soldier       ? &SoldierClauses()
                          : &OtherClauses(),
          &CommonClauses()};
}

std::string_view Law::Reason(const Intent& intent) const {
  const Intent move = Meant(intent);
  for (const std::vector<Clause>* clauses : ClausesFor(move)) {
    for (const Clause& clause : *clauses) {
      if (clause.holds(*this, move)) return clause.reason;
    }
  }
  return "";
}

bool Law::Holds(std::string_view reason, const Intent& intent) const {
  const Intent move = Meant(intent);
  for (const std::vector<Clause>* clauses : ClausesFor(move)) {
    for (const Clause& clause : *clauses) {
      if (clause.reason == reason) return clause.holds(*this, move);
    }
  }
  return false;
}

std::optional<std::vector<int>> Law::SquaresOf(std::string_view reason,
                                               const Intent& intent) const {
  if (reason == kTakesKing || IsStepBack(intent)) return std::nullopt;
  const Intent move = Meant(intent);
  const std::vector<int> target = {move.to};
  if (reason == "GENERAL_STILL_ALIVE") {
    const char general = ForSide('F', state_.black_to_move);
    const std::size_t square = state_.cells.find(general);
    if (square == std::string::npos) return std::nullopt;
    return std::vector{static_cast<int>(square)};
  }
  if (reason == "PROMOTION_ATTACKS_ENEMY") {
    return AttackedByNewGeneral(state_, move);
  }
  if (reason == "PATH_BLOCKED") {
    return std::vector{*FirstBlocker(state_.cells, move.from, move.to)};
  }
  if (reason == "DOES_NOT_ANSWER_CHECK" || reason == "LEAVES_KING_IN_CHECK") {
    return CheckersOf(CellsAfter(state_, move), state_.black_to_move);
  }
  if (reason == "PROMOTION_DISCOVERS_CHECK") {
    return CheckersOf(CellsAfter(state_, move), !state_.black_to_move);
  }
  return target;
}

Game::Game(const State& state, const Laws& laws) : state_(state), laws_(laws) {
  if (!laws.counting && state_.count_limit != 0) {
    state_.count_limit = 0;
    state_.counted = 0;
    state_.clock = 0;
  }
  keys_.push_back(Key(state_));
  law_.emplace(state_, laws_);
}

void Game::Play(const Intent& move) {
  state_ = After(state_, move, laws_);
  keys_.push_back(Key(state_));
  law_.emplace(state_, laws_);
}

int Game::Repetitions() const {
  return static_cast<int>(std::count(keys_.begin(), keys_.end(), keys_.back()));
}

std::string Game::Termination() const {
  if (law_->legal().empty()) return law_->InCheck() ? "CHECKMATE" : "STALEMATE";
  if (IsDead(state_, laws_.dead)) return "DEAD_POSITION";
  if (state_.count_limit != 0 && state_.counted > state_.count_limit) {
    return "COUNT_EXHAUSTED";
  }
  if (laws_.threefold == Draw::kAutomatic && Repetitions() >= 3) {
    return "THREEFOLD_REPETITION";
  }
  if (laws_.hundred_plies == Draw::kAutomatic && state_.clock >= 100) {
    return "HUNDRED_PLIES";
  }
  return "NONE";
}

std::vector<std::string> Game::Claims() const {
  std::vector<std::string> claims;
  if (Termination() != "NONE") return claims;
  if (laws_.threefold == Draw::kOnClaim && Repetitions() >= 3) {
    claims.push_back("THREEFOLD_REPETITION");
  }
  if (laws_.hundred_plies == Draw::kOnClaim && state_.clock >= 100) {
    claims.push_back("HUNDRED_PLIES");
  }
  const bool all_promote =
      std::all_of(law_->legal().begin(), law_->legal().end(),
                  [](const Intent& move) { return move.promotes; });
  if (laws_.only_promotions_claim && all_promote &&
      MenOf(state_.cells + state_.hand, state_.black_to_move) == "KP" &&
      (laws_.only_promotions_claim_in_check || !law_->InCheck())) {
    claims.push_back("ONLY_PROMOTIONS_LEFT");
  }
  return claims;
}

std::vector<std::string> Faults(const State& state) {
  struct Limit {
    char letter;
    int most;
    std::string_view fault;
  };
  static constexpr Limit kLimits[] = {
      {'K', 1, "TOO_MANY_KINGS"},     {'F', 1, "TOO_MANY_GENERALS"},
      {'S', 2, "TOO_MANY_ELEPHANTS"}, {'N', 2, "TOO_MANY_HORSES"},
      {'R', 2, "TOO_MANY_CHARIOTS"},  {'P', 8, "TOO_MANY_SOLDIERS"}};
  std::vector<std::string> faults;
  for (bool black : {false, true}) {
    const std::string own = MenOf(state.cells + state.hand, black);
    if (!Holds(own, 'K')) faults.emplace_back("NO_KING");
    for (const Limit& limit : kLimits) {
      if (CountOf(own, limit.letter) > limit.most) {
        faults.emplace_back(limit.fault);
      }
    }
    const std::string hand = MenOf(state.hand, black);
    if (Holds(hand, 'P')) faults.emplace_back("SOLDIER_IN_HAND");
    int zone = 0;
    int back_rank = 0;
    for (int s = 0; s < 64; ++s) {
      if (state.cells[s] != '.') continue;
      zone += OwnRank(s, black) <= 3;
      back_rank += OwnRank(s, black) == 1;
    }
    const int men = static_cast<int>(hand.size()) - CountOf(hand, 'P');
    if (men > zone || CountOf(hand, 'R') > back_rank) {
      faults.emplace_back("HAND_CANNOT_BE_DROPPED");
    }
  }
  for (int s = 0; s < 64; ++s) {
    for (int t = 0; t < 64; ++t) {
      if (state.cells[s] == 'K' && state.cells[t] == 'k' && Covers('K', s, t)) {
        faults.emplace_back("KINGS_ADJACENT");
      }
    }
  }
  if (MenOf(state.hand, state.black_to_move).empty() &&
      InEnemysReach(state.cells, !state.black_to_move)) {
    faults.emplace_back("OPPONENT_IN_CHECK");
  }
  std::sort(faults.begin(), faults.end());
  faults.erase(std::unique(faults.begin(), faults.end()), faults.end());
  return faults;
}

}  // namespace sittuyin::slow
