#include "service/http/quote.h"

#include <gtest/gtest.h>

#include <string>

namespace sittuyin::service {
namespace {

TEST(QuoteTest, Quote_Short_IsUnchanged) {
  EXPECT_EQ(Quote(""), "");
  EXPECT_EQ(Quote("d\xC3\xA9j\xC3\xA0"), "d\xC3\xA9j\xC3\xA0");
}

TEST(QuoteTest, Quote_Long_IsCutBetweenCharacters) {
  EXPECT_EQ(Quote(std::string(300, 'a')), std::string(200, 'a'));
  const std::string cut = Quote(std::string(199, 'a') + "\xC3\xA9 and more");
  EXPECT_EQ(cut, std::string(199, 'a'));
}

TEST(QuoteTest, Quote_NotUtf8_HasQuestionMarks) {
  EXPECT_EQ(Quote("a\xff\xC3"), "a??");
}

}  // namespace
}  // namespace sittuyin::service
