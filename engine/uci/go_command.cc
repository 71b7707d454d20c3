#include "engine/uci/go_command.h"

#include <algorithm>
#include <charconv>
#include <chrono>

namespace sittuyin {
namespace {

using std::chrono::milliseconds;

constexpr std::uint64_t kMostMilliseconds = 1'000'000'000;

// The number after `name`; nothing when it is not there.
std::optional<std::uint64_t> NumberAfter(std::span<const std::string> words,
                                         std::string_view name) {
  const auto at = std::find(words.begin(), words.end(), name);
  if (at == words.end() || at + 1 == words.end()) return std::nullopt;
  return ParseNumber(at[1]);
}

// The share of the clock that one move may take.
milliseconds ShareOfClock(std::uint64_t left, std::uint64_t increment,
                          std::uint64_t moves_to_go) {
  const std::uint64_t share =
      left / std::max<std::uint64_t>(moves_to_go, 2) + increment * 3 / 4;
  return milliseconds(std::min(share, left / 2 + 1));
}

}  // namespace

std::optional<std::uint64_t> ParseNumber(std::string_view text) {
  std::uint64_t number = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, number);
  if (error != std::errc() || end != last) return std::nullopt;
  return number;
}

GoCommand ParseGo(std::span<const std::string> words, Color us,
                  const SearchLimits& defaults) {
  constexpr std::uint64_t kUsualMovesToGo = 30;
  const bool red = us == Color::kRed;
  const auto milliseconds_after = [&](std::string_view name) {
    auto number = NumberAfter(words, name);
    if (number) number = std::min(*number, kMostMilliseconds);
    return number;
  };
  GoCommand go{.limits = defaults};
  go.infinite =
      std::find(words.begin(), words.end(), "infinite") != words.end();
  go.limits.nodes = NumberAfter(words, "nodes");
  if (const auto depth = NumberAfter(words, "depth")) {
    go.limits.depth = static_cast<int>(std::clamp<std::uint64_t>(
        *depth, 1, static_cast<std::uint64_t>(kMaxSearchDepth)));
  }
  if (const auto move_time = milliseconds_after("movetime")) {
    go.limits.move_time = milliseconds(*move_time);
  } else if (const auto left = milliseconds_after(red ? "wtime" : "btime")) {
    go.limits.move_time = ShareOfClock(
        *left, milliseconds_after(red ? "winc" : "binc").value_or(0),
        NumberAfter(words, "movestogo").value_or(kUsualMovesToGo));
  }
  return go;
}

}  // namespace sittuyin
