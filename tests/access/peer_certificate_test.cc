#include "service/access/peer_certificate.h"

#include <gmock/gmock.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/access/certificates.h"

namespace sittuyin::service {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<unsigned char> With(const std::string& extension,
                                const std::string& value) {
  return DerOf(
      MakeCertificate("one", {.extensions = {{extension, value}}}).certificate);
}

TEST(PeerCertificateTest, NamesIn_CommonName_IsItsTextAsItStands) {
  for (const std::string name :
       {"one", "front+end", "a;b", "fr\"ont", "#front", "<front>", "a\\b",
        "a,b", " front ", "fr\xC3\xA4nt"}) {
    const auto names = NamesIn(DerOf(MakeCertificate(name).certificate));
    EXPECT_EQ(names.common, name);
    EXPECT_THAT(names.alternative, IsEmpty());
  }
}

TEST(PeerCertificateTest, NamesIn_AlternativeNames_AreDnsNamesThenUris) {
  EXPECT_THAT(NamesIn(With("subjectAltName",
                           "URI:spiffe://a,DNS:b,IP:10.0.0.1,email:x@y,DNS:c"))
                  .alternative,
              ElementsAre("b", "c", "spiffe://a"));
}

// RFC 5280 has ASCII alone there, and gRPC takes other bytes for Latin-1.
TEST(PeerCertificateTest, NamesIn_DnsNameThatIsNoAscii_IsNotTakenForUtf8) {
  EXPECT_THAT(
      NamesIn(With("subjectAltName", "DER:30:04:82:02:C3:A4")).alternative,
      ElementsAre("\xC3\x83\xC2\xA4"));
}

TEST(PeerCertificateTest, NamesIn_NulWithinAName_EndsNoName) {
  EXPECT_THAT(
      NamesIn(With("subjectAltName", "DER:30:05:82:03:61:00:62")).alternative,
      ElementsAre(std::string("a\0b", 3)));
}

TEST(PeerCertificateTest, NamesIn_NoCertificate_IsEmpty) {
  const std::vector<unsigned char> none = {0x30, 0x01};
  EXPECT_EQ(NamesIn(none).common, "");
  EXPECT_FALSE(IsForClients(none));
}

TEST(PeerCertificateTest, IsForClients_ByItsPurposes) {
  for (const auto& [purposes, good] : std::vector<std::pair<std::string, bool>>{
           {"clientAuth", true},
           {"serverAuth,clientAuth", true},
           {"serverAuth", false},
           {"anyExtendedKeyUsage", false}}) {
    EXPECT_EQ(IsForClients(With("extendedKeyUsage", purposes)), good)
        << purposes;
  }
  EXPECT_TRUE(IsForClients(DerOf(MakeCertificate("one").certificate)));
}

}  // namespace
}  // namespace sittuyin::service
