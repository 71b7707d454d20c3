#include "service/rpc/search_reactors.h"

#include <utility>

#include "service/rpc/wire.h"

namespace sittuyin::service {

BestMoveReactor::BestMoveReactor(grpc::CallbackServerContext& context,
                                 std::unique_ptr<Call> call,
                                 std::function<std::string()> namer,
                                 OpenSearches& open, grpc::ByteBuffer* answer)
    : context_(context),
      call_(std::move(call)),
      namer_(std::move(namer)),
      open_(open),
      answer_(answer) {
  open_.Opened();
}

void BestMoveReactor::Done(const google::rpc::Status& status,
                           const v1::BestMoveResponse& answer) {
  if (status.code() == grpc::StatusCode::OK) *answer_ = ToBytes(answer);
  call_->Finish(status, namer_);
  Finish(EndOf(context_, status));
}

void BestMoveReactor::OnCancel() { caller_->Leave(); }

void BestMoveReactor::OnDone() {
  OpenSearches& open = open_;
  delete this;
  open.Closed();
}

AnalyzeReactor::AnalyzeReactor(grpc::CallbackServerContext& context,
                               std::unique_ptr<Call> call,
                               std::function<std::string()> namer,
                               OpenSearches& open)
    : context_(context),
      call_(std::move(call)),
      namer_(std::move(namer)),
      open_(open) {
  open_.Opened();
}

void AnalyzeReactor::Write(const v1::AnalyzeResponse& answer) {
  const grpc::ByteBuffer* first = nullptr;
  {
    std::lock_guard lock(mutex_);
    unsent_.push_back(ToBytes(answer));
    if (unsent_.size() > 1) return;
    first = &unsent_.front();
  }
  StartWrite(first);
}

void AnalyzeReactor::Done(const google::rpc::Status& status) {
  call_->Finish(status, namer_);
  grpc::Status end = EndOf(context_, status);
  {
    std::lock_guard lock(mutex_);
    if (!unsent_.empty()) {
      end_ = std::move(end);
      return;
    }
  }
  Finish(std::move(end));
}

void AnalyzeReactor::OnWriteDone(bool ok) {
  const grpc::ByteBuffer* next = nullptr;
  std::optional<grpc::Status> end;
  {
    std::lock_guard lock(mutex_);
    if (ok) {
      unsent_.pop_front();
    } else {
      unsent_.clear();  // The caller has left.
    }
    if (unsent_.empty()) {
      end = std::exchange(end_, std::nullopt);
    } else {
      next = &unsent_.front();
    }
  }
  if (next != nullptr) StartWrite(next);
  if (end) Finish(*end);
}

void AnalyzeReactor::OnCancel() { caller_->Leave(); }

void AnalyzeReactor::OnDone() {
  OpenSearches& open = open_;
  delete this;
  open.Closed();
}

}  // namespace sittuyin::service
