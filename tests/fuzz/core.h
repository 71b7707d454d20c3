// The service's core without its doors, asked whatever a fuzzer thinks of.
#ifndef SITTUYIN_TESTS_FUZZ_CORE_H_
#define SITTUYIN_TESTS_FUZZ_CORE_H_

#include <google/protobuf/message.h>

#include <cstddef>
#include <memory>

#include "google/rpc/status.pb.h"

namespace sittuyin::service {

class Core {
 public:
  Core();
  ~Core();

  // The methods that a fuzzer may choose from.
  static constexpr std::size_t kMethods = 4;

  // The request of method `index` modulo kMethods, emptied.
  google::protobuf::Message& Request(std::size_t index);

  struct Answer {
    google::rpc::Status status;
    const google::protobuf::Message* message;  // Lives until the next Ask.
  };
  // Asks; searches are kept to a few nodes. Requires of the answer what holds
  // of any: either it is good, or a refusal as CheckRefusal wants it.
  Answer Ask(const google::protobuf::Message& request);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sittuyin::service

#endif  // SITTUYIN_TESTS_FUZZ_CORE_H_
