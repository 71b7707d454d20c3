// Moves as text: UCI and SAN, in and out.
#ifndef SITTUYIN_ENGINE_NOTATION_MOVE_TEXT_H_
#define SITTUYIN_ENGINE_NOTATION_MOVE_TEXT_H_

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "engine/board/move.h"
#include "engine/rules/position.h"
#include "engine/rules/violation.h"

namespace sittuyin {

// `K@e1`, `e4e5`, `d5d5f`, `d5e6f`.
std::string ToUci(Move move);

// Canonical SAN with `+` or `#`. Precondition: legal in `position`.
std::string ToSan(const Position& position, Move move);

// The legal move that `text` means in `position`, in UCI or SAN with the
// liberties that other sites take, or why there is none. Gives any reason but
// kGameOver. A text that is no move gives kMalformedMove.
std::variant<Move, Violation> ReadMove(const Position& position,
                                       std::string_view text);

// Where the move that `text` writes would end; nothing for text that is none.
std::optional<Square> TargetOf(std::string_view text);

}  // namespace sittuyin

#endif  // SITTUYIN_ENGINE_NOTATION_MOVE_TEXT_H_
