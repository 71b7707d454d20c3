#include "engine/uci/go_command.h"

#include <algorithm>
#include <charconv>
#include <chrono>

namespace sittuyin {
namespace {

using std::chrono::milliseconds;

constexpr std::uint64_t kMostMilliseconds = 1'000'000'000;

using Parse = std::optional<std::uint64_t> (*)(std::string_view);

// The clock of a player over time has run below zero.
std::optional<std::uint64_t> ParseClock(std::string_view text) {
  if (text.starts_with('-') && ParseNumber(text.substr(1))) return 0;
  auto number = ParseNumber(text);
  if (number) number = std::min(*number, kMostMilliseconds);
  return number;
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
  GoCommand go{.limits = defaults};
  const auto number_after = [&](std::string_view name,
                                Parse parse = ParseNumber) {
    std::optional<std::uint64_t> number;
    const auto at = std::find(words.begin(), words.end(), name);
    if (at == words.end()) return number;
    const bool is_last = at + 1 == words.end();
    if (!is_last) number = parse(at[1]);
    if (!number) {
      go.faults.push_back("want a number after " + *at +
                          (is_last ? "" : ", not " + at[1]));
    }
    return number;
  };
  go.infinite =
      std::find(words.begin(), words.end(), "infinite") != words.end();
  go.limits.nodes = number_after("nodes");
  const auto depth = number_after("depth");
  if (depth) {
    go.limits.depth = static_cast<int>(std::clamp<std::uint64_t>(
        *depth, 1, static_cast<std::uint64_t>(kMaxSearchDepth)));
  }
  if (const auto move_time = number_after("movetime")) {
    go.limits.move_time = milliseconds(std::min(*move_time, kMostMilliseconds));
  } else if (const auto left =
                 number_after(red ? "wtime" : "btime", ParseClock)) {
    go.limits.move_time = ShareOfClock(
        *left, number_after(red ? "winc" : "binc", ParseClock).value_or(0),
        number_after("movestogo").value_or(kUsualMovesToGo));
  } else if (words.size() > 1 && !go.infinite && !depth && !go.limits.nodes) {
    go.limits.move_time = milliseconds(0);
  }
  return go;
}

}  // namespace sittuyin
