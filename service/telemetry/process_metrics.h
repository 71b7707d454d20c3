// The process_* metrics that Prometheus's client libraries share.
#ifndef SITTUYIN_SERVICE_TELEMETRY_PROCESS_METRICS_H_
#define SITTUYIN_SERVICE_TELEMETRY_PROCESS_METRICS_H_

#include <prometheus/collectable.h>
#include <prometheus/metric_family.h>

#include <vector>

namespace sittuyin::service {

// Reads /proc at each collection; what cannot be read is left out.
// Thread-safe.
class ProcessMetrics : public prometheus::Collectable {
 public:
  std::vector<prometheus::MetricFamily> Collect() const override;
};

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_TELEMETRY_PROCESS_METRICS_H_
