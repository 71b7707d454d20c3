#include "service/http/query_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace sittuyin::service {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

TEST(QueryTextTest, SplitQuery_KeepsOrderAndRepetition) {
  EXPECT_THAT(SplitQuery("b=1&a=2&b=3"),
              ElementsAre(Pair("b", "1"), Pair("a", "2"), Pair("b", "3")));
}

TEST(QueryTextTest, SplitQuery_EmptyPieces_AreNothing) {
  EXPECT_THAT(SplitQuery(""), IsEmpty());
  EXPECT_THAT(SplitQuery("&&a=1&"), ElementsAre(Pair("a", "1")));
  EXPECT_THAT(SplitQuery("a&b=&=c&=&d==e"),
              ElementsAre(Pair("a", ""), Pair("b", ""), Pair("", "c"),
                          Pair("", ""), Pair("d", "=e")));
}

TEST(QueryTextTest, SplitQuery_Escapes_AreDecodedOnce) {
  EXPECT_THAT(SplitQuery("a%2Eb=K%40e1+%2b%26%3D&%C3%a9=%2541"),
              ElementsAre(Pair("a.b", "K@e1 +&="), Pair("\xC3\xA9", "%41")));
  EXPECT_THAT(SplitQuery("a=%00"),
              ElementsAre(Pair("a", std::string(1, '\0'))));
}

TEST(QueryTextTest, SplitQuery_NoEscape_StandsForItself) {
  EXPECT_THAT(SplitQuery("a=%&b=%4&c=%zz&d=%-1&e=100%"),
              ElementsAre(Pair("a", "%"), Pair("b", "%4"), Pair("c", "%zz"),
                          Pair("d", "%-1"), Pair("e", "100%")));
}

}  // namespace
}  // namespace sittuyin::service
