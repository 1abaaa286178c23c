#include "search/checkpoints.h"

#include <algorithm>

#include "base/check.h"
#include "runtime/control.h"
#include "runtime/fibers/plan_follower.h"
#include "runtime/fibers/pool.h"
#include "runtime/loops/await.h"
#include "runtime/loops/joint_cycle.h"
#include "runtime/memory/pages.h"
#include "runtime/prim/lifetime.h"
#include "runtime/runtime.h"
#include "runtime/states/visiting.h"
#include "runtime/steps/checkpoint.h"
#include "runtime/world/leaks.h"
#include "target/common_prefix.h"

namespace heddle::search {

using namespace runtime;  // NOLINT: this file is where checkpoints meet the runtime

namespace {

[[HEDDLE_LASTS("the one there is")]] Checkpoints* the_checkpoints;

// What is compared is time. Measured on five queues and stacks under optimal and plain depth-first
// search (AMD EPYC, 2.4 GHz): an event of the program takes some 200 ns, plain accesses and its
// share of the threads' creation included, and in that time 2,500 bytes are copied, in pieces. Not
// every event is a step: of a short thread, few are.
constexpr size_t kBytesPerEvent = 2500;
constexpr size_t kFixedBytes = 3000;  // finding out what to copy

constexpr uint32_t kBalanceEvery = 256;  // executions
constexpr uint32_t kFirstRest = 1024;
constexpr uint32_t kLongestRest = 1u << 20;
constexpr uint32_t kNever = ~0u;

// Who draws a schedule wants to see its beginning, too: it learns from it, or has to be told of it.
bool Draws(const plan::Plan& plan) { return plan.tail == plan::Tail::kRandom; }

// Of one that was kept with another version, something is missing.
uint64_t Version() { return StacksVersion() + WatchedLeakPlaces(); }

}  // namespace

Checkpoints::Checkpoints(size_t most_bytes)
    : memory_(most_bytes == 0 ? nullptr : static_cast<char*>(ReserveMemory(most_bytes))),
      most_bytes_(most_bytes),
      next_rest_(kFirstRest) {
  if (most_bytes == 0) return;
  InitCheckpoints();
  the_checkpoints = this;
  g_keep_checkpoint = Keep;
}

Checkpoints::~Checkpoints() {
  if (memory_ == nullptr) return;
  the_checkpoints = nullptr;
  UnmapMemory(memory_, most_bytes_);
}

bool Checkpoints::GoBackFor(const plan::Plan& plan, const trace::Execution& last) {
  if (memory_ == nullptr || rest_ != 0) return false;
  if (JointCyclesAreDue() || KeepsOwnStates(plan) || Draws(plan)) Forget();
  const target::CommonPrefix common = target::CommonPrefixOf(plan, last);
  parts_at_ = common.steps;
  behind_ = 0;
  const auto fits = [&](const Checkpoint& checkpoint) {
    return checkpoint.version == Version() && CanGoOnFrom(checkpoint.place, plan, common);
  };
  while (count_ != 0 && !fits(stack_[count_ - 1])) --count_;
  if (count_ == 0) return false;
  const Checkpoint& checkpoint = stack_[count_ - 1];
  RestoreProgram(checkpoint.bytes);
  FollowRestOfPlan(plan);
  LastOfScriptIsLater();
  GoOnVisiting();
  cost_ += checkpoint.bytes.size() + kFixedBytes;
  gain_ += uint64_t{checkpoint.place.events} * kBytesPerEvent;
  ChannelHeader().summary.steps_skipped += checkpoint.place.steps - 1;
  return true;
}

void Checkpoints::Begin(const plan::Plan& plan) {
  if (memory_ == nullptr) return;
  g_state.checkpoint_from = kNever;
  if (rest_ != 0 || plan.record || Draws(plan)) return;
  // What looks for loops of several threads from the beginning on is large.
  if (g_state.joint_from == 0 || KeepsOwnStates(plan)) return;
  script_steps_ = static_cast<uint32_t>(plan.script.size());
  KeepFrom(count_ == 0 ? 1 : stack_[count_ - 1].place.steps);
}

// Where the way parts from that of the last execution, others may part, too. Behind that nobody
// knows: ever farther apart. To run what lies between two of them costs no less than one of them.
void Checkpoints::KeepFrom(uint32_t steps) {
  const size_t bytes_per_step = kBytesPerEvent * events_per_step_;
  const auto apart =
      static_cast<uint32_t>(std::max<size_t>((kFixedBytes + last_bytes_) / bytes_per_step, 1));
  if (steps < parts_at_) {
    g_state.checkpoint_from = std::max(parts_at_, steps + apart / 2);
  } else {
    constexpr unsigned kMostDoublings = 8;
    g_state.checkpoint_from = steps + (apart << std::min(behind_++, kMostDoublings));
  }
}

void Checkpoints::Keep() { the_checkpoints->KeepHere(); }

void Checkpoints::KeepHere() {
  g_state.checkpoint_from = kNever;
  if (count_ == kMost || !CanSaveProgram()) return;
  const Checkpoint* below = count_ == 0 ? nullptr : &stack_[count_ - 1];
  char* const begin =
      below == nullptr ? memory_ : const_cast<char*>(below->bytes.data()) + below->bytes.size();
  base::SavedBytes to({begin, memory_ + most_bytes_});
  SaveProgram(to);
  if (to.LacksRoom()) return;
  const CheckpointPlace place =
      PlaceHere(below == nullptr ? CheckpointPlace() : below->place, script_steps_);
  stack_[count_++] = {place, to.Bytes(), Version()};
  last_bytes_ = to.Bytes().size();
  cost_ += last_bytes_ + kFixedBytes;
  KeepFrom(place.steps);
}

void Checkpoints::End(const trace::Execution& execution) {
  if (memory_ == nullptr) return;
  events_per_step_ = std::max<size_t>(execution.events.size() / (execution.steps.size() + 1), 1);
  const bool of_use = trace::ClassOf(execution.ending.kind) != trace::EndClass::kInternal;
  if (!of_use) Forget();
  if (rest_ != 0) {
    --rest_;
    return;
  }
  if (++executions_ == kBalanceEvery) Balance();
}

// Have checkpoints paid?
void Checkpoints::Balance() {
  if (gain_ < cost_) {
    Forget();
    rest_ = next_rest_;
    next_rest_ = std::min(2 * next_rest_, kLongestRest);
  } else {
    next_rest_ = kFirstRest;
  }
  executions_ = 0;
  cost_ = gain_ = 0;
}

}  // namespace heddle::search
