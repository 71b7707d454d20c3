#include "service/http/gnutls_trial.h"

#include <sys/types.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <memory>
#include <string>

namespace sittuyin::service {
namespace {

// One of two that are joined.
class End {
 public:
  End(unsigned side, const char* priorities,
      gnutls_certificate_credentials_t credentials) {
    gnutls_init(&session_, side | GNUTLS_NONBLOCK);
    gnutls_priority_set_direct(session_, priorities, nullptr);
    gnutls_credentials_set(session_, GNUTLS_CRD_CERTIFICATE, credentials);
  }
  ~End() { gnutls_deinit(session_); }
  End(const End&) = delete;
  End& operator=(const End&) = delete;

  void Join(End& other) {
    other_ = &other;
    gnutls_transport_set_ptr(session_, this);
    gnutls_transport_set_push_function(
        session_, [](void* end, const void* bytes, std::size_t size) {
          static_cast<End*>(end)->other_->received_.append(
              static_cast<const char*>(bytes), size);
          return static_cast<ssize_t>(size);
        });
    gnutls_transport_set_pull_function(
        session_, [](void* end, void* bytes, std::size_t size) -> ssize_t {
          std::string& received = static_cast<End*>(end)->received_;
          if (received.empty()) {
            errno = EAGAIN;
            return -1;
          }
          size = std::min(size, received.size());
          std::copy_n(received.data(), size, static_cast<char*>(bytes));
          received.erase(0, size);
          return static_cast<ssize_t>(size);
        });
  }

  // Goes on as far as it can. Gives 0 at the end, GNUTLS_E_AGAIN while the
  // other is to go on, and else what ends it.
  int Shake() {
    while (error_ != 0) {
      error_ = gnutls_handshake(session_);
      if (error_ == GNUTLS_E_AGAIN || gnutls_error_is_fatal(error_) != 0) break;
    }
    return error_;
  }

 private:
  gnutls_session_t session_ = nullptr;
  End* other_ = nullptr;
  std::string received_;
  int error_ = GNUTLS_E_AGAIN;
};

int ShakeHands(End& client, End& server) {
  while (true) {
    const int there = client.Shake();
    const int here = server.Shake();
    for (const int error : {here, there}) {
      if (error != 0 && error != GNUTLS_E_AGAIN) return error;
    }
    if (there == 0 && here == 0) return 0;
  }
}

}  // namespace

int TryGnuTls(gnutls_certificate_credentials_t credentials,
              const char* priorities) {
  gnutls_certificate_credentials_t trusting = nullptr;
  if (const int error = gnutls_certificate_allocate_credentials(&trusting);
      error < 0) {
    return error;
  }
  const std::unique_ptr<gnutls_certificate_credentials_st,
                        decltype(&gnutls_certificate_free_credentials)>
      outlasting(trusting, gnutls_certificate_free_credentials);
  End client(GNUTLS_CLIENT, priorities, trusting);
  End server(GNUTLS_SERVER, priorities, credentials);
  client.Join(server);
  server.Join(client);
  return ShakeHands(client, server);
}

}  // namespace sittuyin::service
