// The method ValidateMove.
#ifndef SITTUYIN_SERVICE_HANDLERS_VALIDATE_MOVE_H_
#define SITTUYIN_SERVICE_HANDLERS_VALIDATE_MOVE_H_

#include "google/rpc/status.pb.h"
#include "service/handlers/settings.h"
#include "service/telemetry/call.h"
#include "sittuyin/v1/sittuyin.pb.h"

namespace sittuyin::service {

// An illegal move is an answer: its reason is noted in `call`.
google::rpc::Status HandleValidateMove(const HandlerSettings& settings,
                                       Call& call,
                                       const v1::ValidateMoveRequest& request,
                                       v1::ValidateMoveResponse* answer);

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_HANDLERS_VALIDATE_MOVE_H_
