#include "service/rpc/rpc_tls.h"

#include <fcntl.h>
#include <grpcpp/security/tls_certificate_provider.h>
#include <openssl/ssl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <system_error>

// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {

SSL_CTX* __real_SSL_CTX_new(const SSL_METHOD* method);

// gRPC lets clients go on with a session of before, and each time gives them
// another ticket. But a session is only as good as the certificate that it
// began with, which may have ended since, or its CA gone.
SSL_CTX* __wrap_SSL_CTX_new(const SSL_METHOD* method) {
  SSL_CTX* const context = __real_SSL_CTX_new(method);
  if (context != nullptr) {
    SSL_CTX_set_options(context, SSL_OP_NO_TICKET);
    SSL_CTX_set_num_tickets(context, 0);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  }
  return context;
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier)

namespace sittuyin::service {
namespace {

using grpc::experimental::FileWatcherCertificateProvider;
using grpc::experimental::TlsServerCredentialsOptions;

constexpr unsigned kRefreshSeconds = 1;

int NewMemoryFile(const std::string& content) {
  const int fd = memfd_create("sittuyin_tls", MFD_CLOEXEC);
  std::size_t written = 0;
  while (written < content.size()) {
    const ssize_t count =
        write(fd, content.data() + written, content.size() - written);
    if (count <= 0) {
      close(fd);
      return -1;
    }
    written += static_cast<std::size_t>(count);
  }
  return fd;
}

// Another's PEM blocks do not disturb the reader of either.
std::string IdentityOf(const TlsMaterial& material) {
  return material.private_key + material.certificate_chain;
}

}  // namespace

RpcTls::MemoryFile::MemoryFile(const std::string& content)
    : fd_(NewMemoryFile(content)) {}

RpcTls::MemoryFile::~MemoryFile() { close(fd_); }

bool RpcTls::MemoryFile::Replace(const std::string& content) {
  const int fresh = NewMemoryFile(content);
  if (fresh < 0) return false;
  const bool replaced = dup3(fresh, fd_, O_CLOEXEC) == fd_;
  close(fresh);
  return replaced;
}

std::string RpcTls::MemoryFile::path() const {
  return "/proc/self/fd/" + std::to_string(fd_);
}

RpcTls::RpcTls(const TlsMaterial& material)
    : mutual_(!material.client_ca.empty()),
      identity_(IdentityOf(material)),
      client_ca_(material.client_ca) {
  const auto provider = std::make_shared<FileWatcherCertificateProvider>(
      identity_.path(), identity_.path(), mutual_ ? client_ca_.path() : "",
      kRefreshSeconds);
  TlsServerCredentialsOptions options(provider);
  options.watch_identity_key_cert_pairs();
  if (mutual_) {
    options.watch_root_certs();
    options.set_cert_request_type(
        GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY);
  }
  credentials_ = grpc::experimental::TlsServerCredentials(options);
}

std::optional<FileFault> RpcTls::Update(const TlsMaterial& material) {
  if (identity_.Replace(IdentityOf(material)) &&
      client_ca_.Replace(material.client_ca)) {
    return std::nullopt;
  }
  return UnfitForTls(kTlsCertFlag, std::generic_category().message(errno));
}

}  // namespace sittuyin::service
