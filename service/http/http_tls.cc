#include "service/http/http_tls.h"

#include <gnutls/gnutls.h>
#include <gnutls/x509.h>

#include <span>
#include <utility>

#include "service/access/peer_certificate.h"
#include "service/http/gnutls_trial.h"

namespace sittuyin::service {
namespace {

// Forward secrecy and authenticated encryption alone; callers' certificates of
// the strength that OpenSSL wants at the other door.
constexpr char kPriorities[] =
    "SECURE128:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2"
    ":-KX-ALL:+ECDHE-ECDSA:+ECDHE-RSA:-MAC-ALL:+AEAD"
    ":%PROFILE_MEDIUM";

gnutls_datum_t Datum(const std::string& text) {
  return {reinterpret_cast<unsigned char*>(const_cast<char*>(text.data())),
          static_cast<unsigned>(text.size())};
}

gnutls_session_t SessionOf(MHD_Connection* connection) {
  const auto* info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_GNUTLS_SESSION);
  return static_cast<gnutls_session_t>(info->tls_session);
}

// The other end's certificate; empty when it gave none.
std::span<const unsigned char> PeerCertificate(gnutls_session_t session) {
  unsigned count = 0;
  const gnutls_datum_t* chain = gnutls_certificate_get_peers(session, &count);
  if (chain == nullptr || count == 0) return {};
  return {chain[0].data, chain[0].size};
}

// GnuTLS would let a certificate of any purpose in, and gRPC does not.
int RefuseOtherPurposes(gnutls_session_t session, unsigned, unsigned,
                        unsigned incoming, const gnutls_datum_t*) {
  if (incoming == 0 || IsForClients(PeerCertificate(session))) return 0;
  return GNUTLS_E_KEY_USAGE_VIOLATION;
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
    gnutls_handshake_set_hook_function(session, GNUTLS_HANDSHAKE_FINISHED,
                                       GNUTLS_HOOK_POST, RefuseOtherPurposes);
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
  if (!peer_) peer_ = NamesIn(PeerCertificate(SessionOf(connection_)));
  return *peer_;
}

bool HttpTls::Connection::IsOutdated() const {
  return credentials_ != tls_.Current();
}

}  // namespace sittuyin::service
