#include "service/config/flag_types.h"

#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace sittuyin::service {
namespace {

absl::string_view NameOf(const RuleSet& laws) {
  return {laws.name.data(), laws.name.size()};
}

// What gRPC would take for the scheme of another kind of address.
bool IsScheme(absl::string_view host) {
  return host == "dns" || host == "unix" || host == "unix-abstract";
}

// A scheme, `://`, a host and perhaps a port, all in lower case.
bool IsOrigin(absl::string_view text) {
  const std::pair<absl::string_view, absl::string_view> halves =
      absl::StrSplit(text, absl::MaxSplits("://", 1));
  const auto are_all = [](absl::string_view part, absl::string_view marks) {
    return !part.empty() && absl::c_all_of(part, [marks](char c) {
      return absl::ascii_islower(c) || absl::ascii_isdigit(c) ||
             absl::StrContains(marks, c);
    });
  };
  return are_all(halves.first, "+-.") && are_all(halves.second, "-.:[]_");
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
      absl::c_none_of(text, absl::ascii_isspace) &&
      absl::SimpleAtoi(text.substr(colon + 1), &port) && port >= 0 &&
      port <= 65535) {
    const absl::string_view host = text.substr(0, colon);
    const bool brackets =
        absl::StartsWith(host, "[") && absl::EndsWith(host, "]");
    if (brackets || !(absl::StrContains(host, ':') || IsScheme(host))) {
      flag->value = std::string(text);
      return true;
    }
  }
  *error = "want host:port, an IPv6 host in brackets, such as 0.0.0.0:8080";
  return false;
}

std::string AbslUnparseFlag(const Address& flag) { return flag.value; }

bool AbslParseFlag(absl::string_view text, Origins* flag, std::string* error) {
  std::vector<std::string> origins;
  for (const absl::string_view piece :
       absl::StrSplit(text, ',', absl::SkipWhitespace())) {
    origins.emplace_back(absl::StripAsciiWhitespace(piece));
  }
  const bool all = origins.size() == 1 && origins.front() == "*";
  if (!all && !absl::c_all_of(origins, IsOrigin)) {
    *error =
        "want origins as browsers send them, such as https://example.org, with "
        "commas between, or * alone";
    return false;
  }
  flag->value = std::move(origins);
  return true;
}

std::string AbslUnparseFlag(const Origins& flag) {
  return absl::StrJoin(flag.value, ",");
}

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
