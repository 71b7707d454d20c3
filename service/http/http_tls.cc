#include "service/http/http_tls.h"

#include <gnutls/gnutls.h>
#include <gnutls/x509.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <utility>

#include "service/http/gnutls_trial.h"

namespace sittuyin::service {
namespace {

// Forward secrecy and authenticated encryption alone.
constexpr char kPriorities[] =
    "SECURE128:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2"
    ":-KX-ALL:+ECDHE-ECDSA:+ECDHE-RSA:-MAC-ALL:+AEAD";

gnutls_datum_t Datum(const std::string& text) {
  return {reinterpret_cast<unsigned char*>(const_cast<char*>(text.data())),
          static_cast<unsigned>(text.size())};
}

gnutls_session_t SessionOf(MHD_Connection* connection) {
  const auto* info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_GNUTLS_SESSION);
  return static_cast<gnutls_session_t>(info->tls_session);
}

using Certificate =
    std::unique_ptr<gnutls_x509_crt_int, decltype(&gnutls_x509_crt_deinit)>;

// The other end's; null when it gave none.
Certificate PeerCertificate(gnutls_session_t session) {
  Certificate certificate(nullptr, gnutls_x509_crt_deinit);
  unsigned count = 0;
  const gnutls_datum_t* chain = gnutls_certificate_get_peers(session, &count);
  gnutls_x509_crt_t raw = nullptr;
  if (chain == nullptr || count == 0 || gnutls_x509_crt_init(&raw) < 0) {
    return certificate;
  }
  certificate.reset(raw);
  if (gnutls_x509_crt_import(raw, &chain[0], GNUTLS_X509_FMT_DER) < 0) {
    certificate.reset();
  }
  return certificate;
}

// Names are this long at most; a longer one is nobody's.
using NameBuffer = std::array<char, 2048>;

std::vector<std::string> AlternativeNames(gnutls_x509_crt_t certificate) {
  std::vector<std::string> names;
  std::vector<std::string> uris;
  NameBuffer name;
  for (unsigned i = 0;; ++i) {
    std::size_t size = name.size();
    const int kind = gnutls_x509_crt_get_subject_alt_name(
        certificate, i, name.data(), &size, nullptr);
    if (kind < 0 && kind != GNUTLS_E_SHORT_MEMORY_BUFFER &&
        kind != GNUTLS_E_X509_UNKNOWN_SAN) {
      break;  // There are no more, or none that can be read.
    }
    if (kind == GNUTLS_SAN_DNSNAME) names.emplace_back(name.data(), size);
    if (kind == GNUTLS_SAN_URI) uris.emplace_back(name.data(), size);
  }
  std::ranges::move(uris, std::back_inserter(names));
  return names;
}

std::string CommonName(gnutls_x509_crt_t certificate) {
  NameBuffer name;
  std::size_t size = name.size();
  if (gnutls_x509_crt_get_dn_by_oid(certificate, GNUTLS_OID_X520_COMMON_NAME, 0,
                                    0, name.data(), &size) < 0) {
    return {};
  }
  return {name.data(), size};
}

// `certificate` may be null.
CertificateNames NamesIn(gnutls_x509_crt_t certificate) {
  if (certificate == nullptr) return {};
  return {.alternative = AlternativeNames(certificate),
          .common = CommonName(certificate)};
}

}  // namespace

// Owns GnuTLS's form of the material. Immutable.
class HttpTls::Credentials {
 public:
  // A fault when GnuTLS cannot serve with `material`.
  static std::variant<Shared, FileFault> Make(const TlsMaterial& material) {
    gnutls_certificate_credentials_t raw = nullptr;
    if (const int error = gnutls_certificate_allocate_credentials(&raw);
        error < 0) {
      return UnfitForTls(kTlsCertFlag, gnutls_strerror(error));
    }
    auto made =
        std::make_shared<const Credentials>(raw, !material.client_ca.empty());
    const gnutls_datum_t chain = Datum(material.certificate_chain);
    const gnutls_datum_t key = Datum(material.private_key);
    int error = gnutls_certificate_set_x509_key_mem2(
        raw, &chain, &key, GNUTLS_X509_FMT_PEM, nullptr, 0);
    if (error >= 0) error = TryGnuTls(raw, kPriorities);
    if (error < 0) return UnfitForTls(kTlsCertFlag, gnutls_strerror(error));
    const gnutls_datum_t ca = Datum(material.client_ca);
    if (made->mutual_) {
      error =
          gnutls_certificate_set_x509_trust_mem(raw, &ca, GNUTLS_X509_FMT_PEM);
    }
    if (error < 0) return UnfitForTls(kTlsCaFlag, gnutls_strerror(error));
    return made;
  }

