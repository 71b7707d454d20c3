// Keys of the position hash, made by the compiler from a fixed seed, so that
// every replica hashes alike.
#ifndef SITTUYIN_ENGINE_RULES_ZOBRIST_H_
#define SITTUYIN_ENGINE_RULES_ZOBRIST_H_

#include <array>
#include <cstdint>

#include "engine/board/types.h"

namespace sittuyin::zobrist {

// Most men of one type that a hand holds, plus one for none.
inline constexpr int kHandCounts = 3;

struct Keys {
  std::array<
      std::array<std::array<std::uint64_t, kSquareCount>, kPieceTypeCount>, 2>
      man{};
  std::array<
      std::array<std::array<std::uint64_t, kHandCounts>, kPieceTypeCount>, 2>
      hand{};
  std::uint64_t black_to_move = 0;
};

constexpr Keys MakeKeys() {
  std::uint64_t state = 0x5177'7579'696e'0001;
  const auto next = [&state] {  // SplitMix64.
    state += 0x9e3779b97f4a7c15;
    std::uint64_t z = state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  };
  Keys keys;
  for (auto& types : keys.man) {
    for (auto& squares : types) {
      for (auto& key : squares) key = next();
    }
  }
  // An empty hand keeps the key 0.
  for (auto& types : keys.hand) {
    for (auto& counts : types) {
      for (int count = 1; count < kHandCounts; ++count) counts[count] = next();
    }
  }
  keys.black_to_move = next();
  return keys;
}

inline constexpr Keys kKeys = MakeKeys();

}  // namespace sittuyin::zobrist

#endif  // SITTUYIN_ENGINE_RULES_ZOBRIST_H_
