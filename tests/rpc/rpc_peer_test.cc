#include "service/rpc/rpc_peer.h"

#include <gtest/gtest.h>

namespace sittuyin::service {
namespace {

TEST(RpcPeerTest, HostOfPeer_Ipv4_IsTheAddress) {
  EXPECT_EQ(HostOfPeer("ipv4:192.0.2.1:50051"), "192.0.2.1");
}

TEST(RpcPeerTest, HostOfPeer_Ipv6_IsTheAddressWithoutBrackets) {
  EXPECT_EQ(HostOfPeer("ipv6:%5B2001:db8::1%5D:50051"), "2001:db8::1");
  EXPECT_EQ(HostOfPeer("ipv6:%5Bfe80::1%25eth0%5D:50051"), "fe80::1%25eth0");
}

TEST(RpcPeerTest, HostOfPeer_OtherForm_IsAllOfIt) {
  EXPECT_EQ(HostOfPeer("unix:/tmp/x"), "unix:/tmp/x");
  EXPECT_EQ(HostOfPeer("nonsense"), "nonsense");
  EXPECT_EQ(HostOfPeer(""), "");
}

}  // namespace
}  // namespace sittuyin::service
