// How long a search may go on.
#ifndef SITTUYIN_ENGINE_SEARCH_BUDGET_H_
#define SITTUYIN_ENGINE_SEARCH_BUDGET_H_

#include <optional>

#include "engine/search/search.h"

namespace sittuyin {

// Watches the limits of nodes and time and the stop token of one search. Once
// spent it stays so.
class Budget {
 public:
  // `start` is when the search began. `stop` must outlive the budget.
  Budget(const SearchLimits& limits, SearchClock::time_point start,
         const StopToken& stop);

  // Is the budget spent after `nodes` nodes? Cheap enough for every node: it
  // looks at clock and token only now and then, well within a millisecond.
  bool Spent(NodeCount nodes) {
    if (reason_) return true;
    if (nodes >= max_nodes_) {
      reason_ = StopReason::kNodes;
    } else if (nodes >= next_look_) {
      next_look_ = nodes + kNodesBetweenLooks;
      Look();
    }
    return reason_.has_value();
  }

  // Looks at clock and token now.
  void Look();

  // What spends it when time alone does.
  StopReason EndOfTime() const {
    return time_up_ && (!deadline_ || *time_up_ < *deadline_)
               ? StopReason::kTime
               : StopReason::kDeadline;
  }

  // What spent it; nothing while it lasts.
  std::optional<StopReason> reason() const { return reason_; }

 private:
  static constexpr NodeCount kNodesBetweenLooks = 128;

  const StopToken& stop_;
  NodeCount max_nodes_;
  NodeCount next_look_ = 0;
  std::optional<SearchClock::time_point> time_up_;
  std::optional<SearchClock::time_point> deadline_;
  std::optional<StopReason> reason_;
};

}  // namespace sittuyin

#endif  // SITTUYIN_ENGINE_SEARCH_BUDGET_H_
