// Of several searches that explore bounds in turn and share each of them: none may go on to the
// next bound by itself (docs/algorithms/parallel.md). While the gate is closed, a search that has
// nothing left within its bound says so, and waits to be told (Explorer::AwaitsBound, RaiseBound).
#pragma once

#include <atomic>
#include <cstdint>

namespace heddle::explore {

class BoundGate {
 public:
  BoundGate() = default;  // always open
  // `closed` is not 0 while others search, too, and lives longer.
  explicit BoundGate(const std::atomic<uint32_t>& closed) : closed_(&closed) {}
  bool IsClosed() const {
    return closed_ != nullptr && closed_->load(std::memory_order_relaxed) != 0;
  }

 private:
  const std::atomic<uint32_t>* closed_ = nullptr;
};

}  // namespace heddle::explore
