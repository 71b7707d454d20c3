#include "service/config/flag_types.h"

#include <arpa/inet.h>

#include <regex>
#include <string>
#include <utility>
#include <vector>

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

// A name, or what can be an address in numbers.
bool IsHost(absl::string_view host) {
  in6_addr unused{};
  if (absl::ConsumePrefix(&host, "[") && absl::ConsumeSuffix(&host, "]")) {
    const std::string address(host.substr(0, host.find('%')));
    return inet_pton(AF_INET6, address.c_str(), &unused) == 1;
  }
  if (absl::StrContains(host, ':') || IsScheme(host)) return false;
  const bool numbers = absl::c_all_of(
      host, [](char c) { return absl::ascii_isdigit(c) || c == '.'; });
  in_addr address{};
  return !numbers || inet_aton(std::string(host).c_str(), &address) == 1;
}

bool IsInRange(absl::Duration duration) {
  return duration >= absl::Milliseconds(1) && duration <= absl::Hours(24);
}

// The pieces between commas, without the blanks around each; some may be empty
// unless all of `text` is.
std::vector<std::string> Pieces(absl::string_view text) {
  std::vector<std::string> pieces;
  if (text.empty()) return pieces;
  for (const absl::string_view piece : absl::StrSplit(text, ',')) {
    pieces.emplace_back(absl::StripAsciiWhitespace(piece));
  }
  return pieces;
}

// A scheme, `://`, a host and perhaps a port that is not the scheme's own, all
// in lower case.
bool IsOrigin(const std::string& text) {
  static const std::regex kOrigin(
      R"(([a-z][a-z0-9+.-]*)://([a-z0-9][a-z0-9._-]*|\[[0-9a-f:.]+\]))"
      R"((?::([1-9][0-9]{0,4}))?)");
  constexpr std::size_t kLongest = 300;  // Hosts have 253 bytes at most.
  std::smatch parts;
  if (text.size() > kLongest || !std::regex_match(text, parts, kOrigin)) {
    return false;
  }
  if (!parts[3].matched) return true;
  static const std::pair<std::string, int> kOwnPorts[] = {{"http", 80},
                                                          {"https", 443}};
  int port = 0;
  return absl::SimpleAtoi(parts.str(3), &port) && port <= 65535 &&
         !absl::c_linear_search(kOwnPorts, std::pair(parts.str(1), port));
}

}  // namespace

bool AbslParseFlag(absl::string_view text, PositiveDuration* flag,
                   std::string* error) {
  if (absl::ParseDuration(text, &flag->value) && IsInRange(flag->value)) {
    return true;
  }
  *error = "want a duration from 1ms to 24h, such as 1s or 250ms";
  return false;
}

std::string AbslUnparseFlag(const PositiveDuration& flag) {
  return absl::FormatDuration(flag.value);
}

bool AbslParseFlag(absl::string_view text, Delay* flag, std::string* error) {
  if (absl::ParseDuration(text, &flag->value) &&
      (flag->value == absl::ZeroDuration() || IsInRange(flag->value))) {
    return true;
  }
  *error = "want 0s or a duration from 1ms to 24h, such as 5s or 250ms";
  return false;
}

std::string AbslUnparseFlag(const Delay& flag) {
  return absl::FormatDuration(flag.value);
}

bool AbslParseFlag(absl::string_view text, Rate* flag, std::string* error) {
  if (absl::SimpleAtod(text, &flag->value) &&
      (flag->value == 0 || (flag->value >= 0.001 && flag->value <= 1000000))) {
    return true;
  }
  *error = "want 0 or a number from 0.001 to 1000000";
  return false;
}

std::string AbslUnparseFlag(const Rate& flag) {
  return absl::UnparseFlag(flag.value);
}

bool AbslParseFlag(absl::string_view text, Address* flag, std::string* error) {
  const auto colon = text.rfind(':');
  int port = 0;
  if (colon != absl::string_view::npos && colon > 0 &&
      absl::c_none_of(text, absl::ascii_isspace) &&
      absl::c_all_of(text.substr(colon + 1), absl::ascii_isdigit) &&
      absl::SimpleAtoi(text.substr(colon + 1), &port) && port <= 65535 &&
      IsHost(text.substr(0, colon))) {
    flag->value = std::string(text);
    return true;
  }
  *error = "want host:port, an IPv6 host in brackets, such as 0.0.0.0:8080";
  return false;
}

std::string AbslUnparseFlag(const Address& flag) { return flag.value; }

// No names would be leave for every certificate.
bool AbslParseFlag(absl::string_view text, Names* flag, std::string* error) {
  std::vector<std::string> names = Pieces(text);
  if (absl::c_linear_search(names, "")) {
    *error = "want names with commas between; one is empty";
    return false;
  }
  flag->value = std::move(names);
  return true;
}

std::string AbslUnparseFlag(const Names& flag) {
  return absl::StrJoin(flag.value, ",");
}

bool AbslParseFlag(absl::string_view text, Origins* flag, std::string* error) {
  std::vector<std::string> origins = Pieces(text);
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
  const std::string name = absl::AsciiStrToUpper(text);
  for (const RuleSet& laws : kRuleSets) {
    if (absl::StripPrefix(name, "RULE_SET_") == NameOf(laws)) {
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
