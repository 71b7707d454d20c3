// UCI and SAN, out and in.
#include "engine/notation/move_text.h"

#include <string>
#include <string_view>
#include <variant>

#include "engine/rules/movegen.h"
#include "gtest/gtest.h"
#include "tests/testing/positions.h"

namespace sittuyin {
namespace {

using testing::At;
using testing::FlippedMove;
using testing::Reasoned;
using testing::Verdict;

// The UCI of the legal move that `text` means, or the reason why there is
// none.
std::string Read(const Position& position, std::string_view text) {
  const auto read = ReadMove(position, text);
  if (const Move* move = std::get_if<Move>(&read)) return ToUci(*move);
  return std::string(ReasonName(std::get<Violation>(read).reason));
}

// SAN of the legal move written `uci`; the reason where it is illegal.
std::string San(const Position& position, std::string_view uci) {
  const auto read = ReadMove(position, uci);
  if (const Move* move = std::get_if<Move>(&read)) {
    return ToSan(position, *move);
  }
  return std::string(ReasonName(std::get<Violation>(read).reason));
}

class MoveTextTest : public testing::EveryRuleSetTest {
 protected:
  Position Here(std::string_view fen) const { return At(GetParam(), fen); }
};

TEST_P(MoveTextTest, UciOut_DropStepCapturePromotion) {
  EXPECT_EQ(ToUci(Move::Drop(PieceType::kKing, *SquareFromName("e1"))), "K@e1");
  EXPECT_EQ(ToUci(Move::Drop(PieceType::kElephant, *SquareFromName("c7"))),
            "S@c7");
  EXPECT_EQ(ToUci(Move::Step(*SquareFromName("e4"), *SquareFromName("e5"))),
            "e4e5");
  EXPECT_EQ(
      ToUci(Move::Promotion(*SquareFromName("d5"), *SquareFromName("d5"))),
      "d5d5f");
  EXPECT_EQ(
      ToUci(Move::Promotion(*SquareFromName("d5"), *SquareFromName("e6"))),
      "d5e6f");
}

TEST_P(MoveTextTest, UciIn_AnyCaseForTheManOfADrop) {
  const Position start = Here("");
  for (const char* text : {"K@e1", "k@e1"})
    EXPECT_EQ(Read(start, text), "K@e1");
  EXPECT_EQ(Read(start, "r@a1"), "R@a1");
  const Position black = Here("8/8/8/8/8/8/8/4K3[kfrrssnn] b - - 0 1");
  EXPECT_EQ(Read(black, "K@e8"), "K@e8");
  EXPECT_EQ(Read(black, "k@e8"), "K@e8");
}

TEST_P(MoveTextTest, UciIn_AliasesInDrops) {
  const Position start = Here("");
  for (const char* text :
       {"F@e1", "Q@e1", "G@e1", "M@e1", "f@e1", "q@e1", "g@e1", "m@e1"}) {
    EXPECT_EQ(Read(start, text), "F@e1") << text;
  }
  for (const char* text : {"S@c2", "B@c2", "E@c2", "s@c2", "b@c2", "e@c2"}) {
    EXPECT_EQ(Read(start, text), "S@c2") << text;
  }
}

TEST_P(MoveTextTest, UciIn_AnyCaseAndAliasForTheSuffix) {
  const Position position = Here("4k3/8/8/3P4/8/8/P7/4K3[] w - - 0 1");
  for (const char suffix : std::string("fqgmFQGM")) {
    EXPECT_EQ(Read(position, std::string("d5d5") + suffix), "d5d5f");
    EXPECT_EQ(Read(position, std::string("d5e6") + suffix), "d5e6f");
  }
}

TEST_P(MoveTextTest, UciIn_TheSameSquareTwiceIsAPromotionInPlace) {
  EXPECT_EQ(Read(Here("4k3/8/8/3P4/8/8/P7/4K3[] w - - 0 1"), "d5d5"), "d5d5f");
  EXPECT_EQ(Read(Here("4k3/8/8/8/4p3/8/p6P/4K3[] b - - 0 1"), "e4e4"), "e4e4f");
}

TEST_P(MoveTextTest, UciIn_TheStepStraightBackUnderVchess) {
  const bool vchess = GetParam() == RuleSetId::kVchess;
  EXPECT_EQ(Read(Here("4k3/8/8/3P4/8/8/P7/4K3[] w - - 0 1"), "d5d4"),
            vchess ? "d5d5f" : "MAN_CANNOT_REACH");
  EXPECT_EQ(Read(Here("4k3/8/8/8/4p3/8/p6P/4K3[] b - - 0 1"), "e4e5"),
            vchess ? "e4e4f" : "MAN_CANNOT_REACH");
  // Whatever stands there.
  EXPECT_EQ(Read(Here("4k3/8/8/3P4/3N4/8/P7/4K3[] w - - 0 1"), "d5d4"),
            vchess ? "d5d5f" : "MAN_CANNOT_REACH");
}

TEST_P(MoveTextTest, UciIn_WithTheSignOfACheck) {
  const Position position = Here("4k3/8/8/3P4/8/8/P7/4K2N[] w - - 0 1");
  for (const char* text :
       {"h1g3", "d5d6", "d5d5", "d5d5f", "d5e6q", "d5d4", "e1e2", "d5c5"}) {
    for (const char* sign : {"+", "#"}) {
      EXPECT_EQ(Read(position, std::string(text) + sign), Read(position, text))
          << text << sign;
    }
  }
  EXPECT_EQ(Read(position, "h1g3++"), "MALFORMED_MOVE");
}

TEST_P(MoveTextTest, UciIn_BoardSquaresAreLowerCase) {
  const Position position = Here("4k3/8/8/3P4/8/8/P7/4K2N[] w - - 0 1");
  EXPECT_EQ(Read(position, "H1G3"), "MALFORMED_MOVE");
  EXPECT_EQ(Read(position, "h1G3"), "MALFORMED_MOVE");
  EXPECT_EQ(Read(Here(""), "K@E1"), "MALFORMED_MOVE");
}

TEST_P(MoveTextTest, SanOut_Drop) {
  EXPECT_EQ(San(Here(""), "K@e1"), "K@e1");
  EXPECT_EQ(San(Here("8/8/8/8/8/8/8/4K3[ks] b - - 0 1"), "S@e7"), "S@e7");
  EXPECT_EQ(San(Here("4k3/8/8/8/8/8/7P/3K4[R] w - - 0 1"), "R@e1"), "R@e1+");
}

TEST_P(MoveTextTest, SanOut_StepAndCapture) {
  const Position position = Here("4k3/8/3p4/2n5/4N3/1P6/P7/4K2R[] w - - 0 1");
  EXPECT_EQ(San(position, "e4g3"), "Ng3");
  EXPECT_EQ(San(position, "e4d6"), "Nxd6+");
  EXPECT_EQ(San(position, "e4c5"), "Nxc5");
  EXPECT_EQ(San(position, "h1h2"), "Rh2");
  EXPECT_EQ(San(position, "e1d1"), "Kd1");
}

TEST_P(MoveTextTest, SanOut_Soldier) {
  const Position position = Here("7k/8/3p4/4P3/8/8/P7/4K3[] w - - 0 1");
  EXPECT_EQ(San(position, "e5e6"), "e6");
  EXPECT_EQ(San(position, "e5d6"), "exd6");
  const Position black = Here("4k3/p7/8/8/3p4/4P3/8/7K[] b - - 0 1");
  EXPECT_EQ(San(black, "d4d3"), "d3");
  EXPECT_EQ(San(black, "d4e3"), "dxe3");
}

TEST_P(MoveTextTest, SanOut_PromotionAlwaysWritesTheOrigin) {
  const Position position = Here("4k3/8/8/3P4/8/8/P7/4K3[] w - - 0 1");
  EXPECT_EQ(San(position, "d5d5f"), "d5=F");
  EXPECT_EQ(San(position, "d5e6f"), "d5e6=F");
  EXPECT_EQ(San(position, "d5c4f"), "d5c4=F");
}

TEST_P(MoveTextTest, SanOut_DiscoveredCheckByPromotion) {
  const Position position = Here("3k4/8/8/3P4/8/8/P7/3RK3[] w - - 5 10");
  EXPECT_EQ(San(position, "d5c4f"),
            Laws(GetParam()).promotion_may_discover_check
                ? "d5c4=F+"
                : "PROMOTION_DISCOVERS_CHECK");
}

TEST_P(MoveTextTest, SanOut_Disambiguation) {
  // By file where that is enough, else by rank, else by both.
  EXPECT_EQ(San(Here("7k/8/8/8/8/5N2/P7/1N2K3[] w - - 0 1"), "b1d2"), "Nbd2");
  EXPECT_EQ(San(Here("7k/8/8/8/8/5N2/P7/1N2K3[] w - - 0 1"), "f3d2"), "Nfd2");
  EXPECT_EQ(San(Here("7k/8/8/8/8/1N6/P7/1N2K3[] w - - 0 1"), "b1d2"), "N1d2");
  EXPECT_EQ(San(Here("7k/8/8/8/8/1N6/P7/1N2K3[] w - - 0 1"), "b3d2"), "N3d2");
  EXPECT_EQ(San(Here("7k/8/8/8/8/8/P7/R4RK1[] w - - 0 1"), "a1d1"), "Rad1");
  EXPECT_EQ(San(Here("7k/8/8/8/8/2S1S3/P7/1K6[] w - - 0 1"), "c3d4"), "Scd4");
  EXPECT_EQ(San(Here("7k/8/8/8/8/2S5/P1S5/4K3[] w - - 0 1"), "c2c3"),
            "OWN_MAN_ON_TARGET");
  EXPECT_EQ(San(Here("7k/8/8/8/2S5/8/P1S5/6K1[] w - - 0 1"), "c2d3"), "S2d3");
  EXPECT_EQ(San(Here("7k/8/8/8/2S5/8/P1S5/6K1[] w - - 0 1"), "c4d3"), "S4d3");
}

TEST_P(MoveTextTest, SanOut_CapturesDisambiguatedToo) {
  EXPECT_EQ(San(Here("7k/8/8/8/8/5N2/P2r4/1N2K3[] w - - 0 1"), "b1d2"),
            "Nbxd2");
}

TEST_P(MoveTextTest, SanOut_OnlyAsFarAsNeeded) {
  // A pinned rival cannot make the move.
  EXPECT_EQ(San(Here("4r2k/8/8/8/8/4N3/8/4K1N1[] w - - 0 1"), "g1f3"), "Nf3");
  EXPECT_EQ(San(Here("4r2k/8/8/8/8/8/4N3/N3K3[] w - - 0 1"), "a1c2"), "Nc2");
  // Neither can one whose path is blocked.
  EXPECT_EQ(San(Here("7k/8/8/8/8/8/7P/R1N3KR[] w - - 0 1"), "a1b1"), "Rb1");
}

TEST_P(MoveTextTest, SanOut_CheckAndMate) {
  EXPECT_EQ(San(Here("4k3/8/8/8/8/7P/8/R3K3[] w - - 0 1"), "a1a8"), "Ra8+");
  EXPECT_EQ(San(Here("k7/8/K7/8/8/7P/8/2R5[] w - - 0 1"), "c1c8"), "Rc8#");
  EXPECT_EQ(San(Here("7k/5K2/8/8/8/8/7P/R7[] w - - 0 1"), "a1a8"), "Ra8+");
  EXPECT_EQ(San(Here("7k/8/6K1/8/8/8/8/R7[] w - - 0 1"), "a1a8"), "Ra8#");
}

TEST_P(MoveTextTest, SanIn_Canonical) {
  const Position position = Here("4k3/8/3p4/2n5/4N3/1P6/P7/4K2R[] w - - 0 1");
  EXPECT_EQ(Read(position, "Ng3"), "e4g3");
  EXPECT_EQ(Read(position, "Nxd6+"), "e4d6");
  EXPECT_EQ(Read(position, "b4"), "b3b4");
  const Position promotion = Here("4k3/8/8/3P4/8/8/P7/4K3[] w - - 0 1");
  EXPECT_EQ(Read(promotion, "d5=F"), "d5d5f");
  EXPECT_EQ(Read(promotion, "d5e6=F"), "d5e6f");
  EXPECT_EQ(Read(Here("7k/8/8/8/8/1N6/P7/1N2K3[] w - - 0 1"), "N1d2"), "b1d2");
}

TEST_P(MoveTextTest, SanIn_FullOriginOfAMan) {
  EXPECT_EQ(Read(Here("7k/8/8/8/8/1N6/P7/1N2K3[] w - - 0 1"), "Nb1d2"), "b1d2");
  EXPECT_EQ(Read(Here("7k/8/8/8/8/1N6/P2r4/1N2K3[] w - - 0 1"), "Nb3xd2"),
            "b3d2");
}

TEST_P(MoveTextTest, SanIn_MissingSigns) {
  const Position position = Here("4k3/8/3p4/2n1P3/4N3/1P6/P7/4K2R[] w - - 0 1");
  EXPECT_EQ(Read(position, "Nxd6"), "e4d6");
  EXPECT_EQ(Read(position, "Nd6+"), "e4d6");
  EXPECT_EQ(Read(position, "Nd6"), "e4d6");
  EXPECT_EQ(Read(position, "ed6"), "e5d6");
  EXPECT_EQ(Read(position, "exd6"), "e5d6");
  EXPECT_EQ(Read(Here("7k/8/6K1/8/8/8/7P/R7[] w - - 0 1"), "Ra8"), "a1a8");
  EXPECT_EQ(Read(Here("k7/8/K7/8/8/7P/8/2R5[] w - - 0 1"), "Rc8"), "c1c8");
  const Position promotion = Here("4k3/8/8/3P4/8/8/P7/4K3[] w - - 0 1");
  EXPECT_EQ(Read(promotion, "d5F"), "d5d5f");
  EXPECT_EQ(Read(promotion, "d5e6F"), "d5e6f");
}

TEST_P(MoveTextTest, SanIn_Aliases) {
  const Position elephants = Here("7k/8/8/8/8/2S5/P7/4K2F[] w - - 0 1");
  for (const char* text : {"Sd4", "Bd4", "Ed4"}) {
    EXPECT_EQ(Read(elephants, text), "c3d4") << text;
  }
  for (const char* text : {"Fg2", "Qg2", "Gg2", "Mg2"}) {
    EXPECT_EQ(Read(elephants, text), "h1g2") << text;
  }
  const Position promotion = Here("4k3/8/8/3P4/8/8/P7/4K3[] w - - 0 1");
  for (const char* text : {"d5=F", "d5=Q", "d5=G", "d5=M", "d5=f", "d5=q"}) {
    EXPECT_EQ(Read(promotion, text), "d5d5f") << text;
  }
  for (const char* text : {"d5e6=Q", "d5e6=G", "d5e6=M", "d5e6=m"}) {
    EXPECT_EQ(Read(promotion, text), "d5e6f") << text;
  }
}

TEST_P(MoveTextTest, SanIn_CapitalBIsAnElephantSmallBAFile) {
  const Position position = Here("7k/8/8/2n5/1P1S4/8/8/4K2F[] w - - 0 1");
  EXPECT_EQ(Read(position, "Bxc5"), "d4c5");
  EXPECT_EQ(Read(position, "bxc5"), "b4c5");
  EXPECT_EQ(Read(position, "Bc5"), "d4c5");
  EXPECT_EQ(Read(position, "bc5"), "b4c5");
  EXPECT_EQ(Read(position, "b5"), "b4b5");
}

TEST_P(MoveTextTest, SanIn_AShortStepOfOneSoldier) {
  const Position position = Here("7k/8/8/3P4/8/8/P7/K7[] w - - 0 1");
  EXPECT_EQ(Read(position, "c6=F"), "d5c6f");
  EXPECT_EQ(Read(position, "d5=F"), "d5d5f");
}

TEST_P(MoveTextTest, SanIn_FitsSeveral_Ambiguous) {
  EXPECT_EQ(Reasoned(Here("7k/1P6/8/3P4/8/8/8/K7[] w - - 0 1"), "c6=F"),
            "AMBIGUOUS_MOVE c6");
  EXPECT_EQ(Reasoned(Here("7k/8/8/8/8/5N2/P7/1N2K3[] w - - 0 1"), "Nd2"),
            "AMBIGUOUS_MOVE d2");
  EXPECT_EQ(Reasoned(Here("7k/8/8/8/8/5N2/P2r4/1N2K3[] w - - 0 1"), "Nxd2"),
            "AMBIGUOUS_MOVE d2");
  EXPECT_EQ(Reasoned(Here("7k/8/8/8/8/1N6/P7/1N2K3[] w - - 0 1"), "Nbd2"),
            "AMBIGUOUS_MOVE d2");
}

TEST_P(MoveTextTest, SanIn_OnlyLegalMovesCount) {
  // The other horse is pinned.
  EXPECT_EQ(Read(Here("4r2k/8/8/8/3N4/8/4N3/4K3[] w - - 0 1"), "Nc2"), "d4c2");
  EXPECT_EQ(Read(Here("4r2k/8/8/8/5N2/8/4N3/4K3[] w - - 0 1"), "Ng3"),
            "LEAVES_KING_IN_CHECK");
}

TEST_P(MoveTextTest, SanIn_FitsNone_JudgedAsWhatItMostPlainlyMeans) {
  EXPECT_EQ(Read(Here("4r2k/8/8/8/8/8/4N3/4K3[] w - - 0 1"), "Ng3"),
            "LEAVES_KING_IN_CHECK");
  EXPECT_EQ(Read(Here("7k/8/8/8/n7/8/P7/R3K3[] w - - 0 1"), "Ra8"),
            "PATH_BLOCKED");
  EXPECT_EQ(Read(Here("7k/8/8/8/8/8/P7/4K2N[] w - - 0 1"), "Nd4"),
            "MAN_CANNOT_REACH");
  EXPECT_EQ(Read(Here("7k/8/8/8/8/6P1/8/4K2N[] w - - 0 1"), "Ng3"),
            "OWN_MAN_ON_TARGET");
  EXPECT_EQ(Read(Here("7k/8/4n3/4P3/8/8/P7/4K3[] w - - 0 1"), "e6"),
            "SOLDIER_ADVANCE_BLOCKED");
  EXPECT_EQ(Read(Here("7k/8/8/4P3/8/8/P7/4K3[] w - - 0 1"), "exd6"),
            "SOLDIER_CAPTURE_NEEDS_ENEMY");
  EXPECT_EQ(Read(Here("4k3/8/8/3P4/8/8/P7/4K2F[] w - - 0 1"), "d5=F"),
            "GENERAL_STILL_ALIVE");
  EXPECT_EQ(Read(Here("4k3/8/8/3P4/8/8/P7/4K3[] w - - 0 1"), "a2=F"),
            "NOT_ON_PROMOTION_SQUARE");
  EXPECT_EQ(Read(Here("4k3/8/2n5/3P4/8/8/P7/4K3[] w - - 0 1"), "d5c6=F"),
            "PROMOTION_CANNOT_CAPTURE");
  EXPECT_EQ(Read(Here(""), "e5"), "MUST_DEPLOY");
  EXPECT_EQ(Read(Here("4k3/8/8/8/8/8/8/4K2N[R] w - - 0 1"), "Ke2"),
            "MUST_DEPLOY");
}

TEST_P(MoveTextTest, SanIn_ASoldiersOwnSquareOrStepBack_IsNoPromotion) {
  const Position two = Here("4k3/8/8/3P4/3P4/8/8/4K3[] w - - 0 1");
  for (const char* text : {"d5", "Pd5", "d5+", "dxd5"}) {
    EXPECT_EQ(Read(two, text), "SOLDIER_ADVANCE_BLOCKED") << text;
  }
  const Position one = Here("4k3/8/8/3P4/8/8/P7/4K3[] w - - 0 1");
  for (const char* text : {"d5", "Pd5", "dd5", "d4", "Pd4", "dxd4"}) {
    EXPECT_EQ(Read(one, text), "MAN_CANNOT_REACH") << text;
  }
  EXPECT_EQ(Read(one, "d5=F"), "d5d5f");
}

TEST_P(MoveTextTest, SanIn_FitsNoneAndNoMan_CannotReach) {
  EXPECT_EQ(Read(Here("7k/8/8/8/8/8/P7/4K2N[] w - - 0 1"), "Rd4"),
            "MAN_CANNOT_REACH");
  EXPECT_EQ(Read(Here("7k/8/8/8/8/8/P7/4K2N[] w - - 0 1"), "Sd4"),
            "MAN_CANNOT_REACH");
}

SITTUYIN_EVERY_RULE_SET(MoveTextTest);

}  // namespace
}  // namespace sittuyin
