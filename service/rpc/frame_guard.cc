#include "service/rpc/frame_guard.h"

#include <algorithm>

namespace sittuyin::service {
namespace {

enum FrameType : std::uint8_t {
  kData = 0,
  kHeaders = 1,
  kReset = 3,
  kSettings = 4,
  kPing = 6,
  kContinuation = 9,
};
constexpr std::uint8_t kAck = 1;
constexpr std::uint8_t kEndStream = 1;

// As it is sent: four times what gRPC takes of it.
constexpr std::size_t kMostMetadata = 32 << 10;
// What a frame that goes on with it counts as, at least: gRPC holds each to its
// limit anew, and a byte may stand for a field.
constexpr std::size_t kMoreMetadata = 16 << 10;
// Of all calls without an acknowledgement: gRPC takes 16 MiB of each frame.
constexpr std::size_t kMostEarlyMetadata = 128 << 10;
// Of all messages of a call, and of all calls that the client has not ended:
// far more than they may have, so that gRPC can refuse them one by one.
constexpr std::size_t kMostData = 4 << 20;
constexpr std::size_t kMostDataAtOnce = 32 << 20;
// Of calls that are watched; beyond it the data of the oldest count on for all.
constexpr std::size_t kMostWatched = 1024;
constexpr int kPingsOfCall = 32;
// A call younger than this has only just begun.
constexpr std::chrono::milliseconds kRapid(10);
// Twice what a connection may have at a time.
constexpr int kMostEarlyCalls = 512;

}  // namespace

bool Allowance::Take(Time now) {
  const std::chrono::duration<double> passed = now - last_;
  last_ = now;
  left_ = std::max(
      left_, std::min<double>(most_, left_ + passed.count() * per_second_));
  if (left_ < 1) return false;
  left_ -= 1;
  return true;
}

void Allowance::Earn(int more) {
  left_ = std::min<double>(most_earned_, left_ + more);
}

bool FrameGuard::Pass(std::string_view bytes, Clock::time_point now) {
  if (now - settled_at_ >= kRapid) {
    settled_ = newest_;
    settled_at_ = now;
  }
  while (!broken_ && !bytes.empty()) {
    const std::size_t skipped = std::min(skip_, bytes.size());
    skip_ -= skipped;
    bytes.remove_prefix(skipped);
    const std::size_t taken = std::min(kHeaderSize - collected_, bytes.size());
    std::copy_n(bytes.data(), taken, header_.data() + collected_);
    collected_ += taken;
    bytes.remove_prefix(taken);
    if (collected_ < kHeaderSize) break;
    collected_ = 0;
    skip_ = std::size_t{header_[0]} << 16 | header_[1] << 8 | header_[2];
    broken_ = !PassFrame(now);
  }
  return !broken_;
}

bool FrameGuard::PassFrame(Clock::time_point now) {
  if (header_[3] == kHeaders && Stream() > newest_) {
    BeginCall();
  } else if (!frames_.Take(now)) {
    return false;
  }
  const bool is_ack = (header_[4] & kAck) != 0;
  switch (header_[3]) {
    case kData:
      return PassData((header_[4] & kEndStream) != 0, skip_);
    case kHeaders:
      metadata_size_ = 0;
      return PassHeaders((header_[4] & kEndStream) != 0) && PassMetadata(skip_);
    case kContinuation:
      return PassMetadata(std::max(skip_, kMoreMetadata));
    case kReset:
      return PassReset(now);
    case kSettings:
      acknowledged_ |= is_ack && limits_sent_;
      return is_ack || settings_.Take(now);
    case kPing:
      return is_ack || pings_.Take(now);
    default:
      return true;
  }
}

std::uint32_t FrameGuard::Stream() const {
  return std::uint32_t{header_[5] & 0x7fu} << 24 | header_[6] << 16 |
         header_[7] << 8 | header_[8];
}

void FrameGuard::BeginCall() {
  newest_ = Stream();
  frames_.Earn(kFramesOfCall);
  // Go's clients measure their window with a ping as answers come.
  pings_.Earn(kPingsOfCall);
}

bool FrameGuard::PassHeaders(bool end) {
  if (end) Forget(data_sizes_.find(Stream()));
  // Those of an even stream begin no call to gRPC, which reads on.
  return Stream() % 2 == 1 &&
         (acknowledged_ || ++early_calls_ <= kMostEarlyCalls);
}

bool FrameGuard::PassData(bool ends, std::size_t size) {
  if (ends && data_sizes_.empty()) return size <= kMostData;
  const auto call = data_sizes_.try_emplace(Stream(), 0).first;
  call->second += size;
  data_size_ += size;
  const bool passes =
      call->second <= kMostData && data_size_ <= kMostDataAtOnce;
  if (ends) Forget(call);
  if (data_sizes_.size() > kMostWatched) data_sizes_.erase(data_sizes_.begin());
  return passes;
}

bool FrameGuard::PassReset(Clock::time_point now) {
  Forget(data_sizes_.find(Stream()));
  if (!resets_.Take(now)) return false;
  if (Stream() <= settled_) return true;
  return rapid_resets_.Take(now) &&
         (all_rapid_resets_ == nullptr || all_rapid_resets_->Take(now));
}

void FrameGuard::Forget(DataSizes::iterator call) {
  if (call == data_sizes_.end()) return;
  data_size_ -= call->second;
  data_sizes_.erase(call);
}

bool FrameGuard::PassMetadata(std::size_t size) {
  metadata_size_ += size;
  if (!acknowledged_) early_metadata_size_ += size;
  return metadata_size_ <= kMostMetadata &&
         early_metadata_size_ <= kMostEarlyMetadata;
}

}  // namespace sittuyin::service
