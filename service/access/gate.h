// Who may call, and how often.
#ifndef SITTUYIN_SERVICE_ACCESS_GATE_H_
#define SITTUYIN_SERVICE_ACCESS_GATE_H_

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "google/rpc/status.pb.h"
#include "service/access/access_settings.h"
#include "service/access/peer.h"
#include "service/access/quota.h"
#include "service/access/token_table.h"

namespace sittuyin::service {

// Every check that the settings ask for must be passed. Thread-safe.
class Gate {
 public:
  // `tokens` is null when no token is asked for.
  Gate(const AccessSettings& settings,
       std::shared_ptr<const TokenTable> tokens);

  // False when nothing is checked, so that doors need not ask.
  bool checks() const { return checks_; }

  // OK, UNAUTHENTICATED, or RESOURCE_EXHAUSTED.
  google::rpc::Status Admit(const Peer& peer);
  // OK or UNAUTHENTICATED: as Admit, but callers may come as often as they
  // like.
  google::rpc::Status Authenticate(const Peer& peer) const;

  // Who calls, as the quota counts them, whether they may call or not: the name
  // of the token, else of the certificate, else the address. For logs, so in
  // ASCII and at most 128 bytes.
  std::string NameOf(const Peer& peer) const;

  // In force for the calls from now on. Precondition: made with tokens.
  void SetTokens(std::shared_ptr<const TokenTable> tokens);

 private:
  bool IsAllowed(const std::string& name) const;
  // The one that is allowed, else the first; empty when it has none.
  std::string NameByCertificate(const Peer& peer) const;
  // Nothing when it may not call.
  std::optional<std::string> NameByToken(const Peer& peer) const;
  // `name` as far as it is known.
  google::rpc::Status Authenticate(const Peer& peer, std::string& name) const;

  const bool certificates_;
  const std::vector<std::string> allowed_names_;
  const bool wants_token_;
  const std::unique_ptr<Quota> quota_;  // Null = no limit.
  const bool checks_;
  mutable std::mutex mutex_;
  std::shared_ptr<const TokenTable> tokens_;
};

// A function that names the caller as long as `peer` may be used; empty where
// there is no gate.
template <typename SomePeer>
auto NamerOf(const Gate* gate, SomePeer peer) {
  return [gate, peer] {
    return gate == nullptr ? std::string() : gate->NameOf(peer);
  };
}

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_ACCESS_GATE_H_
