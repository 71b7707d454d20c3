#include "service/access/access.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <future>
#include <string>
#include <tuple>

#include "tests/access/certificates.h"
#include "tests/access/scratch.h"
#include "tests/telemetry/captured_log.h"
#include "tests/testing/refusal.h"

namespace sittuyin::service {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// Of the text `swordfish`.
constexpr char kSwordfishLine[] =
    "back:b9f195c5cc7ef6afadbfbc42892ad47d3b24c6bc94bb510c4564a90a14e8b799\n";

struct Swordfish : Peer {
  CertificateNames Certificate() const override { return {}; }
  std::string Authorization() const override { return "Bearer swordfish"; }
  std::string Host() const override { return "192.0.2.1"; }
};

class AccessTest : public testing::Test {
 protected:
  static TelemetryOptions LogInto(CapturedLog& log) {
    TelemetryOptions options;
    options.log_sink = log.sink();
    return options;
  }

  AccessSettings WithTokens(const std::string& text) {
    AccessSettings settings;
    settings.token_file = scratch_.Write("tokens", text);
    return settings;
  }

  AccessSettings WithTls(const KeyAndCertificate& made) {
    AccessSettings settings;
    settings.tls.certificate = scratch_.Write("cert", made.certificate);
    settings.tls.key = scratch_.Write("key", made.key);
    return settings;
  }

  static std::unique_ptr<Access> Opened(const AccessSettings& settings) {
    auto opened = Access::Open(settings);
    if (const auto* fault = std::get_if<FileFault>(&opened)) {
      ADD_FAILURE() << fault->what;
      return nullptr;
    }
    return std::get<std::unique_ptr<Access>>(std::move(opened));
  }

  static std::string FaultOf(const AccessSettings& settings) {
    const auto opened = Access::Open(settings);
    const auto* fault = std::get_if<FileFault>(&opened);
    return fault == nullptr ? "" : fault->what;
  }

  void AwaitFailure(const std::string& files) const {
    while (telemetry_->metrics().Exposition().find(
               "sittuyin_reload_failures_total{files=\"" + files + "\"} 1") ==
           std::string::npos) {
      std::this_thread::yield();
    }
  }

