#include "service/handlers/request_game.h"

#include "service/convert/game.h"

namespace sittuyin::service {

std::variant<Game, google::rpc::Status> RequestGame(
    const HandlerSettings& settings, Call& call, const v1::Game& request) {
  call.SetPlies(static_cast<std::size_t>(request.moves_size()));
  auto read = ReadGame(request, settings.default_rule_set);
  if (const Game* game = std::get_if<Game>(&read)) {
    call.SetRuleSet(game->laws().name);
  }
  return read;
}

}  // namespace sittuyin::service
