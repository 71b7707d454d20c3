// One call that came through the REST door.
#ifndef SITTUYIN_SERVICE_HTTP_REST_CALL_H_
#define SITTUYIN_SERVICE_HTTP_REST_CALL_H_

#include <google/protobuf/message.h>

#include <memory>
#include <optional>
#include <string>

#include "google/rpc/status.pb.h"
#include "service/access/gate.h"
#include "service/api/call_context.h"
#include "service/api/caller.h"
#include "service/http/exchange.h"
#include "service/http/routes.h"
#include "service/telemetry/call.h"
#include "service/telemetry/telemetry.h"

namespace sittuyin::service {

// Ties an HTTP exchange to a call of the core. Read first, on the exchange's
// thread; then either Finish, or WriteLine for each message and FinishLines,
// from any one thread at a time.
class RestCall {
 public:
  // `route`, `telemetry` and `gate`, which may be null and names the caller,
  // must outlive the call.
  RestCall(const Route& route, Telemetry& telemetry, const Gate* gate,
           std::shared_ptr<Exchange> exchange);

  // Fills `request` from the body or the query. False when it cannot be read;
  // then the call has been refused and is over.
  bool Read(google::protobuf::Message& request);

  // Ends the call without having read it.
  void Refuse(const google::rpc::Status& status);

  // For the core, of a call that is answered at once.
  CallContext Context();
  // The same of one that searches, which is stopped when the client leaves.
  CallContext SearchContext();

  // Answers with `answer` when `status` is OK, else with the refusal.
  void Finish(const google::rpc::Status& status,
              const google::protobuf::Message& answer);

  // Sends `message` as a line of its own (application/x-ndjson).
  void WriteLine(const google::protobuf::Message& message);
  // Ends the lines, with one more, `{"error": <status>}`, unless `status` is
  // OK. Without a line before, answers with the refusal.
  void FinishLines(const google::rpc::Status& status);

 private:
  google::rpc::Status ReadRequest(google::protobuf::Message& request);
  // `code` is HTTP's.
  void FinishCall(const google::rpc::Status& status, int code);
  std::string NameCaller() const;

  const Route& route_;
  const Gate* const gate_;
  const std::shared_ptr<Exchange> exchange_;
  const std::unique_ptr<Call> call_;
  std::optional<std::chrono::steady_clock::time_point> deadline_;
  std::shared_ptr<Caller> caller_;
  std::string caller_name_;  // Of a call that searches.
  bool has_lines_ = false;
};

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_HTTP_REST_CALL_H_
