// Owners of OpenSSL's objects.
#ifndef SITTUYIN_SERVICE_ACCESS_OPENSSL_OWNER_H_
#define SITTUYIN_SERVICE_ACCESS_OPENSSL_OWNER_H_

#include <memory>

namespace sittuyin::service {

template <auto kFree>
struct OpenSslFreer {
  template <typename T>
  void operator()(T* object) const {
    kFree(object);
  }
};

// OpenSslOwner<X509, X509_free>.
template <typename T, auto kFree>
using OpenSslOwner = std::unique_ptr<T, OpenSslFreer<kFree>>;

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_ACCESS_OPENSSL_OWNER_H_
