#include "service/access/network.h"

#include <gtest/gtest.h>

namespace sittuyin::service {
namespace {

TEST(NetworkTest, NetworkOf_Ipv4_IsTheAddress) {
  EXPECT_EQ(NetworkOf("192.0.2.7"), "192.0.2.7");
}

TEST(NetworkTest, NetworkOf_Ipv6_IsThe64) {
  EXPECT_EQ(NetworkOf("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::/64");
  EXPECT_EQ(NetworkOf("2001:db8:1:2::1"), "2001:db8:1:2::/64");
  EXPECT_EQ(NetworkOf("2001:db8:1:3::1"), "2001:db8:1:3::/64");
  EXPECT_EQ(NetworkOf("::1"), "::/64");
}

TEST(NetworkTest, NetworkOf_Zone_IsIgnored) {
  EXPECT_EQ(NetworkOf("fe80::1%eth0"), "fe80::/64");
}

TEST(NetworkTest, NetworkOf_MappedIpv4_IsThatAddress) {
  EXPECT_EQ(NetworkOf("::ffff:192.0.2.7"), "192.0.2.7");
}

TEST(NetworkTest, NetworkOf_OtherText_IsItself) {
  EXPECT_EQ(NetworkOf("unix:/tmp/x"), "unix:/tmp/x");
  EXPECT_EQ(NetworkOf(""), "");
}

}  // namespace
}  // namespace sittuyin::service
