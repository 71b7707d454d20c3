// The `go` command of UCI.
#ifndef SITTUYIN_ENGINE_UCI_GO_COMMAND_H_
#define SITTUYIN_ENGINE_UCI_GO_COMMAND_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/board/types.h"
#include "engine/search/search.h"

namespace sittuyin {

// `text` as a whole number without sign; nothing for any other text.
std::optional<std::uint64_t> ParseNumber(std::string_view text);

struct GoCommand {
  SearchLimits limits;
  bool infinite = false;                 // The answer is to wait for `stop`.
  std::vector<std::string> faults = {};  // Each names a word that is no number.
};

// Reads `words`, of which the first is `go`. `defaults` gives what the command
// does not say; the clock of `us` becomes a move time. Unknown words are
// skipped, as the protocol asks. Where words other than `infinite` leave no
// limit, the move may take no time.
GoCommand ParseGo(std::span<const std::string> words, Color us,
                  const SearchLimits& defaults);

}  // namespace sittuyin

#endif  // SITTUYIN_ENGINE_UCI_GO_COMMAND_H_
