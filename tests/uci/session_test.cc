#include "engine/uci/session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

namespace sittuyin {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

std::vector<std::string> Answer(const std::string& commands) {
  std::istringstream in(commands);
  std::ostringstream out;
  UciSession(in, out).Run();
  std::istringstream text(out.str());
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> LinesThatStart(const std::vector<std::string>& lines,
                                        const std::string& start) {
  std::vector<std::string> found;
  std::copy_if(lines.begin(), lines.end(), std::back_inserter(found),
               [&](const std::string& line) {
                 return line.compare(0, start.size(), start) == 0;
               });
  return found;
}

TEST(UciSessionTest, Uci_NamesOptionsAndEndsWithUciok) {
  const auto lines = Answer("uci\n");
  EXPECT_EQ(lines.back(), "uciok");
  EXPECT_THAT(lines, Contains(StartsWith("id name ")));
  EXPECT_THAT(lines, Contains(StartsWith("id author ")));
  for (const char* option : {"Hash", "RuleSet", "MultiPV", "Level", "Seed"}) {
    EXPECT_THAT(lines,
                Contains(StartsWith("option name " + std::string(option))));
  }
}

TEST(UciSessionTest, Isready_Answers) {
  EXPECT_THAT(Answer("isready\n"), ElementsAre("readyok"));
}

TEST(UciSessionTest, TiedStreams_AreUntied) {
  // Otherwise reading flushes the output behind the printing search's back.
  std::istringstream in;
  std::ostringstream out;
  in.tie(&out);
  const UciSession session(in, out);
  EXPECT_EQ(in.tie(), nullptr);
}

TEST(UciSessionTest, Startpos_IsTheStart) {
  EXPECT_THAT(
      Answer("position startpos\nd\n"),
      Contains("fen 8/8/4pppp/pppp4/4PPPP/PPPP4/8/8[KFRRSSNNkfrrssnn] w - - "
               "0 1"));
}

TEST(UciSessionTest, PositionWithMoves_PlaysThem) {
  EXPECT_THAT(Answer("position startpos moves K@e1 K@e8\nd\n"),
              Contains("fen 4k3/8/4pppp/pppp4/4PPPP/PPPP4/8/4K3"
                       "[FRRSSNNfrrssnn] w - - 0 2"));
  EXPECT_THAT(Answer("position fen 4k3/8/8/3P4/8/8/P7/4K3[] w - - 0 1 "
                     "moves d5e6f\nd\n"),
              Contains("fen 4k3/8/4F3/8/8/8/P7/4K3[] b - - 0 1"));
}

TEST(UciSessionTest, FenAsOtherEnginesWriteIt_IsRead) {
  EXPECT_THAT(Answer("position fen 8/8/4pppp/pppp4/4PPPP/PPPP4/8/8"
                     "[KSSFRRNNkssfrrnn] w - - 0 1\nd\n"),
              Contains(HasSubstr("[KFRRSSNNkfrrssnn] w - - 0 1")));
}

TEST(UciSessionTest, FaultyPosition_IsNamedAndChangesNothing) {
  for (const char* faulty :
       {"position fen nonsense", "position fen 8/8/8/8/8/8/8/8[] w - - 0 1",
        "position startpos moves K@e1 K@e5", "position"}) {
    const auto lines = Answer("position startpos moves K@d1\n" +
                              std::string(faulty) + "\nd\n");
    EXPECT_THAT(lines.front(), StartsWith("info string ")) << faulty;
    EXPECT_THAT(lines, Contains(HasSubstr("/3K4["))) << faulty;
  }
}

TEST(UciSessionTest, RuleSet_DecidesTheLaw) {
  // Red-first deployment: after one drop it is still Red's turn.
  EXPECT_THAT(Answer("setoption name RuleSet value VCHESS\n"
                     "position startpos moves K@e1\nd\n"),
              Contains(HasSubstr(" w - - 0 1")));
  EXPECT_THAT(Answer("position startpos moves K@e1\nd\n"),
              Contains(HasSubstr(" b - - 0 1")));
}

TEST(UciSessionTest, UnknownOption_IsNamed) {
  for (const char* option :
       {"setoption name Nothing value 1", "setoption name Hash value 0",
        "setoption name MultiPV value 11", "setoption name Level value -1",
        "setoption name RuleSet value CHESS", "setoption name Hash"}) {
    EXPECT_THAT(Answer(option), ElementsAre(StartsWith("info string ")))
        << option;
  }
}

TEST(UciSessionTest, GoDepth_ReportsEachDepthAndABestMove) {
  const auto lines = Answer("position startpos\ngo depth 3\n");
  EXPECT_EQ(LinesThatStart(lines, "info depth ").size(), 3u);
  EXPECT_THAT(lines.back(), StartsWith("bestmove "));
  EXPECT_THAT(lines.back(), HasSubstr("@"));
}

TEST(UciSessionTest, MultiPv_ReportsAsManyLines) {
  const auto lines = Answer(
      "setoption name MultiPV value 4\n"
      "position startpos\ngo depth 2\n");
  EXPECT_EQ(LinesThatStart(lines, "info depth 2 multipv ").size(), 4u);
}

TEST(UciSessionTest, MateIsReportedInMoves) {
  EXPECT_THAT(Answer("position fen k7/8/1K6/8/8/8/8/6R1[] w - - 0 1\n"
                     "go depth 4\n"),
              Contains(HasSubstr("score mate 1 wdl 1000 0 0")));
}

TEST(UciSessionTest, GoWithAFaultyLimit_IsToldAndAnswers) {
  const auto lines = Answer("go movetime -5\n");
  EXPECT_EQ(lines.front(), "info string want a number after movetime, not -5");
  EXPECT_THAT(lines.back(), StartsWith("bestmove "));
  EXPECT_THAT(Answer("go wtime -50 btime 1000\n").back(),
              StartsWith("bestmove "));
}

TEST(UciSessionTest, GoInfinite_AnswersOnceAfterStop) {
  // However soon the search has its mate, the answer waits for the stop.
  const auto lines = Answer(
      "position fen k7/8/1K6/8/8/8/8/6R1[] w - - 0 1\n"
      "go infinite\nisready\nisready\nstop\n");
  EXPECT_EQ(LinesThatStart(lines, "bestmove").size(), 1u);
  EXPECT_THAT(lines.back(), StartsWith("bestmove "));
}

TEST(UciSessionTest, Quit_EndsAnInfiniteSearch) {
  EXPECT_EQ(LinesThatStart(Answer("go infinite\nquit\n"), "bestmove").size(),
            1u);
}

TEST(UciSessionTest, FinishedGame_HasNoBestMove) {
  EXPECT_THAT(Answer("position fen k5R1/8/1K6/8/8/8/8/8[] b - - 0 1\ngo\nd\n"),
              ElementsAre("bestmove (none)", StartsWith("fen "),
                          "termination checkmate", "claims", "moves"));
}

TEST(UciSessionTest, SameSeed_SameGame) {
  const std::string commands =
      "setoption name Level value 3\nsetoption name Seed value 9\n"
      "position startpos\ngo depth 3\n";
  EXPECT_EQ(LinesThatStart(Answer(commands), "bestmove"),
            LinesThatStart(Answer(commands), "bestmove"));
}

TEST(UciSessionTest, UnknownCommand_IsNamed) {
  EXPECT_THAT(Answer("fly\n"), ElementsAre("info string unknown command fly"));
  EXPECT_THAT(Answer("\n  \nucinewgame\nstop\n"), IsEmpty());
}

}  // namespace
}  // namespace sittuyin
