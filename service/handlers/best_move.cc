#include "service/handlers/best_move.h"

#include <utility>

#include "service/convert/search.h"
#include "service/errors/errors.h"
#include "service/handlers/request_game.h"
#include "service/handlers/search_call.h"

namespace sittuyin::service {

using google::rpc::Status;

void HandleBestMove(const HandlerSettings& settings, SearchPool& pool,
                    CallContext context, const v1::BestMoveRequest& request,
                    std::function<void(Status, v1::BestMoveResponse)> done) {
  SearchLimits limits;
  if (auto refusal = ReadLimits(request, settings.move_time, &limits)) {
    return done(*std::move(refusal), {});
  }
  limits.seed = request.seed() != 0 ? request.seed() : settings.random_seed();
  auto read = RequestGame(settings, context.call, request.game());
  if (auto* refusal = std::get_if<Status>(&read)) {
    return done(std::move(*refusal), {});
  }
  Game& game = std::get<Game>(read);
  if (const Termination ending = game.Ending(); ending != Termination::kNone) {
    return done(GameFinished(ending), {});
  }
  SearchOnPool(pool,
               {.context = std::move(context),
                .game = std::move(game),
                .limits = limits,
                .on_depth = {},
                .refuse = [done](const Status& status) { done(status, {}); },
                .answer =
                    [done](const Game& searched, const SearchResult& result) {
                      v1::BestMoveResponse answer;
                      WriteResult(searched, result, &answer);
                      done({}, std::move(answer));
                    }});
}

}  // namespace sittuyin::service
