#include "service/access/gate.h"

#include <gmock/gmock.h>

#include "google/rpc/error_details.pb.h"
#include "tests/testing/refusal.h"

namespace sittuyin::service {
namespace {

using testing::HasSubstr;
using testing::Not;

// Of the text `swordfish`.
constexpr char kSwordfish[] =
    "b9f195c5cc7ef6afadbfbc42892ad47d3b24c6bc94bb510c4564a90a14e8b799";

struct FakePeer : Peer {
  CertificateNames Certificate() const override { return certificate; }
  std::string Authorization() const override { return authorization; }
  std::string Host() const override { return host; }

  CertificateNames certificate;
  std::string authorization;
  std::string host = "192.0.2.1";
};

FakePeer With(CertificateNames certificate) {
  FakePeer peer;
  peer.certificate = std::move(certificate);
  return peer;
}

FakePeer WithHeader(std::string authorization) {
  FakePeer peer;
  peer.authorization = std::move(authorization);
  return peer;
}

std::shared_ptr<const TokenTable> Tokens(const std::string& text) {
  return std::make_shared<const TokenTable>(
      std::get<TokenTable>(TokenTable::Parse(text)));
}

std::shared_ptr<const TokenTable> Swordfish(const std::string& name) {
  return Tokens(name + ":" + kSwordfish);
}

AccessSettings Names(std::vector<std::string> names) {
  AccessSettings settings;
  settings.tls = {"cert", "key", "ca"};
  settings.client_names = std::move(names);
  return settings;
}

AccessSettings OneCall() {
  AccessSettings settings;
  settings.requests_per_second = 0.001;
  return settings;
}

TEST(GateTest, Checks_NothingSet_IsFalse) {
  EXPECT_FALSE(Gate({}, nullptr).checks());
  EXPECT_FALSE(Gate(Names({}), nullptr).checks());
}

TEST(GateTest, Checks_AnythingSet_IsTrue) {
  EXPECT_TRUE(Gate(Names({"a"}), nullptr).checks());
  EXPECT_TRUE(Gate({}, Swordfish("back")).checks());
  EXPECT_TRUE(Gate(OneCall(), nullptr).checks());
}

TEST(GateTest, Admit_AllowedNames_MatchesAnyNameOfTheCertificate) {
  Gate gate(Names({"front.example", "spiffe://a/b"}), nullptr);
  EXPECT_THAT(gate.Admit(With({{"x", "front.example"}, "cn"})), IsOk());
  EXPECT_THAT(gate.Admit(With({{"spiffe://a/b"}, ""})), IsOk());
  EXPECT_THAT(gate.Admit(With({{"x"}, "front.example"})), IsOk());
}

TEST(GateTest, Admit_OtherName_IsUnauthenticated) {
  Gate gate(Names({"front.example", "*.example"}), nullptr);
  for (const CertificateNames& names :
       {CertificateNames{{}, ""}, CertificateNames{{"a.example"}, "other"},
        CertificateNames{{"Front.example"}, "front.example "},
        CertificateNames{{std::string("front.example\0x", 15)}, ""}}) {
    const auto status = gate.Admit(With(names));
    EXPECT_THAT(status, RefusedAs("UNAUTHENTICATED"));
    EXPECT_EQ(status.code(), 16);
    EXPECT_THAT(status.message(), HasSubstr("--allowed_client_names"));
  }
}

TEST(GateTest, Admit_Token_IsReadAsRfc6750Says) {
  Gate gate({}, Swordfish("back"));
  for (const char* header :
       {"Bearer swordfish", "bearer swordfish", "BEARER   swordfish"}) {
    EXPECT_THAT(gate.Admit(WithHeader(header)), IsOk()) << header;
  }
  for (const char* header :
       {"", "swordfish", "Bearer", "Bearer ", "Bearerswordfish",
        "Basic swordfish", "Bearer swordfis", "Bearer swordfish, Bearer x"}) {
    const auto status = gate.Admit(WithHeader(header));
    EXPECT_THAT(status, RefusedAs("UNAUTHENTICATED")) << header;
    EXPECT_THAT(status.DebugString(), Not(HasSubstr("swordfis")));
  }
}

TEST(GateTest, Admit_NamesAndTokens_BothAreWanted) {
  Gate gate(Names({"front"}), Swordfish("back"));
  FakePeer peer = With({{"front"}, ""});
  EXPECT_THAT(gate.Admit(peer), RefusedAs("UNAUTHENTICATED"));
  peer.authorization = "Bearer swordfish";
  EXPECT_THAT(gate.Admit(peer), IsOk());
  peer.certificate = {{"other"}, ""};
  EXPECT_THAT(gate.Admit(peer), RefusedAs("UNAUTHENTICATED"));
}

TEST(GateTest, SetTokens_TokenRemoved_IsRefusedFromNowOn) {
  Gate gate({}, Swordfish("back"));
  EXPECT_THAT(gate.Admit(WithHeader("Bearer swordfish")), IsOk());
  gate.SetTokens(Tokens("back:" + std::string(64, '0')));
  EXPECT_THAT(gate.Admit(WithHeader("Bearer swordfish")),
              RefusedAs("UNAUTHENTICATED"));
}

TEST(GateTest, Admit_OverQuota_TellsWhenAndWhy) {
  Gate gate(OneCall(), nullptr);
  EXPECT_THAT(gate.Admit(FakePeer()), IsOk());
  const auto status = gate.Admit(FakePeer());
  EXPECT_THAT(status, RefusedAs("QUOTA_EXCEEDED"));
  EXPECT_EQ(status.code(), 8);
  google::rpc::RetryInfo retry;
  google::rpc::QuotaFailure quota;
  ASSERT_EQ(status.details_size(), 3);
  ASSERT_TRUE(status.details(1).UnpackTo(&retry));
  ASSERT_TRUE(status.details(2).UnpackTo(&quota));
  EXPECT_GT(retry.retry_delay().seconds(), 900);
  EXPECT_LE(retry.retry_delay().seconds(), 1000);
  EXPECT_EQ(quota.violations_size(), 1);
}

TEST(GateTest, Admit_NamelessCallers_AreCountedByAddress) {
  Gate gate(OneCall(), nullptr);
  FakePeer peer;
  for (const char* host : {"192.0.2.1", "192.0.2.2", "2001:db8::1"}) {
    peer.host = host;
    EXPECT_THAT(gate.Admit(peer), IsOk()) << host;
    EXPECT_THAT(gate.Admit(peer), RefusedAs("QUOTA_EXCEEDED")) << host;
  }
  peer.host = "2001:db8::2";  // Of a network that had its call.
  EXPECT_THAT(gate.Admit(peer), RefusedAs("QUOTA_EXCEEDED"));
}

TEST(GateTest, Admit_NamedCallers_AreCountedByName) {
  AccessSettings settings = Names({});
  settings.requests_per_second = 0.001;
  Gate gate(settings, nullptr);
  EXPECT_THAT(gate.Admit(With({{"front"}, "x"})), IsOk());
  EXPECT_THAT(gate.Admit(With({{"back"}, "x"})), IsOk());
  FakePeer elsewhere = With({{"front"}, "y"});
  elsewhere.host = "192.0.2.9";
  EXPECT_THAT(gate.Admit(elsewhere), RefusedAs("QUOTA_EXCEEDED"));
}

TEST(GateTest, Admit_Burst_IsWhatMayCallAtOnce) {
  AccessSettings settings = OneCall();
  settings.burst = 3;
  Gate gate(settings, nullptr);
  for (int i = 0; i < 3; ++i) EXPECT_THAT(gate.Admit(FakePeer()), IsOk());
  EXPECT_THAT(gate.Admit(FakePeer()), RefusedAs("QUOTA_EXCEEDED"));
}

TEST(GateTest, Admit_UnknownCaller_CostsNoQuota) {
  Gate gate(OneCall(), Swordfish("back"));
  for (int i = 0; i < 5; ++i) {
    EXPECT_THAT(gate.Admit(FakePeer()), RefusedAs("UNAUTHENTICATED"));
  }
  EXPECT_THAT(gate.Admit(WithHeader("Bearer swordfish")), IsOk());
}

TEST(GateTest, NameOf_IsWhatTheQuotaCountsBy) {
  FakePeer peer = With({{"front.example"}, "cn"});
  peer.authorization = "Bearer swordfish";
  peer.host = "2001:db8::1";
  EXPECT_EQ(Gate({}, nullptr).NameOf(peer), "2001:db8::/64");
  EXPECT_EQ(Gate(Names({}), nullptr).NameOf(peer), "front.example");
  EXPECT_EQ(Gate(Names({"cn"}), nullptr).NameOf(peer), "cn");
  EXPECT_EQ(Gate(Names({}), Swordfish("back")).NameOf(peer), "back");
}

TEST(GateTest, NameOf_CallerThatMayNotCall_IsAsMuchAsIsKnown) {
  FakePeer peer = With({{"front.example"}, ""});
  peer.authorization = "Bearer sword";
  EXPECT_EQ(Gate({}, Swordfish("back")).NameOf(peer), "192.0.2.1");
  EXPECT_EQ(Gate(Names({}), Swordfish("back")).NameOf(peer), "front.example");
  EXPECT_EQ(Gate(Names({"other"}), nullptr).NameOf(peer), "front.example");
  EXPECT_EQ(Gate(Names({"other"}), nullptr).NameOf(FakePeer()), "192.0.2.1");
}

TEST(GateTest, NameOf_StrangeName_IsFitForALine) {
  const std::string name = "a\nb\xff" + std::string(200, 'c');
  EXPECT_EQ(Gate(Names({}), nullptr).NameOf(With({{name}, ""})),
            "a?b?" + std::string(124, 'c'));
}

TEST(GateTest, Authenticate_OverQuota_IsOk) {
  Gate gate(OneCall(), Swordfish("back"));
  const FakePeer peer = WithHeader("Bearer swordfish");
  gate.Admit(peer);
  EXPECT_THAT(gate.Authenticate(peer), IsOk());
  EXPECT_THAT(gate.Authenticate(FakePeer()), RefusedAs("UNAUTHENTICATED"));
}

}  // namespace
}  // namespace sittuyin::service
