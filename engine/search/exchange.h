// What a series of captures on one square is worth.
#ifndef SITTUYIN_ENGINE_SEARCH_EXCHANGE_H_
#define SITTUYIN_ENGINE_SEARCH_EXCHANGE_H_

#include "engine/board/move.h"
#include "engine/eval/value.h"
#include "engine/rules/position.h"

namespace sittuyin {

// What `move` gains its mover when both sides go on capturing on its target
// with their cheapest man for as long as it pays. Pins are not seen. A
// promotion gains the difference of the men; a drop or a quiet step gains
// nothing and may lose. Precondition: legal in `position`.
Value ExchangeValue(const Position& position, Move move);

}  // namespace sittuyin

#endif  // SITTUYIN_ENGINE_SEARCH_EXCHANGE_H_
