#include "service/access/access.h"

#include <cstdint>
#include <string>
#include <utility>

namespace sittuyin::service {
namespace {

std::string_view NameOf(Reloaded files) {
  return kReloadedNames[static_cast<std::size_t>(files)];
}

}  // namespace

std::variant<std::unique_ptr<Access>, FileFault> Access::Open(
    const AccessSettings& settings) {
  std::unique_ptr<Access> access(new Access(settings));
  if (auto fault = access->ReadAll()) return *std::move(fault);
  return access;
}

Access::Access(const AccessSettings& settings) : settings_(settings) {
  // What changes while it is read for the first time is read again.
  if (const TlsFiles& tls = settings.tls; !tls.certificate.empty()) {
    std::vector<std::string> paths = {tls.certificate, tls.key};
    if (!tls.client_ca.empty()) paths.push_back(tls.client_ca);
    Watch(Reloaded::kCertificate, std::move(paths), &Access::ReloadTls);
  }
  if (!settings.token_file.empty()) {
    Watch(Reloaded::kTokens, {settings.token_file}, &Access::ReloadTokens);
  }
}

void Access::Watch(Reloaded files, std::vector<std::string> paths,
                   std::optional<FileFault> (Access::*reload)()) {
  watched_.push_back(
      {.files = ChangeDetector(std::move(paths)),
       .reload = [this, reload] { return (this->*reload)(); },
       .complain =
           [this, files](const FileFault& fault) { Complain(files, fault); }});
}

std::optional<FileFault> Access::ReadAll() {
  if (!settings_.tls.certificate.empty()) {
    auto read = ReadTlsMaterial(settings_.tls);
    if (auto* fault = std::get_if<FileFault>(&read)) return std::move(*fault);
    tls_ = std::get<TlsMaterial>(std::move(read));
  }
  auto tokens = ReadTokens();
  if (auto* fault = std::get_if<FileFault>(&tokens)) return std::move(*fault);
  gate_ = std::make_unique<Gate>(
      settings_,
      std::get<std::shared_ptr<const TokenTable>>(std::move(tokens)));
  return std::nullopt;
}

std::variant<std::shared_ptr<const TokenTable>, FileFault> Access::ReadTokens()
    const {
  if (settings_.token_file.empty()) return nullptr;
  auto text = ReadFile(settings_.token_file);
  auto* fault = std::get_if<FileFault>(&text);
  if (fault == nullptr) {
    auto table = TokenTable::Parse(std::get<std::string>(text));
    if (auto* tokens = std::get_if<TokenTable>(&table)) {
      return std::make_shared<const TokenTable>(std::move(*tokens));
    }
    return FileFault{"--token_file: " + std::get<FileFault>(table).what};
  }
  return FileFault{"--token_file: the file " + fault->what};
}

void Access::KeepUpToDate(Telemetry& telemetry, UseTls use_tls) {
  telemetry_ = &telemetry;
  use_tls_ = std::move(use_tls);
  if (tls_) WarnOfTime(*tls_);
  watch_.emplace(std::move(watched_));
}

std::optional<FileFault> Access::ReloadTls() {
  auto read = ReadTlsMaterial(settings_.tls);
  if (auto* fault = std::get_if<FileFault>(&read)) return std::move(*fault);
  const auto& material = std::get<TlsMaterial>(read);
  if (auto fault = use_tls_(material)) return fault;
  telemetry_->Event("reload", {{"files", NameOf(Reloaded::kCertificate)},
                               {"not_after", material.not_after}});
  WarnOfTime(material);
  return std::nullopt;
}

std::optional<FileFault> Access::ReloadTokens() {
  auto read = ReadTokens();
  if (auto* fault = std::get_if<FileFault>(&read)) return std::move(*fault);
  auto tokens = std::get<std::shared_ptr<const TokenTable>>(std::move(read));
  const std::uint64_t count = tokens->size();
  gate_->SetTokens(std::move(tokens));
  telemetry_->Event("reload",
                    {{"files", NameOf(Reloaded::kTokens)}, {"tokens", count}});
  return std::nullopt;
}

void Access::Complain(Reloaded files, const FileFault& fault) {
  telemetry_->metrics().ReloadFailed(files);
  telemetry_->Warning("reload_failed",
                      {{"files", NameOf(files)}, {"what", fault.what}});
}

void Access::WarnOfTime(const TlsMaterial& material) {
  if (material.out_of_time.empty()) return;
  telemetry_->Warning("certificate_not_valid",
                      {{"what", material.out_of_time}});
}

}  // namespace sittuyin::service