  const Scratch scratch_;
  CapturedLog log_;
  std::unique_ptr<Telemetry> telemetry_ =
      std::make_unique<Telemetry>(LogInto(log_));
};

TEST_F(AccessTest, Open_NothingSet_HasNothing) {
  const auto access = Opened({});
  EXPECT_FALSE(access->gate()->checks());
  EXPECT_EQ(access->health_gate(), nullptr);
  EXPECT_EQ(access->tls(), nullptr);
}

TEST_F(AccessTest, Open_Tokens_HealthIsOpenUnlessSet) {
  AccessSettings settings = WithTokens(kSwordfishLine);
  EXPECT_TRUE(Opened(settings)->gate()->checks());
  EXPECT_EQ(Opened(settings)->health_gate(), nullptr);
  settings.health_needs_credentials = true;
  EXPECT_NE(Opened(settings)->health_gate(), nullptr);
}

TEST_F(AccessTest, Open_BadFiles_NamesTheFlag) {
  EXPECT_THAT(FaultOf(WithTokens("swordfish")),
              StartsWith("--token_file: line 1 "));
  EXPECT_THAT(FaultOf(WithTls({"", ""})), StartsWith("--tls_cert_file: "));
  AccessSettings missing;
  missing.token_file = scratch_.PathOf("none");
  EXPECT_THAT(FaultOf(missing), StartsWith("--token_file: the file cannot"));
}

TEST_F(AccessTest, KeepUpToDate_TokenRemoved_IsRefused) {
  const auto access = Opened(WithTokens(kSwordfishLine));
  access->KeepUpToDate(*telemetry_, nullptr);
  EXPECT_THAT(access->gate()->Admit(Swordfish()), IsOk());
  scratch_.Swap("tokens", "nobody:" + std::string(64, '0') + "\n");
  while (access->gate()->Admit(Swordfish()).code() == 0) {
    std::this_thread::yield();
  }
}

TEST_F(AccessTest, KeepUpToDate_BrokenTokens_KeepsTheOldAndSaysSoOnce) {
  auto access = Opened(WithTokens(kSwordfishLine));
  access->KeepUpToDate(*telemetry_, nullptr);
  scratch_.Swap("tokens", "swordfish\n");
  AwaitFailure("tokens");
  EXPECT_THAT(access->gate()->Admit(Swordfish()), IsOk());
  access.reset();
  telemetry_.reset();
  // Protobuf's maps are laid out otherwise under the thread sanitizer than in
  // Debian's library, so the line is not read as a message.
  EXPECT_EQ(std::ranges::count(log_.text(), '\n'), 1);
  EXPECT_THAT(log_.text(), HasSubstr(R"("event":"reload_failed")"));
  EXPECT_THAT(log_.text(), HasSubstr(R"("level":"warning")"));
  EXPECT_THAT(log_.text(), HasSubstr("--token_file: line 1"));
  EXPECT_THAT(log_.text(), Not(HasSubstr("swordfish")));
}

TEST_F(AccessTest, KeepUpToDate_NewCertificate_IsHandedOn) {
  const auto access = Opened(WithTls(MakeCertificate("one")));
  const KeyAndCertificate two = MakeCertificate("two");
  std::promise<std::string> used;
  access->KeepUpToDate(*telemetry_, [&](const TlsMaterial& material) {
    used.set_value(material.certificate_chain);
    return std::nullopt;
  });
  scratch_.Swap("cert", two.certificate);
  scratch_.Swap("key", two.key);
  EXPECT_EQ(used.get_future().get(), two.certificate);
}

TEST_F(AccessTest, KeepUpToDate_CertificateInItsTime_NoWarning) {
  Opened(WithTls(MakeCertificate("one")))->KeepUpToDate(*telemetry_, nullptr);
  telemetry_.reset();
  EXPECT_EQ(log_.text(), "");
}

TEST_F(AccessTest, KeepUpToDate_CertificateOutOfItsTime_IsWarnedOf) {
  for (const auto& [begin, end, told] :
       {std::tuple{"2020", "2021", "ended at 2021-01-01T00:00:00Z"},
        std::tuple{"2090", "2091", "begins at 2090-01-01T00:00:00Z"}}) {
    Opened(WithTls(MakeCertificate("one", {.begin = begin, .end = end})))
        ->KeepUpToDate(*telemetry_, nullptr);
    telemetry_.reset();
    EXPECT_THAT(log_.text(), HasSubstr(R"("event":"certificate_not_valid")"));
    EXPECT_THAT(log_.text(), HasSubstr(R"("level":"warning")"));
    EXPECT_THAT(log_.text(), HasSubstr("--tls_cert_file: "));
    EXPECT_THAT(log_.text(), HasSubstr(told));
    telemetry_ = std::make_unique<Telemetry>(LogInto(log_));
  }
}

TEST_F(AccessTest, KeepUpToDate_NewChainIsOutOfItsTime_IsWarnedOf) {
  auto access = Opened(WithTls(MakeCertificate("one")));
  const KeyAndCertificate two = MakeCertificate("two");
  const KeyAndCertificate old = MakeCertificate("old", {.end = "2021"});
  std::promise<void> used;
  access->KeepUpToDate(*telemetry_, [&](const TlsMaterial&) {
    used.set_value();
    return std::nullopt;
  });
  scratch_.Swap("cert", two.certificate + old.certificate);
  scratch_.Swap("key", two.key);
  used.get_future().wait();
  access.reset();
  telemetry_.reset();
  EXPECT_THAT(log_.text(), HasSubstr(R"("event":"certificate_not_valid")"));
}

TEST_F(AccessTest, KeepUpToDate_CertificateOfAnotherKey_IsNotHandedOn) {
  const auto access = Opened(WithTls(MakeCertificate("one")));
  access->KeepUpToDate(*telemetry_, [](const TlsMaterial&) {
    ADD_FAILURE();
    return std::nullopt;
  });
  scratch_.Swap("cert", MakeCertificate("two").certificate);
  AwaitFailure("certificate");
}

TEST_F(AccessTest, KeepUpToDate_DoorsRefuseAtFirst_IsAFailureAndTriedAgain) {
  const auto access = Opened(WithTls(MakeCertificate("one")));
  const KeyAndCertificate two = MakeCertificate("two");
  int asked = 0;
  std::promise<std::string> used;
  access->KeepUpToDate(
      *telemetry_,
      [&](const TlsMaterial& material) -> std::optional<FileFault> {
        if (++asked < 3) return FileFault{"--tls_cert_file: no"};
        used.set_value(material.certificate_chain);
        return std::nullopt;
      });
  scratch_.Swap("cert", two.certificate);
  scratch_.Swap("key", two.key);
  EXPECT_EQ(used.get_future().get(), two.certificate);
  AwaitFailure("certificate");
}

}  // namespace
}  // namespace sittuyin::service
