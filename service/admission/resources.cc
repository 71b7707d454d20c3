#include "service/admission/resources.h"

#include <sched.h>
#include <sys/mman.h>

#include <algorithm>
#include <fstream>
#include <future>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

namespace sittuyin::service {
namespace {

using std::filesystem::path;

constexpr std::size_t kLeastHash = std::size_t{1} << 20;

// What a control group or the machine grants. Version 1 writes "unlimited" as a
// number that no machine has, version 2 as no number.
struct Grant {
  std::optional<double> cpus;
  std::optional<std::uint64_t> memory;

  void Cut(const Grant& other) {
    const auto least = [](auto a, auto b) {
      return a && b ? std::min(a, b) : a ? a : b;
    };
    cpus = least(cpus, other.cpus);
    memory = least(memory, other.memory);
  }
};

// The numbers in `file`, up to the first word that is none.
std::vector<std::int64_t> Numbers(const path& file) {
  std::ifstream in(file);
  std::vector<std::int64_t> numbers;
  for (std::int64_t number = 0; in >> number;) numbers.push_back(number);
  return numbers;
}

std::optional<double> Share(std::int64_t quota, std::int64_t period) {
  if (quota <= 0 || period <= 0) return std::nullopt;
  return static_cast<double>(quota) / static_cast<double>(period);
}

// The limits in the folder of one group, whatever version it is of.
Grant ReadGroup(const path& group) {
  Grant grant;
  const auto quota = Numbers(group / "cpu.cfs_quota_us");
  const auto period = Numbers(group / "cpu.cfs_period_us");
  if (!quota.empty() && !period.empty()) {
    grant.cpus = Share(quota[0], period[0]);
  }
  const auto both = Numbers(group / "cpu.max");
  if (both.size() == 2) grant.cpus = Share(both[0], both[1]);

  constexpr std::int64_t kUnlimited = std::int64_t{1} << 60;
  for (const char* name : {"memory.limit_in_bytes", "memory.max"}) {
    const auto bytes = Numbers(group / name);
    if (!bytes.empty() && bytes[0] > 0 && bytes[0] < kUnlimited) {
      grant.memory = static_cast<std::uint64_t>(bytes[0]);
    }
  }
  return grant;
}

// The limits of the group `name`, `/a/b`, of the hierarchy mounted at `mount`
// and of all groups above it. In a container the mount is the group itself.
Grant ReadGroups(const path& mount, const path& name) {
  Grant grant;
  path group = mount;
  grant.Cut(ReadGroup(group));
  for (const path& part : name.relative_path()) {
    group /= part;
    grant.Cut(ReadGroup(group));
  }
  return grant;
}

Grant ReadAllGroups(const path& root) {
  const path mounts = root / "sys/fs/cgroup";
  Grant grant;
  std::ifstream in(root / "proc/self/cgroup");
  for (std::string line; std::getline(in, line);) {
    // number:controllers:name, no controllers in version 2.
    const auto first = line.find(':');
    const auto second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::string name = line.substr(second + 1);
    if (controllers.empty()) {
      grant.Cut(ReadGroups(mounts, name));
      continue;
    }
    std::istringstream list(controllers);
    for (std::string controller; std::getline(list, controller, ',');) {
      grant.Cut(ReadGroups(mounts / controller, name));
    }
  }
  return grant;
}

Grant ReadMachine(const path& root) {
  std::ifstream in(root / "proc/meminfo");
  std::string name;
  std::uint64_t kibibytes = 0;
  if (in >> name >> kibibytes && name == "MemTotal:") {
    return {.cpus = {}, .memory = kibibytes << 10};
  }
  return {};
}

std::size_t AffineCpus() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof(set), &set) == 0) {
    return static_cast<std::size_t>(CPU_COUNT(&set));
  }
  return std::thread::hardware_concurrency();  // More cores than the set holds.
}

}  // namespace

Resources ReadResources(const path& root) {
  Grant grant = ReadAllGroups(root);
  grant.Cut(ReadMachine(root));
  std::size_t cpus = AffineCpus();
  if (grant.cpus) {
    cpus = std::min(cpus, static_cast<std::size_t>(*grant.cpus));
  }
  return {.cpus = std::max<std::size_t>(1, cpus), .memory = grant.memory};
}

PoolSize FitPool(const PoolSize& wanted, const Resources& resources) {
  PoolSize size = wanted;
  if (size.workers == 0) size.workers = resources.cpus;
  if (!resources.memory) return size;
  const std::uint64_t tables = *resources.memory / 2;
  if (size.workers * size.hash_bytes <= tables) return size;
  size.workers = std::clamp<std::size_t>(tables / kLeastHash, 1, size.workers);
  size.hash_bytes = std::clamp<std::size_t>(tables / size.workers, kLeastHash,
                                            size.hash_bytes);
  return size;
}

bool HasRoomFor(const PoolSize& size) {
  const std::size_t bytes = size.workers * size.hash_bytes;
  void* const room = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return room != MAP_FAILED && munmap(room, bytes) == 0;
}

bool HasRoomForThreads(std::size_t count) {
  std::promise<void> all_live;
  const std::shared_future<void> until = all_live.get_future().share();
  std::vector<std::thread> threads;
  bool room = true;
  try {
    while (threads.size() < count) {
      threads.emplace_back([until] { until.wait(); });
    }
  } catch (const std::system_error&) {
    room = false;
  }
  all_live.set_value();
  for (std::thread& thread : threads) thread.join();
  return room;
}

}  // namespace sittuyin::service
