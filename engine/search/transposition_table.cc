#include "engine/search/transposition_table.h"

#include <algorithm>

namespace sittuyin {

TranspositionTable::TranspositionTable(std::size_t bytes)
    : buckets_(std::max<std::size_t>(1, bytes / sizeof(Bucket))) {}

void TranspositionTable::Empty() {
  if (++generation_ == 0) {
    std::fill(buckets_.begin(), buckets_.end(), Bucket{});
    generation_ = 1;
  }
}

std::size_t TranspositionTable::BucketOf(std::uint64_t key) const {
  // The high half of the product spreads keys evenly over any size.
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::size_t>(static_cast<Wide>(key) * buckets_.size() >>
                                  64);
}

bool TranspositionTable::Holds(const Slot& slot, std::uint64_t key) const {
  return slot.key_low == static_cast<std::uint32_t>(key) &&
         slot.key_middle == static_cast<std::uint16_t>(key >> 32) &&
         slot.generation == generation_;
}

std::optional<TableEntry> TranspositionTable::Find(std::uint64_t key) const {
  for (const Slot& slot : buckets_[BucketOf(key)].slots) {
    if (Holds(slot, key)) return slot.entry;
  }
  return std::nullopt;
}

void TranspositionTable::Store(std::uint64_t key, const TableEntry& entry) {
  Slot* target = nullptr;
  for (Slot& slot : buckets_[BucketOf(key)].slots) {
    if (Holds(slot, key)) {
      const Move known = slot.entry.move;
      slot.entry = entry;
      if (!entry.move) slot.entry.move = known;
      return;
    }
    const auto rank = [this](const Slot& s) {
      return s.generation == generation_ ? s.entry.depth : -1;
    };
    if (target == nullptr || rank(slot) < rank(*target)) target = &slot;
  }
  *target = {.key_low = static_cast<std::uint32_t>(key),
             .key_middle = static_cast<std::uint16_t>(key >> 32),
             .generation = generation_,
             .entry = entry};
}

}  // namespace sittuyin
