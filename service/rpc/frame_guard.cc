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
// Of all connections; beyond it each may have its share, and these.
constexpr std::size_t kManyCalls = 8192;
constexpr std::size_t kFewCalls = 8;
// Twice what a connection may have at a time. So many may it begin without an
// acknowledgement; and leave open, for gRPC passes over those that come once it
// has asked the client to connect anew, however many they are.
constexpr std::size_t kMostCalls = 512;

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

bool OpenCalls::Begin(std::size_t own) {
  const std::size_t calls = ++calls_;
  if (own == 1) ++connections_;
  return calls <= kManyCalls || own <= kFewCalls + kManyCalls / connections_;
}

void OpenCalls::End(std::size_t count, std::size_t left) {
  calls_ -= count;
  if (left == 0) --connections_;
}

bool FrameReader::Next(std::string_view& bytes) {
  const std::size_t skipped = std::min(skip_, bytes.size());
  skip_ -= skipped;
  bytes.remove_prefix(skipped);
  const std::size_t taken = std::min(kHeaderSize - collected_, bytes.size());
  std::copy_n(bytes.data(), taken, header_.data() + collected_);
  collected_ += taken;
  bytes.remove_prefix(taken);
  if (collected_ < kHeaderSize) return false;
  collected_ = 0;
  skip_ = std::size_t{header_[0]} << 16 | header_[1] << 8 | header_[2];
  return true;
}

std::uint32_t FrameReader::stream() const {
  return std::uint32_t{header_[5] & 0x7fu} << 24 | header_[6] << 16 |
         header_[7] << 8 | header_[8];
}

FrameGuard::~FrameGuard() {
  if (all_calls_ != nullptr && !open_calls_.empty()) {
    all_calls_->End(open_calls_.size(), 0);
  }
}

bool FrameGuard::Pass(std::string_view bytes, Clock::time_point now) {
  if (now - settled_at_ >= kRapid) {
    settled_ = newest_;
    settled_at_ = now;
  }
  while (!broken_ && received_.Next(bytes)) broken_ = !PassFrame(now);
  return !broken_;
}

void FrameGuard::Sent(std::string_view bytes) {
  while (sent_.Next(bytes)) {
    const bool ends = sent_.type() == kReset ||
                      ((sent_.type() == kHeaders || sent_.type() == kData) &&
                       (sent_.flags() & kEndStream) != 0);
    if (ends) EndCall(sent_.stream());
  }
}

bool FrameGuard::PassFrame(Clock::time_point now) {
  if (received_.type() == kHeaders && received_.stream() > newest_) {
    if (!BeginCall()) return false;
  } else if (!frames_.Take(now)) {
    return false;
  }
  const bool is_ack = (received_.flags() & kAck) != 0;
  const bool ends = (received_.flags() & kEndStream) != 0;
  switch (received_.type()) {
    case kData:
      return PassData(ends, received_.size());
    case kHeaders:
      metadata_size_ = 0;
      return PassHeaders(ends) && PassMetadata(received_.size());
    case kContinuation:
      return PassMetadata(std::max(received_.size(), kMoreMetadata));
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

bool FrameGuard::BeginCall() {
  newest_ = received_.stream();
  frames_.Earn(kFramesOfCall);
  // Go's clients measure their window with a ping as answers come.
  pings_.Earn(kPingsOfCall);
  const std::lock_guard lock(mutex_);
  open_calls_.push_back(newest_);
  return (all_calls_ == nullptr || all_calls_->Begin(open_calls_.size())) &&
         open_calls_.size() <= kMostCalls;
}

void FrameGuard::EndCall(std::uint32_t stream) {
  const std::lock_guard lock(mutex_);
  const auto call = std::ranges::find(open_calls_, stream);
  if (call == open_calls_.end()) return;
  open_calls_.erase(call);
  if (all_calls_ != nullptr) all_calls_->End(1, open_calls_.size());
}

bool FrameGuard::PassHeaders(bool end) {
  if (end) Forget(data_sizes_.find(received_.stream()));
  // Those of an even stream begin no call to gRPC, which reads on.
  return received_.stream() % 2 == 1 &&
         (acknowledged_ || ++early_calls_ <= kMostCalls);
}

bool FrameGuard::PassData(bool ends, std::size_t size) {
  if (ends && data_sizes_.empty()) return size <= kMostData;
  const auto call = data_sizes_.try_emplace(received_.stream(), 0).first;
  call->second += size;
  data_size_ += size;
  const bool passes =
      call->second <= kMostData && data_size_ <= kMostDataAtOnce;
  if (ends) Forget(call);
  if (data_sizes_.size() > kMostWatched) data_sizes_.erase(data_sizes_.begin());
  return passes;
}

bool FrameGuard::PassReset(Clock::time_point now) {
  Forget(data_sizes_.find(received_.stream()));
  EndCall(received_.stream());
  if (!resets_.Take(now)) return false;
  if (received_.stream() <= settled_) return true;
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
