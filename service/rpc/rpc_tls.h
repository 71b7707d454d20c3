// TLS of the gRPC door, with certificates that change while it serves.
#ifndef SITTUYIN_SERVICE_RPC_RPC_TLS_H_
#define SITTUYIN_SERVICE_RPC_RPC_TLS_H_

#include <grpcpp/security/server_credentials.h>

#include <memory>
#include <optional>
#include <string>

#include "service/access/tls_material.h"

namespace sittuyin::service {

// TLS 1.2 and above; asks callers for a certificate where the material has a
// CA for them, and looks at it with every connection: the linker leads gRPC's
// calls of SSL_CTX_new through here (--wrap, see CMakeLists.txt), so that no
// session is resumed. Thread-compatible.
class RpcTls {
 public:
  explicit RpcTls(const TlsMaterial& material);

  // For connections that are made a second from now or later; those that are
  // there go on. Whether there is a CA does not change. A fault when the system
  // has no room for it.
  [[nodiscard]] std::optional<FileFault> Update(const TlsMaterial& material);

  // The same each time. This must outlive the servers that use it.
  const std::shared_ptr<grpc::ServerCredentials>& credentials() const {
    return credentials_;
  }
  bool mutual() const { return mutual_; }

 private:
  // gRPC reads certificates again only from files, and a bad file leaves it
  // without any. So it is given files of ours, in memory, that are replaced as
  // a whole and hold what has been checked.
  class MemoryFile {
   public:
    explicit MemoryFile(const std::string& content);
    ~MemoryFile();
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;

    bool Replace(const std::string& content);
    std::string path() const;

   private:
    const int fd_;
  };

  const bool mutual_;
  MemoryFile identity_;  // Key and certificates.
  MemoryFile client_ca_;
  std::shared_ptr<grpc::ServerCredentials> credentials_;
};

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_RPC_RPC_TLS_H_
