#include "service/config/build_info.h"

#include "absl/strings/str_format.h"

namespace sittuyin::service {

BuildInfo ThisBuild() {
  return {.version = SITTUYIN_VERSION,
          .commit = SITTUYIN_COMMIT,
          .build_type = SITTUYIN_BUILD_TYPE};
}

std::string VersionLine() {
  return absl::StrFormat("sittuyin_server %s (%s, %s)\n", SITTUYIN_VERSION,
                         SITTUYIN_COMMIT, SITTUYIN_BUILD_TYPE);
}

}  // namespace sittuyin::service
