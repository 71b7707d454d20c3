// Writes the contract's OpenAPI document, as a file of its own and as the C++
// source that the server serves it from.
//
// Usage: openapi_generator DESCRIPTOR_SET VERSION JSON_OUT CC_OUT

#include <google/protobuf/descriptor.h>
#include <google/protobuf/descriptor.pb.h>

#include <cstdio>
#include <fstream>
#include <string>

#include "service/http/openapi.h"

namespace sittuyin::service {
namespace {

// False when the set cannot be read or lacks what it refers to.
bool Load(const char* path, google::protobuf::DescriptorPool& pool) {
  std::ifstream file(path, std::ios::binary);
  google::protobuf::FileDescriptorSet set;
  if (!set.ParseFromIstream(&file)) return false;
  for (const auto& proto : set.file()) {
    if (pool.BuildFile(proto) == nullptr) return false;
  }
  return true;
}

bool Save(const char* path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  return file.good();
}

std::string SourceOf(const std::string& json) {
  return "#include \"service/http/openapi_document.h\"\n\n"
         "namespace sittuyin::service {\n\n"
         "std::string_view OpenApiDocument() {\n  return R\"openapi(" +
         json + ")openapi\";\n}\n\n}  // namespace sittuyin::service\n";
}

int Main(int argc, char** argv) {
  if (argc != 5) {
    std::fputs(
        "usage: openapi_generator DESCRIPTOR_SET VERSION JSON_OUT CC_OUT\n",
        stderr);
    return 2;
  }
  google::protobuf::DescriptorPool pool;
  if (!Load(argv[1], pool)) {
    std::fprintf(stderr, "%s: no complete descriptor set\n", argv[1]);
    return 1;
  }
  const auto* service = pool.FindServiceByName("sittuyin.v1.SittuyinService");
  const auto* refusal = pool.FindMessageTypeByName("google.rpc.Status");
  if (service == nullptr || refusal == nullptr) {
    std::fprintf(stderr, "%s: lacks the contract\n", argv[1]);
    return 1;
  }
  const std::string json = WriteOpenApi(*service, *refusal, argv[2]);
  return Save(argv[3], json) && Save(argv[4], SourceOf(json)) ? 0 : 1;
}

}  // namespace
}  // namespace sittuyin::service

int main(int argc, char** argv) { return sittuyin::service::Main(argc, argv); }
