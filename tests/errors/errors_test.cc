#include "service/errors/errors.h"

#include <gmock/gmock.h>
#include <grpcpp/support/status.h>
#include <gtest/gtest.h>

#include <set>
#include <string_view>

#include "service/errors/reason.h"
#include "tests/testing/equals_proto.h"

namespace sittuyin::service {
namespace {

using google::rpc::Status;
using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(ErrorsTest, MalformedFen_Message_NamesField) {
  EXPECT_THAT(MalformedFen("game.initial_fen", {"There is no rank 8."}),
              EqualsProto(R"pb(
                code: 3
                message: "game.initial_fen: There is no rank 8."
                details {
                  [type.googleapis.com/google.rpc.ErrorInfo] {
                    reason: "MALFORMED_FEN"
                    domain: "sittuyin.v1"
                  }
                }
                details {
                  [type.googleapis.com/google.rpc.BadRequest] {
                    field_violations {
                      field: "game.initial_fen"
                      description: "There is no rank 8."
                    }
                  }
                })pb"));
}

TEST(ErrorsTest, ImpossiblePosition_Problems_HasOneViolationForEach) {
  EXPECT_THAT(
      ImpossiblePosition("game.initial_fen",
                         {{SetupFault::kNoKing, Color::kRed, "Red lacks."},
                          {SetupFault::kNoKing, Color::kBlack, "Black lacks."},
                          {SetupFault::kKingsAdjacent, {}, "Kings touch."}}),
      EqualsProto(R"pb(
        code: 3
        message: "game.initial_fen: the position is impossible: NO_KING (Red), NO_KING (Black), KINGS_ADJACENT."
        details {
          [type.googleapis.com/google.rpc.ErrorInfo] {
            reason: "IMPOSSIBLE_POSITION"
            domain: "sittuyin.v1"
          }
        }
        details {
          [type.googleapis.com/google.rpc.BadRequest] {
            field_violations {
              field: "game.initial_fen"
              description: "NO_KING: Red lacks."
            }
            field_violations {
              field: "game.initial_fen"
              description: "NO_KING: Black lacks."
            }
            field_violations {
              field: "game.initial_fen"
              description: "KINGS_ADJACENT: Kings touch."
            }
          }
        })pb"));
}

TEST(ErrorsTest, IllegalMoveInHistory_Violation_NamesPlyAndReason) {
  const Violation violation{ViolationReason::kMustDeploy, Bit(Square{4})};
  Status expected;
  const Status status = IllegalMoveInHistory(17, violation);
  EXPECT_EQ(status.message(), "game.moves[17]: " + Describe(violation));
  EXPECT_THAT(status.details(0), EqualsProto(R"pb(
                [type.googleapis.com/google.rpc.ErrorInfo] {
                  reason: "ILLEGAL_MOVE_IN_HISTORY"
                  domain: "sittuyin.v1"
                  metadata { key: "ply" value: "17" }
                  metadata { key: "violation" value: "MUST_DEPLOY" }
                })pb"));
}

TEST(ErrorsTest, FieldOutOfRange_Want_SaysWhatToSend) {
  EXPECT_THAT(
      FieldOutOfRange("level", "0 to 10"), EqualsProto(R"pb(
        code: 3
        message: "level: want 0 to 10."
        details {
          [type.googleapis.com/google.rpc.ErrorInfo] {
            reason: "FIELD_OUT_OF_RANGE"
            domain: "sittuyin.v1"
          }
        }
        details {
          [type.googleapis.com/google.rpc.BadRequest] {
            field_violations { field: "level" description: "want 0 to 10." }
          }
        })pb"));
}

TEST(ErrorsTest, SearchQueueFull_Delay_TravelsAsRetryInfo) {
  EXPECT_THAT(SearchQueueFull(milliseconds(1500)), EqualsProto(R"pb(
                code: 14
                message: "Too many searches are waiting: try again later."
                details {
                  [type.googleapis.com/google.rpc.ErrorInfo] {
                    reason: "SEARCH_QUEUE_FULL"
                    domain: "sittuyin.v1"
                  }
                }
                details {
                  [type.googleapis.com/google.rpc.RetryInfo] {
                    retry_delay { seconds: 1 nanos: 500000000 }
                  }
                })pb"));
}

TEST(ErrorsTest, NoTurnBeforeDeadline_Delay_TravelsAsRetryInfo) {
  EXPECT_THAT(NoTurnBeforeDeadline(seconds(2)).details(1), EqualsProto(R"pb(
                [type.googleapis.com/google.rpc.RetryInfo] {
                  retry_delay { seconds: 2 }
                })pb"));
}

TEST(ErrorsTest, QuotaExceeded_Delay_TravelsWithTheQuota) {
  EXPECT_THAT(
      QuotaExceeded(milliseconds(250)), EqualsProto(R"pb(
        code: 8
        message: "You call more often than you may: wait."
        details {
          [type.googleapis.com/google.rpc.ErrorInfo] {
            reason: "QUOTA_EXCEEDED"
            domain: "sittuyin.v1"
          }
        }
        details {
          [type.googleapis.com/google.rpc.RetryInfo] {
            retry_delay { nanos: 250000000 }
          }
        }
        details {
          [type.googleapis.com/google.rpc.QuotaFailure] {
            violations {
              subject: "caller"
              description: "More requests per second than a caller may send."
            }
          }
        })pb"));
}

struct Case {
  Status status;
  int code;
  int http;
  std::string reason;
};

TEST(ErrorsTest, EveryRefusal_CodeHttpAndReason_AreTheContracts) {
  const Violation violation{ViolationReason::kGameOver, 0};
  const Case cases[] = {
      {Status(), 0, 200, ""},
      {Cancelled(), 1, 499, ""},
      {MessageCutShort(), 1, 499, ""},
      {MalformedFen("f", {"m"}), 3, 400, "MALFORMED_FEN"},
      {ImpossiblePosition("f", {{SetupFault::kNoKing, Color::kRed, "m"}}), 3,
       400, "IMPOSSIBLE_POSITION"},
      {IllegalMoveInHistory(0, violation), 3, 400, "ILLEGAL_MOVE_IN_HISTORY"},
      {FieldOutOfRange("f", "m"), 3, 400, "FIELD_OUT_OF_RANGE"},
      {MalformedRequest("", "m"), 3, 400, "MALFORMED_REQUEST"},
      {MalformedRequest("f", "m"), 3, 400, "MALFORMED_REQUEST"},
      {BodyTooLarge(65536), 3, 413, "FIELD_OUT_OF_RANGE"},
      {BodyEncoded("gzip"), 3, 415, "MALFORMED_REQUEST"},
      {DeadlineExceeded(), 4, 504, "DEADLINE_EXCEEDED"},
      {NoTurnBeforeDeadline(milliseconds(1)), 4, 504, "DEADLINE_EXCEEDED"},
      {UnknownPath("/x", "look elsewhere"), 5, 404, "MALFORMED_REQUEST"},
      {GameFinished(Termination::kCheckmate), 9, 400, "GAME_FINISHED"},
      {MessageTooLarge(65536), 8, 429, ""},
      {QuotaExceeded(milliseconds(1)), 8, 429, "QUOTA_EXCEEDED"},
      {MethodNotAllowed("/x", "POST"), 12, 405, "MALFORMED_REQUEST"},
      {UnknownMethod("m"), 12, 405, "MALFORMED_REQUEST"},
      {Internal(), 13, 500, "INTERNAL"},
      {SearchQueueFull(milliseconds(1)), 14, 503, "SEARCH_QUEUE_FULL"},
      {Draining(milliseconds(1)), 14, 503, "DRAINING"},
      {Unauthenticated("m"), 16, 401, "UNAUTHENTICATED"},
  };
  std::set<std::string_view> given;
  for (const Case& c : cases) {
    SCOPED_TRACE(c.status.ShortDebugString());
    if (!c.reason.empty()) given.insert(c.reason);
    EXPECT_EQ(c.status.code(), c.code);
    EXPECT_EQ(HttpCode(c.status), c.http);
    EXPECT_EQ(ReasonOf(c.status), c.reason);
    EXPECT_EQ(c.status.message().empty(), c.code == 0);
  }
  EXPECT_THAT(given, testing::UnorderedElementsAreArray(kReasonNames));
}

TEST(ErrorsTest, HttpCode_EveryGrpcCode_IsMapped) {
  const int expected[] = {200, 499, 500, 400, 504, 404, 500, 500, 429,
                          400, 500, 500, 405, 500, 503, 500, 401};
  for (int code = 0; code < 17; ++code) {
    Status status;
    status.set_code(code);
    EXPECT_EQ(HttpCode(status), expected[code]) << code;
  }
  for (const int code : {-1, 17, 1000}) {
    Status status;
    status.set_code(code);
    EXPECT_EQ(HttpCode(status), 500) << code;
  }
}

}  // namespace
}  // namespace sittuyin::service
