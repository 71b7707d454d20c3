#include "service/http/proto_comment.h"

#include <gtest/gtest.h>

namespace sittuyin::service {
namespace {

TEST(ProtoCommentTest, JoinLines_Paragraphs_StayApart) {
  EXPECT_EQ(JoinLines(" One\n two.\n\n Three.\n"), "One two.\n\nThree.");
  EXPECT_EQ(JoinLines(""), "");
  EXPECT_EQ(JoinLines("\n\n a\n"), "a");
}

TEST(ProtoCommentTest, FirstSentence_EndsAtAFullStopBeforeSpace) {
  EXPECT_EQ(FirstSentence("One v1.2 thing. Two."), "One v1.2 thing");
  EXPECT_EQ(FirstSentence("One.\n\nTwo."), "One");
  EXPECT_EQ(FirstSentence("No stop"), "No stop");
}

}  // namespace
}  // namespace sittuyin::service
