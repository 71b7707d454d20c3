#include "tests/testing/positions.h"

#include <array>
#include <utility>
#include <variant>

#include "engine/notation/fen.h"
#include "engine/notation/move_text.h"
#include "engine/rules/movegen.h"

namespace sittuyin::testing {

Game GameAt(RuleSetId rule_set, std::string_view fen,
            const std::vector<std::string>& moves) {
  std::variant<Game, Game::StartError> start = Game::Start(rule_set, fen);
  if (!std::holds_alternative<Game>(start)) {
    ADD_FAILURE() << "refused: " << fen;
    start = Game::Start(rule_set);
  }
  Game game = std::get<Game>(start);
  for (const std::string& move : moves) {
    const auto played = game.Play(move);
    if (const auto* violation = std::get_if<Violation>(&played)) {
      ADD_FAILURE() << move << " in " << ToFen(game.position()) << ": "
                    << ReasonName(violation->reason);
    }
  }
  return game;
}

Position At(RuleSetId rule_set, std::string_view fen) {
  return GameAt(rule_set, fen).position();
}

Texts Moves(const Position& position) {
  Texts texts;
  for (const Move move : LegalMoves(position)) texts.insert(ToUci(move));
  return texts;
}

Texts MovesFrom(const Position& position, std::string_view square) {
  Texts texts;
  for (const Move move : LegalMoves(position)) {
    if (!move.IsDrop() && Name(move.from()) == square) {
      texts.insert(ToUci(move));
    }
  }
  return texts;
}

Texts Promotions(const Position& position) {
  Texts texts;
  for (const Move move : LegalMoves(position)) {
    if (move.IsPromotion()) texts.insert(ToUci(move));
  }
  return texts;
}

std::string Verdict(const Position& position, std::string_view text) {
  const auto read = ReadMove(position, text);
  const auto* violation = std::get_if<Violation>(&read);
  return violation == nullptr ? "LEGAL"
                              : std::string(ReasonName(violation->reason));
}

std::string Reasoned(const Position& position, std::string_view text) {
  const auto read = ReadMove(position, text);
  const auto* violation = std::get_if<Violation>(&read);
  if (violation == nullptr) return "LEGAL";
  std::string reasoned(ReasonName(violation->reason));
  for (const std::string& square : SquareNames(violation->squares)) {
    reasoned += ' ' + square;
  }
  return reasoned;
}

std::string FenAfter(RuleSetId rule_set, std::string_view fen,
                     const std::vector<std::string>& moves) {
  return ToFen(GameAt(rule_set, fen, moves).position());
}

std::string Flipped(std::string_view fen) {
  const auto parsed = ParseFen(fen);
  if (!std::holds_alternative<Setup>(parsed)) {
    ADD_FAILURE() << "no FEN: " << fen;
    return std::string(kStartFen);
  }
  const Setup& setup = std::get<Setup>(parsed);
  Setup flipped = setup;
  for (int i = 0; i < kSquareCount; ++i) {
    flipped.board[i ^ 56] = setup.board[i];
    if (setup.board[i]) {
      flipped.board[i ^ 56]->color = Opponent(setup.board[i]->color);
    }
  }
  std::swap(flipped.hands[0], flipped.hands[1]);
  flipped.side_to_move = Opponent(setup.side_to_move);
  return ToFen(flipped);
}

std::string FlippedMove(std::string_view uci) {
  std::string flipped(uci);
  for (char& c : flipped) {
    if (c >= '1' && c <= '8') c = static_cast<char>('1' + '8' - c);
  }
  return flipped;
}

Texts FlippedMoves(const Texts& moves) {
  Texts flipped;
  for (const std::string& move : moves) flipped.insert(FlippedMove(move));
  return flipped;
}

std::string_view TerminationName(Termination termination) {
  constexpr std::array<std::string_view, 7> kNames = {
      "NONE",          "CHECKMATE",       "STALEMATE",
      "DEAD_POSITION", "COUNT_EXHAUSTED", "THREEFOLD_REPETITION",
      "HUNDRED_PLIES"};
  return kNames[static_cast<std::size_t>(termination)];
}

std::vector<std::string> ClaimNames(const std::vector<DrawClaim>& claims) {
  constexpr std::array<std::string_view, 3> kNames = {
      "THREEFOLD_REPETITION", "HUNDRED_PLIES", "ONLY_PROMOTIONS_LEFT"};
  std::vector<std::string> names;
  for (const DrawClaim claim : claims) {
    names.emplace_back(kNames[static_cast<std::size_t>(claim)]);
  }
  return names;
}

std::vector<std::string> SquareNames(Bitboard squares) {
  std::vector<std::string> names;
  while (squares != 0) names.push_back(Name(PopFirst(squares)));
  return names;
}

std::string RuleSetName(const ::testing::TestParamInfo<RuleSetId>& info) {
  return std::string(Laws(info.param).name);
}

}  // namespace sittuyin::testing
