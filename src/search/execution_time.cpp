#include "search/execution_time.h"

#include "channel/channel.h"
#include "runtime/control.h"
#include "runtime/steps/thread_life.h"
#include "runtime/prim/monotonic_clock.h"

namespace heddle::search {
namespace {

constexpr uint64_t kFirst = 4;           // are measured
constexpr uint64_t kOneIn = 256;         // of those after them
constexpr uint64_t kSlowNs = 1'000'000;  // what follows a slow one is measured, too

void Add(std::atomic<uint64_t>& sum, uint64_t more) {
  sum.store(sum.load(std::memory_order_relaxed) + more, std::memory_order_relaxed);
}

}  // namespace

void ExecutionTimer::Begin() {
  const uint64_t number = executions_++;
  const bool measured = number < kFirst || last_ns_ >= kSlowNs || number % kOneIn == 0;
  begun_ns_ = measured ? runtime::MonotonicNs() : 0;
  if (measured) runtime::WatchFirstThread();
}

void ExecutionTimer::Ran() {
  if (begun_ns_ != 0) ran_ns_ = runtime::MonotonicNs();
}

void ExecutionTimer::Restored() {
  if (begun_ns_ == 0) return;
  const uint64_t now = runtime::MonotonicNs();
  const uint64_t first_thread = runtime::FirstThreadNs();
  channel::Progress& progress = runtime::ChannelHeader().progress;
  last_ns_ = now - begun_ns_;
  Add(progress.timed, 1);
  Add(progress.timed_ns, last_ns_);
  Add(progress.restoring_ns, now - ran_ns_);
  if (first_thread > begun_ns_) Add(progress.before_threads_ns, first_thread - begun_ns_);
}

}  // namespace heddle::search
