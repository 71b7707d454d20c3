#include "service/http/exchange.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <iterator>
#include <utility>

#include "service/http/direct_answer.h"
#include "service/http/head_fault.h"
#include "service/http/http_server.h"
#include "service/http/library_refusals.h"
#include "service/http/query_text.h"

namespace sittuyin::service {
namespace {

// A body beyond the limit is refused at its end, or here if it is longer.
constexpr std::size_t kDiscardLimit = 1 << 20;
constexpr std::size_t kStreamBlock = 4096;

// The client waits for leave to send a body of more than `limit` bytes.
bool AsksToSendMoreThan(std::size_t limit, MHD_Connection* connection) {
  if (MHD_lookup_connection_value(connection, MHD_HEADER_KIND,
                                  MHD_HTTP_HEADER_EXPECT) == nullptr) {
    return false;
  }
  const char* text = MHD_lookup_connection_value(
      connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_CONTENT_LENGTH);
  std::size_t length = 0;
  if (text != nullptr) {
    std::from_chars(text, text + std::strlen(text), length);
  }
  return length > limit;
}

int SocketOf(MHD_Connection* connection) {
  return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)
      ->connect_fd;
}

void ReleaseExchange(void* holder) {
  delete static_cast<std::shared_ptr<Exchange>*>(holder);
}

}  // namespace

Exchange::Exchange(HttpServer& server, MHD_Connection* connection,
                   OpenConnection& open)
    : server_(server), open_(open), connection_(connection) {}

void Exchange::AwaitClient(std::chrono::milliseconds most) {
  open_.AwaitClient(OpenConnection::Clock::now(), most);
}

std::size_t Exchange::body_limit() const { return server_.options_.body_limit; }

void Exchange::SetAnswer(HttpResponse answer) {
  server_.AddHeaders(answer);
  std::ranges::move(headers_, std::back_inserter(answer.headers));
  answer_ = std::move(answer);
}

void Exchange::Answer(HttpResponse response) {
  {
    const std::lock_guard lock(mutex_);
    SetAnswer(std::move(response));
    ended_ = true;
    on_hang_up_ = nullptr;
    Resume();
  }
  server_.ExchangeAnswered();
}

void Exchange::BeginStream(HttpResponse head) {
  const std::lock_guard lock(mutex_);
  SetAnswer(std::move(head));
  streaming_ = true;
  Resume();
}

void Exchange::Write(std::string_view piece) {
  const std::lock_guard lock(mutex_);
  if (connection_ == nullptr) return;
  unsent_ += piece;
  Resume();
}

void Exchange::EndStream() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    on_hang_up_ = nullptr;
    Resume();
  }
  server_.ExchangeAnswered();
}

void Exchange::OnHangUp(std::function<void()> action) {
  {
    const std::lock_guard lock(mutex_);
    if (!hung_up_) {
      on_hang_up_ = std::move(action);
      return;
    }
  }
  action();
}

void Exchange::HangUp() {
  std::function<void()> action;
  {
    const std::lock_guard lock(mutex_);
    hung_up_ = true;
    action = std::exchange(on_hang_up_, nullptr);
  }
  if (action) action();
}

void Exchange::TakeUri(char* uri) {
  open_.HurryClient(OpenConnection::Clock::now(),
                    server_.options_.head_timeout);
  const std::string_view target(uri);
  target_size_ = target.size();
  request_.uri_too_large = target.size() > server_.options_.body_limit;
  request_.path = PathOf(target);
  head_fault_ = TargetFault(target);
  char* const mark = std::strchr(uri, '?');
  if (mark == nullptr) return;
  if (!request_.uri_too_large) request_.query = SplitQuery(mark + 1);
  mark[1] = '\0';
}

bool Exchange::Begin(const char* method, const char* version) {
  request_.begin = std::chrono::steady_clock::now();
  request_.method = method;
  if (head_fault_.empty())
    head_fault_ = FirstLineFault(method, target_size_, version);
  if (head_fault_.empty())
    head_fault_ = HeadersFault(connection_, method, version);
  request_.body_too_large = AsksToSendMoreThan(body_limit(), connection_);
  if (!head_fault_.empty() || request_.body_too_large) return false;
  AwaitClient(server_.options_.body_timeout);
  return true;
}

MHD_Result Exchange::Receive(const char* data, std::size_t& size) {
  received_ += size;
  if (received_ <= body_limit()) {
    request_.body.append(data, size);
  } else {
    request_.body_too_large = true;
    request_.body = {};
  }
  size = 0;
  if (received_ <= kDiscardLimit || refused_midway_) return MHD_YES;
  return RefuseMidway() ? MHD_YES : MHD_NO;
}

