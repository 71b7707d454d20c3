// Server reflection, asked by a real client.
#include "service/rpc/reflection.h"

#include <gmock/gmock.h>
#include <google/protobuf/descriptor.pb.h>
#include <google/protobuf/text_format.h>
#include <grpcpp/create_channel.h>

#include "grpc/reflection/v1/reflection.grpc.pb.h"
#include "grpc/reflection/v1alpha/reflection.grpc.pb.h"
#include "service/rpc/rpc_door.h"
#include "sittuyin/v1/sittuyin.pb.h"
#include "tests/handlers/api_fixture.h"

namespace sittuyin::service {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

struct V1 {
  using Service = grpc::reflection::v1::ServerReflection;
  using Request = grpc::reflection::v1::ServerReflectionRequest;
  using Response = grpc::reflection::v1::ServerReflectionResponse;
};

struct V1Alpha {
  using Service = grpc::reflection::v1alpha::ServerReflection;
  using Request = grpc::reflection::v1alpha::ServerReflectionRequest;
  using Response = grpc::reflection::v1alpha::ServerReflectionResponse;
};

template <typename Version>
class ReflectionTest : public testing::Test {
 protected:
  using Response = typename Version::Response;

  // The answers to requests in text format, all on one stream.
  std::vector<Response> Ask(const std::vector<std::string>& questions) {
    grpc::ClientContext context;
    const auto stream = stub_->ServerReflectionInfo(&context);
    std::vector<Response> answers;
    for (const std::string& question : questions) {
      typename Version::Request request;
      EXPECT_TRUE(
          google::protobuf::TextFormat::ParseFromString(question, &request));
      EXPECT_TRUE(stream->Write(request));
      EXPECT_TRUE(stream->Read(&answers.emplace_back()));
    }
    stream->WritesDone();
    EXPECT_TRUE(stream->Finish().ok());
    return answers;
  }

  // The names of the files in the only answer.
  std::vector<std::string> FilesOf(const std::string& question) {
    std::vector<std::string> names;
    const auto answers = Ask({question});
    for (const std::string& bytes :
         answers[0].file_descriptor_response().file_descriptor_proto()) {
      google::protobuf::FileDescriptorProto file;
      EXPECT_TRUE(file.ParseFromString(bytes));
      names.push_back(file.name());
    }
    return names;
  }

  int ErrorOf(const std::string& question) {
    return Ask({question})[0].error_response().error_code();
  }

  const v1::GameStatusRequest linked_in_;
  Telemetry telemetry_{Silent()};
  const std::vector<std::unique_ptr<grpc::Service>> services_ =
      MakeReflection({"a.Service", "b.Service"}, telemetry_, nullptr);
  const std::unique_ptr<RpcDoor> door_ =
      RpcDoor::Start("127.0.0.1:0", {services_[0].get(), services_[1].get()});
  const std::unique_ptr<typename Version::Service::Stub> stub_ =
      Version::Service::NewStub(grpc::CreateChannel(
          door_->address(), grpc::InsecureChannelCredentials()));
};

using Versions = testing::Types<V1, V1Alpha>;
TYPED_TEST_SUITE(ReflectionTest, Versions);

TYPED_TEST(ReflectionTest, ListServices_NamesThem) {
  const auto answers = this->Ask({"host: 'h' list_services: '*'"});
  EXPECT_EQ(answers[0].valid_host(), "h");
  EXPECT_EQ(answers[0].original_request().list_services(), "*");
  const auto& services = answers[0].list_services_response().service();
  ASSERT_THAT(services, SizeIs(2));
  EXPECT_EQ(services[0].name(), "a.Service");
  EXPECT_EQ(services[1].name(), "b.Service");
}

TYPED_TEST(ReflectionTest, File_ByPathOrName_ComesWithWhatItImports) {
  const auto by_path =
      this->FilesOf("file_by_filename: 'sittuyin/v1/sittuyin.proto'");
  EXPECT_THAT(
      by_path,
      ElementsAre("sittuyin/v1/sittuyin.proto", "google/api/annotations.proto",
                  "google/api/http.proto", "google/protobuf/descriptor.proto",
                  "google/protobuf/duration.proto"));
  for (const char* name :
       {"sittuyin.v1.SittuyinService", "sittuyin.v1.SittuyinService.BestMove",
        "sittuyin.v1.Game", "sittuyin.v1.Game.moves"}) {
    EXPECT_EQ(
        this->FilesOf(std::string("file_containing_symbol: '") + name + "'"),
        by_path);
  }
}

TYPED_TEST(ReflectionTest, Extension_Known_IsFound) {
  EXPECT_EQ(
      this->FilesOf("file_containing_extension { extension_number: 72295728 "
                    "containing_type: 'google.protobuf.MethodOptions' }")[0],
      "google/api/annotations.proto");
  const auto answers = this->Ask(
      {"all_extension_numbers_of_type: 'google.protobuf.MethodOptions'"});
  const auto& numbers = answers[0].all_extension_numbers_response();
  EXPECT_EQ(numbers.base_type_name(), "google.protobuf.MethodOptions");
  EXPECT_THAT(numbers.extension_number(), ElementsAre(72295728));
}

TYPED_TEST(ReflectionTest, Unknown_IsAnErrorThatEndsNothing) {
  const auto answers =
      this->Ask({"file_by_filename: 'x'", "file_containing_symbol: 'x'",
                 "all_extension_numbers_of_type: 'x'",
                 "file_containing_extension { containing_type: 'x' }",
                 "file_containing_extension { containing_type: "
                 "'google.protobuf.MethodOptions' extension_number: 1 }"});
  for (const auto& answer : answers) {
    EXPECT_EQ(answer.error_response().error_code(), 5);
  }
}

TYPED_TEST(ReflectionTest, Nothing_Asked_IsAnError) {
  EXPECT_EQ(this->ErrorOf(""), 3);
}

}  // namespace
}  // namespace sittuyin::service
