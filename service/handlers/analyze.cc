#include "service/handlers/analyze.h"

#include <utility>

#include "service/convert/search.h"
#include "service/errors/errors.h"
#include "service/handlers/request_game.h"
#include "service/handlers/search_call.h"

namespace sittuyin::service {

using google::rpc::Status;

void HandleAnalyze(const HandlerSettings& settings, SearchPool& pool,
                   CallContext context, const v1::AnalyzeRequest& request,
                   std::function<void(const v1::AnalyzeResponse&)> write,
                   std::function<void(Status)> done) {
  SearchLimits limits;
  if (auto refusal = ReadLimits(request, settings.move_time, &limits)) {
    return done(*std::move(refusal));
  }
  auto read = RequestGame(settings, context.call, request.game());
  if (auto* refusal = std::get_if<Status>(&read)) {
    return done(std::move(*refusal));
  }
  Game& game = std::get<Game>(read);
  if (const Termination ending = game.Ending(); ending != Termination::kNone) {
    return done(GameFinished(ending));
  }
  SearchOnPool(
      pool,
      {.context = std::move(context),
       .game = std::move(game),
       .limits = limits,
       .on_depth =
           [write](const Game& searched, const SearchResult& so_far) {
             v1::AnalyzeResponse answer;
             WriteProgress(searched, so_far, &answer);
             write(answer);
           },
       .refuse = done,
       .answer =
           [write, done](const Game& searched, const SearchResult& result) {
             v1::AnalyzeResponse answer;
             WriteLastProgress(searched, result, &answer);
             write(answer);
             done({});
           }});
}

}  // namespace sittuyin::service
