// All that the settings of access stand for, kept up to date.
#ifndef SITTUYIN_SERVICE_ACCESS_ACCESS_H_
#define SITTUYIN_SERVICE_ACCESS_ACCESS_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "service/access/access_settings.h"
#include "service/access/file_watch.h"
#include "service/access/gate.h"
#include "service/access/tls_material.h"
#include "service/telemetry/telemetry.h"

namespace sittuyin::service {

// Owns the gate and the thread that looks after the files. Thread-compatible;
// the gate is thread-safe.
class Access {
 public:
  // Reads the files that `settings` name. The fault begins with the flag that
  // names a file that cannot be used.
  static std::variant<std::unique_ptr<Access>, FileFault> Open(
      const AccessSettings& settings);

  Gate* gate() { return gate_.get(); }
  // The same for health; null where everybody may ask.
  Gate* health_gate() {
    return settings_.health_needs_credentials ? gate() : nullptr;
  }
  // What the files held in the beginning; null without TLS.
  const TlsMaterial* tls() const { return tls_ ? &*tls_ : nullptr; }

  // Puts new material in force, or gives why it cannot.
  using UseTls = std::function<std::optional<FileFault>(const TlsMaterial&)>;

  // From now on, reads the files again when they change, and until they can be
  // used. What cannot is logged and counted once, and what was in force stays
  // so. A certificate out of its time, the first one too, is used and logged.
  // To be called once; `use_tls` is called on another thread until this ends,
  // and `telemetry` must outlive this.
  void KeepUpToDate(Telemetry& telemetry, UseTls use_tls);

 private:
  explicit Access(const AccessSettings& settings);
  std::optional<FileFault> ReadAll();
  // Null without tokens to ask for.
  std::variant<std::shared_ptr<const TokenTable>, FileFault> ReadTokens() const;
  // To be done before the watch begins.
  void Watch(Reloaded files, std::vector<std::string> paths,
             std::optional<FileFault> (Access::*reload)());
  std::optional<FileFault> ReloadTls();
  std::optional<FileFault> ReloadTokens();
  void Complain(Reloaded files, const FileFault& fault);
  void WarnOfTime(const TlsMaterial& material);

  const AccessSettings settings_;
  std::vector<FileWatch::Watched> watched_;
  std::optional<TlsMaterial> tls_;
  std::unique_ptr<Gate> gate_;
  Telemetry* telemetry_ = nullptr;  // While kept up to date.
  UseTls use_tls_;
  std::optional<FileWatch> watch_;  // The last member: it ends first.
};

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_ACCESS_ACCESS_H_
