#include "service/handlers/search_call.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "service/errors/errors.h"

namespace sittuyin::service {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::nanoseconds;

constexpr std::chrono::milliseconds kAnswerMargin(40);
constexpr std::chrono::seconds kRetryDelay(1);

void Run(const SearchCall& call, Searcher& searcher, nanoseconds waited) {
  const CallContext& context = call.context;
  context.call.SetQueueTime(waited);
  if (context.stop->StopRequested()) return call.refuse(Cancelled());
  if (call.limits.deadline && Clock::now() >= *call.limits.deadline) {
    return call.refuse(DeadlineExceeded());
  }
  Searcher::OnDepth on_depth;
  if (call.on_depth) {
    on_depth = [&call](const SearchProgress& progress) {
      call.on_depth(call.game, progress);
    };
  }
  const SearchResult result =
      searcher.Search(call.game, call.limits, *context.stop, on_depth);
  context.call.SetNodes(result.nodes, static_cast<std::uint32_t>(result.depth));
  if (context.stop->StopRequested()) return call.refuse(Cancelled());
  call.answer(call.game, result);
}

}  // namespace

Clock::time_point SearchDeadline(Clock::time_point deadline,
                                 Clock::time_point now) {
  const Clock::duration left = std::max(deadline - now, Clock::duration{0});
  return deadline - std::min<Clock::duration>(left / 2, kAnswerMargin);
}

void SearchOnPool(SearchPool& pool, SearchCall call) {
  if (call.context.deadline) {
    call.limits.deadline = SearchDeadline(*call.context.deadline, Clock::now());
  }
  const auto shared = std::make_shared<const SearchCall>(std::move(call));
  switch (pool.Submit([shared](Searcher& searcher, nanoseconds waited) {
    Run(*shared, searcher, waited);
  })) {
    case SearchPool::Admission::kAccepted:
      return;
    case SearchPool::Admission::kQueueFull:
      return shared->refuse(SearchQueueFull(kRetryDelay));
    case SearchPool::Admission::kDraining:
      return shared->refuse(Draining(kRetryDelay));
  }
}

}  // namespace sittuyin::service
