#include "service/errors/wanted.h"

#include <algorithm>
#include <array>

namespace sittuyin::service {
namespace {

struct Range {
  std::string_view field;
  std::string_view range;
};

constexpr std::array kRanges = {
    Range{"level", "1 to 10, or 0 for full strength"},
    Range{"limits.depth", "1 to 64, or 0 for no limit"},
    Range{"multi_pv", "1 to 10, or 0 for one line"},
};

}  // namespace

std::string OneOf(const google::protobuf::EnumDescriptor& type) {
  std::string names = "one of ";
  for (int i = 0; i < type.value_count(); ++i) {
    names += (i == 0 ? "" : ", ") + type.value(i)->name();
  }
  return names;
}

std::string_view RangeOf(std::string_view field) {
  const auto* found = std::ranges::find(kRanges, field, &Range::field);
  return found == kRanges.end() ? "" : found->range;
}

}  // namespace sittuyin::service
