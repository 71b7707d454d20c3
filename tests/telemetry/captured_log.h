// A log's lines, for tests.
#ifndef SITTUYIN_TESTS_TELEMETRY_CAPTURED_LOG_H_
#define SITTUYIN_TESTS_TELEMETRY_CAPTURED_LOG_H_

#include <google/protobuf/struct.pb.h>
#include <google/protobuf/util/json_util.h>
#include <gtest/gtest.h>
#include <spdlog/sinks/ostream_sink.h>

#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace sittuyin::service {

// Read it after the log has ended.
class CapturedLog {
 public:
  spdlog::sink_ptr sink() { return sink_; }

  std::string text() const { return stream_.str(); }

  // Each line, read as a JSON object.
  std::vector<google::protobuf::Struct> lines() const {
    std::vector<google::protobuf::Struct> lines;
    std::istringstream text(stream_.str());
    for (std::string line; std::getline(text, line);) {
      const auto status = google::protobuf::util::JsonStringToMessage(
          line, &lines.emplace_back());
      EXPECT_TRUE(status.ok()) << line;
    }
    return lines;
  }

 private:
  std::ostringstream stream_;
  spdlog::sink_ptr sink_ =
      std::make_shared<spdlog::sinks::ostream_sink_mt>(stream_);
};

inline std::string TextOf(const google::protobuf::Struct& line,
                          const std::string& field) {
  const auto it = line.fields().find(field);
  return it == line.fields().end() ? "(absent)" : it->second.string_value();
}

inline double NumberOf(const google::protobuf::Struct& line,
                       const std::string& field) {
  const auto it = line.fields().find(field);
  return it == line.fields().end() ? -1 : it->second.number_value();
}

}  // namespace sittuyin::service

#endif  // SITTUYIN_TESTS_TELEMETRY_CAPTURED_LOG_H_
