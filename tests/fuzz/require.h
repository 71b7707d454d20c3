// What a fuzz target holds true of the code, whatever the input.
#ifndef SITTUYIN_TESTS_FUZZ_REQUIRE_H_
#define SITTUYIN_TESTS_FUZZ_REQUIRE_H_

#include <cstdio>
#include <cstdlib>

namespace sittuyin {

// Crashes, so that the fuzzer keeps the input, unless `holds`. Names the
// caller's line; clang 14 has no std::source_location.
inline void Require(bool holds, const char* file = __builtin_FILE(),
                    int line = __builtin_LINE()) {
  if (holds) return;
  std::fprintf(stderr, "%s:%d: requirement broken\n", file, line);
  std::abort();
}

}  // namespace sittuyin

#endif  // SITTUYIN_TESTS_FUZZ_REQUIRE_H_
