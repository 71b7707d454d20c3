#include "tests/access/certificates.h"

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <cstddef>

namespace sittuyin::service {
namespace {

// What `write` writes to a BIO.
template <typename Write>
std::string Written(Write write) {
  BIO* bio = BIO_new(BIO_s_mem());
  write(bio);
  char* text = nullptr;
  const long size = BIO_get_mem_data(bio, &text);
  std::string written(text, static_cast<std::size_t>(size));
  BIO_free(bio);
  return written;
}

std::string PemOf(EVP_PKEY* key, const EVP_CIPHER* cipher) {
  return Written([&](BIO* bio) {
    PEM_write_bio_PrivateKey(bio, key, cipher, nullptr, 0, nullptr,
                             const_cast<char*>("secret"));
  });
}

}  // namespace

KeyAndCertificate MakeCertificate(const std::string& name,
                                  const CertificateOptions& options) {
  const std::string new_year = "0101000000Z";
  const auto* curve = std::get_if<std::string>(&options.kind);
  EVP_PKEY* key = curve != nullptr ? EVP_EC_gen(curve->c_str())
                                   : EVP_RSA_gen(std::get<int>(options.kind));
  X509* certificate = X509_new();
  X509_set_version(certificate, X509_VERSION_3);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1);
  ASN1_TIME_set_string(X509_getm_notBefore(certificate),
                       (options.begin + new_year).c_str());
  ASN1_TIME_set_string(X509_getm_notAfter(certificate),
                       (options.end + new_year).c_str());
  X509_set_pubkey(certificate, key);
  X509_NAME* subject = X509_get_subject_name(certificate);
  X509_NAME_add_entry_by_txt(
      subject, "CN", MBSTRING_UTF8,
      reinterpret_cast<const unsigned char*>(name.data()),
      static_cast<int>(name.size()), -1, 0);
  X509_set_issuer_name(certificate, subject);
  for (const auto& [kind, value] : options.extensions) {
    X509_EXTENSION* extension =
        X509V3_EXT_nconf(nullptr, nullptr, kind.c_str(), value.c_str());
    X509_add_ext(certificate, extension, -1);
    X509_EXTENSION_free(extension);
  }
  X509_sign(certificate, key, EVP_sha256());
  KeyAndCertificate made = {PemOf(key, nullptr), Written([&](BIO* bio) {
                              PEM_write_bio_X509(bio, certificate);
                            })};
  X509_free(certificate);
  EVP_PKEY_free(key);
  return made;
}

std::vector<unsigned char> DerOf(const std::string& pem) {
  BIO* bio = BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size()));
  char* name = nullptr;
  char* header = nullptr;
  unsigned char* bytes = nullptr;
  long size = 0;
  PEM_read_bio(bio, &name, &header, &bytes, &size);
  std::vector<unsigned char> der(bytes, bytes + size);
  OPENSSL_free(name);
  OPENSSL_free(header);
  OPENSSL_free(bytes);
  BIO_free(bio);
  return der;
}

std::string Locked(const std::string& key) {
  BIO* bio = BIO_new_mem_buf(key.data(), static_cast<int>(key.size()));
  EVP_PKEY* read = PEM_read_bio_PrivateKey(bio, nullptr, nullptr, nullptr);
  BIO_free(bio);
  std::string locked = PemOf(read, EVP_aes_256_cbc());
  EVP_PKEY_free(read);
  return locked;
}

}  // namespace sittuyin::service
