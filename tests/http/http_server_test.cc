#include "service/http/http_server.h"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <future>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "tests/http/client.h"

namespace sittuyin::service {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

using ExchangePtr = std::shared_ptr<Exchange>;

HttpResponse Refuse(int code, std::string_view message, const HttpPeer&) {
  return {.code = code,
          .content_type = "text/plain",
          .body = "refused: " + std::string(message)};
}

std::unique_ptr<HttpServer> Serve(HttpServer::Handler handler,
                                  HttpServerOptions options = {},
                                  unsigned threads = 2) {
  options.address = "127.0.0.1:0";
  options.threads = threads;
  auto server = HttpServer::Start(options, std::move(handler), Refuse);
  if (const auto* error = std::get_if<std::string>(&server)) {
    ADD_FAILURE() << *error;
    return nullptr;
  }
  return std::get<std::unique_ptr<HttpServer>>(std::move(server));
}

HttpResponse Text(std::string text) {
  return {.content_type = "text/plain", .body = std::move(text)};
}

TEST(HttpServerTest, Handler_SeesTheRequest) {
  const auto server = Serve([](const ExchangePtr& exchange) {
    const HttpRequest& request = exchange->request();
    std::string seen = request.method + " " + request.path;
    for (const auto& [name, value] : request.query) {
      seen += " " + name + "=" + value;
    }
    seen += " [" + std::string(exchange->Header("x-test").value_or("none")) +
            "] " + request.body;
    exchange->Answer(Text(seen));
  });
  Client client(server->address());
  EXPECT_EQ(client.Get("/a?b=1&c=x%20y%2Bz+w&b=%C3%A9&d&e=").body,
            "GET /a b=1 c=x y+z w b=\xC3\xA9 d= e= [none] ");
  EXPECT_EQ(client.Post("/p%41th", "body", {"X-Test: here"}).body,
            "POST /pAth [here] body");
}

// The sanitizers want descriptors of their own.
#ifndef __SANITIZE_ADDRESS__
TEST(HttpServerTest, Start_FewFileDescriptors_FailsOrServes) {
  rlimit usual{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &usual), 0);
  const int lowest = dup(0);
  close(lowest);
  int failures = 0;
  for (int more = 0; more < 16; ++more) {
    const rlimit few{static_cast<rlim_t>(lowest + more), usual.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
    const auto server = HttpServer::Start(
        {.address = "127.0.0.1:0"}, [](const ExchangePtr&) {}, Refuse);
    failures += std::holds_alternative<std::string>(server) ? 1 : 0;
  }
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &usual), 0);
  EXPECT_GT(failures, 2);
  EXPECT_LT(failures, 16);
}
#endif

TEST(HttpServerTest, Answer_CodeTypeHeadersAndBody_ReachTheClient) {
  const auto server = Serve([](const ExchangePtr& exchange) {
    exchange->Answer({.code = 418,
                      .content_type = "text/x",
                      .headers = {{"X-A", "1"}, {"X-B", "2"}},
                      .body = "teapot"});
  });
  Client client(server->address());
  const Reply reply = client.Get("/");
  EXPECT_EQ(reply.code, 418);
  EXPECT_EQ(reply.headers.at("content-type"), "text/x");
  EXPECT_EQ(reply.headers.at("x-a"), "1");
  EXPECT_EQ(reply.headers.at("x-b"), "2");
  EXPECT_EQ(reply.body, "teapot");
  const Reply head = client.Head("/");
  EXPECT_EQ(head.code, 418);
  EXPECT_EQ(head.headers.at("content-length"), "6");
  EXPECT_EQ(head.body, "");
}

TEST(HttpServerTest, Answer_LaterFromAnotherThread_ReachesTheClient) {
  std::vector<std::thread> threads;
  const auto server = Serve([&](const ExchangePtr& exchange) {
    threads.emplace_back([exchange] { exchange->Answer(Text("later")); });
  });
  Client client(server->address());
  for (int i = 0; i < 50; ++i) EXPECT_EQ(client.Get("/").body, "later");
  for (std::thread& thread : threads) thread.join();
}

