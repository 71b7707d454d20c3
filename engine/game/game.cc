#include "engine/game/game.h"

#include <algorithm>

#include "engine/notation/move_text.h"

namespace sittuyin {
namespace {

Result ResultOf(Termination termination, Color side_to_move) {
  switch (termination) {
    case Termination::kNone:
      return Result::kOngoing;
    case Termination::kCheckmate:
      return side_to_move == Color::kRed ? Result::kBlackWins
                                         : Result::kRedWins;
    default:
      return Result::kDraw;
  }
}

std::optional<GameState::Counting> CountingOf(const Position& position) {
  const auto attacker = CountingAttacker(position);
  if (!attacker) return std::nullopt;
  const BareKingCount& count = position.count();
  const int limit = count.limit_plies / 2;
  return GameState::Counting{
      .attacker = *attacker,
      .limit_moves = limit,
      .plies_counted = count.plies,
      .moves_left = std::max(0, limit - count.plies / 2)};
}

// Room for as many positions spares most games the growing.
constexpr std::size_t kUsualPlies = 128;

// Made once: most games begin here.
const Position& StartPosition(RuleSetId rule_set) {
  static const std::vector<Position> positions = [] {
    const Setup setup = std::get<Setup>(ParseFen(kStartFen));
    std::vector<Position> made;
    made.reserve(kRuleSets.size());
    for (const RuleSet& laws : kRuleSets) {
      made.push_back(Position::FromSetup(setup, laws));
    }
    return made;
  }();
  return positions[static_cast<std::size_t>(rule_set)];
}

}  // namespace

std::variant<Game, Game::StartError> Game::Start(RuleSetId rule_set,
                                                 std::string_view fen) {
  if (fen.empty()) return Game(StartPosition(rule_set));
  const auto parsed = ParseFen(fen);
  if (const auto* error = std::get_if<FenError>(&parsed)) {
    return StartError(*error);
  }
  const Setup& setup = std::get<Setup>(parsed);
  if (auto problems = ValidateSetup(setup); !problems.empty()) {
    return StartError(std::move(problems));
  }
  return Game(Position::FromSetup(setup, Laws(rule_set)));
}

Game::Game(const Position& position) : position_(position) {
  hashes_.reserve(kUsualPlies);
  hashes_.push_back(position.hash());
}

std::variant<Move, Violation> Game::Read(std::string_view text) const {
  auto read = ReadMove(position_, text);
  // A legal move is proof enough that there is one.
  const bool over =
      std::holds_alternative<Move>(read)
          ? JudgeDraw(position_, RepetitionsThatEnd()) != Termination::kNone
          : IsOver();
  if (over) {
    // Text that is no move at all stays just that.
    if (const auto target = TargetOf(text)) {
      read = Violation{ViolationReason::kGameOver, Bit(*target)};
    }
  }
  return read;
}

std::variant<Move, Violation> Game::Play(std::string_view text) {
  auto read = Read(text);
  if (const Move* move = std::get_if<Move>(&read)) PlayUnchecked(*move);
  return read;
}

void Game::PlayUnchecked(Move move) {
  position_.Make(move);
  hashes_.push_back(position_.hash());
}

int Game::Repetitions() const {
  // A position comes back only while the clock runs, and to the same side: no
  // sooner than after four plies, and from there after every second one.
  const int present = static_cast<int>(hashes_.size()) - 1;
  const int first = std::max(0, present - position_.halfmove_clock());
  int repetitions = 1;
  for (int ply = present - 4; ply >= first; ply -= 2) {
    repetitions += hashes_[static_cast<std::size_t>(ply)] == position_.hash();
  }
  return repetitions;
}

int Game::RepetitionsThatEnd() const {
  // Looking back is spared where repetition does not end the game.
  const bool asked = laws().threefold_repetition == DrawRule::kAutomatic;
  return asked ? Repetitions() : 1;
}

Termination Game::Ending() const {
  return JudgeEnding(position_, RepetitionsThatEnd());
}

GameState Game::State() const {
  const Termination termination = Ending();
  const Color side = position_.side_to_move();
  const int repetitions = Repetitions();
  Phase phase = position_.HandEmpty(side) ? Phase::kPlay : Phase::kDeployment;
  if (termination != Termination::kNone) phase = Phase::kFinished;
  return {.phase = phase,
          .side_to_move = side,
          .checkers = position_.Checkers(),
          .result = ResultOf(termination, side),
          .termination = termination,
          .claims = ClaimsOf(position_, repetitions),
          .halfmove_clock = position_.halfmove_clock(),
          .fullmove_number = position_.fullmove_number(),
          .repetitions = repetitions,
          .counting = CountingOf(position_)};
}

std::string Describe(const Game::StartError& error) {
  if (const auto* malformed = std::get_if<FenError>(&error)) {
    return malformed->message;
  }
  std::string text;
  for (const SetupProblem& problem :
       std::get<std::vector<SetupProblem>>(error)) {
    if (!text.empty()) text += " ";
    text += problem.description;
  }
  return text;
}

}  // namespace sittuyin
