#include "service/http/query_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "google/rpc/error_details.pb.h"
#include "service/errors/errors.h"
#include "sittuyin/v1/sittuyin.pb.h"

namespace sittuyin::service {
namespace {

using testing::StartsWith;

template <typename Request>
std::string RefusedField(const QueryParameters& query) {
  Request request;
  const google::rpc::Status status = ReadQuery(query, request);
  EXPECT_EQ(status.code(), 3);
  EXPECT_EQ(ReasonOf(status), "MALFORMED_REQUEST");
  google::rpc::BadRequest bad;
  for (const auto& detail : status.details()) {
    if (detail.UnpackTo(&bad)) return bad.field_violations(0).field();
  }
  return {};
}

TEST(QueryReaderTest, ReadQuery_EitherSpelling_FillsNestedFieldsAndLists) {
  v1::ValidateMoveRequest request;
  EXPECT_EQ(ReadQuery({{"game.rule_set", "RULE_SET_VCHESS"},
                       {"game.moves", "K@e1"},
                       {"game.initialFen", "8/8"},
                       {"game.moves", "K@e8"},
                       {"move", "e4"},
                       {"includeLegalMoves", "true"}},
                      request)
                .code(),
            0);
  EXPECT_EQ(request.game().rule_set(), v1::RULE_SET_VCHESS);
  EXPECT_EQ(request.game().initial_fen(), "8/8");
  ASSERT_EQ(request.game().moves_size(), 2);
  EXPECT_EQ(request.game().moves(0), "K@e1");
  EXPECT_EQ(request.game().moves(1), "K@e8");
  EXPECT_EQ(request.move(), "e4");
  EXPECT_TRUE(request.include_legal_moves());
}

TEST(QueryReaderTest, ReadQuery_EnumByNumber_IsKeptAsItIs) {
  v1::LegalMovesRequest request;
  EXPECT_EQ(ReadQuery({{"drop", "4"}, {"game.ruleSet", "77"}}, request).code(),
            0);
  EXPECT_EQ(request.drop(), v1::PIECE_TYPE_HORSE);
  EXPECT_EQ(static_cast<int>(request.game().rule_set()), 77);
  v1::LegalMovesRequest negative;
  EXPECT_EQ(ReadQuery({{"drop", "-1"}}, negative).code(), 0);
  EXPECT_EQ(static_cast<int>(negative.drop()), -1);
}

TEST(QueryReaderTest, ReadQuery_WholeNumbers_AreRead) {
  v1::BestMoveRequest request;
  EXPECT_EQ(ReadQuery({{"level", "4294967295"},
                       {"limits.nodes", "18446744073709551615"}},
                      request)
                .code(),
            0);
  EXPECT_EQ(request.level(), 4294967295u);
  EXPECT_EQ(request.limits().nodes(), 18446744073709551615u);
}

TEST(QueryReaderTest, ReadQuery_UnknownName_IsRefusedByName) {
  using Request = v1::ValidateMoveRequest;
  for (const char* name :
       {"", "x", "game", "game.", "game.x", ".move", "move.x", "game.moves.0",
        "game.moves[0]", "GAME.moves", "game..moves"}) {
    EXPECT_EQ(RefusedField<Request>({{name, "1"}}), name);
  }
}

TEST(QueryReaderTest, ReadQuery_UnknownName_ListsThoseThereAre) {
  v1::LegalMovesRequest legal_moves;
  EXPECT_EQ(ReadQuery({{"game.moves", "K@e2"}, {"from", "e2"}}, legal_moves)
                .message(),
            "from: there is no such parameter; the parameters here are: "
            "game.ruleSet, game.initialFen, game.moves, fromSquare, drop.");
  v1::ListRuleSetsRequest list_rule_sets;
  EXPECT_EQ(ReadQuery({{"x", ""}}, list_rule_sets).message(),
            "x: there is no such parameter; the parameters here are: none.");
}

TEST(QueryReaderTest, ReadQuery_ValueThatDoesNotFit_IsRefused) {
  EXPECT_EQ(RefusedField<v1::GameStatusRequest>({{"includeLegalMoves", "1"}}),
            "include_legal_moves");
  EXPECT_EQ(RefusedField<v1::GameStatusRequest>({{"game.ruleSet", "VCHESS"}}),
            "game.rule_set");
  EXPECT_EQ(RefusedField<v1::GameStatusRequest>({{"game.moves", "\xff"}}),
            "game.moves");
  for (const char* text : {"", "-1", "+1", "1.0", " 1", "4294967296", "1x"}) {
    EXPECT_EQ(RefusedField<v1::BestMoveRequest>({{"level", text}}), "level");
  }
}

TEST(QueryReaderTest, ReadQuery_ValueThatDoesNotFit_SaysWhatWould) {
  v1::LegalMovesRequest request;
  EXPECT_THAT(ReadQuery({{"drop", "CHARIOT"}}, request).message(),
              StartsWith("drop: want one of PIECE_TYPE_UNSPECIFIED, "
                         "PIECE_TYPE_KING, "));
}

TEST(QueryReaderTest, ReadQuery_SecondValue_IsRefusedInEitherSpelling) {
  EXPECT_EQ(
      RefusedField<v1::ValidateMoveRequest>({{"move", "a"}, {"move", "a"}}),
      "move");
  EXPECT_EQ(RefusedField<v1::GameStatusRequest>(
                {{"game.initial_fen", "a"}, {"game.initialFen", "a"}}),
            "game.initial_fen");
  v1::ValidateMoveRequest request;
  EXPECT_EQ(ReadQuery({{"move", "a"}, {"move", "a"}}, request).message(),
            "move: given twice, want it once.");
}

}  // namespace
}  // namespace sittuyin::service
