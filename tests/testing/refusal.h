// Matches refusals by what a program reads of them.
#ifndef SITTUYIN_TESTS_TESTING_REFUSAL_H_
#define SITTUYIN_TESTS_TESTING_REFUSAL_H_

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"
#include "service/errors/errors.h"

namespace sittuyin {

// The fields that a refusal names, in its order.
inline std::vector<std::string> FieldsOf(const google::rpc::Status& status) {
  std::vector<std::string> fields;
  for (const auto& detail : status.details()) {
    google::rpc::BadRequest bad;
    if (!detail.UnpackTo(&bad)) continue;
    for (const auto& violation : bad.field_violations()) {
      fields.push_back(violation.field());
    }
  }
  return fields;
}

// A refusal with this ErrorInfo reason that names this field first.
MATCHER_P2(RefusedFor, reason, field, "") {
  *result_listener << arg.DebugString();
  const auto fields = FieldsOf(arg);
  return service::ReasonOf(arg) == reason && !fields.empty() &&
         fields.front() == field;
}

// A refusal with this ErrorInfo reason.
MATCHER_P(RefusedAs, reason, "") {
  *result_listener << arg.DebugString();
  return service::ReasonOf(arg) == reason;
}

MATCHER(IsOk, "") {
  *result_listener << arg.DebugString();
  return arg.code() == 0;
}

}  // namespace sittuyin

#endif  // SITTUYIN_TESTS_TESTING_REFUSAL_H_
