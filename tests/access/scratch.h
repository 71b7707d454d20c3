// A folder for a test's files.
#ifndef SITTUYIN_TESTS_ACCESS_SCRATCH_H_
#define SITTUYIN_TESTS_ACCESS_SCRATCH_H_

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace sittuyin::service {

// Gone, with all that is in it, when the test ends.
class Scratch {
 public:
  Scratch() : path_(std::filesystem::temp_directory_path() / "accessXXXXXX") {
    if (mkdtemp(path_.data()) == nullptr) std::abort();
  }
  ~Scratch() { std::filesystem::remove_all(path_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  std::string PathOf(const std::string& name) const {
    return path_ + "/" + name;
  }

  // The path of the file `name`, which is made or written over.
  std::string Write(const std::string& name, const std::string& content) const {
    std::ofstream(PathOf(name)) << content;
    return PathOf(name);
  }

  // As Write, but the file is never there in part.
  std::string Swap(const std::string& name, const std::string& content) const {
    std::filesystem::rename(Write(name + ".new", content), PathOf(name));
    return PathOf(name);
  }

 private:
  std::string path_;
};

}  // namespace sittuyin::service

#endif  // SITTUYIN_TESTS_ACCESS_SCRATCH_H_
