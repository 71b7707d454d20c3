// The search pool's changes as metrics.
#ifndef SITTUYIN_SERVICE_SERVER_POOL_METRICS_H_
#define SITTUYIN_SERVICE_SERVER_POOL_METRICS_H_

#include "service/admission/search_pool.h"
#include "service/telemetry/metrics.h"

namespace sittuyin::service {

class PoolMetrics : public SearchPoolObserver {
 public:
  // `metrics` must outlive this.
  explicit PoolMetrics(Metrics& metrics) : metrics_(metrics) {}

  void StateChanged(const State& state) override {
    metrics_.SetSearchPool(state.queued, state.busy, state.idle);
  }
  void JobStarted(std::chrono::nanoseconds waited) override {
    metrics_.SearchWaited(waited);
  }
  void Decided(Fate fate) override { metrics_.SearchDecided(fate); }

 private:
  Metrics& metrics_;
};

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_SERVER_POOL_METRICS_H_
