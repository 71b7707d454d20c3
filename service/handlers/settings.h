// What the operator decides about answers.
#ifndef SITTUYIN_SERVICE_HANDLERS_SETTINGS_H_
#define SITTUYIN_SERVICE_HANDLERS_SETTINGS_H_

#include <cstdint>
#include <functional>

#include "engine/rules/rule_set.h"
#include "service/convert/search.h"

namespace sittuyin::service {

struct HandlerSettings {
  RuleSetId default_rule_set;  // Of requests that name none.
  MoveTimePolicy move_time;
  // Gives the seeds of varied play. Called from any thread.
  std::function<std::uint64_t()> random_seed;
};

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_HANDLERS_SETTINGS_H_