TEST(HttpServerTest, Body_OverTheLimit_IsToldAndNotKept) {
  const auto server = Serve(
      [](const ExchangePtr& exchange) {
        const HttpRequest& request = exchange->request();
        exchange->Answer(Text(std::to_string(request.body.size()) +
                              (request.body_too_large ? " too large" : "")));
      },
      {.body_limit = 1000});
  Client client(server->address());
  EXPECT_EQ(client.Post("/", std::string(1000, 'x')).body, "1000");
  EXPECT_EQ(client.Post("/", std::string(1001, 'x')).body, "0 too large");
  // Too long to be read to its end: refused by its length alone.
  EXPECT_EQ(client.Post("/", std::string(4 << 20, 'x')).body, "0 too large");
}

TEST(HttpServerTest, Stream_PingPong_IsSentAsItComes) {
  ExchangePtr open;
  const auto server = Serve([&](const ExchangePtr& exchange) {
    open = exchange;
    exchange->BeginStream({.content_type = "application/x-ndjson"});
    exchange->Write("0\n");
  });
  // Each piece is written only when the client has the one before.
  int seen = 0;
  Client client(server->address());
  const Reply reply = client.Post("/", "", {}, [&](std::string_view piece) {
    EXPECT_EQ(piece, std::to_string(seen) + "\n");
    if (++seen < 10) {
      open->Write(std::to_string(seen) + "\n");
    } else {
      open->EndStream();
    }
    return true;
  });
  EXPECT_EQ(reply.result, CURLE_OK);
  EXPECT_EQ(reply.headers.at("content-type"), "application/x-ndjson");
  EXPECT_EQ(seen, 10);
  open.reset();
}

TEST(HttpServerTest, OnHangUp_ClientLeavesWhileItWaits_IsCalled) {
  std::promise<void> left;
  ExchangePtr waiting;
  const auto server = Serve([&](const ExchangePtr& exchange) {
    waiting = exchange;
    exchange->OnHangUp([&] { left.set_value(); });
  });
  {
    Client client(server->address());
    client.set_timeout_ms(1000);  // Its request is there long before.
    EXPECT_EQ(client.Get("/").result, CURLE_OPERATION_TIMEDOUT);
  }
  left.get_future().wait();
  waiting->Answer(Text("to nobody"));
}

TEST(HttpServerTest, OnHangUp_ClientLeavesAStream_IsCalled) {
  std::promise<void> left;
  ExchangePtr open;
  const auto server = Serve([&](const ExchangePtr& exchange) {
    open = exchange;
    exchange->OnHangUp([&] { left.set_value(); });
    exchange->BeginStream({});
    exchange->Write("first");
  });
  {
    Client client(server->address());
    EXPECT_EQ(client.Post("/", "", {}, [](auto) { return false; }).result,
              CURLE_WRITE_ERROR);
  }
  left.get_future().wait();
  open->Write("to nobody");
  open->EndStream();
}

TEST(HttpServerTest, OnHangUp_AfterTheAnswer_IsNotCalled) {
  std::atomic<bool> called = false;
  {
    const auto server = Serve([&](const ExchangePtr& exchange) {
      exchange->OnHangUp([&] { called = true; });
      exchange->Answer(Text("done"));
    });
    Client client(server->address());
    EXPECT_EQ(client.Get("/").body, "done");
  }
  EXPECT_FALSE(called);
}

TEST(HttpServerTest, StopAccepting_NewConnection_IsRefused) {
  const auto server = Serve([](const ExchangePtr&) { FAIL(); });
  server->StopAccepting();
  EXPECT_EQ(Client(server->address()).Get("/").result, CURLE_COULDNT_CONNECT);
}

