// An HTTP/1.1 server on libmicrohttpd.
#ifndef SITTUYIN_SERVICE_HTTP_HTTP_SERVER_H_
#define SITTUYIN_SERVICE_HTTP_HTTP_SERVER_H_

#include <microhttpd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <variant>

#include "service/http/connection_table.h"
#include "service/http/exchange.h"
#include "service/http/hang_up_watch.h"
#include "service/http/http_peer.h"
#include "service/http/http_tls.h"
#include "service/http/listener.h"

namespace sittuyin::service {

struct HttpServerOptions {
  std::string address;                // As Listener::Open takes it.
  unsigned threads = 1;               // That read, handle and write.
  std::size_t body_limit = 64 << 10;  // Of a body, and of a URI.
  HttpHeaders headers = {};           // Of every answer.

  // Open at a time. For one more the connection is cut whose client has kept
  // the server waiting longest.
  std::size_t connections = 1024;
  // Told when one is cut for that. From any of the server's threads.
  std::function<void()> crowded = [] {};
  // The same, from one address; more are closed at once. 0 = any number.
  unsigned connections_per_address = 0;
  // A connection that is older, give or take a tenth, ends with its next
  // answer. Looked at every sweep_interval. 0 = never.
  std::chrono::nanoseconds connection_age{0};

  // What clients have time for: to send a head, from the connection's start or
  // the end of the head's first line; to send the next one; to send the body;
  // to take an answer, or the next piece of one that is not complete; to stop
  // sending when they have been refused. Looked at every sweep_interval.
  std::chrono::milliseconds head_timeout = std::chrono::seconds(10);
  std::chrono::milliseconds idle_timeout = std::chrono::seconds(75);
  std::chrono::milliseconds body_timeout = std::chrono::seconds(30);
  std::chrono::milliseconds answer_timeout = std::chrono::seconds(30);
  std::chrono::milliseconds linger_timeout = std::chrono::seconds(5);
  std::chrono::milliseconds sweep_interval = std::chrono::seconds(1);

  HttpTls* tls = nullptr;  // Outlives the server; null = in clear.
};

// Listens from Start to StopAccepting. Requests are handled on the server's
// threads, so a handler that would take long must answer later, from a thread
// of its own. Thread-safe.
class HttpServer {
 public:
  // Called once for each request, when its body is there or found too large.
  using Handler = std::function<void(const std::shared_ptr<Exchange>&)>;
  // The answer to what is no request that could be handled: HTTP's code for it,
  // one sentence of what is wrong, and who sent it. From any of the server's
  // threads.
  using Refusal =
      std::function<HttpResponse(int, std::string_view, const HttpPeer&)>;

  // On failure one sentence for the operator.
  static std::variant<std::unique_ptr<HttpServer>, std::string> Start(
      const HttpServerOptions& options, Handler handler, Refusal refusal);

  // Answers what libmicrohttpd could not read, for which it would give `code`;
  // to be called for a connection of some HttpServer, on its thread. The
  // connection is to be closed.
  static void RefuseUnread(MHD_Connection* connection, int code,
                           std::string_view message);

  // Gives up on the requests that are left, waits until their handlers have
  // answered, and then a second at most for the answers to be sent.
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  // Where it listens, with the actual port.
  const std::string& address() const { return listener_.address(); }

  // Takes no new connections; what comes on those that are open is still
  // answered, and then they are closed.
  void StopAccepting();

  // Waits until every request is answered and sent, or `deadline`; false when
  // some were left. Those of which something is still to come have a second. To
  // be called after StopAccepting.
  bool Drain(std::chrono::steady_clock::time_point deadline);

 private:
  friend class Exchange;
  friend class HttpPeer;

  HttpServer(const HttpServerOptions& options, Handler handler, Refusal refusal,
             Listener listener);
  bool StartDaemon();

  // What libmicrohttpd keeps for us with each connection.
  struct Context {
    HttpServer& server;
    OpenConnection& connection;
    std::unique_ptr<HttpTls::Connection> tls;  // Null = in clear.
  };
  static Context& ContextOf(MHD_Connection* connection);

  static void OnConnection(void* self, MHD_Connection* connection,
                           void** context, MHD_ConnectionNotificationCode code);
  static void* OnUri(void* self, const char* uri, MHD_Connection* connection);
  static MHD_Result OnRequest(void* self, MHD_Connection* connection,
                              const char* url, const char* method,
                              const char* version, const char* data,
                              std::size_t* size, void** slot);
  static void OnCompleted(void* self, MHD_Connection* connection, void** slot,
                          MHD_RequestTerminationCode code);

  void AddHeaders(HttpResponse& answer) const;
  void Sweep(const std::stop_token& stop);
  void ExchangeBegun();
  // False when the server ends; else the handler owes an answer from now on.
  bool MayHandle();
  void ExchangeAnswered();
  void ExchangeCompleted(bool handled);

  const HttpServerOptions options_;
  const Handler handler_;
  const Refusal refusal_;
  const Listener listener_;
  HangUpWatch watch_;
  ConnectionTable connections_;
  std::atomic<bool> accepting_{true};
  std::mutex mutex_;
  std::condition_variable changed_;
  bool ending_ = false;
  std::size_t unanswered_ = 0;  // Requests whose handler has not ended.
  std::size_t unsent_ = 0;      // Of those handled, which are not completed.
  std::size_t begun_ = 0;       // All requests that are not completed.
  MHD_Daemon* daemon_ = nullptr;
  std::jthread sweeper_;
};

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_HTTP_HTTP_SERVER_H_
