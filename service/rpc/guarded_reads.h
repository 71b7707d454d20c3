// FrameGuard on every connection of the gRPC door.
#ifndef SITTUYIN_SERVICE_RPC_GUARDED_READS_H_
#define SITTUYIN_SERVICE_RPC_GUARDED_READS_H_

#include <chrono>
#include <cstddef>

namespace sittuyin::service {

// gRPC has no place where one could read along, so the linker leads its calls
// of accept4, close and those that read and send through here (--wrap, see
// CMakeLists.txt). What goes too far is not handed on, the connection ends, and
// gRPC's log says so. From now on, on the connections accepted, of which `most`
// are open at a time; to be called before any server starts.
void GuardReads(std::size_t most);

// While one lives, no connection is accepted and none is read. For the moments
// before the server ends, for gRPC does not look again at what was held. There
// may be one at a time.
class HoldReads {
 public:
  HoldReads();
  ~HoldReads();
  HoldReads(const HoldReads&) = delete;
  HoldReads& operator=(const HoldReads&) = delete;

  // Returns when all connections accepted are closed, or at `end`.
  void AwaitNoneOpen(std::chrono::steady_clock::time_point end) const;
};

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_RPC_GUARDED_READS_H_
