#include "service/access/token_table.h"

#include <gmock/gmock.h>

#include <string>

namespace sittuyin::service {
namespace {

using testing::HasSubstr;
using testing::Not;

// Of the texts `swordfish` and `opensesame`.
constexpr char kSwordfish[] =
    "b9f195c5cc7ef6afadbfbc42892ad47d3b24c6bc94bb510c4564a90a14e8b799";
constexpr char kOpenSesame[] =
    "d9fb92e3bbe65be1f1aad4a82eef4567f7a1ebe2cd110c8049b9698be7a70c88";

std::string FaultOf(const std::string& text) {
  const auto parsed = TokenTable::Parse(text);
  const auto* fault = std::get_if<FileFault>(&parsed);
  return fault == nullptr ? "" : fault->what;
}

TokenTable Table(const std::string& text) {
  auto parsed = TokenTable::Parse(text);
  EXPECT_EQ(FaultOf(text), "");
  return std::get<TokenTable>(std::move(parsed));
}

TEST(TokenTableTest, NameOf_KnownToken_IsItsCaller) {
  const TokenTable table = Table(std::string("# Who may call.\n\nfront:") +
                                 kOpenSesame + "\nback:" + kSwordfish);
  EXPECT_EQ(table.size(), 2u);
  EXPECT_EQ(table.NameOf("swordfish"), "back");
}

TEST(TokenTableTest, NameOf_OtherToken_IsNobody) {
  const TokenTable table = Table(std::string("back:") + kSwordfish);
  for (const char* token :
       {"", "swordfis", "swordfish ", "Swordfish", "back", kSwordfish}) {
    EXPECT_EQ(table.NameOf(token), std::nullopt) << token;
  }
}

TEST(TokenTableTest, Parse_NameWithColons_EndsAtTheLast) {
  const TokenTable table = Table(std::string("urn:a:b:") + kSwordfish);
  EXPECT_EQ(table.NameOf("swordfish"), "urn:a:b");
}

TEST(TokenTableTest, Parse_WindowsLinesAndCapitals_AreRead) {
  std::string digest = kSwordfish;
  for (char& c : digest) c = static_cast<char>(std::toupper(c));
  const TokenTable table = Table("  back:" + digest + " \r\n");
  EXPECT_EQ(table.NameOf("swordfish"), "back");
}

TEST(TokenTableTest, Parse_NoToken_IsAFault) {
  for (const char* text : {"", "\n", "# nobody\n"}) {
    EXPECT_THAT(FaultOf(text), HasSubstr("no token")) << text;
  }
}

TEST(TokenTableTest, Parse_BadLine_NamesItsNumberAndNotItsText) {
  const std::string good = std::string("a:") + kSwordfish + "\n";
  const std::string digest = kSwordfish;
  for (const std::string& line :
       {std::string("swordfish"), ":" + digest, "a b:" + digest,
        "a:" + digest.substr(1), "a:" + digest + "0", "a:g" + digest.substr(1),
        "a:-" + digest.substr(1), digest,
        std::string(129, 'n') + ":" + digest}) {
    const std::string fault = FaultOf(good + line + "\n" + good);
    EXPECT_THAT(fault, HasSubstr("line 2")) << line;
    EXPECT_THAT(fault, Not(HasSubstr(line))) << line;
  }
}

}  // namespace
}  // namespace sittuyin::service
