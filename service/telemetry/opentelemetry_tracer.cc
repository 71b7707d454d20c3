// Spans by OpenTelemetry, exported by OTLP over HTTP.
//
// A call's spans are made when it has ended, of the times that it noted: so a
// call costs what it costs without them until its answer is on its way.
#include <opentelemetry/exporters/otlp/otlp_http_exporter_factory.h>
#include <opentelemetry/sdk/common/env_variables.h>
#include <opentelemetry/sdk/common/global_log_handler.h>
#include <opentelemetry/sdk/resource/resource.h>
#include <opentelemetry/sdk/resource/resource_detector.h>
#include <opentelemetry/sdk/trace/batch_span_processor_factory.h>
#include <opentelemetry/sdk/trace/batch_span_processor_options.h>
#include <opentelemetry/sdk/trace/processor.h>
#include <opentelemetry/sdk/trace/samplers/always_off_factory.h>
#include <opentelemetry/sdk/trace/samplers/always_on_factory.h>
#include <opentelemetry/sdk/trace/samplers/parent_factory.h>
#include <opentelemetry/sdk/trace/samplers/trace_id_ratio_factory.h>
#include <opentelemetry/sdk/trace/tracer_provider.h>
#include <opentelemetry/sdk/trace/tracer_provider_factory.h>
#include <opentelemetry/semconv/error_attributes.h>
#include <opentelemetry/semconv/http_attributes.h>
#include <opentelemetry/semconv/incubating/rpc_attributes.h>
#include <opentelemetry/semconv/service_attributes.h>
#include <opentelemetry/trace/propagation/http_trace_context.h>
#include <opentelemetry/trace/span.h>
#include <opentelemetry/trace/span_startoptions.h>
#include <opentelemetry/trace/tracer.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "service/telemetry/call.h"
#include "service/telemetry/status_code.h"
#include "service/telemetry/tracer.h"

namespace sittuyin::service {
namespace {

namespace common = opentelemetry::common;
namespace internal_log = opentelemetry::sdk::common::internal_log;
namespace nostd = opentelemetry::nostd;
namespace otlp = opentelemetry::exporter::otlp;
namespace resource = opentelemetry::sdk::resource;
namespace sdk = opentelemetry::sdk::trace;
namespace semconv = opentelemetry::semconv;
namespace trace = opentelemetry::trace;

using Time = std::chrono::steady_clock::time_point;
using SpanPtr = nostd::shared_ptr<trace::Span>;

constexpr const char* kServiceName = "sittuyin";
constexpr const char* kRpcService = "sittuyin.v1.SittuyinService";

nostd::string_view View(std::string_view text) {
  return {text.data(), text.size()};
}

std::string Variable(const char* name) {
  std::string value;
  opentelemetry::sdk::common::GetStringEnvironmentVariable(name, value);
  return value;
}

// What the library complains of goes to `complain`.
class Complaints : public internal_log::LogHandler {
 public:
  explicit Complaints(TracerComplaint complain)
      : complain_(std::move(complain)) {}

  void Handle(
      internal_log::LogLevel, const char*, int, const char* message,
      const opentelemetry::sdk::common::AttributeMap&) noexcept override {
    complain_(message == nullptr ? "" : message);
  }

 private:
  const TracerComplaint complain_;
};

// OTEL_TRACES_SAMPLER, which the library does not read by itself; null for a
// name that the specification does not have.
std::unique_ptr<sdk::Sampler> SamplerNamed(std::string_view name) {
  constexpr std::string_view kParentBased = "parentbased_";
  if (name.starts_with(kParentBased)) {
    auto of_roots = SamplerNamed(name.substr(kParentBased.size()));
    if (of_roots == nullptr) return nullptr;
    return sdk::ParentBasedSamplerFactory::Create(std::move(of_roots));
  }
  if (name == "always_on") return sdk::AlwaysOnSamplerFactory::Create();
  if (name == "always_off") return sdk::AlwaysOffSamplerFactory::Create();
  if (name != "traceidratio") return nullptr;
  float ratio = 1;
  opentelemetry::sdk::common::GetFloatEnvironmentVariable(
      "OTEL_TRACES_SAMPLER_ARG", ratio);
  return sdk::TraceIdRatioBasedSamplerFactory::Create(ratio);
}

std::unique_ptr<sdk::Sampler> SamplerOfEnvironment(
    const TracerComplaint& complain) {
  constexpr std::string_view kDefault = "parentbased_always_on";
  const std::string name = Variable("OTEL_TRACES_SAMPLER");
  auto sampler = SamplerNamed(name.empty() ? kDefault : name);
  if (sampler != nullptr) return sampler;
  complain(
      "OTEL_TRACES_SAMPLER names no sampler: parentbased_always_on serves");
  return SamplerNamed(kDefault);
}

// The environment's OTEL_RESOURCE_ATTRIBUTES and OTEL_SERVICE_NAME win.
resource::Resource ThisService(std::string_view version) {
  return resource::Resource::Create(
             {{semconv::service::kServiceName, kServiceName},
              {semconv::service::kServiceVersion, View(version)}})
      .Merge(resource::OTELResourceDetector().Detect());
}

// The caller's span; none for empty text.
trace::SpanContext ParentOf(std::string_view trace_parent) {
  using W3c = trace::propagation::HttpTraceContext;
  if (trace_parent.empty()) return trace::SpanContext::GetInvalid();
  return {W3c::TraceIdFromHex(View(trace_parent.substr(3, 32))),
          W3c::SpanIdFromHex(View(trace_parent.substr(36, 16))),
          W3c::TraceFlagsFromHex(View(trace_parent.substr(53, 2))), true};
}

// What the conventions for gRPC servers call errors: not those of callers.
bool IsServersFault(int code) {
  constexpr std::array<std::string_view, 6> kFaults = {
      "UNKNOWN",  "DEADLINE_EXCEEDED", "UNIMPLEMENTED",
      "INTERNAL", "UNAVAILABLE",       "DATA_LOSS"};
  return std::ranges::find(kFaults, StatusCodeName(code)) != kFaults.end();
}

std::string NameOf(const Call& call) {
  if (call.door() == Door::kGrpc) {
    return std::string(kRpcService) + "/" + std::string(Name(call.method()));
  }
  const HttpFacts& http = call.facts().span.http;
  return std::string(http.verb) + " " + std::string(http.route);
}

class OpenTelemetryTracer : public Tracer {
 public:
  OpenTelemetryTracer(std::string_view version, const TracerComplaint& complain)
      : provider_(sdk::TracerProviderFactory::Create(
            sdk::BatchSpanProcessorFactory::Create(
                otlp::OtlpHttpExporterFactory::Create(), {}),
            ThisService(version), SamplerOfEnvironment(complain))),
        tracer_(provider_->GetTracer(kServiceName, View(version))) {}

