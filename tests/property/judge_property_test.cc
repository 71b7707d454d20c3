// The engine's verdict on every conceivable move against the slow law's.
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/notation/fen.h"
#include "engine/notation/move_text.h"
#include "engine/rules/legality.h"
#include "engine/rules/movegen.h"
#include "engine/rules/perft.h"
#include "engine/rules/validate.h"
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
using testing::Texts;

constexpr int kStatesOfAFlavour = 100;
constexpr int kPlayouts = 5;
constexpr int kPlayoutPlies = 80;

Move ToMove(const Intent& intent) {
  const auto from = static_cast<Square>(intent.from);
  const auto to = static_cast<Square>(intent.to);
  if (intent.drop != 0) return Move::Drop(*TypeFromLetter(intent.drop), to);
  return intent.promotes ? Move::Promotion(from, to) : Move::Step(from, to);
}

std::vector<Intent> AllIntents() {
  std::vector<Intent> intents;
  for (int to = 0; to < 64; ++to) {
    for (char letter : std::string("KFRSNP")) {
      intents.push_back({.drop = letter, .to = to});
    }
    for (int from = 0; from < 64; ++from) {
      intents.push_back({.from = from, .to = to});
      intents.push_back({.from = from, .to = to, .promotes = true});
    }
  }
  return intents;
}

Bitboard SetOf(const std::vector<int>& squares) {
  Bitboard set = 0;
  for (const int square : squares) set |= Bit(static_cast<Square>(square));
  return set;
}

class JudgePropertyTest : public testing::EveryRuleSetTest {
 protected:
  const slow::Laws& SlowLaws() const {
    return slow::kAllLaws[static_cast<std::size_t>(GetParam())];
  }
  Position ToPosition(const State& state) const {
    return Position::FromSetup(slow::ToSetup(state), Laws(GetParam()));
  }

  void ExpectSameMoves(const Law& law, const Position& position) {
    Texts expected;
    for (const Intent& move : law.legal()) expected.insert(slow::Uci(move));
    EXPECT_EQ(testing::Moves(position), expected);
    EXPECT_EQ(LegalMoves(position).size(), expected.size());
    EXPECT_EQ(CountLegalMoves(position), static_cast<int>(expected.size()));
    EXPECT_EQ(HasLegalMove(position), !expected.empty());
  }

  void ExpectSameCheckers(const State& state, const Position& position) {
    for (const Color color : kColors) {
      EXPECT_EQ(position.CheckersOf(color),
                SetOf(slow::CheckersOf(state.cells, color == Color::kBlack)));
    }
  }

  void ExpectNoisyMovesAreCapturesAndPromotions(const Position& position) {
    Texts expected;
    for (const Move move : LegalMoves(position)) {
      if (move.IsPromotion() || position.IsCapture(move)) {
        expected.insert(ToUci(move));
      }
    }
    Texts noisy;
    for (const Move move : LegalCapturesAndPromotions(position)) {
      noisy.insert(ToUci(move));
    }
    EXPECT_EQ(noisy, expected);
  }

  void ExpectIsLegalAsListed(const Position& position) {
    const MoveList moves = LegalMoves(position);
    for (int bits = 0; bits < 1 << 16; ++bits) {
      const Move move = Move::FromBits(static_cast<std::uint16_t>(bits));
      ASSERT_EQ(IsLegal(position, move), moves.Contains(move)) << bits;
    }
  }

  // What the engine says of the intent that the slow law does not; nothing
  // when they agree.
  std::string Disagreement(const Law& law, const Position& position,
                           const MoveList& moves, const Intent& intent) {
    const std::string_view reason = law.Reason(intent);
    const auto verdict = Judge(position, ToMove(intent));
    if (const Move* move = std::get_if<Move>(&verdict)) {
      const bool agreed = reason.empty() && moves.Contains(*move) &&
                          IsLegal(position, *move) &&
                          ToUci(*move) == slow::Uci(law.Meant(intent));
      return agreed ? "" : "legal as " + ToUci(*move);
    }
    const Violation& violation = std::get<Violation>(verdict);
    const std::string_view given = ReasonName(violation.reason);
    if (reason.empty()) return std::string(given);
    ++seen_[reason];
    if (reason == slow::kTakesKing) return "";
    if (given != reason || !law.Holds(given, intent)) return std::string(given);
    const auto squares = law.SquaresOf(reason, intent);
    if (!squares || SetOf(*squares) == violation.squares) return "";
    return std::string(given) + ": " + Describe(violation);
  }

  // Everything that must hold of one position.
  void Examine(const State& state) {
    SCOPED_TRACE(slow::Fen(state));
    const Law law(state, SlowLaws());
    const Position position = ToPosition(state);
    ExpectSameMoves(law, position);
    ExpectSameCheckers(state, position);
    ExpectNoisyMovesAreCapturesAndPromotions(position);
    const MoveList moves = LegalMoves(position);
    for (const Intent& intent : intents_) {
      ASSERT_EQ(Disagreement(law, position, moves, intent), "")
          << slow::Uci(intent) << ": " << law.Reason(intent);
    }
  }

