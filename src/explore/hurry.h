// Tells a computation that may take seconds that nobody waits for its result any more: the search
// is to end. Asking costs one relaxed load, so it is asked in every loop whose length grows with
// the execution.
//
// Who was told to hurry returns at once, from wherever it is. An explorer's State is inconsistent
// from then on: the main loop (main_loop.h) asks it for no further plan, and takes what it does not
// answer for no proof. The request is never taken back.
#pragma once

#include <atomic>
#include <cstdint>

namespace heddle::explore {

class Hurry {
 public:
  Hurry() = default;  // never
  // `request` is not 0 when time is up, and lives longer.
  explicit Hurry(const std::atomic<uint32_t>& request) : request_(&request) {}
  bool IsAsked() const {
    return request_ != nullptr && request_->load(std::memory_order_relaxed) != 0;
  }

 private:
  const std::atomic<uint32_t>* request_ = nullptr;
};

}  // namespace heddle::explore
