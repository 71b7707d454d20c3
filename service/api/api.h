// The one core behind both doors.
#ifndef SITTUYIN_SERVICE_API_API_H_
#define SITTUYIN_SERVICE_API_API_H_

#include <functional>

#include "google/rpc/status.pb.h"
#include "service/admission/search_pool.h"
#include "service/api/call_context.h"
#include "service/handlers/settings.h"
#include "sittuyin/v1/sittuyin.pb.h"

namespace sittuyin::service {

// Answers every method of the contract. Doors call this and nothing else, and
// finish the call (Call::Finish) before they answer. Thread-safe.
class Api {
 public:
  // `pool` must outlive the Api.
  Api(HandlerSettings settings, SearchPool& pool);

  // At once, on the calling thread, in microseconds. The answer is to be used
  // only when the status is OK.
  google::rpc::Status ValidateMove(const CallContext& context,
                                   const v1::ValidateMoveRequest& request,
                                   v1::ValidateMoveResponse* answer) const;
  google::rpc::Status LegalMoves(const CallContext& context,
                                 const v1::LegalMovesRequest& request,
                                 v1::LegalMovesResponse* answer) const;
  google::rpc::Status GameStatus(const CallContext& context,
                                 const v1::GameStatusRequest& request,
                                 v1::GameStatusResponse* answer) const;
  google::rpc::Status ListRuleSets(const CallContext& context,
                                   const v1::ListRuleSetsRequest& request,
                                   v1::ListRuleSetsResponse* answer) const;

  // Search on the pool. `done` is called exactly once, on a thread of the
  // pool, or, for what is refused at once, on the calling one before the
  // method returns. Needs `context.caller`.
  using BestMoveDone =
      std::function<void(google::rpc::Status, v1::BestMoveResponse)>;
  void BestMove(CallContext context, const v1::BestMoveRequest& request,
                BestMoveDone done) const;

  // As BestMove; `write` is called before `done`, for each message in turn.
  using AnalyzeWrite = std::function<void(const v1::AnalyzeResponse&)>;
  using AnalyzeDone = std::function<void(google::rpc::Status)>;
  void Analyze(CallContext context, const v1::AnalyzeRequest& request,
               AnalyzeWrite write, AnalyzeDone done) const;

 private:
  const HandlerSettings settings_;
  SearchPool& pool_;
};

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_API_API_H_
