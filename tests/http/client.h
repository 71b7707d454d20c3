// An HTTP client for tests, on libcurl.
#ifndef SITTUYIN_TESTS_HTTP_CLIENT_H_
#define SITTUYIN_TESTS_HTTP_CLIENT_H_

#include <curl/curl.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sittuyin::service {

struct Reply {
  CURLcode result = CURLE_OK;
  long code = 0;
  std::map<std::string, std::string> headers;  // Names in lower case.
  std::string body;
};

// One connection, kept alive from request to request.
class Client {
 public:
  // `address` is a door's, `127.0.0.1:1234`.
  explicit Client(std::string address)
      : address_(std::move(address)), curl_(curl_easy_init()) {}
  ~Client() { curl_easy_cleanup(curl_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  using Headers = std::vector<std::string>;  // Each `Name: value`.
  // Sees each piece of the body; false hangs up.
  using OnPiece = std::function<bool(std::string_view)>;

  Reply Get(const std::string& path, const Headers& headers = {}) {
    return Request("GET", path, nullptr, headers);
  }
  Reply Head(const std::string& path) {
    return Request("HEAD", path, nullptr, {});
  }
  Reply Post(const std::string& path, const std::string& body,
             const Headers& headers = {}, OnPiece on_piece = {}) {
    return Request("POST", path, &body, headers, std::move(on_piece));
  }
  Reply Send(const std::string& verb, const std::string& path,
             const Headers& headers = {}, const std::string* body = nullptr) {
    return Request(verb, path, body, headers);
  }

  // Hangs up if the answer has not come by then.
  void set_timeout_ms(long timeout) { timeout_ms_ = timeout; }

 private:
  struct Sink {
    Reply reply;
    OnPiece on_piece;
  };

  Reply Request(const std::string& verb, const std::string& path,
                const std::string* body, const Headers& headers,
                OnPiece on_piece = {}) {
    Sink sink{.reply = {}, .on_piece = std::move(on_piece)};
    curl_slist* list = nullptr;
    for (const std::string& header : headers) {
      list = curl_slist_append(list, header.c_str());
    }
    curl_easy_reset(curl_);
    const std::string url = "http://" + address_ + path;
    curl_easy_setopt(curl_, CURLOPT_URL, url.c_str());
    curl_easy_setopt(curl_, CURLOPT_PATH_AS_IS, 1L);
    curl_easy_setopt(curl_, CURLOPT_CUSTOMREQUEST, verb.c_str());
    curl_easy_setopt(curl_, CURLOPT_HTTPHEADER, list);
    curl_easy_setopt(curl_, CURLOPT_TIMEOUT_MS, timeout_ms_);
    if (verb == "HEAD") curl_easy_setopt(curl_, CURLOPT_NOBODY, 1L);
    if (body != nullptr) {
      curl_easy_setopt(curl_, CURLOPT_POSTFIELDSIZE,
                       static_cast<long>(body->size()));
      curl_easy_setopt(curl_, CURLOPT_POSTFIELDS, body->data());
    }
    curl_easy_setopt(curl_, CURLOPT_WRITEFUNCTION, TakeBody);
    curl_easy_setopt(curl_, CURLOPT_WRITEDATA, &sink);
    curl_easy_setopt(curl_, CURLOPT_HEADERFUNCTION, TakeHeader);
    curl_easy_setopt(curl_, CURLOPT_HEADERDATA, &sink);
    sink.reply.result = curl_easy_perform(curl_);
    curl_easy_getinfo(curl_, CURLINFO_RESPONSE_CODE, &sink.reply.code);
    curl_slist_free_all(list);
    return std::move(sink.reply);
  }

  static std::size_t TakeBody(char* data, std::size_t, std::size_t size,
                              void* sink) {
    auto& self = *static_cast<Sink*>(sink);
    self.reply.body.append(data, size);
    if (self.on_piece && !self.on_piece({data, size})) return 0;
    return size;
  }

  static std::size_t TakeHeader(char* data, std::size_t, std::size_t size,
                                void* sink) {
    const std::string line(data, size);
    const std::size_t colon = line.find(": ");
    if (colon == line.npos) return size;
    std::string name = line.substr(0, colon);
    std::transform(name.begin(), name.end(), name.begin(), [](char letter) {
      return static_cast<char>(std::tolower(letter));
    });
    static_cast<Sink*>(sink)->reply.headers[name] =
        line.substr(colon + 2, line.find_last_not_of("\r\n") - colon - 1);
    return size;
  }

  const std::string address_;
  CURL* const curl_;
  long timeout_ms_ = 60'000;
};

}  // namespace sittuyin::service

#endif  // SITTUYIN_TESTS_HTTP_CLIENT_H_
