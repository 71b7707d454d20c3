// Keeps from gRPC what its HTTP/2 would let a client do without end.
#ifndef SITTUYIN_SERVICE_RPC_FRAME_GUARD_H_
#define SITTUYIN_SERVICE_RPC_FRAME_GUARD_H_

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string_view>
#include <vector>

namespace sittuyin::service {

// So many at once, and so many more with each second; what is earned beside
// that is kept up to a bound of its own. Thread-compatible.
class Allowance {
 public:
  using Time = std::chrono::steady_clock::time_point;

  Allowance(int most, int per_second) : Allowance(most, per_second, most) {}
  Allowance(int most, int per_second, int most_earned)
      : most_(most),
        per_second_(per_second),
        most_earned_(most_earned),
        left_(most) {}
  // One of them, at `now`, which never goes back. False when none is left.
  bool Take(Time now);
  // So many more, too, up to the most that may be earned.
  void Earn(int more);

 private:
  const int most_;
  const int per_second_;
  const int most_earned_;
  double left_;
  Time last_{};
};

// Resets of calls that have only just begun, by all connections together. gRPC
// has yet to get to such calls: each waits in memory. Thread-safe.
class RapidResets {
 public:
  bool Take(Allowance::Time now) {
    const std::lock_guard lock(mutex_);
    return allowance_.Take(now);
  }

 private:
  std::mutex mutex_;
  Allowance allowance_{2048, 2048};
};

// Calls that have begun and not ended, of all connections: each holds some
// kilobytes that gRPC's quota does not know of. Thread-safe.
class OpenCalls {
 public:
  // One more, by which its connection has `own`. False when they are too many
  // and it has more than its share.
  bool Begin(std::size_t own);
  // `count` of one connection, which has `left`.
  void End(std::size_t count, std::size_t left);

 private:
  std::atomic<std::size_t> calls_ = 0;
  std::atomic<std::size_t> connections_ = 0;  // Those that have calls.
};

// Finds the frames in what one side sends. Thread-compatible.
class FrameReader {
 public:
  // The first begins behind `skip` bytes.
  explicit FrameReader(std::size_t skip) : skip_(skip) {}

  // Takes the bytes up to behind the next frame's header; false where they end
  // before that.
  bool Next(std::string_view& bytes);
  // Of the frame that came last.
  std::size_t size() const { return skip_; }
  std::uint8_t type() const { return header_[3]; }
  std::uint8_t flags() const { return header_[4]; }
  std::uint32_t stream() const;

 private:
  static constexpr std::size_t kHeaderSize = 9;

  std::size_t skip_;           // Until the next frame's header.
  std::size_t collected_ = 0;  // Of the header.
  std::array<std::uint8_t, kHeaderSize> header_{};
};

// Reads along what one client sends, frame header by frame header, and which
// calls the server ends. gRPC 1.51 holds a client to its limits only once the
// client has acknowledged them, takes call metadata without end, waits for as
// large a message as is announced, counts no resets, and does not count what
// open calls hold: its memory would be the client's to fill. It also reads
// frames that ask for nothing as fast as they come: its time would be, too.
// Thread-compatible.
class FrameGuard {
 public:
  using Clock = std::chrono::steady_clock;

  // Both are those of all connections, and outlive it; null = it is alone.
  explicit FrameGuard(RapidResets* resets = nullptr, OpenCalls* calls = nullptr)
      : all_rapid_resets_(resets), all_calls_(calls) {}
  ~FrameGuard();
  FrameGuard(const FrameGuard&) = delete;
  FrameGuard& operator=(const FrameGuard&) = delete;

  // The next bytes, read at `now`. False when they go too far, and from then
  // on: the connection is to be ended.
  bool Pass(std::string_view bytes, Clock::time_point now);

  // Our limits are on their way: no acknowledgement before this is one of them.
  // From any thread.
  void LimitsSent() { limits_sent_ = true; }

  // The next bytes of the server. From any thread, one at a time.
  void Sent(std::string_view bytes);

 private:
  static constexpr std::size_t kPrefaceSize = 24;
  // As many as bring 4 MiB of data. Beside one or two of data, clients under
  // full load send 2 for each message of an answer, of which a call has up to
  // 65: updates of windows, by gRPC's C core and haproxy; grpc-go, grpc-java,
  // grpc-js and nginx send less than 0.1.
  static constexpr int kFramesOfCall = 256;

  using DataSizes = std::map<std::uint32_t, std::size_t>;

  bool PassFrame(Clock::time_point now);
  bool BeginCall();
  void EndCall(std::uint32_t stream);
  bool PassHeaders(bool end);
  bool PassMetadata(std::size_t size);
  bool PassData(bool ends, std::size_t size);
  bool PassReset(Clock::time_point now);
  void Forget(DataSizes::iterator call);

  FrameReader received_{kPrefaceSize};
  FrameReader sent_{0};
  std::size_t metadata_size_ = 0;  // Of the headers that came last.
  // Bytes of data of calls that the client has not ended, the oldest first.
  DataSizes data_sizes_;
  std::size_t data_size_ = 0;    // Their sum.
  std::size_t early_calls_ = 0;  // Headers without an acknowledgement.
  std::size_t early_metadata_size_ = 0;
  bool acknowledged_ = false;  // Our limits are.
  std::atomic<bool> limits_sent_ = false;
  bool broken_ = false;
  // The newest call, and the newest when last the clock was looked at.
  std::uint32_t newest_ = 0;
  std::uint32_t settled_ = 0;
  Clock::time_point settled_at_{};
  // Of every kind but those that begin a call, which earns more: a connection's
  // calls at a time, 256, earn the last figure.
  Allowance frames_{1024, 200, 256 * kFramesOfCall};
  Allowance resets_{400, 200};
  Allowance rapid_resets_{64, 64};  // Of this connection.
  RapidResets* const all_rapid_resets_;
  OpenCalls* const all_calls_;
  std::mutex mutex_;
  std::vector<std::uint32_t> open_calls_;  // Under mutex_.
  Allowance settings_{200, 50};
  Allowance pings_{200, 50};  // And more with each call.
};

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_RPC_FRAME_GUARD_H_
