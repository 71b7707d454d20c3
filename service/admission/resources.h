// What the process may use of its machine, and the search pool that fits.
#ifndef SITTUYIN_SERVICE_ADMISSION_RESOURCES_H_
#define SITTUYIN_SERVICE_ADMISSION_RESOURCES_H_

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>

namespace sittuyin::service {

struct Resources {
  // Cores, at least 1: those of the process's affinity, and no more whole ones
  // than its control groups' quota of CPU time.
  std::size_t cpus = 1;
  // In bytes: what the machine has, or the least limit of its control groups
  // where that is less; none = unknown.
  std::optional<std::uint64_t> memory;
};

// Reads what the machine has, and the limits of control groups, version 1 and
// 2, of the group that the process is in and of those above it. `root` stands
// for `/`. What cannot be read limits nothing.
Resources ReadResources(const std::filesystem::path& root = "/");

struct PoolSize {
  std::size_t workers;
  std::size_t hash_bytes;  // Of each.

  bool operator==(const PoolSize&) const = default;
};

// `wanted.workers` 0 = one for each core. Where the memory is known, the tables
// take half of it at most, so that as much is left for everything else:
// each is made smaller, to 1 MiB at least, and beyond that there are fewer.
PoolSize FitPool(const PoolSize& wanted, const Resources& resources);

// Whether the process would be given the memory of the tables: limits that
// FitPool does not know may forbid it.
bool HasRoomFor(const PoolSize& size);

// Whether the process may start `count` threads more: the user's limit may
// forbid it, or the control group's.
bool HasRoomForThreads(std::size_t count);

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_ADMISSION_RESOURCES_H_
