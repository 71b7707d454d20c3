// What fields take, in the words of refusals: "want …".
#ifndef SITTUYIN_SERVICE_ERRORS_WANTED_H_
#define SITTUYIN_SERVICE_ERRORS_WANTED_H_

#include <google/protobuf/descriptor.h>

#include <string>
#include <string_view>

namespace sittuyin::service {

// The names of the values that `type` has.
std::string OneOf(const google::protobuf::EnumDescriptor& type);

// Which numbers `field`, a path in the proto's names, takes; empty where it
// takes all of its type.
std::string_view RangeOf(std::string_view field);

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_ERRORS_WANTED_H_
