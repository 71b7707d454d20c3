#include "service/handlers/list_rule_sets.h"

#include "engine/rules/rule_set.h"
#include "service/convert/game.h"

namespace sittuyin::service {

google::rpc::Status HandleListRuleSets(v1::ListRuleSetsResponse* answer) {
  for (const RuleSet& laws : kRuleSets) {
    WriteLaws(laws, answer->add_rule_sets());
  }
  return {};
}

}  // namespace sittuyin::service
