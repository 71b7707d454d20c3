// What libmicrohttpd refuses by itself, before it has a request to show us:
// malformed lines, chunks and lengths, a head larger than the connection's
// memory, versions of HTTP that it does not speak.
//
// It would answer in HTML, some of it twice, and has no setting for that. But
// it queues these answers with its public function, and a program's symbol
// comes before a library's; so the function stands here, for the library alone,
// and gives the server's own refusal. We call the library's by its address.
// Where a build of the library should bind the call inside, its HTML would go
// out, and http_server_test fails.
#include "service/http/library_refusals.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "service/http/http_server.h"

namespace sittuyin::service {
namespace {

struct Refusal {
  unsigned code;
  std::string_view message;
};

constexpr std::array kRefusals = {
    Refusal{400,
            "This is no request of HTTP/1.1: check its first line, headers, "
            "Content-Length and chunks."},
    Refusal{413, "The length of the body or of a chunk is out of range."},
    Refusal{414, "The first line is too long: POST takes a body."},
    Refusal{431, "The headers are too long: send fewer."},
    Refusal{505, "Speak HTTP/1.1 here, or HTTP/1.0."},
};

std::string_view MessageFor(unsigned code) {
  const auto* found = std::ranges::find_if(
      kRefusals, [&](const Refusal& refusal) { return refusal.code == code; });
  return found == kRefusals.end() ? "This request cannot be answered."
                                  : found->message;
}

}  // namespace

MHD_Result QueueResponse(MHD_Connection* connection, unsigned code,
                         MHD_Response* response) {
  static const auto queue = reinterpret_cast<decltype(&MHD_queue_response)>(
      dlsym(RTLD_NEXT, "MHD_queue_response"));
  return queue(connection, code, response);
}

}  // namespace sittuyin::service

extern "C" MHD_Result MHD_queue_response(MHD_Connection* connection,
                                         unsigned code,
                                         MHD_Response* response) {
  sittuyin::service::HttpServer::RefuseUnread(
      connection, static_cast<int>(code), sittuyin::service::MessageFor(code));
  // The library goes its usual way and fails to send, which ends the
  // connection. Told that nothing was queued it would free the connection's
  // memory, and read it where the cookies were at fault.
  const MHD_Result queued =
      sittuyin::service::QueueResponse(connection, code, response);
  // A library that stops says that it has queued what it has not.
  const bool is_queued =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_HTTP_STATUS) !=
      nullptr;
  return is_queued ? queued : MHD_NO;
}
