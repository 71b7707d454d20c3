#include "service/access/tls_material.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <array>
#include <cstddef>
#include <ctime>
#include <optional>
#include <utility>
#include <vector>

#include "service/access/openssl_owner.h"
#include "service/access/tls_trial.h"

namespace sittuyin::service {
namespace {

using Bio = OpenSslOwner<BIO, BIO_free>;
using Certificate = OpenSslOwner<X509, X509_free>;
using Key = OpenSslOwner<EVP_PKEY, EVP_PKEY_free>;

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

std::string TextOf(const Bio& memory) {
  char* text = nullptr;
  const auto size = BIO_get_mem_data(memory.get(), &text);
  return {text, static_cast<std::size_t>(size)};
}

// Files may hold more than readers agree on: a mark of UTF-8, other blocks,
// comments. The doors are given what was read, written anew.
std::string PemOf(const std::vector<Certificate>& certificates) {
  const Bio pem(BIO_new(BIO_s_mem()));
  for (const Certificate& certificate : certificates) {
    PEM_write_bio_X509(pem.get(), certificate.get());
  }
  return TextOf(pem);
}

std::string PemOf(const Key& key) {
  const Bio pem(BIO_new(BIO_s_mem()));
  PEM_write_bio_PrivateKey(pem.get(), key.get(), nullptr, nullptr, 0, nullptr,
                           nullptr);
  return TextOf(pem);
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

std::string WhyUnfit(const std::vector<Certificate>& chain, const Key& key) {
  std::vector<X509*> certificates;
  certificates.reserve(chain.size());
  for (const Certificate& certificate : chain) {
    certificates.push_back(certificate.get());
  }
  return TryTls(certificates, key.get());
}

// What is wrong with the first that has not begun or has ended.
std::string OutOfTime(const std::vector<Certificate>& chain) {
  const std::string refused =
      std::string(kTlsCertFlag) + ": callers refuse a certificate that ";
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

FileFault UnfitForTls(const std::string& flag, const std::string& why) {
  return Blame(flag, "cannot be used for TLS: " + why);
}

std::variant<TlsMaterial, FileFault> ReadTlsMaterial(const TlsFiles& files) {
  std::string chain_text;
  std::string key_text;
  std::string ca_text;
  for (const auto& [flag, path, text] :
       {std::tuple{kTlsCertFlag, &files.certificate, &chain_text},
        std::tuple{kTlsKeyFlag, &files.key, &key_text},
        std::tuple{kTlsCaFlag, &files.client_ca, &ca_text}}) {
    if (path->empty()) continue;
    if (auto fault = Read(flag, *path, *text)) return *fault;
  }
  const auto chain = CertificatesOf(chain_text);
  if (chain.empty()) return Blame(kTlsCertFlag, "holds no certificate in PEM");
  const Key key = KeyOf(key_text);
  if (key == nullptr) {
    return Blame(kTlsKeyFlag,
                 "holds no private key in PEM without a passphrase");
  }
  if (!Fit(chain.front(), key)) {
    return Blame(kTlsKeyFlag, "is not the key of the first certificate in " +
                                  std::string(kTlsCertFlag));
  }
  if (std::string why = WhyUnfit(chain, key); !why.empty()) {
    return UnfitForTls(kTlsCertFlag, why);
  }
  const auto client_ca = CertificatesOf(ca_text);
  if (!files.client_ca.empty() && client_ca.empty()) {
    return Blame(kTlsCaFlag, "holds no certificate in PEM");
  }
  return TlsMaterial{
      .certificate_chain = PemOf(chain),
      .private_key = PemOf(key),
      .client_ca = PemOf(client_ca),
      .not_after = TextOf(X509_get0_notAfter(chain.front().get())),
      .out_of_time = OutOfTime(chain)};
}

}  // namespace sittuyin::service
