#include "service/http/direct_answer.h"

#include <gnutls/gnutls.h>
#include <spdlog/fmt/chrono.h>
#include <spdlog/fmt/fmt.h>
#include <sys/socket.h>

#include <ctime>
#include <iterator>
#include <string>

namespace sittuyin::service {
namespace {

std::string Serialize(const HttpResponse& answer) {
  const auto code = static_cast<unsigned>(answer.code);
  std::string text = fmt::format(
      "HTTP/1.1 {} {}\r\nDate: {:%a, %d %b %Y %H:%M:%S} GMT\r\n"
      "Connection: close\r\nContent-Length: {}\r\nContent-Type: {}\r\n",
      code, MHD_get_reason_phrase_for(code), fmt::gmtime(std::time(nullptr)),
      answer.body.size(), answer.content_type);
  for (const auto& [name, value] : answer.headers) {
    fmt::format_to(std::back_inserter(text), "{}: {}\r\n", name, value);
  }
  return text + "\r\n" + answer.body;
}

}  // namespace

void AnswerDirectly(MHD_Connection* connection, const HttpResponse& answer) {
  const int socket =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)
          ->connect_fd;
  const std::string text = Serialize(answer);
  if (const auto* tls = MHD_get_connection_info(
          connection, MHD_CONNECTION_INFO_GNUTLS_SESSION);
      tls != nullptr && tls->tls_session != nullptr) {
    const auto session = static_cast<gnutls_session_t>(tls->tls_session);
    gnutls_record_send(session, text.data(), text.size());
    gnutls_bye(session, GNUTLS_SHUT_WR);
  } else {
    send(socket, text.data(), text.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  }
  shutdown(socket, SHUT_WR);
}

}  // namespace sittuyin::service
