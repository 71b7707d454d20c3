#include "service/access/peer_certificate.h"

#include <openssl/crypto.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <vector>

#include "service/access/openssl_owner.h"

namespace sittuyin::service {
namespace {

using Certificate = OpenSslOwner<X509, X509_free>;
using Names = OpenSslOwner<GENERAL_NAMES, GENERAL_NAMES_free>;

Certificate Read(std::span<const unsigned char> der) {
  const unsigned char* bytes = der.data();
  return Certificate(d2i_X509(nullptr, &bytes, std::ssize(der)));
}

// Empty when it is no text.
std::string TextOf(const ASN1_STRING* string) {
  unsigned char* bytes = nullptr;
  const int size = ASN1_STRING_to_UTF8(&bytes, string);
  if (size < 0) return {};
  std::string text(reinterpret_cast<const char*>(bytes),
                   static_cast<std::size_t>(size));
  OPENSSL_free(bytes);
  return text;
}

std::string CommonName(const X509* certificate) {
  const X509_NAME* const subject = X509_get_subject_name(certificate);
  const int index = X509_NAME_get_index_by_NID(subject, NID_commonName, -1);
  if (index < 0) return {};
  return TextOf(X509_NAME_ENTRY_get_data(X509_NAME_get_entry(subject, index)));
}

std::vector<std::string> AlternativeNames(const X509* certificate) {
  std::vector<std::string> names;
  std::vector<std::string> uris;
  const Names all(static_cast<GENERAL_NAMES*>(
      X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr)));
  for (int i = 0; i < sk_GENERAL_NAME_num(all.get()); ++i) {
    const GENERAL_NAME* const name = sk_GENERAL_NAME_value(all.get(), i);
    if (name->type == GEN_DNS) names.push_back(TextOf(name->d.dNSName));
    if (name->type == GEN_URI) {
      uris.push_back(TextOf(name->d.uniformResourceIdentifier));
    }
  }
  std::ranges::move(uris, std::back_inserter(names));
  return names;
}

}  // namespace

CertificateNames NamesIn(std::span<const unsigned char> der) {
  const Certificate certificate = Read(der);
  if (certificate == nullptr) return {};
  return {.alternative = AlternativeNames(certificate.get()),
          .common = CommonName(certificate.get())};
}

bool IsForClients(std::span<const unsigned char> der) {
  const Certificate certificate = Read(der);
  return certificate != nullptr &&
         X509_check_purpose(certificate.get(), X509_PURPOSE_SSL_CLIENT, 0) == 1;
}

}  // namespace sittuyin::service
