// The game of a request as the engine's, and the engine's as an answer.
#ifndef SITTUYIN_SERVICE_CONVERT_GAME_H_
#define SITTUYIN_SERVICE_CONVERT_GAME_H_

#include <variant>

#include "engine/game/game.h"
#include "google/rpc/status.pb.h"
#include "sittuyin/v1/sittuyin.pb.h"

namespace sittuyin::service {

// Replays the request's field `game`, or tells why it cannot be.
// `default_rule_set` holds where it names none.
std::variant<Game, google::rpc::Status> ReadGame(const v1::Game& request,
                                                 RuleSetId default_rule_set);

// What the law says of `game` now.
void WriteState(const Game& game, v1::GameState* state);

void WriteViolation(const Violation& violation, v1::Violation* answer);

void WriteLaws(const RuleSet& laws, v1::RuleSetLaws* answer);

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_CONVERT_GAME_H_
