#include "service/http/head_fault.h"

#include <strings.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace sittuyin::service {
namespace {

constexpr std::string_view kVersionWithHost = "HTTP/1.1";

// CR and LF, in whose place libmicrohttpd puts NULs, so that a NUL sent as one
// of them cannot be told from it.
constexpr std::uintptr_t kLineEnd = 2;

struct Head {
  std::uintptr_t end;      // Of the text seen so far.
  bool crlf_alone = true;  // Ends the lines, and nothing else is between them.
  int hosts = 0;
  int lengths = 0;
  int encodings = 0;
  bool chunked = false;  // The last encoding is, and alone on its line.
  bool names_are_tokens = true;
};

std::uintptr_t EndOf(const char* text) {
  return reinterpret_cast<std::uintptr_t>(text) + std::strlen(text);
}

bool IsBlank(char byte) {
  return static_cast<unsigned char>(byte) <= ' ' || byte == '\x7F';
}

MHD_Result Count(void* opaque, MHD_ValueKind, const char* name,
                 const char* value) {
  auto& head = *static_cast<Head*>(opaque);
  if (reinterpret_cast<std::uintptr_t>(name) - head.end != kLineEnd ||
      (value != nullptr && std::strchr(value, '\r') != nullptr)) {
    head.crlf_alone = false;
  }
  head.end = EndOf(value != nullptr ? value : name);
  const std::string_view text(name);
  if (text.empty() || std::ranges::any_of(text, IsBlank)) {
    head.names_are_tokens = false;
  } else if (strcasecmp(name, MHD_HTTP_HEADER_HOST) == 0) {
    ++head.hosts;
  } else if (strcasecmp(name, MHD_HTTP_HEADER_CONTENT_LENGTH) == 0) {
    ++head.lengths;
  } else if (strcasecmp(name, MHD_HTTP_HEADER_TRANSFER_ENCODING) == 0) {
    ++head.encodings;
    head.chunked = value != nullptr && strcasecmp(value, "chunked") == 0;
  }
  return MHD_YES;
}

}  // namespace

std::string_view TargetFault(std::string_view target) {
  if (std::ranges::none_of(target, IsBlank)) return {};
  return "The request's target holds a blank or a control character: encode "
         "it, as %20.";
}

std::string_view FirstLineFault(const char* method_text,
                                std::size_t target_size, const char* version) {
  const std::string_view method(method_text);
  // Behind a NUL there would be more.
  const char* const target_end = method.end() + 1 + target_size;
  if (std::ranges::none_of(method, IsBlank) && target_end + 1 == version) {
    return {};
  }
  return "The first line is not a method, a target and a version with one "
         "blank between.";
}

std::string_view HeadersFault(MHD_Connection* connection, const char* method,
                              const char* version_text) {
  const std::string_view version(version_text);
  Head head{EndOf(version_text)};
  MHD_get_connection_values(connection, MHD_HEADER_KIND, Count, &head);
  // libmicrohttpd splits the head where it lies, ends lines at an LF alone,
  // too, and takes a CR alone for a part of the value. What it does not show
  // lies between the lines: the rest of one behind a NUL, a folded one, or all
  // from one on that has no name, which it takes for the end of the head.
  const auto size = MHD_get_connection_info(
                        connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE)
                        ->header_size;
  // Two line ends, of which only NULs are left: a colon or a NUL as one of
  // these four bytes is not seen.
  const std::string_view tail(method + size - 2 * kLineEnd, 2 * kLineEnd);
  if (!head.crlf_alone ||
      reinterpret_cast<std::uintptr_t>(tail.data()) != head.end ||
      tail.find_first_not_of('\0') != tail.npos) {
    return "The headers hold a NUL, a folded line, an empty name, or a line "
           "that does not end in CRLF.";
  }
  if (!head.names_are_tokens) {
    return "A header's name is empty or holds a blank: write Name: value.";
  }
  if (head.hosts > 1 || (head.hosts == 0 && version == kVersionWithHost)) {
    return "HTTP/1.1 wants the header Host, once.";
  }
  if (head.lengths > 1) {
    return "The header Content-Length came twice: send it once.";
  }
  if (head.encodings == 0) return {};
  if (head.lengths > 0) {
    return "Content-Length and Transfer-Encoding came together: send one.";
  }
  if (head.encodings > 1 || !head.chunked || version != kVersionWithHost) {
    return "The only Transfer-Encoding here is chunked, in HTTP/1.1.";
  }
  return {};
}

}  // namespace sittuyin::service
