#include "service/config/flag_types.h"

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/strip.h"

namespace sittuyin::service {
namespace {

absl::string_view NameOf(const RuleSet& laws) {
  return {laws.name.data(), laws.name.size()};
}

}  // namespace

bool AbslParseFlag(absl::string_view text, PositiveDuration* flag,
                   std::string* error) {
  if (absl::ParseDuration(text, &flag->value) &&
      flag->value > absl::ZeroDuration() && flag->value <= absl::Hours(24)) {
    return true;
  }
  *error = "want a duration above zero and at most 24h, such as 1s or 250ms";
  return false;
}

std::string AbslUnparseFlag(const PositiveDuration& flag) {
  return absl::FormatDuration(flag.value);
}

bool AbslParseFlag(absl::string_view text, Delay* flag, std::string* error) {
  if (absl::ParseDuration(text, &flag->value) &&
      flag->value >= absl::ZeroDuration() && flag->value <= absl::Hours(24)) {
    return true;
  }
  *error = "want a duration from 0s to 24h, such as 5s or 250ms";
  return false;
}

std::string AbslUnparseFlag(const Delay& flag) {
  return absl::FormatDuration(flag.value);
}

bool AbslParseFlag(absl::string_view text, Address* flag, std::string* error) {
  const auto colon = text.rfind(':');
  int port = -1;
  if (colon != absl::string_view::npos && colon > 0 &&
      absl::SimpleAtoi(text.substr(colon + 1), &port) && port >= 0 &&
      port <= 65535) {
    const absl::string_view host = text.substr(0, colon);
    const bool brackets =
        absl::StartsWith(host, "[") && absl::EndsWith(host, "]");
    if (brackets || !absl::StrContains(host, ':')) {
      flag->value = std::string(text);
      return true;
    }
  }
  *error = "want host:port, an IPv6 host in brackets, such as 0.0.0.0:8080";
  return false;
}

std::string AbslUnparseFlag(const Address& flag) { return flag.value; }

bool AbslParseFlag(absl::string_view text, RuleSetName* flag,
                   std::string* error) {
  for (const RuleSet& laws : kRuleSets) {
    if (absl::EqualsIgnoreCase(text, NameOf(laws))) {
      flag->value = laws.id;
      return true;
    }
  }
  *error = "want one of";
  for (const RuleSet& laws : kRuleSets) {
    absl::StrAppend(error, " ", NameOf(laws));
  }
  return false;
}

std::string AbslUnparseFlag(const RuleSetName& flag) {
  return std::string(Laws(flag.value).name);
}

}  // namespace sittuyin::service
