#include "service/http/admin_door.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <variant>

#include "tests/http/client.h"

namespace sittuyin::service {
namespace {

using testing::HasSubstr;

class AdminDoorTest : public testing::Test {
 protected:
  AdminDoorTest() {
    AdminOptions options;
    options.http.address = "127.0.0.1:0";
    options.version = "1.2.3";
    options.commit = "abc";
    options.build_type = "Release";
    options.ready = [this] { return ready_.load(); };
    auto door = AdminDoor::Start(metrics_, std::move(options));
    if (const auto* error = std::get_if<std::string>(&door)) {
      ADD_FAILURE() << *error;
      return;
    }
    door_ = std::get<std::unique_ptr<AdminDoor>>(std::move(door));
    client_ = std::make_unique<Client>(door_->address());
  }

  std::atomic<bool> ready_ = true;
  Metrics metrics_{"1.2.3", "abc"};
  std::unique_ptr<AdminDoor> door_;
  std::unique_ptr<Client> client_;
};

TEST_F(AdminDoorTest, Metrics_ArePrometheusText) {
  const Reply reply = client_->Get("/metrics");
  EXPECT_EQ(reply.code, 200);
  EXPECT_THAT(reply.headers.at("content-type"),
              HasSubstr("text/plain; version=0.0.4"));
  EXPECT_THAT(reply.body, HasSubstr("# TYPE sittuyin_build_info gauge\n"));
}

TEST_F(AdminDoorTest, Ready_FollowsTheServer_LiveDoesNot) {
  EXPECT_EQ(client_->Get("/readyz").code, 200);
  ready_ = false;
  EXPECT_EQ(client_->Get("/readyz").code, 503);
  EXPECT_EQ(client_->Get("/livez").code, 200);
}

TEST_F(AdminDoorTest, Version_IsJson) {
  const Reply reply = client_->Get("/version");
  EXPECT_EQ(reply.headers.at("content-type"), "application/json");
  EXPECT_EQ(reply.body,
            "{\"version\":\"1.2.3\",\"commit\":\"abc\","
            "\"build_type\":\"Release\"}");
}

TEST_F(AdminDoorTest, AnythingElse_IsRefused) {
  EXPECT_EQ(client_->Get("/").code, 404);
  const Reply reply = client_->Post("/metrics", "");
  EXPECT_EQ(reply.code, 405);
  EXPECT_EQ(reply.headers.at("allow"), "GET, HEAD");
  EXPECT_EQ(client_->Head("/livez").code, 200);
}

}  // namespace
}  // namespace sittuyin::service
