// Any bytes as a request over gRPC: the first chooses the method.
#include <cstddef>
#include <cstdint>

#include "tests/fuzz/core.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  static auto& core = *new sittuyin::service::Core;
  if (size == 0) return 0;
  auto& request = core.Request(data[0]);
  if (request.ParseFromArray(data + 1, static_cast<int>(size) - 1)) {
    core.Ask(request);
  }
  return 0;
}
