#include <gmock/gmock.h>
#include <google/protobuf/struct.pb.h>
#include <google/protobuf/util/json_util.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"
#include "service/errors/errors.h"
#include "service/errors/reason.h"
#include "service/errors/wanted.h"
#include "service/http/openapi_document.h"
#include "service/http/routes.h"
#include "sittuyin/v1/sittuyin.pb.h"

namespace sittuyin::service {
namespace {

using google::protobuf::Struct;
using google::protobuf::Value;

class OpenApiTest : public testing::Test {
 protected:
  OpenApiTest() {
    const auto status = google::protobuf::util::JsonStringToMessage(
        std::string(OpenApiDocument()), &document_);
    EXPECT_TRUE(status.ok()) << status.ToString();
  }

  // The value at the end of `path`; fails when there is none.
  Value At(std::initializer_list<const char*> path) {
    Value value;
    *value.mutable_struct_value() = document_;
    for (const char* name : path) {
      const auto& fields = value.struct_value().fields();
      const auto it = fields.find(name);
      if (it == fields.end()) {
        ADD_FAILURE() << "no " << name;
        return {};
      }
      const Value next = it->second;
      value = next;
    }
    return value;
  }

  Struct document_;
};

TEST_F(OpenApiTest, Paths_AreEveryRouteOfTheContract) {
  const auto* service = v1::Game::descriptor()->file()->service(0);
  std::size_t operations = 0;
  for (int i = 0; i < service->method_count(); ++i) {
    for (const Route& route : RoutesOf(*service->method(i))) {
      const char* verb = route.verb == "GET" ? "get" : "post";
      for (const char* code : {"200", "504"}) {
        At({"paths", route.path.c_str(), verb, "responses", code});
      }
      ++operations;
    }
  }
  std::size_t described = 0;
  const Value paths = At({"paths"});
  for (const auto& [path, item] : paths.struct_value().fields()) {
    described += item.struct_value().fields_size();
  }
  EXPECT_EQ(described, operations);
}

TEST_F(OpenApiTest, Security_TokenAndCertificateMayBothBeWanted) {
  const Value schemes = At({"components", "securitySchemes"});
  const auto type_of = [&](const char* scheme) {
    return schemes.struct_value()
        .fields()
        .at(scheme)
        .struct_value()
        .fields()
        .at("type")
        .string_value();
  };
  EXPECT_EQ(type_of("token"), "http");
  EXPECT_EQ(type_of("certificate"), "mutualTLS");
  std::set<std::set<std::string>> ways;
  const Value security = At({"security"});
  for (const Value& way : security.list_value().values()) {
    std::set<std::string> names;
    for (const auto& [name, scopes] : way.struct_value().fields()) {
      names.insert(name);
    }
    ways.insert(names);
  }
  const std::set<std::set<std::string>> all = {
      {}, {"token"}, {"certificate"}, {"certificate", "token"}};
  EXPECT_EQ(ways, all);
}

TEST_F(OpenApiTest, Score_HasOneOfItsValuesAlone) {
  const Value pairs = At({"components", "schemas", "Score", "not", "anyOf"});
  ASSERT_EQ(pairs.list_value().values_size(), 1);
  std::vector<std::string> names;
  for (const Value& name : pairs.list_value()
                               .values(0)
                               .struct_value()
                               .fields()
                               .at("required")
                               .list_value()
                               .values()) {
    names.push_back(name.string_value());
  }
  EXPECT_THAT(names, testing::ElementsAre("centipawns", "mateInMoves"));
}

TEST_F(OpenApiTest, Get_TellsOfHead) {
  EXPECT_THAT(
      At({"paths", "/v1/rule-sets", "get", "description"}).string_value(),
      testing::HasSubstr("HEAD"));
}

TEST_F(OpenApiTest, Descriptions_AreTheProtosComments) {
  EXPECT_EQ(
      At({"paths", "/v1/validate-move", "post", "summary"}).string_value(),
      "Tells whether a move is legal, why not, and the position after "
      "it");
  EXPECT_THAT(At({"components", "schemas", "Game", "properties", "moves",
                  "description"})
                  .string_value(),
              testing::HasSubstr("ILLEGAL_MOVE_IN_HISTORY"));
  EXPECT_THAT(
      At({"components", "schemas", "MoveKind", "description"}).string_value(),
      testing::HasSubstr("`MOVE_KIND_DROP`: A man comes from the hand"));
}

TEST_F(OpenApiTest, Schemas_DescribeEveryField) {
  const auto* file = v1::Game::descriptor()->file();
  for (int i = 0; i < file->message_type_count(); ++i) {
    const auto* type = file->message_type(i);
    for (int n = 0; n < type->field_count(); ++n) {
      At({"components", "schemas", type->name().c_str(), "properties",
          type->field(n)->json_name().c_str(), "description"});
    }
  }
}

TEST_F(OpenApiTest, Reasons_AllAreTold) {
  const Value tag = At({"tags"}).list_value().values(0);
  std::string told =
      tag.struct_value().fields().at("description").string_value();
  for (const char* path : {"/v1/best-move", "/v1/analyze"}) {
    told += At({"paths", path, "post", "description"}).string_value();
  }
  for (const std::string_view reason : kReasonNames) {
    EXPECT_THAT(told, testing::ContainsRegex("\\((reasons )?([A-Z_]+, )*" +
                                             std::string(reason) + "[,)]"));
  }
}

TEST_F(OpenApiTest, Metadata_EveryKeyIsTold) {
  const Value tag = At({"tags"}).list_value().values(0);
  const std::string told =
      tag.struct_value().fields().at("description").string_value();
  for (const google::rpc::Status& status :
       {IllegalMoveInHistory(0, {ViolationReason::kGameOver, 0}),
        BodyTooLarge(1), BodyEncoded("gzip")}) {
    google::rpc::ErrorInfo info;
    ASSERT_TRUE(status.details(0).UnpackTo(&info));
    EXPECT_FALSE(info.metadata().empty());
    for (const auto& [key, value] : info.metadata()) {
      EXPECT_THAT(told, testing::HasSubstr("`" + key + "`"));
    }
  }
}

TEST_F(OpenApiTest, Bounds_AreThoseThatRefusalsSay) {
  const struct {
    const char* message;
    const char* name;
    const char* keyword;
    const char* field;
  } bounds[] = {{"Game", "initialFen", "maxLength", "game.initial_fen"},
                {"Game", "moves", "maxItems", "game.moves"},
                {"BestMoveRequest", "level", "maximum", "level"},
                {"BestMoveRequest", "multiPv", "maximum", "multi_pv"},
                {"AnalyzeRequest", "multiPv", "maximum", "multi_pv"},
                {"SearchLimits", "depth", "maximum", "limits.depth"}};
  for (const auto& bound : bounds) {
    SCOPED_TRACE(bound.field);
    const Value schema =
        At({"components", "schemas", bound.message, "properties", bound.name});
    const auto& keywords = schema.struct_value().fields();
    const std::uint64_t most = MostOf(bound.field).value();
    EXPECT_EQ(keywords.at(bound.keyword).number_value(), most);
    EXPECT_THAT(keywords.at("description").string_value(),
                testing::HasSubstr(std::to_string(most)));
  }
  EXPECT_EQ(
      At({"components", "schemas", "Line", "properties", "depth", "maximum"})
          .number_value(),
      UINT32_MAX);
}

TEST_F(OpenApiTest, Requests_AllowNoOtherFields) {
  EXPECT_FALSE(At({"components", "schemas", "ValidateMoveRequest",
                   "additionalProperties"})
                   .bool_value());
  const auto required =
      At({"components", "schemas", "ValidateMoveResponse", "required"});
  std::vector<std::string> names;
  for (const auto& value : required.list_value().values()) {
    names.push_back(value.string_value());
  }
  EXPECT_THAT(names, testing::ElementsAre("legal", "fen", "legalMoves"));
}

}  // namespace
}  // namespace sittuyin::service
