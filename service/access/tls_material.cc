#include "service/access/tls_material.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <array>
#include <ctime>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace sittuyin::service {
namespace {

constexpr char kCertFlag[] = "--tls_cert_file";
constexpr char kKeyFlag[] = "--tls_key_file";
constexpr char kCaFlag[] = "--tls_client_ca_file";

template <auto kFree>
struct Freer {
  template <typename T>
  void operator()(T* object) const {
    kFree(object);
  }
};
using Bio = std::unique_ptr<BIO, Freer<BIO_free>>;
using Certificate = std::unique_ptr<X509, Freer<X509_free>>;
using Key = std::unique_ptr<EVP_PKEY, Freer<EVP_PKEY_free>>;

FileFault Blame(const std::string& flag, const std::string& what) {
  return {flag + ": the file " + what};
}

Bio Over(const std::string& pem) {
  return Bio(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
}

// Keys that want a passphrase are not for servers; without this OpenSSL would
// ask the terminal.
int NoPassphrase(char*, int, int, void*) { return -1; }

// Every certificate of `pem`; empty when there is none or one is malformed.
std::vector<Certificate> CertificatesOf(const std::string& pem) {
  const Bio bio = Over(pem);
  std::vector<Certificate> certificates;
  ERR_clear_error();
  while (X509* certificate =
             PEM_read_bio_X509(bio.get(), nullptr, NoPassphrase, nullptr)) {
    certificates.emplace_back(certificate);
  }
  if (ERR_GET_REASON(ERR_peek_last_error()) != PEM_R_NO_START_LINE) {
    certificates.clear();
  }
  ERR_clear_error();
  return certificates;
}

Key KeyOf(const std::string& pem) {
  Key key(
      PEM_read_bio_PrivateKey(Over(pem).get(), nullptr, NoPassphrase, nullptr));
  ERR_clear_error();
  return key;
}

bool Fit(const Certificate& certificate, const Key& key) {
  const bool fit = X509_check_private_key(certificate.get(), key.get()) == 1;
  ERR_clear_error();
  return fit;
}

std::string TextOf(const ASN1_TIME* moment) {
  std::tm time{};
  ASN1_TIME_to_tm(moment, &time);
  std::array<char, sizeof("2030-01-31T12:00:00Z")> text{};
  const std::size_t size =
      std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &time);
  return {text.data(), size};
}

// What is wrong with the first that has not begun or has ended.
std::string OutOfTime(const std::vector<Certificate>& chain) {
  const std::string refused =
      std::string(kCertFlag) + ": callers refuse a certificate that ";
  for (const Certificate& certificate : chain) {
    const ASN1_TIME* const begin = X509_get0_notBefore(certificate.get());
    const ASN1_TIME* const end = X509_get0_notAfter(certificate.get());
    if (X509_cmp_current_time(begin) > 0) {
      return refused + "begins at " + TextOf(begin);
    }
    if (X509_cmp_current_time(end) < 0) {
      return refused + "ended at " + TextOf(end);
    }
  }
  return {};
}

// Reads the file at `path`, which `flag` named, into `text`.
std::optional<FileFault> Read(const char* flag, const std::string& path,
                              std::string& text) {
  auto read = ReadFile(path);
  if (const auto* fault = std::get_if<FileFault>(&read)) {
    return Blame(flag, fault->what);
  }
  text = std::get<std::string>(std::move(read));
  return std::nullopt;
}

}  // namespace

std::variant<TlsMaterial, FileFault> ReadTlsMaterial(const TlsFiles& files) {
  TlsMaterial tls;
  for (const auto& [flag, path, text] :
       {std::tuple{kCertFlag, &files.certificate, &tls.certificate_chain},
        std::tuple{kKeyFlag, &files.key, &tls.private_key},
        std::tuple{kCaFlag, &files.client_ca, &tls.client_ca}}) {
    if (path->empty()) continue;
    if (auto fault = Read(flag, *path, *text)) return *fault;
  }
  const auto chain = CertificatesOf(tls.certificate_chain);
  if (chain.empty()) return Blame(kCertFlag, "holds no certificate in PEM");
  const Key key = KeyOf(tls.private_key);
  if (key == nullptr) {
    return Blame(kKeyFlag, "holds no private key in PEM without a passphrase");
  }
  if (!Fit(chain.front(), key)) {
    return Blame(kKeyFlag, "is not the key of the first certificate in " +
                               std::string(kCertFlag));
  }
  if (!files.client_ca.empty() && CertificatesOf(tls.client_ca).empty()) {
    return Blame(kCaFlag, "holds no certificate in PEM");
  }
  tls.not_after = TextOf(X509_get0_notAfter(chain.front().get()));
  tls.out_of_time = OutOfTime(chain);
  return tls;
}

}  // namespace sittuyin::service
