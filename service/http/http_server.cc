#include "service/http/http_server.h"

#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "service/http/direct_answer.h"

namespace sittuyin::service {
namespace {

// Holds a request's line, a query of the largest size included, its headers
// and its answer's. libmicrohttpd clears all of it for each request.
constexpr std::size_t kConnectionMemory = 80 << 10;

// How long the last answers may take to be sent when the server ends, and the
// connections to be closed.
constexpr std::chrono::seconds kSendGrace(1);

// How long a drain waits for the rest of requests that have begun.
constexpr std::chrono::seconds kArrivalGrace(1);

// Beside the open connections libmicrohttpd holds those that have been cut and
// that it has not closed yet. It shares its limit out between its threads.
unsigned LibraryLimit(const HttpServerOptions& options) {
  return static_cast<unsigned>(options.connections + options.connections / 8) +
         16 * options.threads;
}

}  // namespace

std::variant<std::unique_ptr<HttpServer>, std::string> HttpServer::Start(
    const HttpServerOptions& options, Handler handler, Refusal refusal) {
  std::variant<Listener, std::string> listener =
      Listener::Open(options.address);
  if (auto* error = std::get_if<std::string>(&listener)) {
    return std::move(*error);
  }
  std::unique_ptr<HttpServer> server(
      new HttpServer(options, std::move(handler), std::move(refusal),
                     std::get<Listener>(std::move(listener))));
  if (!server->StartDaemon()) {
    return "cannot serve HTTP on '" + options.address + "'";
  }
  return server;
}

HttpServer::HttpServer(const HttpServerOptions& options, Handler handler,
                       Refusal refusal, Listener listener)
    : options_(options),
      handler_(std::move(handler)),
      refusal_(std::move(refusal)),
      listener_(std::move(listener)),
      connections_(options.connections, options.connection_age,
                   options.crowded) {}

bool HttpServer::StartDaemon() {
  if (!watch_.works()) return false;
  unsigned flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME;
  HttpTls::Options tls_options{{MHD_OPTION_END, 0, nullptr}};
  if (options_.tls != nullptr) {
    flags |= MHD_USE_TLS;
    tls_options = options_.tls->DaemonOptions();
  }
  daemon_ = MHD_start_daemon(
      flags, 0, nullptr, nullptr, &OnRequest, this,  //
      MHD_OPTION_ARRAY, tls_options.data(),          //
      MHD_OPTION_LISTEN_SOCKET, listener_.socket(), MHD_OPTION_URI_LOG_CALLBACK,
      &OnUri, this,                                       //
      MHD_OPTION_NOTIFY_CONNECTION, &OnConnection, this,  //
      MHD_OPTION_NOTIFY_COMPLETED, &OnCompleted, this,    //
      MHD_OPTION_THREAD_POOL_SIZE, options_.threads,
      MHD_OPTION_CONNECTION_LIMIT, LibraryLimit(options_),
      MHD_OPTION_PER_IP_CONNECTION_LIMIT, options_.connections_per_address,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, kConnectionMemory,  //
      MHD_OPTION_END);
  if (daemon_ == nullptr) return false;
  sweeper_ = std::jthread([this](const std::stop_token& stop) { Sweep(stop); });
  return true;
}

HttpServer::~HttpServer() {
  if (daemon_ == nullptr) return;
  StopAccepting();
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  watch_.GiveUp();
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return unanswered_ == 0; });
    changed_.wait_for(lock, kSendGrace, [this] { return unsent_ == 0; });
  }
  // libmicrohttpd crashes on a connection that it refuses while it stops.
  connections_.CutAll(kSendGrace);
  MHD_stop_daemon(daemon_);
}

void HttpServer::StopAccepting() {
  if (!accepting_.exchange(false)) return;
  MHD_quiesce_daemon(daemon_);
  // Else the kernel would go on taking connections that nobody serves.
  listener_.StopListening();
}

bool HttpServer::Drain(std::chrono::steady_clock::time_point deadline) {
  std::unique_lock lock(mutex_);
  const auto arrived =
      std::min(deadline, std::chrono::steady_clock::now() + kArrivalGrace);
  changed_.wait_until(lock, arrived, [this] { return begun_ == 0; });
  return changed_.wait_until(lock, deadline, [this] { return unsent_ == 0; });
}

void HttpServer::RefuseUnread(MHD_Connection* connection, int code,
                              std::string_view message) {
  const HttpServer& server = ContextOf(connection).server;
  HttpResponse refusal = server.refusal_(code, message, HttpPeer(connection));
  server.AddHeaders(refusal);
  AnswerDirectly(connection, refusal);
}

