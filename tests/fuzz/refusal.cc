#include "tests/fuzz/refusal.h"

#include <google/rpc/error_details.pb.h>

#include "service/errors/errors.h"
#include "tests/fuzz/require.h"

namespace sittuyin::service {
namespace {

constexpr int kInvalidArgument = 3;
constexpr int kFailedPrecondition = 9;

}  // namespace

void CheckRefusal(const google::rpc::Status& status) {
  Require(status.code() == kInvalidArgument ||
          status.code() == kFailedPrecondition);
  Require(!status.message().empty());
  // Protobuf reads no text but UTF-8.
  google::rpc::Status read;
  Require(read.ParseFromString(status.SerializeAsString()));
  google::rpc::ErrorInfo info;
  Require(status.details_size() > 0 && status.details(0).UnpackTo(&info));
  Require(!info.reason().empty() && info.domain() == kErrorDomain);
  for (int i = 1; i < status.details_size(); ++i) {
    google::rpc::BadRequest bad;
    Require(status.details(i).UnpackTo(&bad));
  }
}

}  // namespace sittuyin::service
