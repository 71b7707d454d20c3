// What BestMove and Analyze share: a search on the pool for a call.
#ifndef SITTUYIN_SERVICE_HANDLERS_SEARCH_CALL_H_
#define SITTUYIN_SERVICE_HANDLERS_SEARCH_CALL_H_

#include <chrono>
#include <functional>

#include "engine/game/game.h"
#include "engine/search/search.h"
#include "google/rpc/status.pb.h"
#include "service/admission/search_pool.h"
#include "service/api/call_context.h"

namespace sittuyin::service {

// When a search must end so that its answer is with the caller before
// `deadline`. Leaves 40 ms, or half of what is left where that is less.
std::chrono::steady_clock::time_point SearchDeadline(
    std::chrono::steady_clock::time_point deadline,
    std::chrono::steady_clock::time_point now);

struct SearchCall {
  CallContext context;
  Game game;            // Not over.
  SearchLimits limits;  // With a move time; the deadline is the context's.
  // Called on the worker after each finished depth. May be empty.
  std::function<void(const Game&, const SearchResult& so_far)> on_depth;
  // Exactly one of these is called, once: on a thread of the pool, or for what
  // is refused at once on the thread that asked.
  std::function<void(const google::rpc::Status&)> refuse;
  std::function<void(const Game&, const SearchResult&)> answer;
};

// Queues the search. Should its worker get no time to end it, the best found so
// far is answered midway between its end and the deadline, or 20 ms behind its
// end when there is none. Refused are a call that the pool does not let in, one
// whose deadline passes before its turn or, whatever kept it, before its
// answer, and one whose caller has left.
void SearchOnPool(SearchPool& pool, SearchCall call);

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_HANDLERS_SEARCH_CALL_H_
