#include "service/convert/game.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "service/convert/enums.h"
#include "service/errors/errors.h"
#include "service/errors/wanted.h"

namespace sittuyin::service {
namespace {

using google::rpc::Status;

Status StartRefusal(const Game::StartError& error) {
  constexpr char kField[] = "game.initial_fen";
  if (const auto* fen = std::get_if<FenError>(&error)) {
    return MalformedFen(kField, *fen);
  }
  return ImpossiblePosition(kField, std::get<std::vector<SetupProblem>>(error));
}

std::uint32_t Unsigned(int value) { return static_cast<std::uint32_t>(value); }

}  // namespace

std::variant<Game, Status> ReadGame(const v1::Game& request,
                                    RuleSetId default_rule_set) {
  const auto rule_set = request.rule_set() == v1::RULE_SET_UNSPECIFIED
                            ? default_rule_set
                            : FromProto(request.rule_set());
  if (!rule_set) {
    return FieldOutOfRange("game.rule_set", OneOf(*v1::RuleSet_descriptor()));
  }
  if (auto over =
          RefuseOver("game.initial_fen", request.initial_fen().size())) {
    return *std::move(over);
  }
  if (auto over = RefuseOver("game.moves", request.moves().size())) {
    return *std::move(over);
  }
  auto start = Game::Start(*rule_set, request.initial_fen());
  if (const auto* error = std::get_if<Game::StartError>(&start)) {
    return StartRefusal(*error);
  }
  Game& game = std::get<Game>(start);
  std::size_t ply = 0;
  for (const std::string& move : request.moves()) {
    const auto played = game.Play(move);
    if (const auto* violation = std::get_if<Violation>(&played)) {
      return IllegalMoveInHistory(ply, *violation);
    }
    ++ply;
  }
  return std::move(game);
}

void WriteState(const Game& game, v1::GameState* answer) {
  const GameState state = game.State();
  answer->set_phase(ToProto(state.phase));
  answer->set_side_to_move(ToProto(state.side_to_move));
  answer->set_in_check(state.checkers != 0);
  for (Bitboard left = state.checkers; left != 0;) {
    answer->add_checkers(Name(PopFirst(left)));
  }
  answer->set_result(ToProto(state.result));
  answer->set_termination(ToProto(state.termination));
  for (const DrawClaim claim : state.claims) {
    answer->add_claims(ToProto(claim));
  }
  answer->set_halfmove_clock(Unsigned(state.halfmove_clock));
  answer->set_fullmove_number(Unsigned(state.fullmove_number));
  answer->set_repetitions(Unsigned(state.repetitions));
  if (const auto& counting = state.counting) {
    v1::Counting* count = answer->mutable_counting();
    count->set_attacker(ToProto(counting->attacker));
    count->set_limit_moves(Unsigned(counting->limit_moves));
    count->set_plies_counted(Unsigned(counting->plies_counted));
    count->set_moves_left(Unsigned(counting->moves_left));
  }
  answer->set_rule_set(ToProto(game.laws().id));
}

void WriteViolation(const Violation& violation, v1::Violation* answer) {
  answer->set_reason(ToProto(violation.reason));
  answer->set_message(Describe(violation));
  for (Bitboard left = violation.squares; left != 0;) {
    answer->add_squares(Name(PopFirst(left)));
  }
}

void WriteLaws(const RuleSet& laws, v1::RuleSetLaws* answer) {
  answer->set_rule_set(ToProto(laws.id));
  answer->set_deployment_order(ToProto(laws.deployment));
  answer->set_promotion_may_discover_check(laws.promotion_may_discover_check);
  answer->set_stalemating_is_illegal(laws.stalemating_is_illegal);
  answer->set_threefold_repetition(ToProto(laws.threefold_repetition));
  answer->set_hundred_plies(ToProto(laws.hundred_plies));
  answer->set_only_promotions_left(ToProto(laws.only_promotions_left));
  answer->set_dead_positions(ToProto(laws.dead_positions));
  answer->set_counting(laws.counting);
}

}  // namespace sittuyin::service
