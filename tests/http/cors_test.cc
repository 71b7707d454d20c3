#include "service/http/cors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

namespace sittuyin::service {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

constexpr auto kExposed = "Access-Control-Expose-Headers";

TEST(CorsTest, NoOrigins_SaysNothing) {
  const CorsPolicy policy;
  EXPECT_FALSE(policy.Allows("https://a.org"));
  EXPECT_FALSE(policy.Allows(std::nullopt));
  EXPECT_THAT(policy.HeadersFor("https://a.org"), IsEmpty());
}

TEST(CorsTest, List_AllowsItsOriginsAlone) {
  const CorsPolicy policy({"https://a.org", "http://b.org:8000"});
  EXPECT_THAT(
      policy.HeadersFor("http://b.org:8000"),
      ElementsAre(Pair("Vary", "Origin"),
                  Pair("Access-Control-Allow-Origin", "http://b.org:8000"),
                  Pair(kExposed, "ETag, Retry-After")));
  for (const char* other :
       {"http://a.org", "https://a.org.evil", "https://a.org:1", "null", ""}) {
    EXPECT_FALSE(policy.Allows(other)) << other;
    EXPECT_THAT(policy.HeadersFor(other), ElementsAre(Pair("Vary", "Origin")));
  }
  EXPECT_THAT(policy.HeadersFor(std::nullopt),
              ElementsAre(Pair("Vary", "Origin")));
}

// One answer for all, which any cache may hold.
TEST(CorsTest, Star_AllowsAllWithoutNamingThem) {
  const CorsPolicy policy({"*"});
  EXPECT_TRUE(policy.Allows("https://a.org"));
  for (const auto& origin : {std::optional<std::string>("https://a.org"), {}}) {
    EXPECT_THAT(policy.HeadersFor(origin),
                ElementsAre(Pair("Access-Control-Allow-Origin", "*"),
                            Pair(kExposed, "ETag, Retry-After")));
  }
}

}  // namespace
}  // namespace sittuyin::service
