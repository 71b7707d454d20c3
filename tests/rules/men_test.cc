// Board, men and moves.
#include <string>
#include <vector>

#include "engine/notation/fen.h"
#include "gtest/gtest.h"
#include "tests/testing/positions.h"

namespace sittuyin {
namespace {

using testing::At;
using testing::FenAfter;
using testing::Flipped;
using testing::FlippedMove;
using testing::FlippedMoves;
using testing::MovesFrom;
using testing::Texts;
using testing::Verdict;

class MenTest : public testing::EveryRuleSetTest {
 protected:
  // The moves of the man on d4, and of its twin of the other colour.
  void ExpectMoves(const std::string& fen, const Texts& targets) {
    Texts moves;
    for (const std::string& target : targets) moves.insert("d4" + target);
    EXPECT_EQ(MovesFrom(At(GetParam(), fen), "d4"), moves) << fen;
    EXPECT_EQ(MovesFrom(At(GetParam(), Flipped(fen)), "d5"),
              FlippedMoves(moves))
        << Flipped(fen);
  }

  // Each target alone with an enemy horse on it is a capture.
  void ExpectCaptures(char man, const Texts& targets) {
    for (const std::string& target : targets) {
      std::string board(64, '.');
      const auto put = [&](const std::string& square, char letter) {
        board[(square[0] - 'a') + 8 * ('8' - square[1])] = letter;
      };
      put(man == 'K' ? "h7" : "a1", man == 'K' ? 'F' : 'K');
      put("h8", 'k');
      put("d4", man);
      put(target, 'n');
      std::string fen;
      for (int rank = 0; rank < 8; ++rank) {
        if (rank > 0) fen += '/';
        for (char letter : board.substr(8 * rank, 8)) {
          fen += letter == '.' ? '1' : letter;
        }
      }
      fen += "[] w - - 0 1";
      EXPECT_EQ(Verdict(At(GetParam(), fen), "d4" + target), "LEGAL") << fen;
      EXPECT_EQ(
          Verdict(At(GetParam(), Flipped(fen)), FlippedMove("d4" + target)),
          "LEGAL")
          << Flipped(fen);
    }
  }
};

TEST_P(MenTest, King_OneStepAnyDirection) {
  const Texts targets = {"c3", "c4", "c5", "d3", "d5", "e3", "e4", "e5"};
  ExpectMoves("7k/8/8/8/3K4/8/8/R7[] w - - 0 1", targets);
  ExpectCaptures('K', {"c3", "c4", "c5", "d3", "d5", "e3", "e4", "e5"});
}

TEST_P(MenTest, General_OneStepDiagonally) {
  const Texts targets = {"c3", "c5", "e3", "e5"};
  ExpectMoves("7k/8/8/8/3F4/8/8/K5R1[] w - - 0 1", targets);
  ExpectCaptures('F', targets);
}

TEST_P(MenTest, Elephant_OneStepDiagonallyOrStraightForward) {
  const Texts targets = {"c3", "c5", "d5", "e3", "e5"};
  ExpectMoves("7k/8/8/8/3S4/8/8/K7[] w - - 0 1", targets);
  ExpectCaptures('S', targets);
}

TEST_P(MenTest, Horse_AsAChessKnight) {
  const Texts targets = {"b3", "b5", "c2", "c6", "e2", "e6", "f3", "f5"};
  ExpectMoves("7k/8/8/8/3N4/8/8/K5R1[] w - - 0 1", targets);
  ExpectCaptures('N', targets);
}

TEST_P(MenTest, Horse_Jumps) {
  ExpectMoves("7k/8/8/2rpr3/2PNP3/2PPP3/F7/K7[] w - - 0 1",
              {"b3", "b5", "c2", "c6", "e2", "e6", "f3", "f5"});
}

TEST_P(MenTest, Chariot_AsAChessRook) {
  const Texts targets = {"a4", "b4", "c4", "e4", "f4", "g4", "h4",
                         "d1", "d2", "d3", "d5", "d6", "d7", "d8"};
  ExpectMoves("7k/8/8/8/3R4/8/8/K7[] w - - 0 1", targets);
  ExpectCaptures('R', targets);
}

TEST_P(MenTest, Chariot_StopsAtTheFirstMan) {
  ExpectMoves("7k/8/3p4/8/1P1R2n1/8/3N4/K7[] w - - 0 1",
              {"c4", "e4", "f4", "g4", "d3", "d5", "d6"});
}

TEST_P(MenTest, Soldier_StepsOneStraightForward) {
  ExpectMoves("7k/8/8/8/3P4/8/F7/K7[] w - - 0 1", {"d5"});
}

TEST_P(MenTest, Soldier_CapturesDiagonallyForwardOnly) {
  ExpectMoves("7k/8/8/2npn3/2sPs3/2rpr3/F7/K7[] w - - 0 1", {"c5", "e5"});
  ExpectMoves("7k/8/8/8/2sPs3/2r1r3/F7/K7[] w - - 0 1", {"d5"});
}

TEST_P(MenTest, Soldier_BlockedByAnyManStraightAhead) {
  ExpectMoves("7k/8/8/3n4/3P4/8/F7/K7[] w - - 0 1", {});
  ExpectMoves("7k/8/8/3N4/3P4/8/F7/K7[] w - - 0 1", {});
}

TEST_P(MenTest, Soldier_NoDoubleStep) {
  const char* fen = "4k3/8/4pppp/pppp4/4PPPP/PPPP4/8/F3K3[] w - - 0 1";
  const Position position = At(GetParam(), fen);
  EXPECT_EQ(MovesFrom(position, "e4"), (Texts{"e4d5", "e4e5"}));
  EXPECT_EQ(MovesFrom(position, "a3"), Texts{"a3a4"});
  EXPECT_EQ(
      MovesFrom(At(GetParam(), "4k3/f7/8/8/8/8/P7/K3F3[] w - - 0 1"), "a2"),
      Texts{"a2a3"});
}

TEST_P(MenTest, Soldier_NoCaptureEnPassant) {
  const Texts moves =
      MovesFrom(At(GetParam(),
                   FenAfter(GetParam(), "4k2f/3p4/8/4P3/8/8/8/4K2F[] b - - 0 1",
                            {"d7d6", "e1d1", "d6d5"})),
                "e5");
  EXPECT_EQ(moves, Texts{"e5e6"});
}

TEST_P(MenTest, King_NoCastling) {
  EXPECT_EQ(
      MovesFrom(At(GetParam(), "4k3/8/8/8/8/8/8/R3K2R[] w - - 0 1"), "e1"),
      (Texts{"e1d1", "e1d2", "e1e2", "e1f1", "e1f2"}));
}

TEST_P(MenTest, CapturedMan_LeavesForGood) {
  EXPECT_EQ(
      FenAfter(GetParam(), "4k3/8/8/3r4/8/4N3/7P/4K3[] w - - 3 7", {"e3d5"}),
      "4k3/8/8/3N4/8/8/7P/4K3[] b - - 0 7");
}

TEST_P(MenTest, Start_EightMenInHandAndSoldiersOnTheBoard) {
  const Position start = At(GetParam(), "");
  EXPECT_EQ(ToFen(start),
            "8/8/4pppp/pppp4/4PPPP/PPPP4/8/8[KFRRSSNNkfrrssnn] w - - 0 1");
  for (const Color color : kColors) {
    EXPECT_EQ(Count(start.Men(color)), 8);
    EXPECT_EQ(start.Men(color), start.Men(color, PieceType::kSoldier));
    for (const PieceType type : kDeployedTypes) {
      EXPECT_EQ(start.InHand(color, type), FullComplement(type));
    }
  }
  EXPECT_EQ(start.side_to_move(), Color::kRed);
}

SITTUYIN_EVERY_RULE_SET(MenTest);

}  // namespace
}  // namespace sittuyin
