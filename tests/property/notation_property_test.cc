// What is written can be read: FEN, UCI and SAN, with every liberty the law
// lets a writer take, and the slow law's SAN.
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/notation/fen.h"
#include "engine/notation/move_text.h"
#include "engine/rules/movegen.h"
#include "gtest/gtest.h"
#include "tests/property/random_positions.h"
#include "tests/property/slow_law.h"
#include "tests/testing/positions.h"

namespace sittuyin {
namespace {

using slow::Flavour;
using slow::Intent;
using slow::Law;
using slow::Random;
using slow::State;

constexpr int kStatesOfAFlavour = 25;
constexpr int kPlayouts = 2;
constexpr int kPlayoutPlies = 100;

std::string Without(std::string text, std::string_view signs) {
  std::erase_if(text, [&](char c) { return signs.find(c) != signs.npos; });
  return text;
}

// Other texts for the same move: no `+`, `#`, `x` or `=`, each alone and all,
// and the other letters for general and elephant.
std::set<std::string> OtherWritings(const std::string& san) {
  std::set<std::string> texts = {Without(san, "+#"), Without(san, "x"),
                                 Without(san, "="), Without(san, "+#x=")};
  for (const std::string& text : std::set<std::string>(texts)) {
    for (const char letter : std::string("QGM")) {
      std::string other = text;
      std::size_t at = other.find('F');
      if (at != other.npos) texts.insert(other.replace(at, 1, 1, letter));
    }
    for (const char letter : std::string("BE")) {
      std::string other = text;
      std::size_t at = other.find('S');
      if (at != other.npos) texts.insert(other.replace(at, 1, 1, letter));
    }
  }
  return texts;
}

class NotationPropertyTest : public testing::EveryRuleSetTest {
 protected:
  const slow::Laws& SlowLaws() const {
    return slow::kAllLaws[static_cast<std::size_t>(GetParam())];
  }

  void ExpectReads(const Position& position, const std::string& text,
                   Move move) {
    const auto read = ReadMove(position, text);
    const Move* found = std::get_if<Move>(&read);
    ASSERT_NE(found, nullptr)
        << text << ": " << ReasonName(std::get<Violation>(read).reason);
    ASSERT_EQ(*found, move) << text << " read as " << ToUci(*found);
  }

  void ExamineMove(const Law& law, const Position& position,
                   const Intent& intent) {
    const std::string uci = slow::Uci(intent);
    const auto read = ReadMove(position, uci);
    ASSERT_TRUE(std::holds_alternative<Move>(read)) << uci;
    const Move move = std::get<Move>(read);
    ASSERT_EQ(ToUci(move), uci);
    const std::string san = ToSan(position, move);
    const State after = After(law.state(), intent, SlowLaws());
    if (after.black_to_move == law.state().black_to_move) {
      // Of a check that is not yet the opponent's to answer the law is silent.
      ASSERT_EQ(Without(san, "+#"), Without(law.San(intent), "+#"));
    } else {
      ASSERT_EQ(san, law.San(intent));
    }
    ASSERT_NO_FATAL_FAILURE(ExpectReads(position, san, move));
    for (const std::string& text : OtherWritings(san)) {
      ASSERT_NO_FATAL_FAILURE(ExpectReads(position, text, move));
    }
    if (intent.drop == 0 && intent.from == intent.to) {
      ASSERT_NO_FATAL_FAILURE(ExpectReads(position, uci.substr(0, 4), move));
    }
  }

  void Examine(const State& state) {
    SCOPED_TRACE(slow::Fen(state));
    const Law law(state, SlowLaws());
    const Position position =
        Position::FromSetup(slow::ToSetup(state), Laws(GetParam()));
    const std::string fen = ToFen(position);
    ASSERT_EQ(fen, slow::Fen(state));
    const auto parsed = ParseFen(fen);
    ASSERT_EQ(parsed.index(), 0);
    ASSERT_EQ(std::get<0>(parsed), slow::ToSetup(state));
    ASSERT_EQ(ToFen(std::get<0>(parsed)), fen);
    std::set<std::string> sans;
    for (const Intent& intent : law.legal()) {
      ASSERT_NO_FATAL_FAILURE(ExamineMove(law, position, intent));
      ASSERT_TRUE(sans.insert(law.San(intent)).second) << law.San(intent);
    }
  }
};

TEST_P(NotationPropertyTest, HandMadePositions_EveryMoveIsReadAsWritten) {
  Random random(31);
  for (int i = 0; i < kStatesOfAFlavour * slow::Effort(); ++i) {
    for (const Flavour flavour : slow::kFlavours) {
      ASSERT_NO_FATAL_FAILURE(Examine(RandomState(random, flavour)));
    }
  }
}

TEST_P(NotationPropertyTest, PlayoutsFromTheStart_EveryMoveIsReadAsWritten) {
  Random random(32);
  for (int game = 0; game < kPlayouts * slow::Effort(); ++game) {
    State state = slow::FromFen(kStartFen);
    for (int ply = 0; ply < kPlayoutPlies; ++ply) {
      ASSERT_NO_FATAL_FAILURE(Examine(state));
      const Law law(state, SlowLaws());
      if (law.legal().empty()) break;
      const int pick = random.Below(static_cast<int>(law.legal().size()));
      state = After(state, law.legal()[pick], SlowLaws());
    }
  }
}

TEST_P(NotationPropertyTest, AnyShortText_IsReadAsALegalMoveOrAReason) {
  static constexpr std::string_view kLetters =
      "abcdefgh12345678KFRSNPQBEGMkrsnpqm@x=+#-0 ";
  Random random(33);
  State state;
  for (int i = 0; i < 20000 * slow::Effort(); ++i) {
    if (i % 200 == 0) {
      state = RandomState(
          random, slow::kFlavours[random.Below(slow::kFlavours.size())]);
    }
    const Position position =
        Position::FromSetup(slow::ToSetup(state), Laws(GetParam()));
    std::string text;
    for (int length = random.Below(8); length > 0; --length) {
      text += kLetters[random.Below(static_cast<int>(kLetters.size()))];
    }
    const auto read = ReadMove(position, text);
    if (const Move* move = std::get_if<Move>(&read)) {
      ASSERT_TRUE(LegalMoves(position).Contains(*move)) << text;
    } else {
      ASSERT_NE(std::get<Violation>(read).reason, ViolationReason::kGameOver);
    }
  }
}

SITTUYIN_EVERY_RULE_SET(NotationPropertyTest);

}  // namespace
}  // namespace sittuyin
