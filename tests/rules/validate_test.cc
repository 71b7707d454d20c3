// Positions refused: each fault by itself, what is no fault, all at once.
#include "engine/rules/validate.h"

#include <string>
#include <variant>
#include <vector>

#include "engine/game/game.h"
#include "engine/notation/fen.h"
#include "gmock/gmock.h"
#include "tests/testing/positions.h"

namespace sittuyin {
namespace {

using ::testing::ElementsAre;
using testing::Flipped;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;

std::vector<SetupProblem> ProblemsOf(std::string_view fen) {
  const auto parsed = ParseFen(fen);
  if (!std::holds_alternative<Setup>(parsed)) {
    ADD_FAILURE() << "no FEN: " << fen;
    return {};
  }
  return ValidateSetup(std::get<Setup>(parsed));
}

// Names of the faults.
std::vector<std::string> FaultsOf(std::string_view fen) {
  std::vector<std::string> faults;
  for (const SetupProblem& problem : ProblemsOf(fen)) {
    faults.emplace_back(FaultName(problem.fault));
    EXPECT_THAT(problem.description, ::testing::EndsWith("."));
  }
  return faults;
}

struct Case {
  const char* fault;
  const char* fen;
};

class OneFaultTest : public ::testing::TestWithParam<Case> {};

TEST_P(OneFaultTest, IsReportedAloneForEitherSide) {
  EXPECT_THAT(FaultsOf(GetParam().fen), ElementsAre(GetParam().fault));
  EXPECT_THAT(FaultsOf(Flipped(GetParam().fen)), ElementsAre(GetParam().fault));
}

TEST_P(OneFaultTest, IsRefusedUnderEveryRuleSet) {
  for (const RuleSetId id : testing::kAllRuleSets) {
    const auto start = Game::Start(id, GetParam().fen);
    ASSERT_FALSE(std::holds_alternative<Game>(start));
    const auto& error = std::get<Game::StartError>(start);
    ASSERT_TRUE(std::holds_alternative<std::vector<SetupProblem>>(error));
    EXPECT_EQ(FaultName(std::get<std::vector<SetupProblem>>(error)[0].fault),
              GetParam().fault);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Faults, OneFaultTest,
    ::testing::Values(
        Case{"NO_KING", "4k3/8/8/8/8/8/8/R7[] w - - 0 1"},
        Case{"NO_KING", "8/8/8/8/8/8/8/R3K3[r] w - - 0 1"},
        Case{"TOO_MANY_KINGS", "4k3/8/8/8/8/8/8/K6K[] w - - 0 1"},
        Case{"TOO_MANY_KINGS", "4k3/8/8/8/8/8/8/K7[K] w - - 0 1"},
        Case{"TOO_MANY_KINGS", "8/8/8/8/8/8/8/8[KKk] w - - 0 1"},
        Case{"TOO_MANY_GENERALS", "4k3/8/8/8/8/8/8/K2F2F1[] w - - 0 1"},
        Case{"TOO_MANY_GENERALS", "4k3/8/8/8/8/8/8/K2F4[F] w - - 0 1"},
        Case{"TOO_MANY_GENERALS", "4k3/8/8/8/8/8/8/K7[FF] w - - 0 1"},
        Case{"TOO_MANY_ELEPHANTS", "4k3/8/8/8/8/8/8/K2S1S1S[] w - - 0 1"},
        Case{"TOO_MANY_ELEPHANTS", "4k3/8/8/8/8/8/8/K2S1S2[S] w - - 0 1"},
        Case{"TOO_MANY_ELEPHANTS", "4k3/8/8/8/8/8/8/K7[SSS] w - - 0 1"},
        Case{"TOO_MANY_HORSES", "4k3/8/8/8/8/8/8/K2N1N1N[] w - - 0 1"},
        Case{"TOO_MANY_HORSES", "4k3/8/8/8/8/8/8/K2N4[NN] w - - 0 1"},
        Case{"TOO_MANY_CHARIOTS", "4k3/8/8/8/8/8/8/K2R1R1R[] w - - 0 1"},
        Case{"TOO_MANY_CHARIOTS", "4k3/8/8/8/8/8/8/K2R1R2[R] w - - 0 1"},
        Case{"TOO_MANY_SOLDIERS", "4k3/8/8/8/8/8/PPPPPPPP/K1P5[] w - - 0 1"},
        Case{"SOLDIER_IN_HAND", "4k3/8/8/8/8/8/8/K7[P] w - - 0 1"},
        Case{"KINGS_ADJACENT", "8/8/8/3k4/3K4/8/8/8[Rr] w - - 0 1"},
        Case{"KINGS_ADJACENT", "8/8/8/4k3/3K4/8/8/8[Rr] w - - 0 1"},
        Case{"KINGS_ADJACENT", "8/8/8/8/3Kk3/8/8/8[Rr] w - - 0 1"},
        Case{"OPPONENT_IN_CHECK", "4k3/8/8/8/8/8/8/K3R3[] w - - 0 1"},
        Case{"OPPONENT_IN_CHECK", "4k3/3P4/8/8/8/8/8/K7[] w - - 0 1"},
        Case{"OPPONENT_IN_CHECK", "4k3/4S3/8/8/8/8/8/K7[r] w - - 0 1"},
        // All twenty-four squares of the zone are taken.
        Case{"HAND_CANNOT_BE_DROPPED",
             "4k3/8/8/8/8/PPPPPPPP/SSRRFrrn/Kssnpppp[N] w - - 0 1"},
        // No square of the first rank for the chariot.
        Case{"HAND_CANNOT_BE_DROPPED", "4k3/8/8/8/8/8/8/KFSSNNRp[R] w - - 0 1"},
        // One square of it for two chariots.
        Case{"HAND_CANNOT_BE_DROPPED",
             "4k3/8/8/8/8/8/8/KFSSNNp1[RR] w - - 0 1"}));

class NoFaultTest : public ::testing::TestWithParam<const char*> {};

TEST_P(NoFaultTest, IsAccepted) {
  EXPECT_THAT(FaultsOf(GetParam()), IsEmpty());
  EXPECT_THAT(FaultsOf(Flipped(GetParam())), IsEmpty());
  for (const RuleSetId id : testing::kAllRuleSets) {
    EXPECT_TRUE(std::holds_alternative<Game>(Game::Start(id, GetParam())));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Accepted, NoFaultTest,
    ::testing::Values(
        // The start, and every man there is.
        "8/8/4pppp/pppp4/4PPPP/PPPP4/8/8[KFRRSSNNkfrrssnn] w - - 0 1",
        "rnsfksnr/8/4pppp/pppp4/4PPPP/PPPP4/8/RNSFKSNR[] w - - 0 9",
        // Soldiers on their own first rank, and on the last.
        "4k3/8/8/8/8/8/8/PPP1K3[] w - - 0 1",
        "P3k3/8/8/8/8/8/8/4K3[] w - - 0 1",
        // The side not to move in check while the other has men in hand.
        "4k3/4R3/8/8/8/8/6r1/6K1[R] w - - 0 1",
        "4k3/8/8/8/8/8/8/K3R3[N] w - - 0 1",
        // The side to move in check.
        "4k3/8/8/8/8/8/8/K3R3[] b - - 0 1",
        // Kings two squares apart.
        "8/8/3k4/8/3K4/8/8/8[] w - - 0 1",
        // Mate, stalemate, a dead position.
        "k7/S7/1K6/8/8/8/8/1R6[] b - - 0 1", "8/8/8/8/8/K7/S7/k7[] b - - 0 1",
        "4k3/8/8/8/8/8/8/4K3[] w - - 0 1",
        // The last empty square serves the last man.
        "4k3/8/8/8/8/8/8/KFSSNN1p[R] w - - 0 1",
        // A king in hand.
        "4k3/8/8/8/8/8/8/8[K] w - - 0 1"));

TEST(ValidateSetupTest, CountsBoardAndHandTogether) {
  EXPECT_THAT(FaultsOf("4k3/8/8/8/8/8/8/K2R4[R] w - - 0 1"), IsEmpty());
  EXPECT_THAT(FaultsOf("4k3/8/8/8/8/8/8/K2R4[RR] w - - 0 1"),
              ElementsAre("TOO_MANY_CHARIOTS"));
}

TEST(ValidateSetupTest, SideToMoveWithMenInHand_OnlyItsOwnHandCounts) {
  EXPECT_THAT(FaultsOf("4k3/8/8/8/8/8/8/K3R3[n] w - - 0 1"),
              ElementsAre("OPPONENT_IN_CHECK"));
  EXPECT_THAT(FaultsOf("4k3/8/8/8/8/8/8/K3R3[N] w - - 0 1"), IsEmpty());
}

TEST(ValidateSetupTest, AllFaultsAtOnce_InTheirOrder) {
  // Red: no king, two generals, three elephants, horses and chariots, nine
  // soldiers and two in hand.
  EXPECT_THAT(FaultsOf("4k3/8/8/8/PPPPP3/PPPP4/FFSSS3/NNN1RRR1[PP] w - - 0 1"),
              ElementsAre("NO_KING", "TOO_MANY_GENERALS", "TOO_MANY_ELEPHANTS",
                          "TOO_MANY_HORSES", "TOO_MANY_CHARIOTS",
                          "TOO_MANY_SOLDIERS", "SOLDIER_IN_HAND"));
}

TEST(ValidateSetupTest, BothSidesAtFault_RedsFirst) {
  const std::vector<SetupProblem> problems =
      ProblemsOf("8/8/8/8/8/8/8/r6R[] w - - 0 1");
  ASSERT_EQ(problems.size(), 2);
  EXPECT_EQ(problems[0].fault, SetupFault::kNoKing);
  EXPECT_EQ(problems[0].side, Color::kRed);
  EXPECT_EQ(problems[1].fault, SetupFault::kNoKing);
  EXPECT_EQ(problems[1].side, Color::kBlack);
}

TEST(ValidateSetupTest, FaultsOfDifferentKindsTogether) {
  EXPECT_THAT(FaultsOf("4k3/8/8/8/4R3/8/8/K1FF4[p] w - - 0 1"),
              IsSupersetOf({"TOO_MANY_GENERALS", "SOLDIER_IN_HAND",
                            "OPPONENT_IN_CHECK"}));
  EXPECT_THAT(FaultsOf("8/8/8/8/3Kk3/8/1FF5/8[] w - - 0 1"),
              IsSupersetOf({"TOO_MANY_GENERALS", "KINGS_ADJACENT"}));
  EXPECT_THAT(
      FaultsOf("8/8/8/4k3/4K3/8/8/FSSNNRp1[RRKP] w - - 0 1"),
      IsSupersetOf({"TOO_MANY_KINGS", "TOO_MANY_CHARIOTS", "SOLDIER_IN_HAND",
                    "KINGS_ADJACENT", "HAND_CANNOT_BE_DROPPED"}));
}

}  // namespace
}  // namespace sittuyin
