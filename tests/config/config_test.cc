#include "service/config/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/flags/reflection.h"

namespace sittuyin::service {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

using Strings = std::vector<const char*>;

std::variant<Config, EarlyExit> Load(Strings arguments,
                                     Strings variables = {}) {
  const absl::FlagSaver saver;
  arguments.insert(arguments.begin(), "sittuyin_server");
  variables.push_back(nullptr);
  return LoadConfig(static_cast<int>(arguments.size()), arguments.data(),
                    variables.data());
}

TEST(LoadConfigTest, LoadConfig_NothingSet_GivesDefaults) {
  const auto loaded = Load({});
  const Config* config = std::get_if<Config>(&loaded);
  ASSERT_NE(config, nullptr);
  EXPECT_EQ(config->grpc_address, "0.0.0.0:50051");
  EXPECT_EQ(config->rest_address, "0.0.0.0:8080");
  EXPECT_EQ(config->admin_address, "0.0.0.0:9464");
  EXPECT_TRUE(config->reflection);
  EXPECT_EQ(config->default_rule_set, RuleSetId::kYouzai);
  EXPECT_EQ(config->default_move_time, seconds(1));
  EXPECT_EQ(config->max_move_time, seconds(10));
  EXPECT_EQ(config->search_workers, 0u);
  EXPECT_EQ(config->drain_delay, seconds(5));
  EXPECT_EQ(config->max_connection_age, seconds(30));
  EXPECT_DOUBLE_EQ(config->access_log_sample, 0.01);
  EXPECT_EQ(config->rest_connections, 1024u);
  EXPECT_EQ(config->rest_connections_per_address, 0u);
  EXPECT_THAT(config->cors_allowed_origins, IsEmpty());
}

TEST(LoadConfigTest, LoadConfig_Flags_AreRead) {
  const auto loaded =
      Load({"--grpc_address=[::1]:0", "--default_rule_set", "pychess",
            "-max_move_time=2500ms", "--search_workers=3", "--search_queue=0",
            "--hash_mb=2", "--access_log_sample=0.5", "--drain_delay=0s",
            "--max_connection_age=0", "--reflection=false"});
  const Config* config = std::get_if<Config>(&loaded);
  ASSERT_NE(config, nullptr);
  EXPECT_EQ(config->grpc_address, "[::1]:0");
  EXPECT_FALSE(config->reflection);
  EXPECT_EQ(config->default_rule_set, RuleSetId::kPychess);
  EXPECT_EQ(config->max_move_time, milliseconds(2500));
  EXPECT_EQ(config->search_workers, 3u);
  EXPECT_EQ(config->search_queue, 0u);
  EXPECT_EQ(config->hash_bytes, std::size_t{2} << 20);
  EXPECT_DOUBLE_EQ(config->access_log_sample, 0.5);
  EXPECT_EQ(config->drain_delay, seconds(0));
  EXPECT_EQ(config->max_connection_age, seconds(0));
}

TEST(LoadConfigTest, LoadConfig_Environment_IsReadAndFlagWins) {
  const auto loaded =
      Load({"--search_workers=3"},
           {"SITTUYIN_SEARCH_WORKERS=5", "SITTUYIN_SEARCH_QUEUE=7",
            "SITTUYIN_TOKEN_FILE=/a=b", "SITTUYIN_REFLECTION=0"});
  const Config* config = std::get_if<Config>(&loaded);
  ASSERT_NE(config, nullptr);
  EXPECT_EQ(config->search_workers, 3u);
  EXPECT_EQ(config->search_queue, 7u);
  EXPECT_EQ(config->access.token_file, "/a=b");
  EXPECT_FALSE(config->reflection);
  EXPECT_THAT(config->unknown_variables, IsEmpty());
}

TEST(LoadConfigTest, LoadConfig_BadVariableOfFlagThatIsSet_DoesNotCount) {
  const auto loaded =
      Load({"--search_workers=3"}, {"SITTUYIN_SEARCH_WORKERS=many"});
  const Config* config = std::get_if<Config>(&loaded);
  ASSERT_NE(config, nullptr);
  EXPECT_EQ(config->search_workers, 3u);
  EXPECT_THAT(config->unknown_variables, IsEmpty());
  const auto help = Load({"--help"}, {"SITTUYIN_SEARCH_WORKERS=many"});
  const EarlyExit* exit = std::get_if<EarlyExit>(&help);
  ASSERT_NE(exit, nullptr);
  EXPECT_EQ(exit->code, 0);
}

TEST(LoadConfigTest, LoadConfig_VariablesOfNoFlag_AreTold) {
  const auto loaded =
      Load({}, {"SITTUYIN_SEARCH_WORKER=5", "PATH=/bin", "SITTUYIN",
                "SITTUYIN_VERSION=0.1.0", "SITTUYIN_search_queue=7",
                "SITTUYIN_=", "SITTUYIN_HASH_MB=2"});
  const Config* config = std::get_if<Config>(&loaded);
  ASSERT_NE(config, nullptr);
  EXPECT_THAT(config->unknown_variables,
              ElementsAre("SITTUYIN_SEARCH_WORKER", "SITTUYIN_VERSION",
                          "SITTUYIN_search_queue", "SITTUYIN_"));
  EXPECT_EQ(config->hash_bytes, std::size_t{2} << 20);
}

TEST(LoadConfigTest, LoadConfig_DefaultAboveMax_IsCut) {
  const auto loaded = Load({"--default_move_time=5s", "--max_move_time=2s"});
  const Config* config = std::get_if<Config>(&loaded);
  ASSERT_NE(config, nullptr);
  EXPECT_EQ(config->default_move_time, seconds(2));
}

TEST(LoadConfigTest, LoadConfig_Origins_AreSplit) {
  const auto loaded =
      Load({"--cors_allowed_origins=https://a.org, http://[::1]:8000"});
  const Config* config = std::get_if<Config>(&loaded);
  ASSERT_NE(config, nullptr);
  EXPECT_THAT(config->cors_allowed_origins,
              ElementsAre("https://a.org", "http://[::1]:8000"));
  Load({"--cors_allowed_origins="});
}

TEST(LoadConfigTest, LoadConfig_ClientNames_AreSplit) {
  const auto loaded =
      Load({"--allowed_client_names= front,Back End , spiffe://a/b",
            "--tls_cert_file=c", "--tls_key_file=k", "--tls_client_ca_file=a"});
  const Config* config = std::get_if<Config>(&loaded);
  ASSERT_NE(config, nullptr);
  EXPECT_THAT(config->access.client_names,
              ElementsAre("front", "Back End", "spiffe://a/b"));
}

TEST(LoadConfigTest, LoadConfig_RuleSet_IsKnownByItsNameInTheContractToo) {
  for (const char* name : {"VCHESS", "RULE_SET_VCHESS", "rule_set_vchess"}) {
    const auto loaded = Load({"--default_rule_set", name});
    const Config* config = std::get_if<Config>(&loaded);
    ASSERT_NE(config, nullptr) << name;
    EXPECT_EQ(config->default_rule_set, RuleSetId::kVchess);
  }
}

TEST(LoadConfigTest, LoadConfig_HostsOfEveryKind_AreTaken) {
  for (const char* address :
       {"127.1:0", "[fe80::1%eth0]:0", "1.example:0", "localhost:0"}) {
    const auto loaded = Load({"--rest_address", address});
    EXPECT_TRUE(std::holds_alternative<Config>(loaded)) << address;
  }
}

struct Refused {
  std::vector<const char*> arguments;
  Strings variables;
  std::string named;
};

class RefusedTest : public testing::TestWithParam<Refused> {};

TEST_P(RefusedTest, LoadConfig_BadSetting_ExitsTwoNamingItInOneLine) {
  const auto loaded = Load(GetParam().arguments, GetParam().variables);
  const EarlyExit* exit = std::get_if<EarlyExit>(&loaded);
  ASSERT_NE(exit, nullptr);
  EXPECT_EQ(exit->code, 2);
  EXPECT_THAT(exit->text, AllOf(StartsWith(GetParam().named), EndsWith("\n")));
  EXPECT_EQ(std::count(exit->text.begin(), exit->text.end(), '\n'), 1);
}

INSTANTIATE_TEST_SUITE_P(
    Settings, RefusedTest,
    testing::Values(
        Refused{{"--no_such_flag=1"}, {}, "--no_such_flag:"},
        Refused{{"--no\nsuch\nflag"}, {}, "--no such flag:"},
        Refused{{"stray"}, {}, "stray:"}, Refused{{"---help"}, {}, "---help:"},
        Refused{{"--"}, {}, "--:"},
        Refused{{"--search_workers"}, {}, "--search_workers:"},
        Refused{{"--search_workers=many"}, {}, "--search_workers:"},
        Refused{{"--search_workers=-1"}, {}, "--search_workers:"},
        Refused{{"--search_queue=65537"}, {}, "--search_queue:"},
        Refused{{"--hash_mb=0"}, {}, "--hash_mb:"},
        Refused{{"--access_log_sample=1.5"}, {}, "--access_log_sample:"},
        Refused{{"--access_log_sample=nan"}, {}, "--access_log_sample:"},
        Refused{{"--default_rule_set=CHESS"}, {}, "--default_rule_set:"},
        Refused{{"--default_move_time=0s"}, {}, "--default_move_time:"},
        Refused{{"--default_move_time=5"}, {}, "--default_move_time:"},
        Refused{{"--max_move_time=inf"}, {}, "--max_move_time:"},
        Refused{{"--max_move_time=0.25ns"}, {}, "--max_move_time:"},
        Refused{{"--drain_timeout=-1s"}, {}, "--drain_timeout:"},
        Refused{{"--drain_delay=-1s"}, {}, "--drain_delay:"},
        Refused{{"--drain_delay=25h"}, {}, "--drain_delay:"},
        Refused{{"--max_connection_age=inf"}, {}, "--max_connection_age:"},
        Refused{{"--max_connection_age=1ns"}, {}, "--max_connection_age:"},
        Refused{{"--slow_call_threshold=x"}, {}, "--slow_call_threshold:"},
        Refused{{"--grpc_address=localhost"}, {}, "--grpc_address:"},
        Refused{{"--rest_address=:8080"}, {}, "--rest_address:"},
        Refused{{"--admin_address=::1:8080"}, {}, "--admin_address:"},
        Refused{{"--rest_address=a:65536"}, {}, "--rest_address:"},
        Refused{{"--rest_address=a: 0"}, {}, "--rest_address:"},
        Refused{{"--rest_address=a:+0"}, {}, "--rest_address:"},
        Refused{{"--rest_address=a:"}, {}, "--rest_address:"},
        Refused{{"--rest_address=999.1.1.1:0"}, {}, "--rest_address:"},
        Refused{{"--rest_address=[:::1]:0"}, {}, "--rest_address:"},
        Refused{{"--rest_address=[localhost]:0"}, {}, "--rest_address:"},
        Refused{{"--grpc_address=unix:0"}, {}, "--grpc_address:"},
        Refused{{"--grpc_address=unix-abstract:0"}, {}, "--grpc_address:"},
        Refused{{"--grpc_address=dns:0"}, {}, "--grpc_address:"},
        Refused{{"--burst=4"}, {}, "--burst:"},
        Refused{{"--requests_per_second=1e-300"}, {}, "--requests_per_second:"},
        Refused{{"--requests_per_second=nan"}, {}, "--requests_per_second:"},
        Refused{{"--requests_per_second=-1"}, {}, "--requests_per_second:"},
        Refused{
            {"--health_needs_credentials"}, {}, "--health_needs_credentials:"},
        Refused{{"--reflection=maybe"}, {}, "--reflection:"},
        Refused{{"--rest_connections=15"}, {}, "--rest_connections:"},
        Refused{
            {"--cors_allowed_origins=a.org"}, {}, "--cors_allowed_origins:"},
        Refused{{"--allowed_client_names=a,,b"}, {}, "--allowed_client_names:"},
        Refused{{"--allowed_client_names=,"}, {}, "--allowed_client_names:"},
        Refused{{"--allowed_client_names= "}, {}, "--allowed_client_names:"},
        Refused{{"--cors_allowed_origins=,"}, {}, "--cors_allowed_origins:"},
        Refused{{"--cors_allowed_origins=https://a.org/"},
                {},
                "--cors_allowed_origins:"},
        Refused{{"--cors_allowed_origins=https://:"},
                {},
                "--cors_allowed_origins:"},
        Refused{{"--cors_allowed_origins=https://a:99999"},
                {},
                "--cors_allowed_origins:"},
        // Browsers leave the scheme's own port off.
        Refused{{"--cors_allowed_origins=https://a:443"},
                {},
                "--cors_allowed_origins:"},
        Refused{{"--cors_allowed_origins=https://A.org"},
                {},
                "--cors_allowed_origins:"},
        Refused{{"--cors_allowed_origins=*,https://a.org"},
                {},
                "--cors_allowed_origins:"},
        Refused{{}, {"SITTUYIN_HASH_MB=much"}, "SITTUYIN_HASH_MB:"},
        Refused{{}, {"SITTUYIN_SEARCH_QUEUE="}, "SITTUYIN_SEARCH_QUEUE:"}));

TEST(LoadConfigTest, LoadConfig_BadBool_TellsWhatIsWanted) {
  for (const char* argument : {"--reflection=maybe", "--help="}) {
    const auto loaded = Load({argument});
    const EarlyExit* exit = std::get_if<EarlyExit>(&loaded);
    ASSERT_NE(exit, nullptr);
    EXPECT_THAT(exit->text, EndsWith(": want true or false\n"));
  }
}

TEST(LoadConfigTest, LoadConfig_Help_ListsEveryFlag) {
  const auto loaded = Load({"--help"});
  const EarlyExit* exit = std::get_if<EarlyExit>(&loaded);
  ASSERT_NE(exit, nullptr);
  EXPECT_EQ(exit->code, 0);
  for (const auto& [name, flag] : absl::GetAllFlags()) {
    EXPECT_THAT(exit->text, HasSubstr("--" + std::string(name) + " "));
  }
  EXPECT_THAT(exit->text, HasSubstr("--default_move_time (default 1s)"));
}

TEST(LoadConfigTest, LoadConfig_Version_TellsIt) {
  const auto loaded = Load({"--version"});
  const EarlyExit* exit = std::get_if<EarlyExit>(&loaded);
  ASSERT_NE(exit, nullptr);
  EXPECT_EQ(exit->code, 0);
  EXPECT_THAT(exit->text, StartsWith("sittuyin_server "));
}

}  // namespace
}  // namespace sittuyin::service
