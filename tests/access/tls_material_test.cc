#include "service/access/tls_material.h"

#include <gmock/gmock.h>

#include "tests/access/certificates.h"
#include "tests/access/scratch.h"

namespace sittuyin::service {
namespace {

using testing::StartsWith;

class TlsMaterialTest : public testing::Test {
 protected:
  TlsFiles Files(const std::string& certificate, const std::string& key) const {
    return {.certificate = scratch_.Write("cert", certificate),
            .key = scratch_.Write("key", key),
            .client_ca = {}};
  }

  static std::string FaultOf(const TlsFiles& files) {
    const auto read = ReadTlsMaterial(files);
    const auto* fault = std::get_if<FileFault>(&read);
    return fault == nullptr ? "" : fault->what;
  }

  const Scratch scratch_;
  const KeyAndCertificate one_ = MakeCertificate("one");
  const KeyAndCertificate two_ = MakeCertificate("two");
};

TEST_F(TlsMaterialTest, ReadTlsMaterial_GoodFiles_AreRead) {
  TlsFiles files = Files(one_.certificate + two_.certificate, one_.key);
  files.client_ca = scratch_.Write("ca", two_.certificate + one_.certificate);
  const auto read = ReadTlsMaterial(files);
  ASSERT_EQ(FaultOf(files), "");
  const auto& material = std::get<TlsMaterial>(read);
  EXPECT_EQ(material.certificate_chain, one_.certificate + two_.certificate);
  EXPECT_EQ(material.private_key, one_.key);
  EXPECT_EQ(material.client_ca, two_.certificate + one_.certificate);
  EXPECT_EQ(material.not_after, "2040-01-01T00:00:00Z");
}

TEST_F(TlsMaterialTest, ReadTlsMaterial_MoreThanPem_IsReadAsPemAlone) {
  const std::string mark = "\xEF\xBB\xBF";
  TlsFiles files = Files(mark + one_.certificate + "of the front\n" + one_.key,
                         mark + one_.certificate + one_.key);
  files.client_ca = scratch_.Write("ca", mark + two_.certificate + two_.key);
  const auto read = ReadTlsMaterial(files);
  ASSERT_EQ(FaultOf(files), "");
  const auto& material = std::get<TlsMaterial>(read);
  EXPECT_EQ(material.certificate_chain, one_.certificate);
  EXPECT_EQ(material.private_key, one_.key);
  EXPECT_EQ(material.client_ca, two_.certificate);
}

TEST_F(TlsMaterialTest, ReadTlsMaterial_TooWeakForTls_SaysWhy) {
  const KeyAndCertificate rsa = MakeCertificate("rsa", {.kind = 1024});
  const KeyAndCertificate p224 = MakeCertificate("p224", {.kind = "P-224"});
  const std::string blame = "--tls_cert_file: the file cannot be used for TLS";
  EXPECT_EQ(FaultOf(Files(rsa.certificate, rsa.key)),
            blame + ": ee key too small");
  EXPECT_EQ(FaultOf(Files(one_.certificate + rsa.certificate, one_.key)),
            blame + ": ca key too small");
  EXPECT_THAT(FaultOf(Files(p224.certificate, p224.key)), StartsWith(blame));
}

TEST_F(TlsMaterialTest, ReadTlsMaterial_KindsThatTlsTakes_AreRead) {
  for (const std::variant<std::string, int>& kind :
       {std::variant<std::string, int>("P-384"), {"P-521"}, {2048}}) {
    const KeyAndCertificate made = MakeCertificate("made", {.kind = kind});
    EXPECT_EQ(FaultOf(Files(made.certificate, made.key)), "");
  }
}

TEST_F(TlsMaterialTest, ReadTlsMaterial_BadCertificate_NamesItsFlag) {
  for (const std::string& bad :
       {std::string(), std::string("no PEM"), one_.key,
        one_.certificate.substr(0, 300),
        one_.certificate + two_.certificate.substr(0, 300)}) {
    EXPECT_THAT(FaultOf(Files(bad, one_.key)), StartsWith("--tls_cert_file: "))
        << bad;
  }
  EXPECT_THAT(FaultOf({scratch_.PathOf("none"), scratch_.PathOf("none"), {}}),
              StartsWith("--tls_cert_file: the file cannot be read"));
}

TEST_F(TlsMaterialTest, ReadTlsMaterial_BadKey_NamesItsFlag) {
  for (const std::string& bad :
       {std::string(), one_.certificate, one_.key.substr(0, 100), two_.key,
        Locked(one_.key)}) {
    EXPECT_THAT(FaultOf(Files(one_.certificate, bad)),
                StartsWith("--tls_key_file: "))
        << bad;
  }
}

TEST_F(TlsMaterialTest, ReadTlsMaterial_BadClientCa_NamesItsFlag) {
  TlsFiles files = Files(one_.certificate, one_.key);
  files.client_ca = scratch_.Write("ca", one_.key);
  EXPECT_THAT(FaultOf(files), StartsWith("--tls_client_ca_file: "));
}

}  // namespace
}  // namespace sittuyin::service
