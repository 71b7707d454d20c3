// What spans tell of a call beside its log line.
#ifndef SITTUYIN_SERVICE_TELEMETRY_SPAN_FACTS_H_
#define SITTUYIN_SERVICE_TELEMETRY_SPAN_FACTS_H_

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

#include "service/telemetry/tracer.h"

namespace sittuyin::service {

// How a call of the REST door was asked and answered. The text lives as long as
// the door.
struct HttpFacts {
  std::string_view verb;
  std::string_view route;
  int code = 0;
};

// Where no spans are made, nothing is kept.
template <bool tracing>
struct SpanFactsWhere {
  void NoteQueued() {}
  void NoteSearchBegins() {}
  void NoteSearchEnds(std::uint32_t) {}
  void NoteHttp(const HttpFacts&) {}
};

template <>
struct SpanFactsWhere<true> {
  using Clock = std::chrono::steady_clock;

  void NoteQueued() { queued = Clock::now(); }
  void NoteSearchBegins() { search_began = Clock::now(); }
  void NoteSearchEnds(std::uint32_t plies) {
    search_ended = Clock::now();
    depth = plies;
  }
  void NoteHttp(const HttpFacts& facts) { http = facts; }

  std::optional<Clock::time_point> queued;
  std::optional<Clock::time_point> search_began;
  std::optional<Clock::time_point> search_ended;
  std::uint32_t depth = 0;
  HttpFacts http;
};

using SpanFacts = SpanFactsWhere<kTracing>;

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_TELEMETRY_SPAN_FACTS_H_
