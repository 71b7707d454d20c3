// Enumerators of the engine as those of the contract, and back.
#ifndef SITTUYIN_SERVICE_CONVERT_ENUMS_H_
#define SITTUYIN_SERVICE_CONVERT_ENUMS_H_

#include <array>
#include <optional>

#include "engine/board/types.h"
#include "engine/game/game.h"
#include "engine/rules/ending.h"
#include "engine/rules/rule_set.h"
#include "engine/rules/violation.h"
#include "engine/search/search.h"
#include "sittuyin/v1/sittuyin.pb.h"

namespace sittuyin::service {
namespace enums_internal {

// Most enums of the contract list the engine's values in the engine's order,
// after an _UNSPECIFIED of their own.
template <typename Proto, typename Engine>
constexpr Proto Next(Engine value) {
  return static_cast<Proto>(static_cast<int>(value) + 1);
}

// The contract orders the men otherwise: the index is the engine's value.
inline constexpr std::array<v1::PieceType, kPieceTypeCount> kPieceTypes = {
    v1::PIECE_TYPE_KING,     v1::PIECE_TYPE_GENERAL, v1::PIECE_TYPE_CHARIOT,
    v1::PIECE_TYPE_ELEPHANT, v1::PIECE_TYPE_HORSE,   v1::PIECE_TYPE_SOLDIER};

}  // namespace enums_internal

constexpr v1::PieceType ToProto(PieceType type) {
  return enums_internal::kPieceTypes[static_cast<std::size_t>(Index(type))];
}
constexpr v1::Color ToProto(Color color) {
  return enums_internal::Next<v1::Color>(color);
}
constexpr v1::RuleSet ToProto(RuleSetId id) {
  return enums_internal::Next<v1::RuleSet>(id);
}
constexpr v1::ViolationReason ToProto(ViolationReason reason) {
  return enums_internal::Next<v1::ViolationReason>(reason);
}
constexpr v1::Phase ToProto(Phase phase) {
  return enums_internal::Next<v1::Phase>(phase);
}
constexpr v1::Result ToProto(Result result) {
  return enums_internal::Next<v1::Result>(result);
}
constexpr v1::Termination ToProto(Termination termination) {
  return enums_internal::Next<v1::Termination>(termination);
}
constexpr v1::DrawClaim ToProto(DrawClaim claim) {
  return enums_internal::Next<v1::DrawClaim>(claim);
}
constexpr v1::StopReason ToProto(StopReason reason) {
  return enums_internal::Next<v1::StopReason>(reason);
}
constexpr v1::DeploymentOrder ToProto(DeploymentOrder order) {
  return enums_internal::Next<v1::DeploymentOrder>(order);
}
constexpr v1::DrawRule ToProto(DrawRule rule) {
  return enums_internal::Next<v1::DrawRule>(rule);
}
constexpr v1::DeadPositions ToProto(DeadPositions dead) {
  return enums_internal::Next<v1::DeadPositions>(dead);
}

// The engine's man; nothing for _UNSPECIFIED and numbers the enum lacks.
constexpr std::optional<PieceType> FromProto(v1::PieceType type) {
  for (const PieceType candidate : kPieceTypes) {
    if (ToProto(candidate) == type) return candidate;
  }
  return std::nullopt;
}
// The engine's rule set; nothing for _UNSPECIFIED and numbers the enum lacks.
constexpr std::optional<RuleSetId> FromProto(v1::RuleSet rule_set) {
  for (const RuleSet& laws : kRuleSets) {
    if (ToProto(laws.id) == rule_set) return laws.id;
  }
  return std::nullopt;
}

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_CONVERT_ENUMS_H_
