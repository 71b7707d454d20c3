#include "service/rpc/reflection.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/descriptor.pb.h>
#include <google/protobuf/message.h>

#include <set>

#include "grpc/reflection/v1/reflection.grpc.pb.h"
#include "grpc/reflection/v1alpha/reflection.grpc.pb.h"
#include "service/rpc/rpc_peer.h"
#include "service/rpc/wire.h"

namespace sittuyin::service {
namespace {

using google::protobuf::DescriptorPool;
using google::protobuf::FileDescriptor;
using grpc::ByteBuffer;
using grpc::reflection::v1::FileDescriptorResponse;

using Names = std::vector<std::string>;
using Request = grpc::reflection::v1::ServerReflectionRequest;
using Response = grpc::reflection::v1::ServerReflectionResponse;

const DescriptorPool& Pool() { return *DescriptorPool::generated_pool(); }

void AddNotFound(const std::string& what, Response& response) {
  auto& error = *response.mutable_error_response();
  error.set_error_code(grpc::StatusCode::NOT_FOUND);
  error.set_error_message("There is no such " + what + ".");
}

// `file` and all that it needs, each once.
void AddFile(const FileDescriptor& file, std::set<const FileDescriptor*>& seen,
             FileDescriptorResponse& files) {
  if (!seen.insert(&file).second) return;
  google::protobuf::FileDescriptorProto proto;
  file.CopyTo(&proto);
  files.add_file_descriptor_proto(proto.SerializeAsString());
  for (int i = 0; i < file.dependency_count(); ++i) {
    AddFile(*file.dependency(i), seen, files);
  }
}

void AddFileOrNotFound(const FileDescriptor* file, const std::string& what,
                       Response& response) {
  if (file == nullptr) return AddNotFound(what, response);
  std::set<const FileDescriptor*> seen;
  AddFile(*file, seen, *response.mutable_file_descriptor_response());
}

const FileDescriptor* FileOfExtension(const std::string& type, int number) {
  const auto* message = Pool().FindMessageTypeByName(type);
  if (message == nullptr) return nullptr;
  const auto* extension = Pool().FindExtensionByNumber(message, number);
  return extension == nullptr ? nullptr : extension->file();
}

void AddExtensionNumbers(const std::string& type, Response& response) {
  const auto* message = Pool().FindMessageTypeByName(type);
  if (message == nullptr) return AddNotFound("message", response);
  std::vector<const google::protobuf::FieldDescriptor*> extensions;
  Pool().FindAllExtensions(message, &extensions);
  std::set<int> numbers;
  for (const auto* extension : extensions) numbers.insert(extension->number());
  auto& answer = *response.mutable_all_extension_numbers_response();
  answer.set_base_type_name(type);
  answer.mutable_extension_number()->Add(numbers.begin(), numbers.end());
}

Response Answer(const Request& request, const Names& services) {
  Response response;
  response.set_valid_host(request.host());
  *response.mutable_original_request() = request;
  switch (request.message_request_case()) {
    case Request::kFileByFilename:
      AddFileOrNotFound(Pool().FindFileByName(request.file_by_filename()),
                        "file", response);
      break;
    case Request::kFileContainingSymbol:
      AddFileOrNotFound(
          Pool().FindFileContainingSymbol(request.file_containing_symbol()),
          "name", response);
      break;
    case Request::kFileContainingExtension: {
      const auto& asked = request.file_containing_extension();
      AddFileOrNotFound(
          FileOfExtension(asked.containing_type(), asked.extension_number()),
          "extension", response);
      break;
    }
    case Request::kAllExtensionNumbersOfType:
      AddExtensionNumbers(request.all_extension_numbers_of_type(), response);
      break;
    case Request::kListServices:
      for (const std::string& name : services) {
        response.mutable_list_services_response()->add_service()->set_name(
            name);
      }
      break;
    case Request::MESSAGE_REQUEST_NOT_SET: {
      auto& error = *response.mutable_error_response();
      error.set_error_code(grpc::StatusCode::INVALID_ARGUMENT);
      error.set_error_message("Ask for something.");
    }
  }
  return response;
}

// One stream of either version, for their bytes are the same. A question is
// read when the one before is answered, so that it holds no more than one of
// each; it counts as a call, for there may be thousands. Deletes itself when
// gRPC is done with it.
class Stream : public grpc::ServerBidiReactor<ByteBuffer, ByteBuffer> {
 public:
  Stream(const Names& services, Telemetry& telemetry, Gate* gate, RpcPeer peer)
      : services_(services), telemetry_(telemetry), gate_(gate), peer_(peer) {
    google::rpc::Status known;
    if (gate_ != nullptr) known = gate_->Authenticate(peer_);
    if (known.code() == 0) {
      StartRead(&question_);
    } else {
      Refuse(known);
    }
  }

  void OnReadDone(bool ok) override {
    if (!ok) return Finish(grpc::Status::OK);
    google::rpc::Status status;
    if (gate_ != nullptr) status = gate_->Admit(peer_);
    Request request;
    if (status.code() == 0) status = ReadBytes(question_, &request);
    if (status.code() != 0) return Refuse(status);
    answer_ = ToBytes(Answer(request, services_));
    StartWrite(&answer_);
  }

  void OnWriteDone(bool ok) override {
    if (!ok) return Finish(grpc::Status::CANCELLED);
    StartRead(&question_);
  }

  void OnDone() override { delete this; }

 private:
  void Refuse(const google::rpc::Status& status) {
    telemetry_.Refused(Door::kGrpc, status, NamerOf(gate_, peer_));
    Finish(ToGrpc(status));
  }

  const Names& services_;
  Telemetry& telemetry_;
  Gate* const gate_;
  const RpcPeer peer_;
  ByteBuffer question_;
  ByteBuffer answer_;
};

// `Version` is the service that is generated for it. Thread-safe.
template <typename Version>
class ReflectionService
    : public Version::template WithRawCallbackMethod_ServerReflectionInfo<
          typename Version::Service> {
 public:
  ReflectionService(const Names& services, Telemetry& telemetry, Gate* gate)
      : services_(services), telemetry_(telemetry), gate_(gate) {}

  Stream* ServerReflectionInfo(grpc::CallbackServerContext* context) override {
    return new Stream(services_, telemetry_, gate_, RpcPeer(*context));
  }

 private:
  const Names services_;
  Telemetry& telemetry_;
  Gate* const gate_;
};

}  // namespace

std::vector<std::unique_ptr<grpc::Service>> MakeReflection(
    const std::vector<std::string>& services, Telemetry& telemetry,
    Gate* gate) {
  namespace v1 = grpc::reflection::v1;
  namespace v1alpha = grpc::reflection::v1alpha;
  using V1 = ReflectionService<v1::ServerReflection>;
  using V1Alpha = ReflectionService<v1alpha::ServerReflection>;
  // Nothing else needs its descriptors.
  google::protobuf::LinkMessageReflection<v1alpha::ServerReflectionRequest>();
  std::vector<std::unique_ptr<grpc::Service>> made;
  made.push_back(std::make_unique<V1>(services, telemetry, gate));
  made.push_back(std::make_unique<V1Alpha>(services, telemetry, gate));
  return made;
}

}  // namespace sittuyin::service