  std::map<std::string_view, int> seen_;
  const std::vector<Intent> intents_ = AllIntents();
};

TEST_P(JudgePropertyTest, HandMadePositions_EveryIntentIsJudgedAsByTheSlowLaw) {
  Random random(2024);
  for (int i = 0; i < kStatesOfAFlavour * slow::Effort(); ++i) {
    for (const Flavour flavour : slow::kFlavours) {
      Examine(RandomState(random, flavour));
      if (HasFailure()) return;
    }
  }
  // No reason that the test never met.
  for (int i = static_cast<int>(ViolationReason::kDeploymentOver);
       i < kViolationReasonCount; ++i) {
    const auto reason = static_cast<ViolationReason>(i);
    if (reason == ViolationReason::kPromotionDiscoversCheck &&
        SlowLaws().may_discover_check) {
      continue;
    }
    if (reason == ViolationReason::kMustNotStalemate &&
        !SlowLaws().must_not_stalemate) {
      continue;
    }
    EXPECT_GT(seen_[ReasonName(reason)], 0) << ReasonName(reason);
  }
}

TEST_P(JudgePropertyTest, PlayoutsFromTheStart_EveryIntentIsJudgedAsBySlowLaw) {
  Random random(99);
  for (int game = 0; game < kPlayouts * slow::Effort(); ++game) {
    State state = slow::FromFen(kStartFen);
    for (int ply = 0; ply < kPlayoutPlies; ++ply) {
      Examine(state);
      if (HasFailure()) return;
      const Law law(state, SlowLaws());
      if (law.legal().empty()) break;
      const int pick = random.Below(static_cast<int>(law.legal().size()));
      state = After(state, law.legal()[pick], SlowLaws());
    }
  }
}

TEST_P(JudgePropertyTest, AnyBitsWhatever_AreLegalWhenTheyAreInTheList) {
  Random random(3);
  for (int i = 0; i < 4 * slow::Effort(); ++i) {
    for (const Flavour flavour : slow::kFlavours) {
      const State state = RandomState(random, flavour);
      SCOPED_TRACE(slow::Fen(state));
      ExpectIsLegalAsListed(ToPosition(state));
      if (HasFatalFailure()) return;
    }
  }
}

TEST_P(JudgePropertyTest, ColoursExchanged_CountsAreTheSame) {
  Random random(5);
  for (int i = 0; i < 150 * slow::Effort(); ++i) {
    for (const Flavour flavour : slow::kFlavours) {
      const State state = RandomState(random, flavour);
      Position position = ToPosition(state);
      Position flipped = ToPosition(Flipped(state));
      ASSERT_EQ(Perft(position, 2), Perft(flipped, 2)) << slow::Fen(state);
    }
  }
}

TEST_P(JudgePropertyTest, HandMadePositions_CheckingPerftFindsNoFault) {
  Random random(6);
  for (int i = 0; i < 12 * slow::Effort(); ++i) {
    for (const Flavour flavour : slow::kFlavours) {
      const State state = RandomState(random, flavour);
      Position position = ToPosition(state);
      std::string fault;
      CheckingPerft(position, 2, fault);
      ASSERT_EQ(fault, "") << slow::Fen(state);
    }
  }
}

SITTUYIN_EVERY_RULE_SET(JudgePropertyTest);

TEST(ValidatePropertyTest, RandomSetups_HaveTheFaultsOfTheSlowLaw) {
  Random random(11);
  std::map<std::string, int> seen;
  for (int i = 0; i < 20000 * slow::Effort(); ++i) {
    const State state = slow::RandomFaultyState(random);
    std::vector<std::string> slow_faults = Faults(state);
    std::set<std::string> faults;
    for (const SetupProblem& problem : ValidateSetup(slow::ToSetup(state))) {
      faults.insert(std::string(FaultName(problem.fault)));
    }
    // Of what comes with more or fewer kings, kings that touch, or a soldier
    // in hand, the law names no more than that fault.
    std::set<std::string> expected(slow_faults.begin(), slow_faults.end());
    const auto ignore = [&](const std::string& fault) {
      faults.erase(fault);
      expected.erase(fault);
    };
    for (const std::string& fault : expected) ++seen[fault];
    if (expected.contains("NO_KING") || expected.contains("TOO_MANY_KINGS")) {
      ignore("KINGS_ADJACENT");
      ignore("OPPONENT_IN_CHECK");
    }
    if (expected.contains("KINGS_ADJACENT")) ignore("OPPONENT_IN_CHECK");
    if (expected.contains("SOLDIER_IN_HAND")) {
      ignore("OPPONENT_IN_CHECK");
      ignore("HAND_CANNOT_BE_DROPPED");
    }
    ASSERT_EQ(faults, expected) << slow::Fen(state);
  }
  EXPECT_EQ(seen.size(), 11);
}

}  // namespace
}  // namespace sittuyin
