// What a call is, as metrics and logs name it.
#ifndef SITTUYIN_SERVICE_TELEMETRY_METHOD_H_
#define SITTUYIN_SERVICE_TELEMETRY_METHOD_H_

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace sittuyin::service {

enum class Method {
  kValidateMove,
  kLegalMoves,
  kGameStatus,
  kBestMove,
  kListRuleSets,
  kAnalyze,
};

enum class Door { kGrpc, kRest };

inline constexpr std::array<std::string_view, 6> kMethodNames = {
    "ValidateMove", "LegalMoves",   "GameStatus",
    "BestMove",     "ListRuleSets", "Analyze"};
inline constexpr std::array<std::string_view, 2> kDoorNames = {"grpc", "rest"};

// The rpc's name in the contract.
constexpr std::string_view Name(Method method) {
  return kMethodNames[static_cast<std::size_t>(method)];
}

// The label value: `grpc` or `rest`.
constexpr std::string_view Name(Door door) {
  return kDoorNames[static_cast<std::size_t>(door)];
}

// The method of this name; nothing for another.
constexpr std::optional<Method> MethodNamed(std::string_view name) {
  for (std::size_t i = 0; i < kMethodNames.size(); ++i) {
    if (kMethodNames[i] == name) return static_cast<Method>(i);
  }
  return std::nullopt;
}

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_TELEMETRY_METHOD_H_
