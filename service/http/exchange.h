// One HTTP request on its way to its answer.
#ifndef SITTUYIN_SERVICE_HTTP_EXCHANGE_H_
#define SITTUYIN_SERVICE_HTTP_EXCHANGE_H_

#include <microhttpd.h>
#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "service/http/connection_table.h"
#include "service/http/hang_up_watch.h"
#include "service/http/http_message.h"
#include "service/http/http_peer.h"

namespace sittuyin::service {

class HttpServer;

// Held by the server until the answer is sent and by the handler for as long
// as it likes. Either Answer once, or BeginStream, then Write, then EndStream
// once; each from any thread. What is written for a client that has left goes
// nowhere.
class Exchange : public std::enable_shared_from_this<Exchange> {
 public:
  const HttpRequest& request() const { return request_; }
  // These two to be called, and the peer to be used, by the handler before it
  // returns.
  HttpPeer peer() const { return HttpPeer(connection_); }
  std::optional<std::string> Header(const char* name) const {
    return peer().Header(name);
  }

  // Of the answer, beside its own. To be called once at most, by the handler
  // before it answers.
  void AddHeaders(HttpHeaders headers) { headers_ = std::move(headers); }

  // The most bytes that a body may have.
  std::size_t body_limit() const;

  void Answer(HttpResponse response);

  // `head` without a body; the body is what is written, each piece sent as it
  // comes.
  void BeginStream(HttpResponse head);
  void Write(std::string_view piece);
  void EndStream();

  // `action` is called at most once, from any thread: when the client leaves
  // before the answer is complete, or when the server gives up on it. If that
  // has already happened, at once.
  void OnHangUp(std::function<void()> action);

 private:
  friend class HttpServer;

  Exchange(HttpServer& server, MHD_Connection* connection,
           OpenConnection& open);

  // libmicrohttpd's calls, on its threads. TakeUri comes first and cuts the
  // query off; Begin comes when the headers are there, and is false when the
  // body is not wanted.
  void TakeUri(char* uri);
  bool Begin(const char* method, const char* version);
  bool begun() const { return !request_.method.empty(); }
  bool handled() const { return handled_; }
  MHD_Result Receive(const char* data, std::size_t& size);
  MHD_Result Proceed();
  void Completed(bool sent);
  static ssize_t ReadStream(void* holder, std::uint64_t position, char* buffer,
                            std::size_t size);

  void Handle();
  void SetAnswer(HttpResponse answer);  // Under mutex_.
  bool RefuseMidway();
  // The client has its part to do for so long.
  void AwaitClient(std::chrono::milliseconds most);
  void AwaitTaking();  // Under mutex_.
  void Suspend();      // Under mutex_, on libmicrohttpd's thread.
  void Resume();       // Under mutex_.
  void Watch();
  MHD_Result QueueAnswer();  // Under mutex_.
  void HangUp();

  HttpServer& server_;
  OpenConnection& open_;  // While connection_ is there.
  HttpRequest request_;
  // Of libmicrohttpd's thread alone.
  std::size_t target_size_ = 0;
  std::string_view head_fault_;  // Empty = none.
  std::size_t received_ = 0;
  bool handled_ = false;
  bool refused_midway_ = false;
  std::optional<HangUpWatch::Ticket> watch_;

  std::mutex mutex_;
  MHD_Connection* connection_;  // Null once the connection is done with us.
  bool suspended_ = false;
  HttpHeaders headers_;  // Added to the answer.
  std::optional<HttpResponse> answer_;
  bool streaming_ = false;
  bool ended_ = false;  // Nothing more will come from the handler.
  std::string unsent_;  // Of the stream.
  bool hung_up_ = false;
  std::function<void()> on_hang_up_;
};

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_HTTP_EXCHANGE_H_
