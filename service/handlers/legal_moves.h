// The method LegalMoves.
#ifndef SITTUYIN_SERVICE_HANDLERS_LEGAL_MOVES_H_
#define SITTUYIN_SERVICE_HANDLERS_LEGAL_MOVES_H_

#include "google/rpc/status.pb.h"
#include "service/handlers/settings.h"
#include "service/telemetry/call.h"
#include "sittuyin/v1/sittuyin.pb.h"

namespace sittuyin::service {

// Filters that exclude each other and text that is no square are refused.
google::rpc::Status HandleLegalMoves(const HandlerSettings& settings,
                                     Call& call,
                                     const v1::LegalMovesRequest& request,
                                     v1::LegalMovesResponse* answer);

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_HANDLERS_LEGAL_MOVES_H_
