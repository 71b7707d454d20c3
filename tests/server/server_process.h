// The real server binary as a child process.
#ifndef SITTUYIN_TESTS_SERVER_SERVER_PROCESS_H_
#define SITTUYIN_TESTS_SERVER_SERVER_PROCESS_H_

#include <sys/types.h>

#include <string>
#include <vector>

namespace sittuyin::service {

// Runs the server on free ports of the loopback; arguments come after those.
// Kills it in the end if it still runs.
class ServerProcess {
 public:
  explicit ServerProcess(const std::vector<std::string>& arguments = {});
  ~ServerProcess();
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;

  // The next line of its standard output; empty at the end.
  std::string ReadLine();
  // The rest of its standard error, to the end.
  std::string ReadErrors();
  // Reads none of it from now on, and lets the server know.
  void CloseErrors();
  // The value of a field of the `serving` line, once that has been read.
  static std::string FieldOf(const std::string& line, const std::string& name);

  void Signal(int signal);
  // Waits for the end and returns the exit code, or minus the signal.
  int Wait();

 private:
  pid_t pid_ = 0;
  int out_ = -1;
  int errors_ = -1;
};

}  // namespace sittuyin::service

#endif  // SITTUYIN_TESTS_SERVER_SERVER_PROCESS_H_
