// Flag values that refuse what the service cannot use, so that every bad value
// is reported by the flag that brought it.
#ifndef SITTUYIN_SERVICE_CONFIG_FLAG_TYPES_H_
#define SITTUYIN_SERVICE_CONFIG_FLAG_TYPES_H_

#include <string>
#include <vector>

#include "absl/flags/marshalling.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "engine/rules/rule_set.h"

namespace sittuyin::service {

// A number from `Min` to `Max`.
template <typename T, int Min, int Max>
struct InRange {
  T value;
};

template <typename T, int Min, int Max>
bool AbslParseFlag(absl::string_view text, InRange<T, Min, Max>* flag,
                   std::string* error) {
  std::string unused;
  if (absl::ParseFlag(text, &flag->value, &unused) && flag->value >= Min &&
      flag->value <= Max) {
    return true;
  }
  *error = absl::StrCat("want a number from ", Min, " to ", Max);
  return false;
}
template <typename T, int Min, int Max>
std::string AbslUnparseFlag(const InRange<T, Min, Max>& flag) {
  return absl::UnparseFlag(flag.value);
}

// A duration from a millisecond to a day: `1s`, `250ms`.
struct PositiveDuration {
  absl::Duration value;
};
bool AbslParseFlag(absl::string_view text, PositiveDuration* flag,
                   std::string* error);
std::string AbslUnparseFlag(const PositiveDuration& flag);

// The same, or zero.
struct Delay {
  absl::Duration value;
};
bool AbslParseFlag(absl::string_view text, Delay* flag, std::string* error);
std::string AbslUnparseFlag(const Delay& flag);

// A number of calls a second, from 0.001 to 1,000,000; or zero.
struct Rate {
  double value;
};
bool AbslParseFlag(absl::string_view text, Rate* flag, std::string* error);
std::string AbslUnparseFlag(const Rate& flag);

// `host:port`, an IPv6 host in brackets. Whether a name stands for an address
// is not asked.
struct Address {
  std::string value;
};
bool AbslParseFlag(absl::string_view text, Address* flag, std::string* error);
std::string AbslUnparseFlag(const Address& flag);

// Names of client certificates, with commas between.
struct Names {
  std::vector<std::string> value;
};
bool AbslParseFlag(absl::string_view text, Names* flag, std::string* error);
std::string AbslUnparseFlag(const Names& flag);

// Origins of web pages, `https://example.org:8000`, with commas between, as
// browsers send them: without the port that is the scheme's own; or `*` alone.
struct Origins {
  std::vector<std::string> value;
};
bool AbslParseFlag(absl::string_view text, Origins* flag, std::string* error);
std::string AbslUnparseFlag(const Origins& flag);

// A rule set by its name, with or without `RULE_SET_`, in any letter case.
struct RuleSetName {
  RuleSetId value;
};
bool AbslParseFlag(absl::string_view text, RuleSetName* flag,
                   std::string* error);
std::string AbslUnparseFlag(const RuleSetName& flag);

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_CONFIG_FLAG_TYPES_H_
