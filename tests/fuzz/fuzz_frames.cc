// What an HTTP/2 client sends, as the guard of frames sees it. Six bytes make
// frames: their type, flags, size (two), stream, and how many of them come how
// long after the last. Those that begin calls begin the next at each turn.
// Streams are odd, as clients' are, but for the last.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "service/rpc/frame_guard.h"
#include "tests/fuzz/require.h"

namespace sittuyin::service {
namespace {

using Clock = FrameGuard::Clock;

constexpr std::string_view kPreface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
constexpr std::size_t kItem = 6;
constexpr std::array<std::uint8_t, 8> kTypes = {0, 1, 3, 4, 6, 9, 8, 255};
// A type that nobody knows stands for what the server sends, too: its limits
// and the end of an answer.
constexpr std::uint8_t kServerSends = 255;

struct Frame {
  std::uint8_t type;
  std::uint8_t flags;
  std::uint32_t size;    // Below 2^24.
  std::uint32_t stream;  // Below 2^17.
};

std::string HeaderOf(const Frame& frame) {
  return {static_cast<char>(frame.size >> 16),
          static_cast<char>(frame.size >> 8),
          static_cast<char>(frame.size),
          static_cast<char>(frame.type),
          static_cast<char>(frame.flags),
          0,
          static_cast<char>(frame.stream >> 16),
          static_cast<char>(frame.stream >> 8),
          static_cast<char>(frame.stream)};
}

// What has passed, counted frame by frame, and the limits that the README
// gives a connection.
class Tally {
 public:
  void Passed(const Frame& frame, double seconds) {
    const bool flag = (frame.flags & 1) != 0;
    if (frame.type == 1 && frame.stream > newest_) {
      newest_ = frame.stream;
      ++calls_;
      open_.insert(frame.stream);
    } else {
      ++others_;
    }
    switch (frame.type) {
      case 0:
        PassedData(frame, flag);
        break;
      case 1:
        Require(frame.stream % 2 == 1);
        early_calls_ += acknowledged_ ? 0 : 1;
        metadata_ = 0;
        if (flag) data_.erase(frame.stream);
        [[fallthrough]];
      case 9:
        metadata_ += frame.size;
        early_metadata_ += acknowledged_ ? 0 : frame.size;
        break;
      case 3:
        ++resets_;
        data_.erase(frame.stream);
        open_.erase(frame.stream);
        break;
      case 4:
        acknowledged_ |= flag && limits_sent_;
        settings_ += flag ? 0 : 1;
        break;
      case 6:
        pings_ += flag ? 0 : 1;
        break;
      case kServerSends:
        limits_sent_ = true;
        open_.erase(frame.stream);
        break;
      default:
        break;
    }
    Require(metadata_ <= 32 << 10);
    Require(early_metadata_ <= 128 << 10);
    Require(early_calls_ <= 512);
    Require(open_.size() <= 512);
    Require(others_ <= 1024 + 200 * seconds + 256 * calls_);
    Require(resets_ <= 400 + 200 * seconds);
    Require(settings_ <= 200 + 50 * seconds);
    Require(pings_ <= 200 + 50 * seconds + 32 * calls_);
  }

 private:
  void PassedData(const Frame& frame, bool ends) {
    data_[frame.stream] += frame.size;
    std::size_t sum = 0;
    for (const auto& [stream, size] : data_) {
      Require(size <= 4 << 20);
      sum += size;
    }
    Require(sum <= (32 << 20) + (ends ? frame.size : 0));
    if (ends) data_.erase(frame.stream);
  }

  std::map<std::uint32_t, std::size_t> data_;  // Of calls that go on.
  std::set<std::uint32_t> open_;
  std::size_t metadata_ = 0;
  std::size_t early_metadata_ = 0;
  bool limits_sent_ = false;
  bool acknowledged_ = false;
  int calls_ = 0;
  int early_calls_ = 0;
  int others_ = 0;
  std::uint32_t newest_ = 0;
  int resets_ = 0;
  int settings_ = 0;
  int pings_ = 0;
};

// A frame with `header`, that in two pieces, and a body of `size` bytes.
bool Send(FrameGuard& guard, std::string_view header, std::size_t size,
          Clock::time_point now) {
  static const std::string body(1 << 24, '\3');
  const std::size_t cut = size % header.size();
  return guard.Pass(header.substr(0, cut), now) &&
         guard.Pass(header.substr(cut), now) &&
         guard.Pass({body.data(), size}, now);
}

void CheckFrames(std::span<const std::uint8_t> items) {
  FrameGuard guard;
  Tally tally;
  const Clock::time_point begin{std::chrono::hours(1)};
  Clock::time_point now = begin;
  Require(guard.Pass(kPreface, now));
  for (; items.size() >= kItem; items = items.subspan(kItem)) {
    Frame frame{
        .type = kTypes[items[0] % kTypes.size()],
        .flags = items[1],
        .size = std::uint32_t{items[2]} << 16 | items[3],
        .stream = std::uint32_t{items[4]} << 9 | (items[4] == 255 ? 0 : 1)};
    now += std::chrono::milliseconds(items[5] >> 4) * 10;
    for (int left = 1 << (items[5] & 15) % 10; left > 0; --left) {
      if (!Send(guard, HeaderOf(frame), frame.size, now)) {
        Require(!guard.Pass(kPreface, now + std::chrono::hours(1)));
        return;
      }
      if (frame.type == kServerSends) {
        guard.LimitsSent();
        guard.Sent(HeaderOf({.type = 0, .flags = 1, .stream = frame.stream}));
      }
      tally.Passed(frame, std::chrono::duration<double>(now - begin).count());
      if (frame.type == 1) frame.stream += 2;
    }
  }
}

// The same verdict however the bytes arrive.
void CheckBytes(std::string_view bytes) {
  const Clock::time_point now{std::chrono::hours(1)};
  FrameGuard at_once;
  FrameGuard singly;
  bool passes = true;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    passes = singly.Pass(bytes.substr(i, 1), now);
  }
  Require(at_once.Pass(bytes, now) == passes);
}

}  // namespace
}  // namespace sittuyin::service

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  sittuyin::service::CheckFrames({data, size});
  sittuyin::service::CheckBytes({reinterpret_cast<const char*>(data), size});
  return 0;
}
