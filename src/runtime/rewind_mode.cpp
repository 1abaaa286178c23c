#include "runtime/rewind_mode.h"

#include "base/check.h"
#include "runtime/control.h"
#include "runtime/prim/lifetime.h"
#include "runtime/restart.h"

namespace heddle::runtime {
namespace {
[[HEDDLE_LASTS("of the search")]] bool by_fork;
[[HEDDLE_LASTS("from before main")]] bool mapped;
[[HEDDLE_LASTS("from before main")]] bool shares;
[[HEDDLE_LASTS("who runs it")]] long forked_execution;
}  // namespace

bool RewindsByFork() { return by_fork; }
void NoteMappedBeforeMain(bool shared) {
  mapped = true;
  shares |= shared;
}
bool MappedBeforeMain() { return mapped; }
bool SharesBeforeMain() { return shares; }
void RewindByFork() { by_fork = true; }
void SetForkedExecution(long child) { forked_execution = child; }
long ForkedExecution() {
  // With checkpoints it is run by a child of that one's.
  const long runner = ChannelHeader().runner.load(std::memory_order_relaxed);
  return forked_execution == 0 || runner == 0 ? forked_execution : runner;
}

void RequestForkRewind(const char* why) {
  HEDDLE_CHECK(!by_fork);
  Restart(RestartFor::kProcess, why);
}

}  // namespace heddle::runtime
