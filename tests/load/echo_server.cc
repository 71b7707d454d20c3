// A gRPC callback server that does nothing but echo: the yardstick of the load
// script. Prints the port it serves on and runs until its input ends.
#include <grpcpp/grpcpp.h>

#include <iostream>
#include <memory>

#include "tests/load/echo.grpc.pb.h"

namespace sittuyin::load {
namespace {

class EchoImpl final : public EchoService::CallbackService {
  grpc::ServerUnaryReactor* Echo(grpc::CallbackServerContext* context,
                                 const Payload* request,
                                 Payload* response) override {
    *response = *request;
    grpc::ServerUnaryReactor* const reactor = context->DefaultReactor();
    reactor->Finish(grpc::Status::OK);
    return reactor;
  }
};

int Main() {
  EchoImpl echo;
  grpc::ServerBuilder builder;
  int port = 0;
  builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(),
                           &port);
  builder.RegisterService(&echo);
  const std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
  if (server == nullptr) return 1;
  std::cout << port << std::endl;
  while (std::cin.get() != EOF) {
  }
  server->Shutdown();
  return 0;
}

}  // namespace
}  // namespace sittuyin::load

int main() { return sittuyin::load::Main(); }
