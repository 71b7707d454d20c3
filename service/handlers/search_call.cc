#include "service/handlers/search_call.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>

#include "service/admission/run_times.h"
#include "service/errors/errors.h"

namespace sittuyin::service {
namespace {

using Clock = std::chrono::steady_clock;
using Fate = SearchPool::Fate;
using google::rpc::Status;
using std::chrono::nanoseconds;

constexpr std::chrono::milliseconds kAnswerMargin(40);

// Another server takes the call at once, this one never again.
constexpr std::chrono::seconds kDrainingRetryDelay(1);

// Less would have callers come back in vain, more is beyond any forecast.
nanoseconds RetryDelay(nanoseconds forecast) {
  return std::clamp<nanoseconds>(forecast, std::chrono::milliseconds(10),
                                 std::chrono::seconds(30));
}

bool IsOver(const CallContext& context) {
  return context.deadline && Clock::now() >= *context.deadline;
}

// Searches, and gives the answer as a call that is left to make.
std::function<void()> Run(const SearchCall& call, Searcher& searcher,
                          nanoseconds waited,
                          std::optional<Clock::time_point> deadline) {
  const CallContext& context = call.context;
  context.call.SetQueueTime(waited);
  Searcher::OnDepth on_depth;
  if (call.on_depth) {
    on_depth = [&call](const SearchResult& progress) {
      call.on_depth(call.game, progress);
    };
  }
  SearchLimits limits = call.limits;
  limits.deadline = deadline;
  SearchResult result =
      searcher.Search(call.game, limits, *context.caller->stop(), on_depth);
  context.call.SetNodes(result.nodes, static_cast<std::uint32_t>(result.depth));
  return [&call, result = std::move(result)] {
    if (call.context.caller->HasLeft()) return call.refuse(Cancelled());
    if (IsOver(call.context)) return call.refuse(DeadlineExceeded());
    call.answer(call.game, result);
  };
}

// What the pool's job shares from its search to its answer.
struct Course {
  const SearchCall call;
  std::function<void()> answer = {};
};

// The refusal of a search that has not begun.
Status RefusalOf(Fate why, nanoseconds retry_after) {
  switch (why) {
    case Fate::kQueueFull:
      return SearchQueueFull(RetryDelay(retry_after));
    case Fate::kTooLate:
    case Fate::kExpired:
      return NoTurnBeforeDeadline(RetryDelay(retry_after));
    case Fate::kDraining:
      return Draining(kDrainingRetryDelay);
    case Fate::kLeft:
      return Cancelled();
    case Fate::kBegun:
      break;
  }
  return Internal();
}

}  // namespace

Clock::time_point SearchDeadline(Clock::time_point deadline,
                                 Clock::time_point now) {
  const Clock::duration left = std::max(deadline - now, Clock::duration{0});
  return deadline - std::min<Clock::duration>(left / 2, kAnswerMargin);
}

void SearchOnPool(SearchPool& pool, SearchCall call) {
  if (IsOver(call.context)) return call.refuse(DeadlineExceeded());
  std::optional<Clock::time_point> deadline;
  if (call.context.deadline) {
    deadline = SearchDeadline(*call.context.deadline, Clock::now());
  }
  const auto caller = call.context.caller;
  call.context.call.SetQueued();
  const auto course = std::make_shared<Course>(Course{std::move(call)});
  const SearchPool::Receipt receipt =
      pool.Submit({.run =
                       [course](Searcher& searcher, nanoseconds waited,
                                std::optional<Clock::time_point> until) {
                         course->answer =
                             Run(course->call, searcher, waited, until);
                       },
                   .answer = [course] { course->answer(); },
                   .drop =
                       [course](Fate why, nanoseconds retry_after) {
                         course->call.refuse(RefusalOf(why, retry_after));
                       },
                   .deadline = deadline,
                   .longest = *course->call.limits.move_time,
                   .kind = KindOf(course->call.limits),
                   .stop = caller->stop()});
  if (receipt.refused) {
    return course->call.refuse(
        RefusalOf(*receipt.refused, receipt.retry_after));
  }
  caller->OnLeave([&pool, ticket = receipt.ticket] { pool.Withdraw(ticket); });
}

}  // namespace sittuyin::service
