#include "service/telemetry/process_metrics.h"

#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>

namespace sittuyin::service {
namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;
using prometheus::MetricType;

void Add(std::vector<MetricFamily>& families, std::string_view name,
         std::string_view help, MetricType type, double value) {
  ClientMetric metric;
  if (type == MetricType::Counter) {
    metric.counter.value = value;
  } else {
    metric.gauge.value = value;
  }
  families.push_back(
      {std::string(name), std::string(help), type, {std::move(metric)}});
}

double Seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) +
         static_cast<double>(time.tv_usec) / 1e6;
}

// The limit of a resource; infinity when there is none.
double SoftLimit(int resource) {
  rlimit limit{};
  if (getrlimit(static_cast<__rlimit_resource_t>(resource), &limit) != 0 ||
      limit.rlim_cur == RLIM_INFINITY) {
    return std::numeric_limits<double>::infinity();
  }
  return static_cast<double>(limit.rlim_cur);
}

std::optional<double> OpenFileDescriptors() {
  std::error_code error;
  std::filesystem::directory_iterator it("/proc/self/fd", error);
  if (error) return std::nullopt;
  // The directory itself is open while it is read.
  return static_cast<double>(
      std::distance(begin(it), std::filesystem::directory_iterator()) - 1);
}

// The fields of /proc/self/stat (proc(5)) that are wanted here.
struct Stat {
  double threads = 0;         // Field 20.
  double start_ticks = 0;     // Field 22, after boot.
  double virtual_bytes = 0;   // Field 23.
  double resident_pages = 0;  // Field 24.
};

std::optional<Stat> ReadStat() {
  std::ifstream file("/proc/self/stat");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  // The second field is the program's name in brackets, spaces and all.
  const std::size_t name_end = text.rfind(')');
  if (name_end == text.npos) return std::nullopt;
  std::istringstream fields(text.substr(name_end + 1));
  std::string skipped;
  Stat stat;
  for (int field = 3; field < 20; ++field) fields >> skipped;
  fields >> stat.threads >> skipped >> stat.start_ticks >> stat.virtual_bytes >>
      stat.resident_pages;
  if (!fields) return std::nullopt;
  return stat;
}

// When the machine started, in seconds since the epoch.
std::optional<double> BootTime() {
  std::ifstream file("/proc/stat");
  std::string word;
  double value = 0;
  while (file >> word) {
    if (word == "btime" && file >> value) return value;
  }
  return std::nullopt;
}

}  // namespace

std::vector<MetricFamily> ProcessMetrics::Collect() const {
  std::vector<MetricFamily> families;
  rusage usage{};
  if (getrusage(RUSAGE_SELF, &usage) == 0) {
    Add(families, "process_cpu_seconds_total",
        "User and system CPU time spent.", MetricType::Counter,
        Seconds(usage.ru_utime) + Seconds(usage.ru_stime));
  }
  if (const auto open = OpenFileDescriptors()) {
    Add(families, "process_open_fds", "Open file descriptors.",
        MetricType::Gauge, *open);
  }
  Add(families, "process_max_fds", "Limit of open file descriptors.",
      MetricType::Gauge, SoftLimit(RLIMIT_NOFILE));
  Add(families, "process_virtual_memory_max_bytes", "Limit of virtual memory.",
      MetricType::Gauge, SoftLimit(RLIMIT_AS));
  const std::optional<Stat> stat = ReadStat();
  if (!stat) return families;
  Add(families, "process_threads", "Threads.", MetricType::Gauge,
      stat->threads);
  Add(families, "process_virtual_memory_bytes", "Virtual memory size.",
      MetricType::Gauge, stat->virtual_bytes);
  Add(families, "process_resident_memory_bytes", "Resident memory size.",
      MetricType::Gauge,
      stat->resident_pages * static_cast<double>(sysconf(_SC_PAGESIZE)));
  if (const auto boot = BootTime()) {
    Add(families, "process_start_time_seconds",
        "Start of the process since the Unix epoch.", MetricType::Gauge,
        *boot + stat->start_ticks / static_cast<double>(sysconf(_SC_CLK_TCK)));
  }
  return families;
}

}  // namespace sittuyin::service
