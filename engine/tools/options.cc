#include "engine/tools/options.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace sittuyin {
namespace {

// Stores `value` in the options; false when it is no value of the option.
using Setter = bool (*)(std::string_view value, Options& options);

bool SetRuleSet(std::string_view value, Options& options) {
  const auto laws = std::ranges::find(kRuleSets, value, &RuleSet::name);
  if (laws == kRuleSets.end()) return false;
  options.rule_set = laws->id;
  return true;
}

bool SetFen(std::string_view value, Options& options) {
  options.fen = value;
  return true;
}

bool SetDepth(std::string_view value, Options& options) {
  const char* const end = value.data() + value.size();
  const auto read = std::from_chars(value.data(), end, options.depth);
  return read.ec == std::errc() && read.ptr == end && options.depth >= 1;
}

bool SetCheck(std::string_view value, Options& options) {
  options.check = true;
  return value.empty();
}

bool SetHelp(std::string_view value, Options& options) {
  options.help = true;
  return value.empty();
}

struct Option {
  std::string_view prefix;  // Up to the value.
  Setter set;
};
constexpr std::array kOptions = {
    Option{"--rule_set=", SetRuleSet}, Option{"--fen=", SetFen},
    Option{"--depth=", SetDepth},      Option{"--check", SetCheck},
    Option{"--help", SetHelp},
};

bool ReadOption(std::string_view arg, Options& options) {
  for (const Option& option : kOptions) {
    if (!arg.starts_with(option.prefix)) continue;
    return option.set(arg.substr(option.prefix.size()), options);
  }
  return false;
}

}  // namespace

std::variant<Options, std::string> ReadOptions(std::span<char* const> args) {
  Options options;
  for (const std::string_view arg : args) {
    if (!arg.starts_with("-") && options.command.empty()) {
      options.command = arg;
    } else if (!ReadOption(arg, options)) {
      return "bad argument '" + std::string(arg) + "'; see --help";
    }
  }
  return options;
}

}  // namespace sittuyin
