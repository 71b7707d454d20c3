#include "service/errors/wanted.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/notation/fen.h"
#include "engine/search/search.h"
#include "service/errors/errors.h"

namespace sittuyin::service {
namespace {

constexpr int kMaxMoves = 2048;  // Of a game.

struct Bound {
  std::string_view field;
  std::uint64_t most;
  std::string_view words;  // With {} in the place of `most`.
};

constexpr std::array kBounds = {
    Bound{"game.initial_fen", kMaxFenBytes, "at most {} bytes"},
    Bound{"game.moves", kMaxMoves, "at most {} moves"},
    Bound{"level", kMaxLevel, "1 to {}, or 0 for full strength"},
    Bound{"limits.depth", kMaxSearchDepth, "1 to {}, or 0 for no limit"},
    Bound{"multi_pv", kMaxMultiPv, "1 to {}, or 0 for one line"},
};

// Null where there is none.
const Bound* BoundOf(std::string_view field) {
  const auto* found = std::ranges::find(kBounds, field, &Bound::field);
  return found == kBounds.end() ? nullptr : found;
}

}  // namespace

std::string OneOf(const google::protobuf::EnumDescriptor& type) {
  std::string names = "one of ";
  for (int i = 0; i < type.value_count(); ++i) {
    names += (i == 0 ? "" : ", ") + type.value(i)->name();
  }
  return names;
}

std::optional<std::uint64_t> MostOf(std::string_view field) {
  const Bound* bound = BoundOf(field);
  if (bound == nullptr) return std::nullopt;
  return bound->most;
}

std::string RangeOf(std::string_view field) {
  const Bound* bound = BoundOf(field);
  if (bound == nullptr) return {};
  return fmt::format(fmt::runtime(bound->words), bound->most);
}

std::optional<google::rpc::Status> RefuseOver(std::string_view field,
                                              std::uint64_t amount) {
  const auto most = MostOf(field);
  if (!most || amount <= *most) return std::nullopt;
  return FieldOutOfRange(field, RangeOf(field));
}

}  // namespace sittuyin::service
