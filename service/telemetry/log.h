// The service's log: one JSON object a line, on stderr.
#ifndef SITTUYIN_SERVICE_TELEMETRY_LOG_H_
#define SITTUYIN_SERVICE_TELEMETRY_LOG_H_

#include <spdlog/common.h>
#include <spdlog/logger.h>

#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace spdlog::details {
class thread_pool;
}

namespace sittuyin::service {

// A field of a line and its value; text must outlive the call alone.
using LogValue = std::variant<std::string_view, double, std::uint64_t>;
using LogFields = std::vector<std::pair<std::string_view, LogValue>>;

// Hands lines to a thread of its own, so that a slow reader of stderr holds
// up no call: when too many lines wait, the oldest are lost. Thread-safe.
class Log {
 public:
  // `sink` is where lines go, stderr when null.
  explicit Log(spdlog::sink_ptr sink);
  // Writes what waits, for a second at most.
  ~Log();
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  // A line of the time, the level, the event's name, and `fields` in their
  // order.
  void Write(spdlog::level::level_enum level, std::string_view event,
             const LogFields& fields);

 private:
  std::shared_ptr<spdlog::details::thread_pool> writer_;
  std::shared_ptr<spdlog::logger> logger_;
};

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_TELEMETRY_LOG_H_