TEST(HttpServerTest, EpollCtl_FileNotInSet_IsOutOfIt) {
  const int set = epoll_create1(0), other = epoll_create1(0);
  epoll_event event = {};
  EXPECT_EQ(epoll_ctl(set, EPOLL_CTL_DEL, other, nullptr), 0);
  EXPECT_EQ(epoll_ctl(set, EPOLL_CTL_ADD, other, &event), 0);
  EXPECT_EQ(epoll_ctl(set, EPOLL_CTL_DEL, other, nullptr), 0);
  EXPECT_EQ(epoll_ctl(set, EPOLL_CTL_MOD, other, &event), -1);
  EXPECT_EQ(errno, ENOENT);
  close(other);
  EXPECT_EQ(epoll_ctl(set, EPOLL_CTL_DEL, other, nullptr), -1);
  EXPECT_EQ(errno, EBADF);
  close(set);
}

TEST(HttpServerTest, StopAccepting_WhileClientsConnect_IsSafe) {
  for (int i = 0; i < 20; ++i) {
    const auto server = Serve(
        [](const ExchangePtr& exchange) { exchange->Answer(Text("here")); }, {},
        8);
    std::vector<std::jthread> clients;
    for (int j = 0; j < 4; ++j) {
      clients.emplace_back([&](const std::stop_token& stop) {
        while (!stop.stop_requested()) Client(server->address()).Get("/");
      });
    }
    Client(server->address()).Get("/");
    server->StopAccepting();
  }
}

TEST(HttpServerTest, StopAccepting_OpenConnection_IsAnsweredAndClosed) {
  const auto server = Serve(
      [](const ExchangePtr& exchange) { exchange->Answer(Text("here")); });
  Client client(server->address());
  EXPECT_FALSE(client.Get("/").headers.contains("connection"));
  server->StopAccepting();
  const Reply last = client.Get("/");
  EXPECT_EQ(last.body, "here");
  EXPECT_EQ(last.headers.at("connection"), "close");
  EXPECT_TRUE(server->Drain(std::chrono::steady_clock::now() +
                            std::chrono::seconds(10)));
}

TEST(HttpServerTest, Drain_RequestUnanswered_WaitsUntilTheDeadline) {
  std::promise<ExchangePtr> begun;
  auto server =
      Serve([&](const ExchangePtr& exchange) { begun.set_value(exchange); });
  Reply reply;
  std::thread client([&] { reply = Client(server->address()).Get("/"); });
  ExchangePtr exchange = begun.get_future().get();
  server->StopAccepting();
  EXPECT_FALSE(server->Drain(std::chrono::steady_clock::now()));
  exchange->Answer(Text("at last"));
  EXPECT_TRUE(server->Drain(std::chrono::steady_clock::now() +
                            std::chrono::seconds(10)));
  client.join();
  EXPECT_EQ(reply.body, "at last");
}

TEST(HttpServerTest, Destructor_RequestUnanswered_GivesUpOnIt) {
  std::promise<void> begun;
  ExchangePtr waiting;
  auto server = Serve([&](const ExchangePtr& exchange) {
    waiting = exchange;
    exchange->OnHangUp(
        [exchange = exchange.get()] { exchange->Answer(Text("given up")); });
    begun.set_value();
  });
  Reply reply;
  std::thread client([&reply, address = server->address()] {
    reply = Client(address).Get("/");
  });
  begun.get_future().wait();
  server.reset();
  client.join();
  EXPECT_EQ(reply.body, "given up");
}

