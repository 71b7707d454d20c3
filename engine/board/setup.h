// A position as a text describes it, before anyone has asked whether the law
// allows it.
#ifndef SITTUYIN_ENGINE_BOARD_SETUP_H_
#define SITTUYIN_ENGINE_BOARD_SETUP_H_

#include <array>
#include <cstdint>
#include <optional>

#include "engine/board/types.h"

namespace sittuyin {

// Men on the board, men in hand, side to move, clocks. May hold anything: any
// number of kings, soldiers in hand. ValidateSetup tells what is wrong.
struct Setup {
  std::array<std::optional<Man>, kSquareCount> board;
  // Men in hand by color and type.
  std::array<std::array<std::uint8_t, kPieceTypeCount>, 2> hands{};
  Color side_to_move = Color::kRed;
  // Limit of the running count in plies (32, 88 or 128), 0 when none runs.
  int count_limit_plies = 0;
  // The clock of plies without capture, soldier move, promotion or drop; while
  // a count runs, the plies it has counted.
  int clock_plies = 0;
  // Rises after each move or drop of Black.
  int fullmove_number = 1;

  friend bool operator==(const Setup&, const Setup&) = default;
};

}  // namespace sittuyin

#endif  // SITTUYIN_ENGINE_BOARD_SETUP_H_
