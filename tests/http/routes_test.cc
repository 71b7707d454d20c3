#include "service/http/routes.h"

#include <gtest/gtest.h>

#include <string>

#include "sittuyin/v1/sittuyin.pb.h"

namespace sittuyin::service {
namespace {

class RoutesTest : public testing::Test {
 protected:
  const RouteTable table_{*v1::Game::descriptor()->file()->service(0)};
};

TEST_F(RoutesTest, Find_EveryWayOfTheContract_LeadsToItsMethod) {
  struct Way {
    const char* verb;
    const char* path;
    Method method;
    bool has_body;
  };
  for (const Way& way : {
           Way{"POST", "/v1/validate-move", Method::kValidateMove, true},
           Way{"GET", "/v1/validate-move", Method::kValidateMove, false},
           Way{"HEAD", "/v1/validate-move", Method::kValidateMove, false},
           Way{"POST", "/v1/legal-moves", Method::kLegalMoves, true},
           Way{"GET", "/v1/legal-moves", Method::kLegalMoves, false},
           Way{"POST", "/v1/game-status", Method::kGameStatus, true},
           Way{"GET", "/v1/game-status", Method::kGameStatus, false},
           Way{"POST", "/v1/best-move", Method::kBestMove, true},
           Way{"GET", "/v1/rule-sets", Method::kListRuleSets, false},
           Way{"POST", "/v1/analyze", Method::kAnalyze, true},
       }) {
    const auto match = table_.Find(way.verb, way.path);
    ASSERT_TRUE(match) << way.path;
    ASSERT_NE(match->route, nullptr) << way.verb << " " << way.path;
    EXPECT_EQ(match->route->method, way.method);
    EXPECT_EQ(match->route->has_body, way.has_body);
  }
}

TEST_F(RoutesTest, Find_OtherVerb_TellsWhatIsAllowed) {
  const auto both = table_.Find("PUT", "/v1/game-status");
  ASSERT_TRUE(both);
  EXPECT_EQ(both->route, nullptr);
  EXPECT_EQ(both->allowed, "GET, HEAD, POST");
  EXPECT_EQ(table_.Find("GET", "/v1/best-move")->allowed, "POST");
  EXPECT_EQ(table_.Find("get", "/v1/rule-sets")->route, nullptr);
}

TEST_F(RoutesTest, Find_OtherPath_IsUnknown) {
  for (const char* path : {"", "/", "/v1", "/v1/game-status/", "/V1/analyze"}) {
    EXPECT_FALSE(table_.Find("GET", path)) << path;
  }
}

}  // namespace
}  // namespace sittuyin::service
