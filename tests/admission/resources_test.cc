#include "service/admission/resources.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <fstream>
#include <string>

namespace sittuyin::service {
namespace {

using std::filesystem::path;

constexpr std::size_t kMebi = 1 << 20;

// A root folder with files of the kernel's in it.
class ResourcesTest : public testing::Test {
 protected:
  ResourcesTest() : root_(testing::TempDir()) {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    root_ /= std::string("resources_") + test->name();
    std::filesystem::remove_all(root_);
  }
  ~ResourcesTest() override { std::filesystem::remove_all(root_); }

  void Write(const path& name, const std::string& text) {
    std::filesystem::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name) << text;
  }
  Resources Read() { return ReadResources(root_); }

  static std::size_t AffineCpus() {
    cpu_set_t set;
    sched_getaffinity(0, sizeof(set), &set);
    return static_cast<std::size_t>(CPU_COUNT(&set));
  }

 private:
  path root_;
};

TEST_F(ResourcesTest, Read_NoControlGroups_IsTheAffinity) {
  EXPECT_EQ(Read().cpus, AffineCpus());
  EXPECT_EQ(Read().memory, std::nullopt);
}

TEST_F(ResourcesTest, Read_VersionTwo_IsCut) {
  Write("proc/self/cgroup", "0::/\n");
  Write("sys/fs/cgroup/cpu.max", "100000 100000\n");
  Write("sys/fs/cgroup/memory.max", "268435456\n");
  EXPECT_EQ(Read().cpus, 1u);
  EXPECT_EQ(Read().memory, 256 * kMebi);
}

TEST_F(ResourcesTest, Read_VersionTwoUnlimited_IsTheAffinity) {
  Write("proc/self/cgroup", "0::/\n");
  Write("sys/fs/cgroup/cpu.max", "max 100000\n");
  Write("sys/fs/cgroup/memory.max", "max\n");
  EXPECT_EQ(Read().cpus, AffineCpus());
  EXPECT_EQ(Read().memory, std::nullopt);
}

TEST_F(ResourcesTest, Read_GroupsAbove_LimitAsWell) {
  Write("proc/self/cgroup", "0::/pods/one\n");
  Write("sys/fs/cgroup/pods/cpu.max", "150000 100000\n");
  Write("sys/fs/cgroup/pods/memory.max", "1048576\n");
  Write("sys/fs/cgroup/pods/one/cpu.max", "max 100000\n");
  Write("sys/fs/cgroup/pods/one/memory.max", "2097152\n");
  EXPECT_EQ(Read().cpus, 1u);
  EXPECT_EQ(Read().memory, kMebi);
}

TEST_F(ResourcesTest, Read_LessThanACore_IsOne) {
  Write("proc/self/cgroup", "0::/\n");
  Write("sys/fs/cgroup/cpu.max", "20000 100000\n");
  EXPECT_EQ(Read().cpus, 1u);
}

TEST_F(ResourcesTest, Read_VersionOne_IsCut) {
  Write("proc/self/cgroup",
        "5:memory:/pods/one\n4:cpu,cpuacct:/pods/one\n1:name=systemd:/\n"
        "0::/\n");
  Write("sys/fs/cgroup/cpu/pods/one/cpu.cfs_quota_us", "100000\n");
  Write("sys/fs/cgroup/cpu/pods/one/cpu.cfs_period_us", "100000\n");
  Write("sys/fs/cgroup/memory/pods/one/memory.limit_in_bytes", "1048576\n");
  EXPECT_EQ(Read().cpus, 1u);
  EXPECT_EQ(Read().memory, kMebi);
}

TEST_F(ResourcesTest, Read_VersionOneUnlimited_IsTheAffinity) {
  Write("proc/self/cgroup", "5:memory:/\n4:cpu:/\n");
  Write("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
  Write("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
  Write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_EQ(Read().cpus, AffineCpus());
  EXPECT_EQ(Read().memory, std::nullopt);
}

TEST_F(ResourcesTest, Read_NameOfTheHost_FindsTheContainersOwnGroup) {
  Write("proc/self/cgroup", "4:cpu:/host/name/of/it\n");
  Write("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "100000\n");
  Write("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(Read().cpus, 1u);
}

TEST_F(ResourcesTest, Read_MemoryOfTheMachine_LimitsWhereNoGroupDoes) {
  Write("proc/meminfo", "MemTotal:        2048 kB\nMemFree:         1024 kB\n");
  EXPECT_EQ(Read().memory, 2 * kMebi);
  Write("proc/self/cgroup", "0::/\n");
  Write("sys/fs/cgroup/memory.max", "1048576\n");
  EXPECT_EQ(Read().memory, kMebi);
  Write("sys/fs/cgroup/memory.max", "4194304\n");
  EXPECT_EQ(Read().memory, 2 * kMebi);
}

TEST(HasRoomTest, HasRoomForThreads_AFew_IsTrue) {
  EXPECT_TRUE(HasRoomForThreads(0));
  EXPECT_TRUE(HasRoomForThreads(30));
}

TEST(HasRoomTest, HasRoomFor_MoreThanThereIs_IsFalse) {
  EXPECT_TRUE(HasRoomFor({.workers = 2, .hash_bytes = kMebi}));
  EXPECT_FALSE(HasRoomFor({.workers = 2, .hash_bytes = std::size_t{1} << 60}));
}

TEST(FitPoolTest, FitPool_NoWorkersWanted_TakesEachCore) {
  const PoolSize size =
      FitPool({.workers = 0, .hash_bytes = 16 * kMebi}, {.cpus = 3});
  EXPECT_EQ(size.workers, 3u);
  EXPECT_EQ(size.hash_bytes, 16 * kMebi);
}

TEST(FitPoolTest, FitPool_WorkersWanted_AreKept) {
  EXPECT_EQ(FitPool({.workers = 5, .hash_bytes = kMebi}, {.cpus = 3}).workers,
            5u);
}

TEST(FitPoolTest, FitPool_TablesFit_AreKept) {
  const PoolSize size = FitPool({.workers = 4, .hash_bytes = 16 * kMebi},
                                {.cpus = 4, .memory = 128 * kMebi});
  EXPECT_EQ(size.hash_bytes, 16 * kMebi);
}

TEST(FitPoolTest, FitPool_TablesTooLarge_TakeHalfTheMemory) {
  const PoolSize size = FitPool({.workers = 4, .hash_bytes = 64 * kMebi},
                                {.cpus = 4, .memory = 128 * kMebi});
  EXPECT_EQ(size.workers, 4u);
  EXPECT_EQ(size.hash_bytes, 16 * kMebi);
}

TEST(FitPoolTest, FitPool_HardlyAnyMemory_TakesFewerWorkers) {
  const PoolSize few = FitPool({.workers = 64, .hash_bytes = 16 * kMebi},
                               {.cpus = 64, .memory = 64 * kMebi});
  EXPECT_EQ(few.workers, 32u);
  EXPECT_EQ(few.hash_bytes, kMebi);
  const PoolSize one = FitPool({.workers = 64, .hash_bytes = 16 * kMebi},
                               {.cpus = 64, .memory = kMebi});
  EXPECT_EQ(one.workers, 1u);
  EXPECT_EQ(one.hash_bytes, kMebi);
}

}  // namespace
}  // namespace sittuyin::service
