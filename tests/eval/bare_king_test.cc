#include "engine/eval/bare_king.h"

#include <gtest/gtest.h>

#include <string_view>
#include <variant>

#include "engine/notation/fen.h"

namespace sittuyin {
namespace {

Position At(std::string_view fen) {
  return Position::FromSetup(std::get<Setup>(ParseFen(fen)),
                             Laws(RuleSetId::kPychess));
}

Value Chase(std::string_view fen) {
  return EvaluateChase(At(fen), Color::kRed);
}

TEST(IsBareTest, KingAlone_IsBare) {
  const Position position = At("4k3/8/8/8/8/8/8/R3K3[] w - - 0 1");
  EXPECT_TRUE(IsBare(position, Color::kBlack));
  EXPECT_FALSE(IsBare(position, Color::kRed));
}

TEST(IsBareTest, ManInHand_IsNotBare) {
  EXPECT_FALSE(IsBare(At("4k3/8/8/8/8/8/8/R3K3[r] w - - 0 1"), Color::kBlack));
  EXPECT_FALSE(IsBare(At("4k3/8/8/8/8/8/8/R3K3[N] w - - 0 1"), Color::kBlack));
}

TEST(EvaluateChaseTest, KingNearEdge_IsBetter) {
  EXPECT_GT(Chase("3k4/8/3K4/8/8/8/8/R7[] w - - 0 1"),
            Chase("8/8/8/3k4/8/3K4/8/R7[] w - - 0 1"));
}

TEST(EvaluateChaseTest, AttackingKingNear_IsBetter) {
  EXPECT_GT(Chase("3k4/8/3K4/8/8/8/8/R7[] w - - 0 1"),
            Chase("3k4/8/8/8/8/8/3K4/R7[] w - - 0 1"));
}

TEST(EvaluateChaseTest, Elephants_DriveTheKingAhead) {
  EXPECT_GT(Chase("3k4/8/3K4/3S4/3F4/8/8/8[] w - - 0 1"),
            Chase("8/8/8/3F4/3S4/3K4/8/3k4[] w - - 0 1"));
  const Position black = At("8/8/8/4f3/4s3/4k3/8/4K3[] b - - 0 1");
  EXPECT_EQ(EvaluateChase(black, Color::kBlack),
            Chase("3k4/8/3K4/3S4/3F4/8/8/8[] w - - 0 1"));
}

TEST(EvaluateChaseTest, MenThatCannotForceMate_AreNearlyDrawn) {
  for (const char* fen :
       {"4k3/8/8/8/8/8/8/S3K3[] w - - 0 1", "4k3/8/8/8/8/8/8/NN2K3[] w - - 0 1",
        "4k3/8/8/8/8/8/8/NF2K3[] w - - 0 1",
        "4k3/P2P4/8/8/8/8/8/N3K3[] w - - 0 1"}) {
    EXPECT_LT(Chase(fen), 50) << fen;
  }
  for (const char* fen : {"4k3/8/8/8/8/8/8/SN2K3[] w - - 0 1",
                          "4k3/8/8/8/8/8/8/SF2K3[] w - - 0 1",
                          "4k3/8/8/8/8/8/3P4/S3K3[] w - - 0 1"}) {
    EXPECT_GT(Chase(fen), 500) << fen;
  }
}

TEST(EvaluateChaseTest, CountRunsOn_PlusFades) {
  EXPECT_GT(Chase("4k3/8/8/8/8/8/8/R3K3[] w - 32 0 1"),
            Chase("4k3/8/8/8/8/8/8/R3K3[] w - 32 20 1"));
}

}  // namespace
}  // namespace sittuyin
