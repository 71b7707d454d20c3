#include "service/convert/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "google/protobuf/util/time_util.h"
#include "service/convert/enums.h"
#include "service/convert/game.h"
#include "service/convert/move.h"
#include "service/errors/errors.h"
#include "service/errors/wanted.h"

namespace sittuyin::service {
namespace {

using google::protobuf::Duration;
using google::protobuf::RepeatedPtrField;
using google::protobuf::util::TimeUtil;
using google::rpc::Status;
using std::chrono::nanoseconds;

bool IsPossible(const Duration& duration) {
  return duration.seconds() >= 0 &&
         duration.seconds() <= TimeUtil::kDurationMaxSeconds &&
         duration.nanos() >= 0 && duration.nanos() < 1'000'000'000;
}

// `duration` cut to `longest`, so that nothing overflows.
nanoseconds Cut(const Duration& duration, nanoseconds longest) {
  const std::chrono::seconds whole(duration.seconds());
  // Many a possible duration overflows in nanoseconds.
  if (whole > std::chrono::floor<std::chrono::seconds>(longest)) return longest;
  return std::min(longest, whole + nanoseconds(duration.nanos()));
}

std::optional<Status> ReadSearchLimits(const v1::SearchLimits& request,
                                       const MoveTimePolicy& policy,
                                       SearchLimits* limits) {
  if (!IsPossible(request.move_time())) {
    return FieldOutOfRange(
        "limits.move_time",
        fmt::format("0 s or more (over {0:g} s is cut to {0:g} s), with nanos "
                    "from 0 to 999999999",
                    std::chrono::duration<double>(policy.longest).count()));
  }
  if (auto over = RefuseOver("limits.depth", request.depth())) return over;
  const nanoseconds asked = Cut(request.move_time(), policy.longest);
  if (request.depth() != 0) limits->depth = static_cast<int>(request.depth());
  if (request.nodes() != 0) limits->nodes = request.nodes();
  const bool unlimited = asked == nanoseconds::zero() && request.depth() == 0 &&
                         request.nodes() == 0;
  if (unlimited) {
    limits->move_time = policy.when_unlimited;
  } else {
    limits->move_time = asked == nanoseconds::zero() ? policy.longest : asked;
  }
  return std::nullopt;
}

std::optional<Status> ReadMultiPv(std::uint32_t lines, SearchLimits* limits) {
  if (auto over = RefuseOver("multi_pv", lines)) return over;
  limits->multi_pv = std::max(1, static_cast<int>(lines));
  return std::nullopt;
}

Duration DurationOf(nanoseconds time) {
  return TimeUtil::NanosecondsToDuration(time.count());
}

void WriteScore(const Score& score, v1::Score* answer) {
  if (score.mate_in_moves != 0) {
    answer->set_mate_in_moves(score.mate_in_moves);
  } else {
    answer->set_centipawns(score.centipawns);
  }
  v1::WinDrawLoss* wdl = answer->mutable_wdl();
  wdl->set_win(static_cast<std::uint32_t>(score.win));
  wdl->set_draw(static_cast<std::uint32_t>(score.draw));
  wdl->set_loss(static_cast<std::uint32_t>(score.loss));
}

void WriteLines(const Position& position, const std::vector<SearchLine>& lines,
                RepeatedPtrField<v1::Line>* answer) {
  for (const SearchLine& line : lines) {
    v1::Line* written = answer->Add();
    WriteScore(line.score, written->mutable_score());
    written->set_depth(static_cast<std::uint32_t>(line.depth));
    Position along = position;
    for (const Move move : line.moves) {
      WriteMove(along, move, written->add_moves());
      along.Make(move);
    }
  }
}

}  // namespace

std::optional<Status> ReadLimits(const v1::BestMoveRequest& request,
                                 const MoveTimePolicy& policy,
                                 SearchLimits* limits) {
  if (auto over = RefuseOver("level", request.level())) return over;
  limits->level = static_cast<int>(request.level());
  if (auto refusal = ReadMultiPv(request.multi_pv(), limits)) return refusal;
  return ReadSearchLimits(request.limits(), policy, limits);
}

std::optional<Status> ReadLimits(const v1::AnalyzeRequest& request,
                                 const MoveTimePolicy& policy,
                                 SearchLimits* limits) {
  if (auto refusal = ReadMultiPv(request.multi_pv(), limits)) return refusal;
  return ReadSearchLimits(request.limits(), policy, limits);
}

void WriteResult(const Game& game, const SearchResult& result,
                 v1::BestMoveResponse* answer) {
  const Position& position = game.position();
  WriteMove(position, result.best, answer->mutable_best());
  if (result.ponder) {
    Position after = position;
    after.Make(result.best);
    WriteMove(after, *result.ponder, answer->mutable_ponder());
  }
  WriteLines(position, result.lines, answer->mutable_lines());
  answer->set_depth(static_cast<std::uint32_t>(result.depth));
  answer->set_nodes(result.nodes);
  *answer->mutable_elapsed() = DurationOf(result.elapsed);
  answer->set_stop_reason(ToProto(result.stop_reason));
  answer->set_claims_draw(result.claims_draw);
  answer->set_fen(ToFen(position));
  WriteState(game, answer->mutable_state());
}

void WriteProgress(const Game& game, const SearchResult& so_far,
                   v1::AnalyzeResponse* answer) {
  WriteLines(game.position(), so_far.lines, answer->mutable_lines());
  answer->set_depth(static_cast<std::uint32_t>(so_far.depth));
  answer->set_nodes(so_far.nodes);
  *answer->mutable_elapsed() = DurationOf(so_far.elapsed);
}

void WriteLastProgress(const Game& game, const SearchResult& result,
                       v1::AnalyzeResponse* answer) {
  v1::BestMoveResponse* best = answer->mutable_result();
  WriteResult(game, result, best);
  *answer->mutable_lines() = best->lines();
  answer->set_depth(best->depth());
  answer->set_nodes(best->nodes());
  *answer->mutable_elapsed() = best->elapsed();
}

}  // namespace sittuyin::service
