#include "engine/search/transposition_table.h"

#include <gtest/gtest.h>

namespace sittuyin {
namespace {

constexpr std::size_t kOneBucket = 64;

TableEntry EntryOfDepth(int depth) {
  return {.move = Move::Step(Square{8}, Square{16}),
          .value = 12,
          .evaluation = -7,
          .depth = static_cast<std::uint8_t>(depth),
          .bound = Bound::kExact};
}

TEST(TranspositionTableTest, Find_StoredKey_GivesEntry) {
  TranspositionTable table(1 << 16);
  table.Store(0x123456789abcdef0, EntryOfDepth(5));
  const auto found = table.Find(0x123456789abcdef0);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->move, Move::Step(Square{8}, Square{16}));
  EXPECT_EQ(found->value, 12);
  EXPECT_EQ(found->evaluation, -7);
  EXPECT_EQ(found->depth, 5);
  EXPECT_EQ(found->bound, Bound::kExact);
}

TEST(TranspositionTableTest, Find_OtherKeyOfSameBucket_Misses) {
  TranspositionTable table(kOneBucket);
  table.Store(1, EntryOfDepth(5));
  EXPECT_FALSE(table.Find(2));
}

TEST(TranspositionTableTest, Empty_ForgetsEverything) {
  TranspositionTable table(1 << 16);
  table.Store(1, EntryOfDepth(5));
  table.Empty();
  EXPECT_FALSE(table.Find(1));
}

TEST(TranspositionTableTest, Empty_AsOftenAsGenerationsGo_StillForgets) {
  TranspositionTable table(kOneBucket);
  table.Store(1, EntryOfDepth(5));
  for (int i = 0; i < (1 << 16) + 2; ++i) {
    table.Empty();
    ASSERT_FALSE(table.Find(1)) << i;
  }
}

TEST(TranspositionTableTest, Store_FullBucket_ReplacesShallowest) {
  TranspositionTable table(kOneBucket);
  for (std::uint64_t key = 1; key <= 4; ++key) {
    table.Store(key, EntryOfDepth(key == 3 ? 1 : 9));
  }
  table.Store(5, EntryOfDepth(4));
  EXPECT_FALSE(table.Find(3));
  for (const std::uint64_t key : {1, 2, 4, 5}) EXPECT_TRUE(table.Find(key));
}

TEST(TranspositionTableTest, Store_WithoutMove_KeepsKnownMove) {
  TranspositionTable table(1 << 16);
  table.Store(1, EntryOfDepth(5));
  TableEntry bare = EntryOfDepth(6);
  bare.move = Move();
  table.Store(1, bare);
  EXPECT_EQ(table.Find(1)->move, Move::Step(Square{8}, Square{16}));
  EXPECT_EQ(table.Find(1)->depth, 6);
}

}  // namespace
}  // namespace sittuyin
