#include "service/telemetry/log.h"

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>
#include <spdlog/async.h>
#include <spdlog/async_logger.h>
#include <spdlog/fmt/chrono.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <chrono>
#include <cstddef>
#include <ctime>
#include <string>
#include <utility>

namespace sittuyin::service {
namespace {

constexpr std::size_t kQueuedLines = 4096;

// RFC 3339 in UTC, to the microsecond.
std::string Timestamp(std::chrono::system_clock::time_point time) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
  const auto micros =
      std::chrono::duration_cast<std::chrono::microseconds>(time - seconds);
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:06}Z",
                     fmt::gmtime(std::chrono::system_clock::to_time_t(seconds)),
                     micros.count());
}

using JsonWriter = rapidjson::Writer<rapidjson::StringBuffer>;

void WriteText(std::string_view text, JsonWriter& json) {
  json.String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
}

void WriteField(std::string_view name, std::string_view value,
                JsonWriter& json) {
  WriteText(name, json);
  WriteText(value, json);
}

void WriteField(std::string_view name, double value, JsonWriter& json) {
  WriteText(name, json);
  json.Double(value);
}

void WriteField(std::string_view name, std::uint64_t value, JsonWriter& json) {
  WriteText(name, json);
  json.Uint64(value);
}

}  // namespace

Log::Log(spdlog::sink_ptr sink)
    : writer_(std::make_shared<spdlog::details::thread_pool>(kQueuedLines, 1)) {
  if (sink == nullptr) {
    sink = std::make_shared<spdlog::sinks::stderr_sink_mt>();
  }
  logger_ = std::make_shared<spdlog::async_logger>(
      "sittuyin", std::move(sink), writer_,
      spdlog::async_overflow_policy::overrun_oldest);
  logger_->set_pattern("%v");
}

// The writer's thread ends when its queue is empty.
Log::~Log() = default;

void Log::Write(spdlog::level::level_enum level, std::string_view event,
                const LogFields& fields) {
  const std::string time = Timestamp(std::chrono::system_clock::now());
  const auto level_text = spdlog::level::to_string_view(level);
  const std::string_view level_name{level_text.data(), level_text.size()};
  rapidjson::StringBuffer buffer;
  JsonWriter json(buffer);
  json.StartObject();
  WriteField("time", time, json);
  WriteField("level", level_name, json);
  WriteField("event", event, json);
  for (const auto& field : fields) {
    std::visit([&](auto value) { WriteField(field.first, value, json); },
               field.second);
  }
  json.EndObject();
  logger_->log(level,
               spdlog::string_view_t(buffer.GetString(), buffer.GetSize()));
}

}  // namespace sittuyin::service