// A client's connection, without HTTP.
class Socket {
 public:
  explicit Socket(const std::string& address)
      : fd_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    to.sin_port = htons(static_cast<std::uint16_t>(
        std::stoi(address.substr(address.find(':') + 1))));
    EXPECT_EQ(connect(fd_, reinterpret_cast<sockaddr*>(&to), sizeof(to)), 0);
  }
  ~Socket() { close(fd_); }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

  // False when the server has closed the connection.
  bool Send(const std::string& text) const {
    return send(fd_, text.data(), text.size(), MSG_NOSIGNAL) ==
           static_cast<ssize_t>(text.size());
  }

  // What the server sends next; empty when it has closed the connection.
  std::string Receive() const {
    std::array<char, 4096> piece;
    const ssize_t size = recv(fd_, piece.data(), piece.size(), 0);
    return {piece.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0))};
  }

  // What the server sends until it closes the connection.
  std::string ReadAll() const {
    std::string answer;
    for (std::string piece; !(piece = Receive()).empty();) answer += piece;
    return answer;
  }

 private:
  const int fd_;
};

// What the server sends on a connection of its own for `text`.
std::string SendRaw(const std::string& address, const std::string& text) {
  const Socket client(address);
  client.Send(text);
  return client.ReadAll();
}

// `answer` is one answer with this code, by Refuse, and says that it is the
// last.
void ExpectRefusal(const std::string& answer, int code) {
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 " + std::to_string(code) + " "));
  EXPECT_THAT(answer, HasSubstr("\r\nConnection: close\r\n"));
  const std::size_t head = answer.find("\r\n\r\n");
  ASSERT_NE(head, answer.npos);
  const std::string body = answer.substr(head + 4);
  EXPECT_THAT(body, StartsWith("refused: "));
  EXPECT_THAT(body, Not(HasSubstr("HTTP/1.1 4")));
  EXPECT_THAT(
      answer,
      HasSubstr("\r\nContent-Length: " + std::to_string(body.size()) + "\r\n"));
}