  Credentials(gnutls_certificate_credentials_t raw, bool mutual)
      : raw_(raw), mutual_(mutual) {}
  ~Credentials() { gnutls_certificate_free_credentials(raw_); }
  Credentials(const Credentials&) = delete;
  Credentials& operator=(const Credentials&) = delete;

  // Before the handshake.
  void Apply(gnutls_session_t session) const {
    gnutls_credentials_set(session, GNUTLS_CRD_CERTIFICATE, raw_);
    if (!mutual_) return;
    gnutls_certificate_server_set_request(session, GNUTLS_CERT_REQUIRE);
    // The session keeps the pointer.
    static gnutls_typed_vdata_st for_clients = {
        GNUTLS_DT_KEY_PURPOSE_OID,
        reinterpret_cast<unsigned char*>(
            const_cast<char*>(GNUTLS_KP_TLS_WWW_CLIENT)),
        0};
    gnutls_session_set_verify_cert2(session, &for_clients, 1, 0);
  }

 private:
  const gnutls_certificate_credentials_t raw_;
  const bool mutual_;
};

std::variant<std::unique_ptr<HttpTls>, FileFault> HttpTls::Make(
    const TlsMaterial& material) {
  auto made = Credentials::Make(material);
  if (auto* fault = std::get_if<FileFault>(&made)) return std::move(*fault);
  return std::unique_ptr<HttpTls>(
      new HttpTls(material, std::get<Shared>(std::move(made))));
}

HttpTls::HttpTls(const TlsMaterial& first, Shared credentials)
    : first_(first), current_(std::move(credentials)) {}

std::optional<FileFault> HttpTls::Update(const TlsMaterial& material) {
  auto made = Credentials::Make(material);
  if (auto* fault = std::get_if<FileFault>(&made)) return std::move(*fault);
  const std::lock_guard lock(mutex_);
  current_ = std::get<Shared>(std::move(made));
  return std::nullopt;
}

HttpTls::Shared HttpTls::Current() const {
  const std::lock_guard lock(mutex_);
  return current_;
}

HttpTls::Options HttpTls::DaemonOptions() {
  const auto text = [](const char* pointer) {
    return const_cast<char*>(pointer);
  };
  return {
      {MHD_OPTION_HTTPS_PRIORITIES, 0, text(kPriorities)},
      {MHD_OPTION_HTTPS_MEM_CERT, 0, text(first_.certificate_chain.c_str())},
      {MHD_OPTION_HTTPS_MEM_KEY, 0, text(first_.private_key.c_str())},
      {MHD_OPTION_END, 0, nullptr}};
}

std::unique_ptr<HttpTls::Connection> HttpTls::Begin(
    MHD_Connection* connection) const {
  Shared credentials = Current();
  credentials->Apply(SessionOf(connection));
  // For HandshakeLog; nobody else uses it, for no sessions are kept.
  gnutls_db_set_ptr(SessionOf(connection), connection);
  return std::unique_ptr<Connection>(
      new Connection(*this, std::move(credentials), connection));
}

HttpTls::Connection::Connection(const HttpTls& tls, Shared credentials,
                                MHD_Connection* connection)
    : tls_(tls),
      credentials_(std::move(credentials)),
      connection_(connection) {}

const CertificateNames& HttpTls::Connection::Peer() {
  if (!peer_) peer_ = NamesIn(PeerCertificate(SessionOf(connection_)).get());
  return *peer_;
}

bool HttpTls::Connection::IsOutdated() const {
  return credentials_ != tls_.Current();
}

}  // namespace sittuyin::service