  // Exports what is left.
  ~OpenTelemetryTracer() override {
    provider_->Shutdown();
    internal_log::GlobalLogHandler::SetLogHandler({});
  }

  void CallEnded(const Call& call, int code, std::string_view reason,
                 Time end) override {
    const SpanPtr span = Start(NameOf(call), trace::SpanKind::kServer,
                               call.begin(), ParentOf(call.trace_parent()));
    if (span->IsRecording()) {
      Describe(call, code, reason, *span);
      AddSearch(call, end, span->GetContext());
    }
    End(*span, end);
  }

 private:
  SpanPtr Start(const std::string& name, trace::SpanKind kind, Time begin,
                const trace::SpanContext& parent) {
    trace::StartSpanOptions options;
    options.kind = kind;
    options.parent = parent;
    options.start_steady_time = common::SteadyTimestamp(begin);
    options.start_system_time = common::SystemTimestamp(
        std::chrono::system_clock::now() +
        std::chrono::duration_cast<std::chrono::system_clock::duration>(
            begin - Time::clock::now()));
    return tracer_->StartSpan(name, options);
  }

  static void End(trace::Span& span, Time end) {
    trace::EndSpanOptions options;
    options.end_steady_time = common::SteadyTimestamp(end);
    span.End(options);
  }

  static void Describe(const Call& call, int code, std::string_view reason,
                       trace::Span& span) {
    const CallFacts& facts = call.facts();
    if (call.door() == Door::kGrpc) {
      span.SetAttribute(semconv::rpc::kRpcSystem, "grpc");
      span.SetAttribute(semconv::rpc::kRpcService, kRpcService);
      span.SetAttribute(semconv::rpc::kRpcMethod, View(Name(call.method())));
      span.SetAttribute(semconv::rpc::kRpcGrpcStatusCode, code);
    } else {
      const HttpFacts& http = facts.span.http;
      span.SetAttribute(semconv::http::kHttpRequestMethod, View(http.verb));
      span.SetAttribute(semconv::http::kHttpRoute, View(http.route));
      span.SetAttribute(semconv::http::kHttpResponseStatusCode, http.code);
    }
    if (!facts.rule_set.empty()) {
      span.SetAttribute("sittuyin.rule_set", View(facts.rule_set));
    }
    if (facts.plies) {
      span.SetAttribute("sittuyin.plies",
                        static_cast<std::int64_t>(*facts.plies));
    }
    if (!reason.empty()) {
      span.SetAttribute(semconv::error::kErrorType, View(reason));
    }
    if (IsServersFault(code)) span.SetStatus(trace::StatusCode::kError);
  }

  // The wait for a worker, which ends with the call where no search begins, and
  // the search.
  void AddSearch(const Call& call, Time end, const trace::SpanContext& parent) {
    const SpanFacts& facts = call.facts().span;
    if (facts.queued) {
      End(*Start("queue", trace::SpanKind::kInternal, *facts.queued, parent),
          facts.search_began.value_or(end));
    }
    if (!facts.search_began) return;
    const SpanPtr search = Start("search", trace::SpanKind::kInternal,
                                 *facts.search_began, parent);
    if (facts.search_ended) {
      search->SetAttribute(
          "sittuyin.nodes",
          static_cast<std::int64_t>(call.facts().nodes.value_or(0)));
      search->SetAttribute("sittuyin.depth", std::int64_t{facts.depth});
    }
    End(*search, facts.search_ended.value_or(end));
  }

  const std::unique_ptr<sdk::TracerProvider> provider_;
  const nostd::shared_ptr<trace::Tracer> tracer_;
};

}  // namespace

__attribute__((visibility("default"))) std::unique_ptr<Tracer> MakeTracer(
    std::string_view version, const TracerComplaint& complain) {
  bool disabled = false;
  opentelemetry::sdk::common::GetBoolEnvironmentVariable("OTEL_SDK_DISABLED",
                                                         disabled);
  if (disabled) return nullptr;
  internal_log::GlobalLogHandler::SetLogHandler(
      nostd::shared_ptr<internal_log::LogHandler>(new Complaints(complain)));
  return std::make_unique<OpenTelemetryTracer>(version, complain);
}

}  // namespace sittuyin::service
