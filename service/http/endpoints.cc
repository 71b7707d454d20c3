#include "service/http/endpoints.h"

#include <array>
#include <cstddef>

namespace sittuyin::service {
namespace {

using google::rpc::Status;
using Endpoint = void (*)(const Api&, const std::shared_ptr<RestCall>&);

template <typename Request, typename Answer, auto kMethod>
void AnswerAtOnce(const Api& api, const std::shared_ptr<RestCall>& call) {
  Request request;
  if (!call->Read(request)) return;
  Answer answer;
  const Status status = (api.*kMethod)(call->Context(), request, &answer);
  call->Finish(status, answer);
}

void BestMove(const Api& api, const std::shared_ptr<RestCall>& call) {
  v1::BestMoveRequest request;
  if (!call->Read(request)) return;
  api.BestMove(
      call->SearchContext(), request,
      [call](const Status& status, const v1::BestMoveResponse& answer) {
        call->Finish(status, answer);
      });
}

void Analyze(const Api& api, const std::shared_ptr<RestCall>& call) {
  v1::AnalyzeRequest request;
  if (!call->Read(request)) return;
  api.Analyze(
      call->SearchContext(), request,
      [call](const v1::AnalyzeResponse& message) { call->WriteLine(message); },
      [call](const Status& status) { call->FinishLines(status); });
}

// In the order of Method.
constexpr std::array<Endpoint, kMethodNames.size()> kEndpoints = {
    AnswerAtOnce<v1::ValidateMoveRequest, v1::ValidateMoveResponse,
                 &Api::ValidateMove>,
    AnswerAtOnce<v1::LegalMovesRequest, v1::LegalMovesResponse,
                 &Api::LegalMoves>,
    AnswerAtOnce<v1::GameStatusRequest, v1::GameStatusResponse,
                 &Api::GameStatus>,
    BestMove,
    AnswerAtOnce<v1::ListRuleSetsRequest, v1::ListRuleSetsResponse,
                 &Api::ListRuleSets>,
    Analyze};

}  // namespace

void CallApi(const Api& api, Method method,
             const std::shared_ptr<RestCall>& call) {
  kEndpoints[static_cast<std::size_t>(method)](api, call);
}

}  // namespace sittuyin::service
