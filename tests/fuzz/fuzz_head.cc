// Any bytes as the head of an HTTP/1.1 request: what is let pass can be read
// in one way only.
#include <microhttpd.h>
#include <netinet/in.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "service/http/head_fault.h"
#include "tests/fuzz/require.h"

namespace sittuyin::service {
namespace {

// How libmicrohttpd and head_fault.h read the head of one request.
struct Reading {
  std::string_view target = {};
  bool passes = false;
  std::size_t size = 0;
};

void* OnUri(void* opaque, const char* uri, MHD_Connection*) {
  auto& reading = *static_cast<Reading*>(opaque);
  if (uri != nullptr) reading.target = uri;
  return nullptr;
}

MHD_Result OnRequest(void* opaque, MHD_Connection* connection, const char*,
                     const char* method, const char* version, const char*,
                     std::size_t*, void**) {
  auto& reading = *static_cast<Reading*>(opaque);
  reading.passes =
      TargetFault(reading.target).empty() &&
      FirstLineFault(method, reading.target.size(), version).empty() &&
      HeadersFault(connection, method, version).empty();
  reading.size = MHD_get_connection_info(
                     connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE)
                     ->header_size;
  return MHD_NO;
}

// A libmicrohttpd without a thread or a port.
class Library {
 public:
  Library()
      : daemon_(MHD_start_daemon(MHD_USE_NO_LISTEN_SOCKET, 0, nullptr, nullptr,
                                 &OnRequest, &reading_,
                                 MHD_OPTION_URI_LOG_CALLBACK, &OnUri, &reading_,
                                 MHD_OPTION_END)) {}

  Reading Read(std::string_view head) {
    reading_ = {};
    std::array<int, 2> ends{};
    Require(socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) == 0);
    Require(send(ends[0], head.data(), head.size(), 0) ==
            static_cast<ssize_t>(head.size()));
    shutdown(ends[0], SHUT_WR);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    Require(MHD_add_connection(daemon_, ends[1],
                               reinterpret_cast<const sockaddr*>(&address),
                               sizeof(address)) == MHD_YES);
    while (Connections() > 0) Require(MHD_run(daemon_) == MHD_YES);
    close(ends[0]);
    return reading_;
  }

 private:
  unsigned Connections() const {
    return MHD_get_daemon_info(daemon_, MHD_DAEMON_INFO_CURRENT_CONNECTIONS)
        ->num_connections;
  }

  Reading reading_;
  MHD_Daemon* const daemon_;
};

bool IsBlank(char c) {
  return static_cast<unsigned char>(c) <= ' ' || c == '\x7f';
}

bool IsNamed(std::string_view name, std::string_view wanted) {
  return name.size() == wanted.size() &&
         strncasecmp(name.data(), wanted.data(), wanted.size()) == 0;
}

std::string_view TakeLine(std::string_view& text) {
  const std::size_t end = text.find('\n');
  Require(end != text.npos && end > 0);
  // In whose place libmicrohttpd has a NUL in either case.
  Require(text[end - 1] == '\r' || text[end - 1] == '\0');
  const std::string_view line = text.substr(0, end - 1);
  text.remove_prefix(end + 1);
  Require(std::ranges::none_of(line,
                               [](char c) { return c == '\r' || c == '\0'; }));
  return line;
}

// Requires that `lines`, each with its end, say the same to every server.
void RequireOneReading(std::string_view lines) {
  std::string_view line = TakeLine(lines);
  Require(std::ranges::count(line, ' ') == 2);
  const bool is_1_1 = line.ends_with(" HTTP/1.1");
  int hosts = 0;
  int lengths = 0;
  int encodings = 0;
  while (!lines.empty()) {
    line = TakeLine(lines);
    const std::size_t colon = line.find(':');
    Require(colon != line.npos);
    const std::string_view name = line.substr(0, colon);
    Require(!name.empty() && std::ranges::none_of(name, IsBlank));
    hosts += IsNamed(name, "Host") ? 1 : 0;
    lengths += IsNamed(name, "Content-Length") ? 1 : 0;
    encodings += IsNamed(name, "Transfer-Encoding") ? 1 : 0;
  }
  Require(hosts == 1 || (hosts == 0 && !is_1_1));
  Require(lengths + encodings <= 1);
  Require(encodings == 0 || is_1_1);
}

void CheckBytes(Library& library, std::string_view bytes) {
  // Lines that libmicrohttpd takes for blank ones ahead leave no trace.
  if (bytes.empty() || IsBlank(bytes.front())) return;
  const Reading reading = library.Read(bytes);
  if (!reading.passes) return;
  const std::string_view head = bytes.substr(0, reading.size);
  // The last two line ends are where libmicrohttpd leaves least to be seen.
  Require(head.size() == reading.size && head.size() > 4);
  const std::string_view tail = head.substr(head.size() - 4);
  Require(tail.find_first_not_of({"\r\n:\0", 4}) == tail.npos);
  RequireOneReading(std::string(head.substr(0, head.size() - 4)) + "\r\n");
}

}  // namespace
}  // namespace sittuyin::service

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  static auto& library = *new sittuyin::service::Library;
  sittuyin::service::CheckBytes(library,
                                {reinterpret_cast<const char*>(data), size});
  return 0;
}
