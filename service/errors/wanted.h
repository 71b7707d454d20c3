// What fields take, and the words in which refusals say it: "want …". Fields
// are paths in the proto's names.
#ifndef SITTUYIN_SERVICE_ERRORS_WANTED_H_
#define SITTUYIN_SERVICE_ERRORS_WANTED_H_

#include <google/protobuf/descriptor.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "google/rpc/status.pb.h"

namespace sittuyin::service {

// The names of the values that `type` has.
std::string OneOf(const google::protobuf::EnumDescriptor& type);

// The most that `field` takes: a number, the bytes of a text or the items of a
// list. Nothing where it takes all of its type.
std::optional<std::uint64_t> MostOf(std::string_view field);

// The same in words; empty where it takes all of its type.
std::string RangeOf(std::string_view field);

// FIELD_OUT_OF_RANGE where `amount` is more than `field` takes.
std::optional<google::rpc::Status> RefuseOver(std::string_view field,
                                              std::uint64_t amount);

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_ERRORS_WANTED_H_
