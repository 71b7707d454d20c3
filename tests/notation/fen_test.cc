// FEN in and out.
#include "engine/notation/fen.h"

#include <string>
#include <string_view>
#include <variant>

#include "engine/notation/move_text.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/testing/positions.h"

namespace sittuyin {
namespace {

using testing::At;

// The canonical text of what `fen` describes; `(malformed)` for no FEN.
std::string Canonical(std::string_view fen) {
  const auto parsed = ParseFen(fen);
  if (const auto* error = std::get_if<FenError>(&parsed)) {
    EXPECT_THAT(error->message, ::testing::EndsWith("."));
    return "(malformed)";
  }
  return ToFen(std::get<0>(parsed));
}

const char kStart[] =
    "8/8/4pppp/pppp4/4PPPP/PPPP4/8/8[KFRRSSNNkfrrssnn] w - - 0 1";

TEST(FenTest, Canonical_StaysAsItIs) {
  for (const char* fen :
       {kStart, "4k3/8/8/8/8/8/R7/4K3[] b - 32 0 10",
        "4k3/8/8/8/8/8/S7/4K3[] w - 88 88 10",
        "4k3/8/8/8/8/8/NN6/4K3[] b - 128 129 40",
        "3kr3/8/4pppp/pppp4/4PPPP/PPPP4/2KSFS2/RN1N3R[frssnn] b - - 12 9",
        "4k3/8/8/8/8/8/4P3/3K4[RRNrssnn] w - - 0 1",
        "7P/8/2K5/P7/4k3/P3f3/8/8[] w - - 99 51"}) {
    EXPECT_EQ(Canonical(fen), fen);
  }
}

TEST(FenTest, Hands_AnyOrder) {
  EXPECT_EQ(Canonical("8/8/4pppp/pppp4/4PPPP/PPPP4/8/8"
                      "[nnssrrfkNNSSRRFK] w - - 0 1"),
            kStart);
  EXPECT_EQ(Canonical("8/8/4pppp/pppp4/4PPPP/PPPP4/8/8"
                      "[kKfFrRsSnNrRsSnN] w - - 0 1"),
            kStart);
  EXPECT_EQ(Canonical("4k3/8/8/8/8/8/8/4K3[nNrSsR] w - - 0 1"),
            "4k3/8/8/8/8/8/8/4K3[RSNrsn] w - - 0 1");
}

TEST(FenTest, Hands_EmptyAsDashNothingOrBrackets) {
  const std::string canonical = "4k3/8/8/8/8/8/8/4K2R[] w - - 0 1";
  EXPECT_EQ(Canonical("4k3/8/8/8/8/8/8/4K2R[-] w - - 0 1"), canonical);
  EXPECT_EQ(Canonical("4k3/8/8/8/8/8/8/4K2R w - - 0 1"), canonical);
  EXPECT_EQ(Canonical(canonical), canonical);
}

TEST(FenTest, Hands_LeftOffWithoutAKing_TheEightMenAreInHand) {
  EXPECT_EQ(Canonical("8/8/4pppp/pppp4/4PPPP/PPPP4/8/8"), kStart);
  EXPECT_EQ(Canonical("8/8/4pppp/pppp4/4PPPP/PPPP4/8/8 w - - 0 1"), kStart);
}

TEST(FenTest, Hands_LeftOff_EachSideByItself) {
  EXPECT_EQ(Canonical("4k3/8/4pppp/pppp4/4PPPP/PPPP4/8/8"),
            "4k3/8/4pppp/pppp4/4PPPP/PPPP4/8/8[KFRRSSNN] w - - 0 1");
  EXPECT_EQ(Canonical("8/8/4pppp/pppp4/4PPPP/PPPP4/8/4K3"),
            "8/8/4pppp/pppp4/4PPPP/PPPP4/8/4K3[kfrrssnn] w - - 0 1");
}

TEST(FenTest, Hands_LeftOff_MenOnTheBoardExcepted) {
  EXPECT_EQ(Canonical("n3r3/8/4pppp/pppp4/4PPPP/PPPP4/5F2/RN1N3R"),
            "n3r3/8/4pppp/pppp4/4PPPP/PPPP4/5F2/RN1N3R[KSSkfrssn] w - - 0 1");
}

TEST(FenTest, Hands_GivenEmptyWithoutAKing_StayEmpty) {
  EXPECT_EQ(Canonical("8/8/4pppp/pppp4/4PPPP/PPPP4/8/8[] w - - 0 1"),
            "8/8/4pppp/pppp4/4PPPP/PPPP4/8/8[] w - - 0 1");
  EXPECT_EQ(Canonical("8/8/4pppp/pppp4/4PPPP/PPPP4/8/8[-] w - - 0 1"),
            "8/8/4pppp/pppp4/4PPPP/PPPP4/8/8[] w - - 0 1");
}

TEST(FenTest, Letters_Aliases) {
  const std::string canonical =
      "rnsk1snr/3f4/4pppp/pppp4/4PPPP/PPPP4/4F3/RNS1KSNR[] w - - 0 9";
  for (const char general : {'f', 'q', 'g', 'm'}) {
    for (const char elephant : {'s', 'b', 'e'}) {
      std::string fen = canonical;
      for (char& letter : fen.replace(fen.find(' '), fen.npos, "")) {
        if (letter == 'f') letter = general;
        if (letter == 'F') letter = static_cast<char>(general - 32);
        if (letter == 's') letter = elephant;
        if (letter == 'S') letter = static_cast<char>(elephant - 32);
      }
      EXPECT_EQ(Canonical(fen + " w - - 0 9"), canonical);
    }
  }
}

TEST(FenTest, Letters_AliasesInHandToo) {
  EXPECT_EQ(Canonical("8/8/4pppp/pppp4/4PPPP/PPPP4/8/8"
                      "[KQRRBBNNkmrreenn] w - - 0 1"),
            kStart);
  EXPECT_EQ(Canonical("4k3/8/8/8/8/8/8/4K3[GEb] w - - 0 1"),
            "4k3/8/8/8/8/8/8/4K3[FSs] w - - 0 1");
}

TEST(FenTest, Fields_LeftOffFromTheRight) {
  const std::string board = "4k3/8/8/8/8/8/7P/4K2R[]";
  EXPECT_EQ(Canonical(board), board + " w - - 0 1");
  EXPECT_EQ(Canonical(board + " b"), board + " b - - 0 1");
  EXPECT_EQ(Canonical(board + " b -"), board + " b - - 0 1");
  EXPECT_EQ(Canonical(board + " b - -"), board + " b - - 0 1");
  EXPECT_EQ(Canonical(board + " b - - 7"), board + " b - - 7 1");
  EXPECT_EQ(Canonical(board + " b - - 7 9"), board + " b - - 7 9");
}

TEST(FenTest, Count_FourthField_LimitInPliesAndFifthPliesCounted) {
  const auto parsed = ParseFen("4k3/8/8/8/8/8/R7/4K3[] b - 32 5 10");
  ASSERT_EQ(parsed.index(), 0);
  EXPECT_EQ(std::get<0>(parsed).count_limit_plies, 32);
  EXPECT_EQ(std::get<0>(parsed).clock_plies, 5);
  EXPECT_EQ(std::get<0>(parsed).fullmove_number, 10);
}

TEST(FenTest, Count_ZeroIsADash) {
  EXPECT_EQ(Canonical("4k3/8/8/8/8/8/R7/4K3[] b - 0 5 10"),
            "4k3/8/8/8/8/8/R7/4K3[] b - - 5 10");
  EXPECT_EQ(Canonical("4k3/8/8/8/8/7P/R7/4K3[] b - 0 5 10"),
            "4k3/8/8/8/8/7P/R7/4K3[] b - - 5 10");
}

TEST(FenTest, Count_OtherNumbers_Malformed) {
  for (const char* count : {"1", "16", "31", "33", "44", "64", "87", "127",
                            "129", "256", "-1", "032x", "x", "e3", "32.0"}) {
    EXPECT_EQ(
        Canonical("4k3/8/8/8/8/8/R7/4K3[] b - " + std::string(count) + " 0 10"),
        "(malformed)")
        << count;
  }
}

TEST(FenTest, Count_WhereASoldierStands_Malformed) {
  EXPECT_EQ(Canonical("4k3/8/8/8/8/7P/R7/4K3[] b - 32 0 10"), "(malformed)");
  EXPECT_EQ(Canonical("4k3/7p/8/8/8/8/R7/4K3[] b - 88 0 10"), "(malformed)");
}

TEST(FenTest, Count_WhereNoKingIsBare_Malformed) {
  EXPECT_EQ(Canonical("4k2n/8/8/8/8/8/R7/4K3[] b - 32 0 10"), "(malformed)");
}

TEST(FenTest, NoFen_Malformed) {
  for (const char* fen : {
           "x",
           " ",
           "w - - 0 1",
           // Ranks too few, too many, too short, too long.
           "4k3/8/8/8/8/8/4K3[] w - - 0 1",
           "4k3/8/8/8/8/8/8/8/4K3[] w - - 0 1",
           "4k3/8/8/8/8/8/7/4K3[] w - - 0 1",
           "4k3/8/8/8/8/8/9/4K3[] w - - 0 1",
           "4k4/8/8/8/8/8/8/4K3[] w - - 0 1",
           "4k3/8/8/8/8/8/8/4K3R[] w - - 0 1",
           "4k3/8/8/8/8/8/8/4K3/[] w - - 0 1",
           "4k3//8/8/8/8/8/8/4K3[] w - - 0 1",
           // Letters no man has.
           "4k3/8/8/8/8/8/8/4K2X[] w - - 0 1",
           "4k3/8/8/8/8/8/8/4K2a[] w - - 0 1",
           "4k3/8/8/8/8/8/8/4K3[X] w - - 0 1",
           // Brackets that do not close.
           "4k3/8/8/8/8/8/8/4K3[R w - - 0 1",
           "4k3/8/8/8/8/8/8/4K3R] w - - 0 1",
           "4k3/8/8/8/8/8/8/4K3[]] w - - 0 1",
           // The other fields.
           "4k3/8/8/8/8/8/7P/4K3[] x - - 0 1",
           "4k3/8/8/8/8/8/7P/4K3[] red - - 0 1",
           "4k3/8/8/8/8/8/7P/4K3[] w KQkq - 0 1",
           "4k3/8/8/8/8/8/7P/4K3[] w - - x 1",
           "4k3/8/8/8/8/8/7P/4K3[] w - - -1 1",
           "4k3/8/8/8/8/8/7P/4K3[] w - - 0 x",
           "4k3/8/8/8/8/8/7P/4K3[] w - - 0 -3",
           "4k3/8/8/8/8/8/7P/4K3[] w - - 0 1 7",
           "4k3/8/8/8/8/8/7P/4K3[] w - - 99999999999999999999 1",
           "4k3/8/8/8/8/8/7P/4K3[] w - - 0 99999999999999999999",
           "\xff\xfe\x00",
       }) {
    EXPECT_EQ(Canonical(fen), "(malformed)") << fen;
  }
}

class FenOfPositionTest : public testing::EveryRuleSetTest {};

TEST_P(FenOfPositionTest, Count_IgnoredWithClockZeroWhereNoneRuns) {
  EXPECT_EQ(ToFen(At(GetParam(), "4k3/8/8/8/8/8/R7/4K3[] b - 32 5 10")),
            Laws(GetParam()).counting ? "4k3/8/8/8/8/8/R7/4K3[] b - 32 5 10"
                                      : "4k3/8/8/8/8/8/R7/4K3[] b - - 0 10");
}

TEST_P(FenOfPositionTest, SetupAndBack_IsTheSamePosition) {
  for (const char* fen :
       {kStart, "4k3/8/8/8/8/8/R6N/4K3[] b - - 12 10",
        "3kr3/8/4pppp/pppp4/4PPPP/PPPP4/2KSFS2/RN1N3R[frssnn] w - - 0 9"}) {
    const Position position = At(GetParam(), fen);
    EXPECT_EQ(Position::FromSetup(position.ToSetup(), Laws(GetParam())),
              position);
    EXPECT_EQ(ToFen(position), fen);
  }
}

TEST_P(FenOfPositionTest, AfterTheLastNumbers_CanStillBeRead) {
  Position position =
      At(GetParam(), "3k4/4r3/8/8/8/4R3/8/4K3[] b - - 999999 999999");
  position.Make(std::get<Move>(ReadMove(position, "e7d7")));
  EXPECT_EQ(ToFen(position), "3k4/3r4/8/8/8/4R3/8/4K3[] w - - 999999 999999");
}

SITTUYIN_EVERY_RULE_SET(FenOfPositionTest);

// Why `fen` is none.
std::string Message(std::string_view fen) {
  return std::get<FenError>(ParseFen(fen)).message;
}

TEST(FenTest, Parse_BytesThatAreNoText_AreToldAsTheirCodes) {
  EXPECT_THAT(Message("8/8/8/8/8/8/8/\xa9"),
              ::testing::StartsWith("rank 1 of the board has byte 0xa9; "));
  EXPECT_THAT(Message("8/8/8/8/8/8/8/8[\n]"),
              ::testing::StartsWith("the hands have byte 0x0a; "));
}

TEST(FenTest, Parse_LongerThanAnyFen_IsToldAtOnce) {
  const std::string longest = std::string(kStartFen) + std::string(128, ' ');
  EXPECT_THAT(Message(longest.substr(0, 128)),
              ::testing::HasSubstr(" fields; "));
  EXPECT_EQ(Message(longest.substr(0, 129)),
            "the text has 129 bytes; a FEN has at most 128.");
}

TEST(FenTest, Parse_WrongCount_IsToldInGoodEnglish) {
  EXPECT_THAT(Message("8"), ::testing::StartsWith("the board has 1 rank;"));
  EXPECT_THAT(Message("8/8"), ::testing::StartsWith("the board has 2 ranks;"));
  EXPECT_THAT(Message("1/8/8/8/8/8/8/8"),
              ::testing::HasSubstr(" has 1 square; "));
}

}  // namespace
}  // namespace sittuyin
