// What the search already knows of positions it has met.
#ifndef SITTUYIN_ENGINE_SEARCH_TRANSPOSITION_TABLE_H_
#define SITTUYIN_ENGINE_SEARCH_TRANSPOSITION_TABLE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/board/move.h"
#include "engine/eval/value.h"

namespace sittuyin {

enum class Bound : std::uint8_t { kUpper, kLower, kExact };

// Result of one searched node. Mate values count from the node itself.
struct TableEntry {
  Move move;
  std::int16_t value = 0;
  std::int16_t evaluation = 0;
  std::uint8_t depth = 0;
  Bound bound = Bound::kUpper;
};

// A hash table of fixed size that is emptied in constant time. Not
// thread-safe.
class TranspositionTable {
 public:
  // Takes the largest whole number of buckets in `bytes`, at least one.
  explicit TranspositionTable(std::size_t bytes);

  // Forgets everything.
  void Empty();

  // What is known of the position with hash `key`; nothing on a miss.
  std::optional<TableEntry> Find(std::uint64_t key) const;

  // Remembers `entry`, in place of an older one of the same position or of
  // the shallowest of its bucket.
  void Store(std::uint64_t key, const TableEntry& entry);

 private:
  struct Slot {
    std::uint32_t key_low = 0;
    std::uint16_t key_middle = 0;
    std::uint16_t generation = 0;
    TableEntry entry;
  };
  static_assert(sizeof(Slot) == 16);
  struct alignas(64) Bucket {
    std::array<Slot, 4> slots;
  };

  std::size_t BucketOf(std::uint64_t key) const;
  bool Holds(const Slot& slot, std::uint64_t key) const;

  std::vector<Bucket> buckets_;
  std::uint16_t generation_ = 1;  // Slots of another one count as empty.
};

}  // namespace sittuyin

#endif  // SITTUYIN_ENGINE_SEARCH_TRANSPOSITION_TABLE_H_
