// What this binary is.
#ifndef SITTUYIN_SERVICE_CONFIG_BUILD_INFO_H_
#define SITTUYIN_SERVICE_CONFIG_BUILD_INFO_H_

#include <string>
#include <string_view>

namespace sittuyin::service {

struct BuildInfo {
  std::string_view version;     // Of the project, `0.1.0`.
  std::string_view commit;      // Abbreviated hash, or `unknown`.
  std::string_view build_type;  // CMake's, `Release`.
};

// Valid for the life of the process.
BuildInfo ThisBuild();

// For --version: one line, ended.
std::string VersionLine();

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_CONFIG_BUILD_INFO_H_
