#include "service/handlers/search_call.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <mutex>
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
constexpr std::chrono::milliseconds kDrainingRetryDelay(100);

// Less would have callers come back in vain, more is beyond any forecast.
nanoseconds RetryDelay(nanoseconds forecast) {
  return std::clamp<nanoseconds>(forecast, std::chrono::milliseconds(10),
                                 std::chrono::seconds(30));
}

bool IsOver(const CallContext& context) {
  return context.deadline && Clock::now() >= *context.deadline;
}

// A search and its answer, which the worker gives behind it or, when that has
// too little of a core, the pool's clerk for it. Thread-safe.
class Course {
 public:
  explicit Course(SearchCall call) : call_(std::move(call)) {}

  void Search(Searcher& searcher, nanoseconds waited,
              std::optional<Clock::time_point> deadline) {
    {
      const std::lock_guard lock(mutex_);
      if (answered_) return;
      begin_ = Clock::now();
      call_.context.call.SetQueueTime(waited);
    }
    SearchLimits limits = call_.limits;
    limits.deadline = deadline;
    SearchResult result =
        searcher.Search(call_.game, limits, *call_.context.caller->stop(),
                        [this](const SearchResult& so_far) { Note(so_far); });
    const std::lock_guard lock(mutex_);
    found_ = std::move(result);
  }

  // Behind Search.
  void Answer() {
    SearchResult result;
    {
      const std::lock_guard lock(mutex_);
      if (std::exchange(answered_, true)) return;
      result = *std::move(found_);
    }
    const CallContext& context = call_.context;
    context.call.SetSearched(result.nodes,
                             static_cast<std::uint32_t>(result.depth),
                             Clock::now() - *begin_);
    if (context.caller->HasLeft()) return call_.refuse(Cancelled());
    if (IsOver(context)) return call_.refuse(DeadlineExceeded());
    call_.answer(call_.game, result);
  }

  // Answers now, wherever Search is.
  void AnswerLate(Searcher& spare) {
    {
      const std::lock_guard lock(mutex_);
      if (answered_) return;
      if (!begin_) begin_ = Clock::now();
      if (!found_) found_ = GlanceAt(spare);
    }
    Answer();
  }

  // In place of all that.
  void Refuse(const Status& status) const { call_.refuse(status); }

 private:
  SearchResult GlanceAt(Searcher& spare) const {
    SearchLimits limits = call_.limits;
    limits.move_time = nanoseconds(0);
    StopToken stop;
    if (call_.context.deadline) stop.RequestStop();
    return spare.Search(call_.game, limits, stop);
  }

  void Note(const SearchResult& so_far) {
    const std::lock_guard lock(mutex_);
    if (answered_) return;
    found_ = so_far;
    if (call_.on_depth) call_.on_depth(call_.game, so_far);
  }

  const SearchCall call_;
  std::mutex mutex_;
  std::optional<Clock::time_point> begin_;  // Of the search, or the glance.
  bool answered_ = false;                   // The call may be gone.
  std::optional<SearchResult> found_;       // The best so far.
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
  const CallContext& context = call.context;
  if (IsOver(context)) return call.refuse(DeadlineExceeded());
  std::optional<Clock::time_point> deadline;
  nanoseconds margin = kAnswerMargin;
  if (context.deadline) {
    deadline = SearchDeadline(*context.deadline, Clock::now());
    margin = *context.deadline - *deadline;
  }
  const auto caller = context.caller;
  context.call.SetQueued();
  const nanoseconds longest = *call.limits.move_time;
  const SearchKind kind = KindOf(call.limits);
  const auto course = std::make_shared<Course>(std::move(call));
  const SearchPool::Receipt receipt = pool.Submit(
      {.run = [course](auto&&... turn) { course->Search(turn...); },
       .answer = [course] { course->Answer(); },
       .late = [course](Searcher& spare) { course->AnswerLate(spare); },
       .grace = margin / 2,
       .drop =
           [course](Fate why, nanoseconds retry_after) {
             course->Refuse(RefusalOf(why, retry_after));
           },
       .deadline = deadline,
       .longest = longest,
       .kind = kind,
       .stop = caller->stop()});
  if (receipt.refused) {
    return course->Refuse(RefusalOf(*receipt.refused, receipt.retry_after));
  }
  caller->OnLeave([&pool, ticket = receipt.ticket] { pool.Withdraw(ticket); });
}

}  // namespace sittuyin::service
