// What a search is asked for and what it found.
#ifndef SITTUYIN_SERVICE_CONVERT_SEARCH_H_
#define SITTUYIN_SERVICE_CONVERT_SEARCH_H_

#include <chrono>
#include <optional>

#include "engine/game/game.h"
#include "engine/search/search.h"
#include "google/rpc/status.pb.h"
#include "sittuyin/v1/sittuyin.pb.h"

namespace sittuyin::service {

// The server's own limits on the time of a search.
struct MoveTimePolicy {
  std::chrono::nanoseconds when_unlimited;  // Of requests without any limit.
  std::chrono::nanoseconds longest;
};

// Fills the limits that the request's fields set, or tells which field is out
// of range. Deadline and seed are left alone.
std::optional<google::rpc::Status> ReadLimits(
    const v1::BestMoveRequest& request, const MoveTimePolicy& policy,
    SearchLimits* limits);
std::optional<google::rpc::Status> ReadLimits(const v1::AnalyzeRequest& request,
                                              const MoveTimePolicy& policy,
                                              SearchLimits* limits);

// `game` is the one that was searched.
void WriteResult(const Game& game, const SearchResult& result,
                 v1::BestMoveResponse* answer);
void WriteProgress(const Game& game, const SearchResult& so_far,
                   v1::AnalyzeResponse* answer);
// The last message of an analysis.
void WriteLastProgress(const Game& game, const SearchResult& result,
                       v1::AnalyzeResponse* answer);

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_CONVERT_SEARCH_H_