HttpServer::Context& HttpServer::ContextOf(MHD_Connection* connection) {
  return *static_cast<Context*>(
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)
          ->socket_context);
}

void HttpServer::OnConnection(void* self, MHD_Connection* connection,
                              void** context,
                              MHD_ConnectionNotificationCode code) {
  auto& server = *static_cast<HttpServer*>(self);
  if (code == MHD_CONNECTION_NOTIFY_STARTED) {
    const int socket =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)
            ->connect_fd;
    OpenConnection& opened = server.connections_.Opened(
        socket, OpenConnection::Clock::now(), server.options_.head_timeout);
    HttpTls* const tls = server.options_.tls;
    *context = new Context{server, opened,
                           tls == nullptr ? nullptr : tls->Begin(connection)};
  } else {
    const std::unique_ptr<Context> last(static_cast<Context*>(*context));
    server.connections_.Closed(last->connection);
  }
}

void HttpServer::AddHeaders(HttpResponse& answer) const {
  answer.headers.insert(answer.headers.end(), options_.headers.begin(),
                        options_.headers.end());
}

void HttpServer::Sweep(const std::stop_token& stop) {
  std::mutex unshared;
  std::condition_variable_any never;
  std::unique_lock lock(unshared);
  while (!stop.stop_requested()) {
    never.wait_for(lock, stop, options_.sweep_interval, [] { return false; });
    const auto now = OpenConnection::Clock::now();
    connections_.NoteAge(now);
    connections_.CutOverdue(now);
  }
}

// The query is taken here, before libmicrohttpd would keep 64 bytes for each of
// its parameters and leave the client without an answer where the connection's
// memory ends. `uri` is that memory, so that the query can be cut off.
void* HttpServer::OnUri(void* self, const char* uri,
                        MHD_Connection* connection) {
  auto& server = *static_cast<HttpServer*>(self);
  std::unique_ptr<Exchange> exchange(
      new Exchange(server, connection, ContextOf(connection).connection));
  if (uri != nullptr) exchange->TakeUri(const_cast<char*>(uri));
  return new std::shared_ptr<Exchange>(std::move(exchange));
}

MHD_Result HttpServer::OnRequest(void* self, MHD_Connection*, const char*,
                                 const char* method, const char* version,
                                 const char* data, std::size_t* size,
                                 void** slot) {
  Exchange& exchange = **static_cast<std::shared_ptr<Exchange>*>(*slot);
  if (!exchange.begun()) {
    static_cast<HttpServer*>(self)->ExchangeBegun();
    if (exchange.Begin(method, version)) return MHD_YES;
  }
  if (*size > 0) return exchange.Receive(data, *size);
  return exchange.Proceed();
}

void HttpServer::OnCompleted(void* self, MHD_Connection*, void** slot,
                             MHD_RequestTerminationCode code) {
  auto* exchange = static_cast<std::shared_ptr<Exchange>*>(*slot);
  if (exchange == nullptr) return;
  (*exchange)->Completed(code == MHD_REQUEST_TERMINATED_COMPLETED_OK);
  const bool begun = (*exchange)->begun();
  const bool handled = (*exchange)->handled();
  delete exchange;
  *slot = nullptr;
  if (begun) static_cast<HttpServer*>(self)->ExchangeCompleted(handled);
}

void HttpServer::ExchangeBegun() {
  const std::lock_guard lock(mutex_);
  ++begun_;
}

bool HttpServer::MayHandle() {
  const std::lock_guard lock(mutex_);
  if (ending_) return false;
  ++unanswered_;
  ++unsent_;
  return true;
}

void HttpServer::ExchangeAnswered() {
  const std::lock_guard lock(mutex_);
  --unanswered_;
  changed_.notify_all();
}

void HttpServer::ExchangeCompleted(bool handled) {
  const std::lock_guard lock(mutex_);
  --begun_;
  if (handled) --unsent_;
  changed_.notify_all();
}

}  // namespace sittuyin::service

// MHD_quiesce_daemon and the daemon's threads both take the listening socket
// out of a thread's set, and the second to come finds it gone and aborts. A
// program's symbol comes before a library's, so this one is in between: what is
// not in a set is out of it.
extern "C" int epoll_ctl(int set, int operation, int file,
                         epoll_event* event) noexcept {
  const auto result =
      static_cast<int>(syscall(SYS_epoll_ctl, set, operation, file, event));
  const bool is_out =
      result != 0 && operation == EPOLL_CTL_DEL && errno == ENOENT;
  return is_out ? 0 : result;
}
