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
#include <string>
#include <string_view>
#include <variant>

#include "service/http/exchange.h"
#include "service/http/hang_up_watch.h"
#include "service/http/listener.h"

namespace sittuyin::service {

struct HttpServerOptions {
  std::string address;          // As Listener::Open takes it.
  unsigned threads = 1;         // That read, handle and write.
  unsigned connections = 4096;  // Open at a time; more are closed at once.
  std::size_t body_limit = 64 << 10;      // Of a body, and of a URI.
  std::chrono::seconds idle_timeout{75};  // Of a connection.
};

// Listens from Start to StopAccepting. Requests are handled on the server's
// threads, so a handler that would take long must answer later, from a thread
// of its own. Thread-safe.
class HttpServer {
 public:
  // Called once for each request, when its body is there or found too large.
  using Handler = std::function<void(const std::shared_ptr<Exchange>&)>;
  // The answer to what is no request that could be handled: HTTP's code for it
  // and one sentence of what is wrong. From any of the server's threads.
  using Refusal = std::function<HttpResponse(int, std::string_view)>;

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
  // some were left. To be called after StopAccepting.
  bool Drain(std::chrono::steady_clock::time_point deadline);

 private:
  friend class Exchange;

  HttpServer(const HttpServerOptions& options, Handler handler, Refusal refusal,
             Listener listener);
  bool StartDaemon();

  static void OnConnection(void* self, MHD_Connection* connection,
                           void** context, MHD_ConnectionNotificationCode code);
  static void* OnUri(void* self, const char* uri, MHD_Connection* connection);
  static MHD_Result OnRequest(void* self, MHD_Connection* connection,
                              const char* url, const char* method,
                              const char* version, const char* data,
                              std::size_t* size, void** slot);
  static void OnCompleted(void* self, MHD_Connection* connection, void** slot,
                          MHD_RequestTerminationCode code);

  void ExchangeBegun();
  // False when the server ends; else the handler owes an answer from now on.
  bool MayHandle();
  void ExchangeAnswered();
  void ExchangeCompleted();

  const HttpServerOptions options_;
  const Handler handler_;
  const Refusal refusal_;
  const Listener listener_;
  HangUpWatch watch_;
  std::atomic<bool> accepting_{true};
  std::mutex mutex_;
  std::condition_variable changed_;
  bool ending_ = false;
  std::size_t unanswered_ = 0;  // Requests whose handler has not ended.
  std::size_t unsent_ = 0;      // Requests that are not completed.
  MHD_Daemon* daemon_ = nullptr;
};

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_HTTP_HTTP_SERVER_H_
