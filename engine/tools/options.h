// The command line of sittuyin_cli.
#ifndef SITTUYIN_ENGINE_TOOLS_OPTIONS_H_
#define SITTUYIN_ENGINE_TOOLS_OPTIONS_H_

#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "engine/rules/rule_set.h"

namespace sittuyin {

struct Options {
  std::string_view command;  // Empty when none was given.
  RuleSetId rule_set = RuleSetId::kYouzai;
  std::string_view fen;  // Empty = the start position.
  int depth = 4;
  bool check = false;
  bool help = false;
};

// Reads `args`, the program's name not among them: one command and options
// `--name=value` in any order. On an error, one line that names the argument.
// The views point into `args`.
std::variant<Options, std::string> ReadOptions(std::span<char* const> args);

}  // namespace sittuyin

#endif  // SITTUYIN_ENGINE_TOOLS_OPTIONS_H_