TEST(HttpServerTest, Unreadable_IsRefusedOnceInOurWordsAndClosed) {
  const auto server = Serve(
      [](const ExchangePtr& exchange) { exchange->Answer(Text("handled")); });
  const std::string head = "POST / HTTP/1.1\r\nHost: x\r\n";
  const std::string chunked = head + "Transfer-Encoding: chunked\r\n\r\n";
  const std::pair<std::string, int> cases[] = {
      // Refused by libmicrohttpd.
      {"GET / HTTP/x\r\n\r\n", 400},
      {"GET / HTTP/2.0\r\nHost: x\r\n\r\n", 505},
      {"GET / HTTP/1.1\r\nHost x\r\n\r\n", 400},
      {head + "Content-Length: -1\r\n\r\n", 400},
      {head + "Content-Length: 99999999999999999999\r\n\r\n", 413},
      {"GET /" + std::string(100'000, 'a'), 414},
      {head + "A: " + std::string(100'000, 'a'), 431},
      {head + "Cookie: " + std::string(60'000, ';') + "\r\n\r\n", 431},
      {chunked + "z\r\n", 400},
      {chunked + "fffffffffffffffff\r\n", 413},
      {chunked + "0\r\nA\r\n\r\n", 400},
      // Refused by ourselves.
      {"GET / HTTP/1.1\r\n\r\n", 400},
      {head + "Host: y\r\n\r\n", 400},
      {head + "A : b\r\n\r\n", 400},
      {head + ": b\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\n: b\r\nHost: x\r\n\r\n", 400},
      {head + "A: b\r\n c\r\n\r\n", 400},
      {head + "A: b\r\n c\r\nD: e\r\n\r\n", 400},
      {head + "A: b\rc: d\r\n\r\n", 400},
      {head + "A: b\nC: d\r\n\r\n", 400},
      {head + "A: b\r\n\n", 400},
      {head + "A: b\n:c\n", 400},
      {head + "A: b\n\r\n", 400},
      {"GET / HTTP/1.1\rHost: x\r\n\r\n", 400},
      {"GET / HTTP/1.0\n\r\n", 400},
      {head + "A: b" + '\0' + "c\r\n\r\n", 400},
      {head + "A: b" + '\0' + "c\r\nD: e\r\n\r\n", 400},
      {head + "Content-Length: 1\r\nContent-Length: 2\r\n\r\n", 400},
      {head + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n", 400},
      {head + "Transfer-Encoding: gzip\r\n\r\n", 400},
      {head + "Transfer-Encoding: gzip, chunked\r\n\r\n", 400},
      {head +
           "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n",
       400},
      {"POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", 400},
      {std::string("GET") + '\0' + " / HTTP/1.1\r\nHost: x\r\n\r\n", 400},
      {"GE\rT / HTTP/1.1\r\nHost: x\r\n\r\n", 400},
      {"GET  / HTTP/1.1\r\nHost: x\r\n\r\n", 400},
      {"GET /a b HTTP/1.1\r\nHost: x\r\n\r\n", 400},
      {"GET /a\x01 HTTP/1.1\r\nHost: x\r\n\r\n", 400},
      {std::string("GET /a") + '\0' + "b HTTP/1.1\r\nHost: x\r\n\r\n", 400},
  };
  for (const auto& [request, code] : cases) {
    SCOPED_TRACE(request.substr(0, 100));
    ExpectRefusal(SendRaw(server->address(), request), code);
  }
}

TEST(HttpServerTest, Target_OfEveryForm_IsThePath) {
  const auto server = Serve([](const ExchangePtr& exchange) {
    exchange->Answer(Text("<" + exchange->request().path + ">"));
  });
  const std::pair<std::string, std::string> cases[] = {
      {"/a", "</a>"},
      {"http://x/a", "</a>"},
      {"HTTPS://x:1/a?b=/c", "</a>"},
      {"http://x", "</>"},
      {"http://x?a", "</>"},
      {"/a%00b", std::string("</a\0b>", 6)},
      {"/http://x/a", "</http://x/a>"},
      {"*", "<*>"},
  };
  for (const auto& [target, path] : cases) {
    EXPECT_THAT(SendRaw(server->address(), "GET " + target +
                                               " HTTP/1.1\r\nHost: x\r\n"
                                               "Connection: close\r\n\r\n"),
                EndsWith("\r\n\r\n" + path));
  }
}

TEST(HttpServerTest, ChunkedBody_OverTheLimit_IsToldAndNotKept) {
  std::atomic<int> handled = 0;
  const auto server = Serve(
      [&](const ExchangePtr& exchange) {
        ++handled;
        const HttpRequest& request = exchange->request();
        exchange->Answer(Text(std::to_string(request.body.size()) +
                              (request.body_too_large ? " too large" : "")));
      },
      {.body_limit = 1000});
  const std::string head =
      "POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
      "Transfer-Encoding: chunked\r\n\r\n";
  const std::string chunk = "1f4\r\n" + std::string(500, 'x') + "\r\n";
  const std::string end = "0\r\n\r\n";
  EXPECT_THAT(SendRaw(server->address(), head + chunk + chunk + end),
              EndsWith("\r\n\r\n1000"));
  EXPECT_THAT(SendRaw(server->address(), head + chunk + chunk + chunk + end),
              EndsWith("\r\n\r\n0 too large"));
  // Too long to be read to its end: answered before it.
  std::string endless = head;
  for (int i = 0; i < 5000; ++i) endless += chunk;
  EXPECT_THAT(SendRaw(server->address(), endless),
              EndsWith("\r\n\r\n0 too large"));
  EXPECT_EQ(handled, 3);
  server->StopAccepting();
  EXPECT_TRUE(server->Drain(std::chrono::steady_clock::now() +
                            std::chrono::seconds(10)));
}

constexpr std::chrono::milliseconds kNoTime(1);
constexpr std::chrono::milliseconds kOften(10);

// Each client sends a part of a request and no more.
TEST(HttpServerTest, SlowClient_IsCutWhenItsTimeIsUp) {
  const auto server =
      Serve([](const ExchangePtr& exchange) { exchange->Answer(Text("here")); },
            {.head_timeout = kNoTime,
             .body_timeout = kNoTime,
             .sweep_interval = kOften});
  for (const char* sent :
       {"", "GET / HT", "GET / HTTP/1.1\r\nHost: x\r\nA: ",
        "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nabc",
        "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1"}) {
    EXPECT_EQ(SendRaw(server->address(), sent), "") << sent;
  }
}

TEST(HttpServerTest, ClientSendsBytesForEver_IsCutWhenItsTimeIsUp) {
  const auto server =
      Serve([](const ExchangePtr& exchange) { exchange->Answer(Text("here")); },
            {.head_timeout = 10 * kOften, .sweep_interval = kOften});
  const Socket client(server->address());
  client.Send("GET / HTTP/1.1\r\nHost: x\r\nA: ");
  while (client.Send("a")) {
  }
}

TEST(HttpServerTest, OldConnection_IsClosedWithAnAnswer) {
  const auto server =
      Serve([](const ExchangePtr& exchange) { exchange->Answer(Text("here")); },
            {.connection_age = kNoTime, .sweep_interval = kOften});
  const Socket client(server->address());
  std::string received;
  while (received.find("Connection: close") == received.npos) {
    ASSERT_TRUE(client.Send("GET / HTTP/1.1\r\nHost: x\r\n\r\n"));
    std::string answer;
    while (!answer.ends_with("here")) {
      const std::string piece = client.Receive();
      ASSERT_NE(piece, "") << received << answer;
      answer += piece;
    }
    received += answer;
  }
  EXPECT_EQ(client.Receive(), "");  // The server's end.
}

TEST(HttpServerTest, IdleClient_IsCutWhenItsTimeIsUp) {
  const auto server =
      Serve([](const ExchangePtr& exchange) { exchange->Answer(Text("here")); },
            {.idle_timeout = kNoTime, .sweep_interval = kOften});
  EXPECT_THAT(SendRaw(server->address(), "GET / HTTP/1.1\r\nHost: x\r\n\r\n"),
              EndsWith("\r\n\r\nhere"));
}

// It takes nothing of an answer that no socket's buffer holds.
TEST(HttpServerTest, ClientTakesNoAnswer_IsCut) {
  std::promise<void> answered;
  const auto server = Serve(
      [&](const ExchangePtr& exchange) {
        exchange->Answer(Text(std::string(64 << 20, 'x')));
        answered.set_value();
      },
      {.answer_timeout = kNoTime, .sweep_interval = kOften});
  const Socket client(server->address());
  client.Send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  answered.get_future().wait();
  server->StopAccepting();
  EXPECT_TRUE(server->Drain(std::chrono::steady_clock::now() +
                            std::chrono::seconds(20)));
}

TEST(HttpServerTest, ClientTakesNoStream_IsCut) {
  std::promise<void> left;
  ExchangePtr open;
  const auto server = Serve(
      [&](const ExchangePtr& exchange) {
        open = exchange;
        exchange->OnHangUp([&] { left.set_value(); });
        exchange->BeginStream({});
        exchange->Write(std::string(64 << 20, 'x'));
      },
      {.answer_timeout = kNoTime, .sweep_interval = kOften});
  const Socket client(server->address());
  client.Send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  left.get_future().wait();
  open->EndStream();
}

TEST(HttpServerTest, WaitingForTheServer_TakesAsLongAsItLikes) {
  std::promise<ExchangePtr> begun;
  const auto server =
      Serve([&](const ExchangePtr& exchange) { begun.set_value(exchange); },
            {.body_timeout = kOften, .sweep_interval = kOften});
  const Socket waiting(server->address());
  waiting.Send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  const ExchangePtr exchange = begun.get_future().get();
  // The sweep that cuts this one leaves the other.
  SendRaw(server->address(),
          "POST / HTTP/1.1\r\nHost: x\r\n"
          "Content-Length: 9\r\n\r\n");
  exchange->Answer(Text("at last"));
  EXPECT_THAT(waiting.ReadAll(), EndsWith("\r\n\r\nat last"));
}

TEST(HttpServerTest, TooManyConnections_TheIdleGiveWay) {
  const auto server =
      Serve([](const ExchangePtr& exchange) { exchange->Answer(Text("here")); },
            {.connections = 2}, 1);
  const Socket first(server->address());
  const Socket second(server->address());
  Client third(server->address());
  EXPECT_EQ(third.Get("/").body, "here");
  EXPECT_EQ(first.ReadAll(), "");
}

TEST(HttpServerTest, Drain_BodyThatNeverEnds_IsNotWaitedFor) {
  auto server = Serve([](const ExchangePtr&) { FAIL(); });
  const Socket client(server->address());
  client.Send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc");
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  server->StopAccepting();
  const auto deadline =
      std::chrono::steady_clock::now() + std::chrono::seconds(60);
  EXPECT_TRUE(server->Drain(deadline));
  server = nullptr;
  EXPECT_LT(std::chrono::steady_clock::now(), deadline);
}

TEST(HttpServerTest, Drain_RestOfABodyComes_IsAnswered) {
  const auto server = Serve(
      [](const ExchangePtr& exchange) { exchange->Answer(Text("here")); });
  const Socket client(server->address());
  client.Send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 6\r\n\r\nabc");
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  server->StopAccepting();
  std::jthread rest([&client] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    client.Send("def");
  });
  EXPECT_TRUE(server->Drain(std::chrono::steady_clock::now() +
                            std::chrono::seconds(10)));
  EXPECT_NE(client.ReadAll().find("here"), std::string::npos);
}

TEST(HttpServerTest, TooManyFromOneAddress_AreClosed) {
  const auto server =
      Serve([](const ExchangePtr& exchange) { exchange->Answer(Text("here")); },
            {.connections_per_address = 1}, 1);
  Client first(server->address());
  EXPECT_EQ(first.Get("/").body, "here");
  EXPECT_EQ(Socket(server->address()).ReadAll(), "");
  EXPECT_EQ(first.Get("/").body, "here");
}

TEST(HttpServerTest, Head_MalformedOrUnfinished_LeavesNothingBehind) {
  const auto server = Serve([](const ExchangePtr&) { FAIL(); });
  SendRaw(server->address(),
          "GET /a?b HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n");
  SendRaw(server->address(), "GET \r\n\r\n");
  SendRaw(server->address(), "GARBAGE\r\n\r\n");
  Socket(server->address()).Send("GET /a?b HTTP/1.1\r\nHost: x\r\n");
  Socket(server->address())
      .Send(
          "POST /a HTTP/1.1\r\nHost: x\r\n"
          "Content-Length: 10\r\n\r\nabc");
  server->StopAccepting();
  EXPECT_TRUE(server->Drain(std::chrono::steady_clock::now() +
                            std::chrono::seconds(10)));
}

TEST(HttpServerTest, Start_PortInUse_TellsWhy) {
  const auto first = Serve([](const ExchangePtr&) {});
  const auto second = HttpServer::Start(
      {.address = first->address()}, [](const auto&) {}, Refuse);
  ASSERT_TRUE(std::holds_alternative<std::string>(second));
  EXPECT_NE(std::get<std::string>(second).find(first->address()),
            std::string::npos);
}

TEST(HttpServerTest, Load_ManyClientsAtOnce_AllAnswered) {
  const auto server = Serve([](const ExchangePtr& exchange) {
    exchange->Answer(Text(exchange->request().body));
  });
  std::atomic<int> good = 0;
  std::vector<std::thread> clients;
  for (int c = 0; c < 8; ++c) {
    clients.emplace_back([&, c] {
      Client client(server->address());
      for (int i = 0; i < 100; ++i) {
        const std::string body = std::to_string(c * 1000 + i);
        good += client.Post("/", body).body == body;
      }
    });
  }
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(good, 800);
}

}  // namespace
}  // namespace sittuyin::service
