// The method ListRuleSets.
#ifndef SITTUYIN_SERVICE_HANDLERS_LIST_RULE_SETS_H_
#define SITTUYIN_SERVICE_HANDLERS_LIST_RULE_SETS_H_

#include "google/rpc/status.pb.h"
#include "sittuyin/v1/sittuyin.pb.h"

namespace sittuyin::service {

// Never refuses.
google::rpc::Status HandleListRuleSets(v1::ListRuleSetsResponse* answer);

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_HANDLERS_LIST_RULE_SETS_H_
