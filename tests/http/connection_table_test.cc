#include "service/http/connection_table.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <thread>
#include <vector>

namespace sittuyin::service {
namespace {

using std::chrono::seconds;

// A connection's two ends.
class Ends {
 public:
  Ends() {
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends_.data()),
              0);
  }
  ~Ends() {
    for (const int end : ends_) close(end);
  }
  Ends(const Ends&) = delete;
  Ends& operator=(const Ends&) = delete;

  int server() const { return ends_[0]; }
  void EndClientsSide() const { shutdown(ends_[1], SHUT_WR); }
  // The client sees that the server's side is shut.
  bool IsCut() const {
    char byte = 0;
    return recv(ends_[1], &byte, 1, 0) == 0;
  }

 private:
  std::array<int, 2> ends_;
};

const ConnectionTable::Clock::time_point kStart{};

TEST(ConnectionTableTest, CutOverdue_CutsThoseWhoseTimeIsUp) {
  ConnectionTable table(10);
  const Ends slow;
  const Ends slower;
  table.Opened(slow.server(), kStart, seconds(1));
  table.Opened(slower.server(), kStart, seconds(2));
  table.CutOverdue(kStart + seconds(1));
  EXPECT_FALSE(slow.IsCut());
  table.CutOverdue(kStart + seconds(2));
  EXPECT_TRUE(slow.IsCut());
  EXPECT_FALSE(slower.IsCut());
}

TEST(ConnectionTableTest, NoteAge_ConnectionIsOldGiveOrTakeATenth) {
  ConnectionTable table(100, seconds(100));
  const Ends ends;
  std::vector<OpenConnection*> connections;
  for (int i = 0; i < 50; ++i) {
    connections.push_back(&table.Opened(ends.server(), kStart, seconds(1)));
  }
  const auto count_old = [&] {
    return std::ranges::count_if(connections, &OpenConnection::IsOld);
  };
  table.NoteAge(kStart + seconds(89));
  EXPECT_EQ(count_old(), 0);
  table.NoteAge(kStart + seconds(100));  // They do not go together.
  EXPECT_GT(count_old(), 0);
  EXPECT_LT(count_old(), 50);
  table.NoteAge(kStart + seconds(111));
  EXPECT_EQ(count_old(), 50);
}

TEST(ConnectionTableTest, NoteAge_NoAgeSet_NoneIsOld) {
  ConnectionTable table(10);
  const Ends ends;
  const OpenConnection& connection =
      table.Opened(ends.server(), kStart, seconds(1));
  table.NoteAge(kStart + std::chrono::hours(10000));
  EXPECT_FALSE(connection.IsOld());
}

TEST(ConnectionTableTest, HurryClient_NeverGivesMoreTime) {
  ConnectionTable table(10);
  const Ends ends;
  OpenConnection& connection = table.Opened(ends.server(), kStart, seconds(5));
  connection.HurryClient(kStart + seconds(1), seconds(9));
  table.CutOverdue(kStart + seconds(5));
  EXPECT_FALSE(ends.IsCut());
  connection.HurryClient(kStart + seconds(2), seconds(1));
  table.CutOverdue(kStart + seconds(4));
  EXPECT_TRUE(ends.IsCut());
}

TEST(ConnectionTableTest, CutOverdue_ClientHasLeft_IsCut) {
  ConnectionTable table(10);
  const Ends ends;
  OpenConnection& connection = table.Opened(ends.server(), kStart, seconds(60));
  ends.EndClientsSide();
  table.CutOverdue(kStart + seconds(1));
  EXPECT_FALSE(ends.IsCut());
  connection.AwaitServer();
  table.CutOverdue(kStart + seconds(9));
  EXPECT_FALSE(ends.IsCut());
  connection.AwaitTaking(kStart, seconds(60), false);
  table.CutOverdue(kStart + seconds(9));
  EXPECT_FALSE(ends.IsCut());
  connection.AwaitClient(kStart, seconds(60));
  table.CutOverdue(kStart + seconds(9));
  EXPECT_TRUE(ends.IsCut());
}

TEST(ConnectionTableTest, AwaitTaking_Hurried_NeverGivesMoreTime) {
  ConnectionTable table(10);
  const Ends ends;
  OpenConnection& connection = table.Opened(ends.server(), kStart, seconds(60));
  connection.AwaitTaking(kStart, seconds(5), false);
  connection.AwaitTaking(kStart + seconds(3), seconds(5), true);
  table.CutOverdue(kStart + seconds(5));
  EXPECT_FALSE(ends.IsCut());
  table.CutOverdue(kStart + seconds(6));
  EXPECT_TRUE(ends.IsCut());
}

TEST(ConnectionTableTest, AwaitServer_IsNeverOverdue) {
  ConnectionTable table(10);
  const Ends ends;
  OpenConnection& connection = table.Opened(ends.server(), kStart, seconds(1));
  connection.AwaitServer();
  table.CutOverdue(ConnectionTable::Clock::time_point::max());
  EXPECT_FALSE(ends.IsCut());
  connection.AwaitClient(kStart, seconds(1));
  table.CutOverdue(kStart + seconds(2));
  EXPECT_TRUE(ends.IsCut());
}

// It may have the most time left: what counts is how long it has done nothing.
TEST(ConnectionTableTest, Opened_OneTooMany_CutsTheOneThatKeepsWaitingLongest) {
  int told = 0;
  ConnectionTable table(2, {}, [&] { ++told; });
  const std::array<Ends, 4> ends;
  table.Opened(ends[0].server(), kStart + seconds(2), seconds(1));
  table.Opened(ends[1].server(), kStart + seconds(1), seconds(9));
  EXPECT_FALSE(ends[1].IsCut());
  EXPECT_EQ(told, 0);
  table.Opened(ends[2].server(), kStart + seconds(2), seconds(1));
  EXPECT_TRUE(ends[1].IsCut());
  EXPECT_EQ(told, 1);
  EXPECT_FALSE(ends[0].IsCut());
  // Of two that are equal, the older.
  table.Opened(ends[3].server(), kStart + seconds(3), seconds(1));
  EXPECT_TRUE(ends[0].IsCut());
  EXPECT_FALSE(ends[2].IsCut());
  EXPECT_FALSE(ends[3].IsCut());
}

TEST(ConnectionTableTest, Opened_AllOthersWaitForTheServer_CutsItself) {
  ConnectionTable table(1);
  const Ends at_work;
  const Ends late;
  table.Opened(at_work.server(), kStart, seconds(1)).AwaitServer();
  table.Opened(late.server(), kStart + seconds(9), seconds(1));
  EXPECT_FALSE(at_work.IsCut());
  EXPECT_TRUE(late.IsCut());
}

TEST(ConnectionTableTest, CutAll_WaitsUntilAllAreClosed) {
  ConnectionTable table(10);
  const Ends ends;
  OpenConnection& connection = table.Opened(ends.server(), kStart, seconds(1));
  connection.AwaitServer();
  std::thread owner([&] {
    char byte = 0;
    while (recv(ends.server(), &byte, 1, 0) != 0) std::this_thread::yield();
    table.Closed(connection);
  });
  table.CutAll(std::chrono::hours(1));
  EXPECT_TRUE(ends.IsCut());
  owner.join();
}

TEST(ConnectionTableTest, Closed_MakesRoom) {
  ConnectionTable table(1);
  const Ends first;
  const Ends second;
  table.Closed(table.Opened(first.server(), kStart, seconds(1)));
  table.Opened(second.server(), kStart, seconds(1));
  EXPECT_FALSE(second.IsCut());
}

}  // namespace
}  // namespace sittuyin::service
