#include "service/telemetry/log.h"

#include <google/protobuf/stubs/common.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>
#include <spdlog/async.h>
#include <spdlog/async_logger.h>
#include <spdlog/details/null_mutex.h>
#include <spdlog/fmt/chrono.h>
#include <spdlog/sinks/base_sink.h>
#include <unistd.h>

#include <chrono>
#include <cstddef>
#include <ctime>
#include <future>
#include <string>
#include <thread>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/string_view.h"

namespace sittuyin::service {
namespace {

constexpr std::size_t kQueuedLines = 4096;

// How long the last lines may take when the log ends.
constexpr std::chrono::seconds kLastLines(1);

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

// A client's bytes that gRPC repeats may be no UTF-8, which JSON has to be.
void WriteText(std::string_view text, JsonWriter& json) {
  const absl::string_view bytes(text.data(), text.size());
  std::string escaped;
  if (!google::protobuf::internal::IsStructurallyValidUTF8(
          text.data(), static_cast<int>(text.size()))) {
    text = escaped = absl::CHexEscape(bytes);
  }
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

// Writes past the stream of that name, for which the program would wait when it
// exits. What cannot be written is lost.
class Stderr : public spdlog::sinks::base_sink<spdlog::details::null_mutex> {
  void sink_it_(const spdlog::details::log_msg& message) override {
    spdlog::memory_buf_t line;
    formatter_->format(message, line);
    std::string_view rest(line.data(), line.size());
    ssize_t count = 1;
    while (!rest.empty() && count > 0) {
      count = write(STDERR_FILENO, rest.data(), rest.size());
      if (count > 0) rest.remove_prefix(static_cast<std::size_t>(count));
    }
  }
  void flush_() override {}
};

}  // namespace

Log::Log(spdlog::sink_ptr sink)
    : writer_(std::make_shared<spdlog::details::thread_pool>(kQueuedLines, 1)) {
  if (sink == nullptr) {
    sink = std::make_shared<Stderr>();
  }
  logger_ = std::make_shared<spdlog::async_logger>(
      "sittuyin", std::move(sink), writer_,
      spdlog::async_overflow_policy::overrun_oldest);
  logger_->set_pattern("%v");
}

// The writer's thread ends when its queue is empty, which may be never.
Log::~Log() {
  std::promise<void> empty;
  const auto ended = empty.get_future();
  std::thread([writer = std::move(writer_),
               empty = std::move(empty)]() mutable {
    writer.reset();
    empty.set_value();
  }).detach();
  ended.wait_for(kLastLines);
}

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
