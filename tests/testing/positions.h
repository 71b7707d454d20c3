// Positions and verdicts as texts, for tests that quote the law.
#ifndef SITTUYIN_TESTS_TESTING_POSITIONS_H_
#define SITTUYIN_TESTS_TESTING_POSITIONS_H_

#include <array>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/board/bitboard.h"
#include "engine/game/game.h"
#include "engine/rules/position.h"
#include "engine/rules/rule_set.h"
#include "engine/rules/violation.h"
#include "gtest/gtest.h"

namespace sittuyin::testing {

using Texts = std::set<std::string>;

inline constexpr std::array kAllRuleSets = {
    RuleSetId::kYouzai, RuleSetId::kVchess, RuleSetId::kChessplayx,
    RuleSetId::kPychess, RuleSetId::kTraditional};

// The position of `fen`. A text that is no possible position fails the test
// and gives the start position.
Position At(RuleSetId rule_set, std::string_view fen);

// The game that begins at `fen`, with `moves` played. What cannot be played
// fails the test.
Game GameAt(RuleSetId rule_set, std::string_view fen,
            const std::vector<std::string>& moves = {});

// The legal moves in UCI: all, those from a square, the drops, the promotions.
Texts Moves(const Position& position);
Texts MovesFrom(const Position& position, std::string_view square);
Texts Promotions(const Position& position);

// `LEGAL`, or the name of the reason why `text` is not.
std::string Verdict(const Position& position, std::string_view text);
// The reason with its squares, `PATH_BLOCKED a3`; `LEGAL` without.
std::string Reasoned(const Position& position, std::string_view text);
// FEN after the moves.
std::string FenAfter(RuleSetId rule_set, std::string_view fen,
                     const std::vector<std::string>& moves);

// The same position or UCI move with the colours exchanged, the board turned
// upside down.
std::string Flipped(std::string_view fen);
std::string FlippedMove(std::string_view uci);
Texts FlippedMoves(const Texts& moves);

std::string_view TerminationName(Termination termination);
std::vector<std::string> ClaimNames(const std::vector<DrawClaim>& claims);
std::vector<std::string> SquareNames(Bitboard squares);

// Names a case of a parameterised test by its rule set.
std::string RuleSetName(const ::testing::TestParamInfo<RuleSetId>& info);

// A test run once under every rule set.
class EveryRuleSetTest : public ::testing::TestWithParam<RuleSetId> {};

}  // namespace sittuyin::testing

// Instantiates the suite for all five rule sets.
#define SITTUYIN_EVERY_RULE_SET(suite)                                    \
  INSTANTIATE_TEST_SUITE_P(                                               \
      All, suite, ::testing::ValuesIn(::sittuyin::testing::kAllRuleSets), \
      ::sittuyin::testing::RuleSetName)

#endif  // SITTUYIN_TESTS_TESTING_POSITIONS_H_
