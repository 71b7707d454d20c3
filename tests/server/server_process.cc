#include "tests/server/server_process.h"

#include <google/protobuf/struct.pb.h>
#include <google/protobuf/util/json_util.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>

extern char** environ;

namespace sittuyin::service {
namespace {

std::string ReadUntil(int file, char end) {
  std::string text;
  for (char next = 0; read(file, &next, 1) == 1 && next != end;) text += next;
  return text;
}

}  // namespace

ServerProcess::ServerProcess(const std::vector<std::string>& arguments) {
  std::vector<std::string> all = {SITTUYIN_SERVER_BINARY,
                                  "--grpc_address=127.0.0.1:0",
                                  "--rest_address=127.0.0.1:0",
                                  "--admin_address=127.0.0.1:0",
                                  "--hash_mb=1",
                                  "--search_workers=1",
                                  "--drain_delay=0s"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& argument : all) argv.push_back(argument.data());
  argv.push_back(nullptr);

  std::array<int, 2> out{};
  std::array<int, 2> errors{};
  EXPECT_EQ(pipe(out.data()), 0);
  EXPECT_EQ(pipe(errors.data()), 0);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, errors[1], STDERR_FILENO);
  for (const int file : {out[0], out[1], errors[0], errors[1]}) {
    posix_spawn_file_actions_addclose(&actions, file);
  }
  EXPECT_EQ(
      posix_spawn(&pid_, argv[0], &actions, nullptr, argv.data(), environ), 0);
  posix_spawn_file_actions_destroy(&actions);
  close(out[1]);
  close(errors[1]);
  out_ = out[0];
  errors_ = errors[0];
}

ServerProcess::~ServerProcess() {
  if (pid_ != 0) {
    Signal(SIGKILL);
    Wait();
  }
  close(out_);
  CloseErrors();
}

std::string ServerProcess::ReadLine() { return ReadUntil(out_, '\n'); }

std::string ServerProcess::ReadErrors() { return ReadUntil(errors_, '\0'); }

void ServerProcess::CloseErrors() {
  if (errors_ >= 0) close(errors_);
  errors_ = -1;
}

std::string ServerProcess::FieldOf(const std::string& line,
                                   const std::string& name) {
  google::protobuf::Struct fields;
  EXPECT_TRUE(google::protobuf::util::JsonStringToMessage(line, &fields).ok())
      << line;
  return fields.fields().at(name).string_value();
}

void ServerProcess::Signal(int signal) { kill(pid_, signal); }

int ServerProcess::Wait() {
  int status = 0;
  waitpid(pid_, &status, 0);
  pid_ = 0;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

}  // namespace sittuyin::service
