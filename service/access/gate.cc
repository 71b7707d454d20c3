#include "service/access/gate.h"

#include <strings.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "service/access/network.h"
#include "service/errors/errors.h"

namespace sittuyin::service {
namespace {

using google::rpc::Status;

// Some hundred bytes each.
constexpr std::size_t kMostCallers = 16384;

std::unique_ptr<Quota> QuotaFor(const AccessSettings& settings) {
  if (settings.requests_per_second <= 0) return nullptr;
  const std::int64_t burst =
      settings.burst > 0
          ? settings.burst
          : static_cast<std::int64_t>(std::ceil(settings.requests_per_second));
  return std::make_unique<Quota>(settings.requests_per_second, burst,
                                 kMostCallers);
}

// RFC 6750: `Bearer` in any case, spaces, the token.
std::string_view BearerToken(std::string_view authorization) {
  constexpr std::string_view kScheme = "Bearer ";
  if (authorization.size() <= kScheme.size() ||
      strncasecmp(authorization.data(), kScheme.data(), kScheme.size()) != 0) {
    return {};
  }
  authorization.remove_prefix(kScheme.size());
  const std::size_t begin = authorization.find_first_not_of(' ');
  return begin == authorization.npos ? std::string_view()
                                     : authorization.substr(begin);
}

}  // namespace

Gate::Gate(const AccessSettings& settings,
           std::shared_ptr<const TokenTable> tokens)
    : certificates_(!settings.tls.client_ca.empty()),
      allowed_names_(settings.client_names),
      wants_token_(tokens != nullptr),
      quota_(QuotaFor(settings)),
      checks_(!allowed_names_.empty() || wants_token_ || quota_ != nullptr),
      tokens_(std::move(tokens)) {}

Status Gate::Admit(const Peer& peer) {
  if (!checks_) return {};
  std::string name;
  if (Status status = Authenticate(peer, name); status.code() != 0) {
    return status;
  }
  if (quota_ == nullptr) return {};
  const auto wait = quota_->Take(name.empty() ? NetworkOf(peer.Host()) : name,
                                 Quota::Clock::now());
  return wait.count() == 0 ? Status() : QuotaExceeded(wait);
}

Status Gate::Authenticate(const Peer& peer) const {
  std::string name;
  return Authenticate(peer, name);
}

Status Gate::Authenticate(const Peer& peer, std::string& name) const {
  if (certificates_) {
    name = NameByCertificate(peer);
    if (!allowed_names_.empty() && !IsAllowed(name)) {
      return Unauthenticated(
          "None of your certificate's names may call: show another "
          "certificate, or have one of its names put into "
          "--allowed_client_names.");
    }
  }
  if (!wants_token_) return {};
  auto by_token = NameByToken(peer);
  if (!by_token) {
    return Unauthenticated(
        "Send a token that may call, as `authorization: Bearer <token>`.");
  }
  name = *std::move(by_token);
  return {};
}

std::string Gate::NameOf(const Peer& peer) const {
  constexpr std::size_t kLongest = 128;
  std::string name;
  Authenticate(peer, name);
  if (name.empty()) name = NetworkOf(peer.Host());
  name.resize(std::min(name.size(), kLongest));
  std::ranges::replace_if(
      name, [](char c) { return c < ' ' || c > '~'; }, '?');
  return name;
}

bool Gate::IsAllowed(const std::string& name) const {
  return std::ranges::find(allowed_names_, name) != allowed_names_.end();
}

std::string Gate::NameByCertificate(const Peer& peer) const {
  CertificateNames names = peer.Certificate();
  if (!names.common.empty()) names.alternative.push_back(names.common);
  if (names.alternative.empty()) return {};
  const auto allowed = std::ranges::find_if(
      names.alternative,
      [this](const std::string& name) { return IsAllowed(name); });
  return allowed != names.alternative.end() ? *allowed
                                            : names.alternative.front();
}

std::optional<std::string> Gate::NameByToken(const Peer& peer) const {
  const std::string authorization = peer.Authorization();
  const std::string_view token = BearerToken(authorization);
  if (token.empty()) return std::nullopt;
  std::shared_ptr<const TokenTable> tokens;
  {
    const std::lock_guard lock(mutex_);
    tokens = tokens_;
  }
  return tokens->NameOf(token);
}

void Gate::SetTokens(std::shared_ptr<const TokenTable> tokens) {
  const std::lock_guard lock(mutex_);
  tokens_ = std::move(tokens);
}

}  // namespace sittuyin::service
