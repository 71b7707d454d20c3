#include "service/access/tls_trial.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>

#include "service/access/openssl_owner.h"

namespace sittuyin::service {
namespace {

using Context = OpenSslOwner<SSL_CTX, SSL_CTX_free>;
using Session = OpenSslOwner<SSL, SSL_free>;

bool Load(std::span<X509* const> chain, EVP_PKEY* key, SSL_CTX* context) {
  if (SSL_CTX_use_certificate(context, chain.front()) != 1 ||
      SSL_CTX_use_PrivateKey(context, key) != 1) {
    return false;
  }
  for (X509* const certificate : chain.subspan(1)) {
    if (SSL_CTX_add1_chain_cert(context, certificate) != 1) return false;
  }
  return true;
}

// False when it can go no further.
bool GoOn(SSL* session) {
  const int done = SSL_do_handshake(session);
  if (done == 1) return true;
  const int error = SSL_get_error(session, done);
  return error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE;
}

bool ShakeHands(SSL_CTX* context) {
  const Session client(SSL_new(context));
  const Session server(SSL_new(context));
  BIO* client_end = nullptr;
  BIO* server_end = nullptr;
  BIO_new_bio_pair(&client_end, 0, &server_end, 0);
  SSL_set_bio(client.get(), client_end, client_end);
  SSL_set_bio(server.get(), server_end, server_end);
  SSL_set_connect_state(client.get());
  SSL_set_accept_state(server.get());
  while (SSL_is_init_finished(client.get()) == 0 ||
         SSL_is_init_finished(server.get()) == 0) {
    if (!GoOn(client.get()) || !GoOn(server.get())) return false;
  }
  return true;
}

}  // namespace

std::string TryTls(std::span<X509* const> chain, EVP_PKEY* key) {
  ERR_clear_error();
  const Context context(SSL_CTX_new(TLS_method()));
  if (Load(chain, key, context.get()) && ShakeHands(context.get())) return {};
  const char* const reason = ERR_reason_error_string(ERR_peek_error());
  ERR_clear_error();
  return reason == nullptr ? "no handshake" : reason;
}

}  // namespace sittuyin::service
