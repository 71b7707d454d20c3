#include "service/http/replies.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "service/errors/errors.h"

namespace sittuyin::service {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Key;
using testing::Not;
using testing::Pair;

std::string EtagOf(const HttpResponse& reply) {
  for (const auto& [name, value] : reply.headers) {
    if (name == "ETag") return value;
  }
  return {};
}

TEST(RepliesTest, CacheableReply_First_HasBytesEtagAndAge) {
  const HttpResponse reply = CacheableReply("{}", {});
  EXPECT_EQ(reply.code, 200);
  EXPECT_EQ(reply.content_type, "application/json");
  EXPECT_EQ(reply.body, "{}");
  EXPECT_THAT(reply.headers,
              Contains(Pair("Cache-Control", "public, max-age=3600")));
  EXPECT_THAT(EtagOf(reply), testing::MatchesRegex("\"[0-9a-f]{32}\""));
}

TEST(RepliesTest, CacheableReply_Etag_IsOfTheBytes) {
  EXPECT_EQ(EtagOf(CacheableReply("a", {})), EtagOf(CacheableReply("a", {})));
  EXPECT_NE(EtagOf(CacheableReply("a", {})), EtagOf(CacheableReply("b", {})));
}

TEST(RepliesTest, CacheableReply_EtagHeld_IsNotModified) {
  const std::string etag = EtagOf(CacheableReply("a", {}));
  for (const std::string& held :
       {etag, "W/" + etag, "\"x\", " + etag, etag + ",\"x\"", "  " + etag + " ",
        std::string("*")}) {
    const HttpResponse reply = CacheableReply("a", held);
    EXPECT_EQ(reply.code, 304) << held;
    EXPECT_EQ(EtagOf(reply), etag);
    EXPECT_THAT(reply.headers, Contains(Key("Cache-Control")));
  }
  for (const std::string& held :
       {std::string(), std::string("\"x\""), std::string(", ,"), etag.substr(1),
        std::string("W/")}) {
    EXPECT_EQ(CacheableReply("a", held).code, 200) << held;
  }
}

TEST(RepliesTest, RefusalReply_IsStatusJsonThatNobodyKeeps) {
  const HttpResponse reply = RefusalReply(UnknownPath("/x", "look elsewhere"));
  EXPECT_EQ(reply.code, 404);
  EXPECT_EQ(reply.content_type, "application/json");
  EXPECT_THAT(reply.headers, AllOf(Contains(Pair("Cache-Control", "no-store")),
                                   Not(Contains(Key("Retry-After")))));
  EXPECT_THAT(reply.body, testing::HasSubstr("google.rpc.ErrorInfo"));
}

TEST(RepliesTest, RefusalReply_WithRetryInfo_RoundsItUpToSeconds) {
  using std::chrono::milliseconds;
  for (const auto& [delay, seconds] : {std::pair(milliseconds(1), "1"),
                                       {milliseconds(1000), "1"},
                                       {milliseconds(2500), "3"}}) {
    const HttpResponse reply = RefusalReply(Draining(delay));
    EXPECT_EQ(reply.code, 503);
    EXPECT_THAT(reply.headers, Contains(Pair("Retry-After", seconds)));
  }
}

TEST(RepliesTest, RefusalReply_Unauthenticated_SaysWhatIsWanted) {
  const HttpResponse reply = RefusalReply(Unauthenticated("Send a token."));
  EXPECT_EQ(reply.code, 401);
  EXPECT_THAT(reply.headers,
              Contains(Pair("WWW-Authenticate", "Bearer realm=\"sittuyin\"")));
  EXPECT_THAT(RefusalReply(Internal()).headers,
              Not(Contains(Key("WWW-Authenticate"))));
}

TEST(RepliesTest, RefusalReply_BodyEncoded_SaysWhatIsTaken) {
  const HttpResponse reply = RefusalReply(BodyEncoded("gzip"));
  EXPECT_EQ(reply.code, 415);
  EXPECT_THAT(reply.headers, Contains(Pair("Accept-Encoding", "identity")));
  EXPECT_THAT(RefusalReply(Internal()).headers,
              Not(Contains(Key("Accept-Encoding"))));
}

}  // namespace
}  // namespace sittuyin::service
