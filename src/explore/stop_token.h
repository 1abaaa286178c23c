// Tells a computation that may take seconds that its result is not needed any more: the search is
// to end. Asking costs one relaxed load, so every loop whose length grows with the execution asks.
//
// A computation that finds a request returns at once, from wherever it is. The explorer's State is
// inconsistent from then on: the main loop (main_loop.h) asks for no further plan, and does not
// take the lack of one for a proof. A request is never withdrawn.
#pragma once

#include <atomic>
#include <cstdint>

namespace heddle::explore {

class StopToken {
 public:
  StopToken() = default;  // never
  // `request` is not 0 when time is up, and lives longer.
  explicit StopToken(const std::atomic<uint32_t>& request) : request_(&request) {}
  bool IsRequested() const {
    return request_ != nullptr && request_->load(std::memory_order_relaxed) != 0;
  }

 private:
  const std::atomic<uint32_t>* request_ = nullptr;
};

}  // namespace heddle::explore