// Past libmicrohttpd, which takes no answer before the end of the body. What
// still comes is read and dropped: a client sees its answer only if nothing
// that it sent is left when the connection is closed.
bool Exchange::RefuseMidway() {
  if (!server_.MayHandle()) return false;
  Handle();
  const std::lock_guard lock(mutex_);
  if (!answer_ || streaming_) return false;
  AnswerDirectly(connection_, *answer_);
  AwaitClient(server_.options_.linger_timeout);
  refused_midway_ = true;
  return true;
}

void Exchange::Handle() {
  handled_ = true;
  open_.AwaitServer();
  if (head_fault_.empty()) {
    server_.handler_(shared_from_this());
  } else {
    Answer(server_.refusal_(MHD_HTTP_BAD_REQUEST, head_fault_, peer()));
  }
}

MHD_Result Exchange::Proceed() {
  if (refused_midway_) return MHD_NO;
  if (!handled_) {
    if (!server_.MayHandle()) return MHD_NO;
    Handle();
  }
  {
    const std::lock_guard lock(mutex_);
    if (answer_) return QueueAnswer();
    Suspend();
  }
  Watch();
  return MHD_YES;
}

void Exchange::Completed(bool sent) {
  const int socket = SocketOf(connection_);
  {
    const std::lock_guard lock(mutex_);
    connection_ = nullptr;
    unsent_.clear();
  }
  AwaitClient(server_.options_.idle_timeout);
  if (watch_) server_.watch_.Forget(socket, *watch_);
  if (!sent) HangUp();
}

void Exchange::Suspend() {
  suspended_ = true;
  MHD_suspend_connection(connection_);
}

void Exchange::Resume() {
  if (!suspended_) return;
  suspended_ = false;
  MHD_resume_connection(connection_);
}

// Outside mutex_, for the watch may call HangUp at once.
void Exchange::Watch() {
  if (watch_) return;
  watch_ =
      server_.watch_.Watch(SocketOf(connection_), [weak = weak_from_this()] {
        if (const auto exchange = weak.lock()) exchange->HangUp();
      });
}

MHD_Result Exchange::QueueAnswer() {
  MHD_Response* response =
      streaming_ ? MHD_create_response_from_callback(
                       MHD_SIZE_UNKNOWN, kStreamBlock, ReadStream,
                       new std::shared_ptr<Exchange>(shared_from_this()),
                       ReleaseExchange)
                 : MHD_create_response_from_buffer(answer_->body.size(),
                                                   answer_->body.data(),
                                                   MHD_RESPMEM_MUST_COPY);
  if (response == nullptr) return MHD_NO;
  if (!streaming_) AwaitTaking();
  if (!answer_->content_type.empty()) {
    MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE,
                            answer_->content_type.c_str());
  }
  for (const auto& [name, value] : answer_->headers) {
    MHD_add_response_header(response, name.c_str(), value.c_str());
  }
  const auto& tls = HttpServer::ContextOf(connection_).tls;
  if (!server_.accepting_.load(std::memory_order_relaxed) || open_.IsOld() ||
      (tls != nullptr && tls->IsOutdated())) {
    MHD_add_response_header(response, MHD_HTTP_HEADER_CONNECTION, "close");
  }
  const MHD_Result queued = QueueResponse(
      connection_, static_cast<unsigned>(answer_->code), response);
  MHD_destroy_response(response);
  return queued;
}

// An answer, or a piece of a stream, is handed to the client. When no more will
// come, it has one time to take all that is left.
void Exchange::AwaitTaking() {
  open_.AwaitTaking(OpenConnection::Clock::now(),
                    server_.options_.answer_timeout, streaming_ && ended_);
}

ssize_t Exchange::ReadStream(void* holder, std::uint64_t, char* buffer,
                             std::size_t size) {
  Exchange& self = **static_cast<std::shared_ptr<Exchange>*>(holder);
  {
    const std::lock_guard lock(self.mutex_);
    if (!self.unsent_.empty()) {
      const std::size_t count = std::min(size, self.unsent_.size());
      self.unsent_.copy(buffer, count);
      self.unsent_.erase(0, count);
      self.AwaitTaking();
      return static_cast<ssize_t>(count);
    }
    self.AwaitTaking();
    if (self.ended_) return MHD_CONTENT_READER_END_OF_STREAM;
    self.open_.AwaitServer();
    self.Suspend();
  }
  self.Watch();
  return 0;
}

}  // namespace sittuyin::service
