// FEN in and out.
#ifndef SITTUYIN_ENGINE_NOTATION_FEN_H_
#define SITTUYIN_ENGINE_NOTATION_FEN_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>

#include "engine/board/setup.h"
#include "engine/rules/position.h"

namespace sittuyin {

inline constexpr std::size_t kMaxFenBytes = 128;

inline constexpr std::string_view kStartFen =
    "8/8/4pppp/pppp4/4PPPP/PPPP4/8/8[KFRRSSNNkfrrssnn] w - - 0 1";

// Why a text is no FEN: one English sentence, what is wrong and where.
struct FenError {
  std::string message;
};

// Reads `text`. Fields may be left off from the right (side `w`, no count,
// clock 0, move 1). Hands come in any order; `[-]` or `[]` is empty. Where the
// hands are left off, a side without a king on the board has all its eight men
// other than soldiers in hand, those on the board excepted. Whether the
// position is possible is not asked.
std::variant<Setup, FenError> ParseFen(std::string_view text);

// Six fields, hands always in brackets, Red's then Black's in the order
// K F R S N. A clock or move number above 999,999, the most that is read, is
// written as that. Precondition: no count of a hand or type above what a text
// holds.
std::string ToFen(const Setup& setup);
std::string ToFen(const Position& position);

}  // namespace sittuyin

#endif  // SITTUYIN_ENGINE_NOTATION_FEN_H_
