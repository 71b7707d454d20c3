#include "service/api/api.h"

#include <utility>

#include "service/handlers/analyze.h"
#include "service/handlers/best_move.h"
#include "service/handlers/game_status.h"
#include "service/handlers/legal_moves.h"
#include "service/handlers/list_rule_sets.h"
#include "service/handlers/validate_move.h"

namespace sittuyin::service {

using google::rpc::Status;

Api::Api(HandlerSettings settings, SearchPool& pool)
    : settings_(std::move(settings)), pool_(pool) {}

Status Api::ValidateMove(const CallContext& context,
                         const v1::ValidateMoveRequest& request,
                         v1::ValidateMoveResponse* answer) const {
  return HandleValidateMove(settings_, context.call, request, answer);
}

Status Api::LegalMoves(const CallContext& context,
                       const v1::LegalMovesRequest& request,
                       v1::LegalMovesResponse* answer) const {
  return HandleLegalMoves(settings_, context.call, request, answer);
}

Status Api::GameStatus(const CallContext& context,
                       const v1::GameStatusRequest& request,
                       v1::GameStatusResponse* answer) const {
  return HandleGameStatus(settings_, context.call, request, answer);
}

Status Api::ListRuleSets(const CallContext&, const v1::ListRuleSetsRequest&,
                         v1::ListRuleSetsResponse* answer) const {
  return HandleListRuleSets(answer);
}

void Api::BestMove(CallContext context, const v1::BestMoveRequest& request,
                   BestMoveDone done) const {
  HandleBestMove(settings_, pool_, std::move(context), request,
                 std::move(done));
}

void Api::Analyze(CallContext context, const v1::AnalyzeRequest& request,
                  AnalyzeWrite write, AnalyzeDone done) const {
  HandleAnalyze(settings_, pool_, std::move(context), request, std::move(write),
                std::move(done));
}

}  // namespace sittuyin::service
