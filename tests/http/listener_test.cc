#include "service/http/listener.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <variant>

namespace sittuyin::service {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;

TEST(ListenerTest, Open_PortZero_TellsTheActualPort) {
  const auto listener = Listener::Open("127.0.0.1:0");
  ASSERT_TRUE(std::holds_alternative<Listener>(listener));
  EXPECT_THAT(std::get<Listener>(listener).address(),
              MatchesRegex("127\\.0\\.0\\.1:[1-9][0-9]*"));
}

TEST(ListenerTest, Open_NameAndIPv6_Listen) {
  EXPECT_TRUE(std::holds_alternative<Listener>(Listener::Open("localhost:0")));
  const auto listener = Listener::Open("[::1]:0");
  if (const auto* error = std::get_if<std::string>(&listener)) {
    GTEST_SKIP() << *error;
  }
  EXPECT_THAT(std::get<Listener>(listener).address(),
              MatchesRegex("\\[::1\\]:[1-9][0-9]*"));
}

TEST(ListenerTest, Open_PortInUse_Fails) {
  const auto first = Listener::Open("127.0.0.1:0");
  ASSERT_TRUE(std::holds_alternative<Listener>(first));
  const std::string address = std::get<Listener>(first).address();
  const auto second = Listener::Open(address);
  ASSERT_TRUE(std::holds_alternative<std::string>(second));
  EXPECT_THAT(std::get<std::string>(second), HasSubstr(address));
}

TEST(ListenerTest, Open_PortGivenBack_CanBeTakenAgain) {
  std::string address;
  {
    const auto first = Listener::Open("127.0.0.1:0");
    ASSERT_TRUE(std::holds_alternative<Listener>(first));
    address = std::get<Listener>(first).address();
  }
  EXPECT_TRUE(std::holds_alternative<Listener>(Listener::Open(address)));
}

TEST(ListenerTest, Open_NoAddress_FailsAndNamesIt) {
  for (const char* text :
       {"", "127.0.0.1", "127.0.0.1:", "127.0.0.1:http", "127.0.0.1:99999999",
        "::1:80", "[::1:80", "no such host:80", "300.1.1.1:80"}) {
    const auto result = Listener::Open(text);
    ASSERT_TRUE(std::holds_alternative<std::string>(result)) << text;
    EXPECT_THAT(std::get<std::string>(result),
                HasSubstr("'" + std::string(text) + "'"));
  }
}

}  // namespace
}  // namespace sittuyin::service
