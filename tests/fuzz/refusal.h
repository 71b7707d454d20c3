// What holds of every refusal of a request, whatever it was.
#ifndef SITTUYIN_TESTS_FUZZ_REFUSAL_H_
#define SITTUYIN_TESTS_FUZZ_REFUSAL_H_

#include "google/rpc/status.pb.h"

namespace sittuyin::service {

// Requires that `status` is of the caller's fault and says why, in UTF-8
// throughout, with its reason first.
void CheckRefusal(const google::rpc::Status& status);

}  // namespace sittuyin::service

#endif  // SITTUYIN_TESTS_FUZZ_REFUSAL_H_
