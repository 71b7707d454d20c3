#include "service/http/field_words.h"

#include <spdlog/fmt/fmt.h>

#include <cstdint>
#include <limits>

#include "service/errors/errors.h"
#include "service/errors/wanted.h"

namespace sittuyin::service {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;

std::string WholeNumber(std::string_view path, std::uint64_t most) {
  const std::string range = RangeOf(path);
  return range.empty() ? fmt::format("a whole number from 0 to {}", most)
                       : fmt::format("a whole number, {}", range);
}

// What a value of `field`, which is at `path`, looks like.
std::string Wanted(std::string_view path, const FieldDescriptor& field) {
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_STRING:
      return "text";
    case FieldDescriptor::CPPTYPE_BOOL:
      return "true or false";
    case FieldDescriptor::CPPTYPE_UINT32:
      return WholeNumber(path, std::numeric_limits<std::uint32_t>::max());
    case FieldDescriptor::CPPTYPE_UINT64:
      return WholeNumber(path, std::numeric_limits<std::uint64_t>::max()) +
             ", in digits alone from 9007199254740992 on";
    case FieldDescriptor::CPPTYPE_ENUM:
      return OneOf(*field.enum_type());
    default:  // A message: requests have no other types.
      return field.message_type()->well_known_type() ==
                     Descriptor::WELLKNOWNTYPE_DURATION
                 ? R"(seconds as text, like "1.5s", at most 315576000000 with )"
                   R"(at most 9 decimals)"
                 : "an object";
  }
}

}  // namespace

google::rpc::Status WrongValue(std::string_view path,
                               const FieldDescriptor& field) {
  return MalformedRequest(path, fmt::format("want {}.", Wanted(path, field)));
}

google::rpc::Status NoArray(std::string_view path,
                            const FieldDescriptor& field) {
  return MalformedRequest(
      path, fmt::format("want an array of {}.", Wanted(path, field)));
}

google::rpc::Status GivenTwice(std::string_view path) {
  return MalformedRequest(path, "given twice, want it once.");
}

std::string NamesIn(const Descriptor& type) {
  std::string names;
  for (int i = 0; i < type.field_count(); ++i) {
    names += (i == 0 ? "" : ", ") + type.field(i)->json_name();
  }
  return names.empty() ? "none" : names;
}

}  // namespace sittuyin::service
