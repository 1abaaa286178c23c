#include "search/fork_checkpoints.h"

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <vector>

#include "base/check.h"
#include "runtime/control.h"
#include "runtime/fibers/plan_follower.h"
#include "runtime/fibers/pool.h"
#include "runtime/fibers/table.h"
#include "runtime/loops/await.h"
#include "runtime/loops/joint_cycle.h"
#include "runtime/memory/execution_state.h"
#include "runtime/memory/pages.h"
#include "runtime/objects/table.h"
#include "runtime/prim/lifetime.h"
#include "runtime/prim/old_syscalls.h"
#include "runtime/prim/sleep.h"
#include "runtime/prim/syscall.h"
#include "runtime/rewind_mode.h"
#include "runtime/runtime.h"
#include "runtime/states/visiting.h"
#include "runtime/steps/checkpoint.h"
#include "runtime/world/unseen_calls.h"

namespace heddle::search {

using namespace runtime;  // NOLINT: this file is where checkpoints meet the runtime

namespace {

[[HEDDLE_LASTS("the one there is")]] ForkCheckpoints* the_checkpoints;
// Where the process of a checkpoint keeps what is shared, as it was there. Private to it.
constexpr size_t kKeptBytes = size_t{1} << 30;  // address space only, until it is used
[[HEDDLE_LASTS("mapped once")]] char* kept;
[[HEDDLE_LASTS("private to a checkpoint")]] size_t kept_bytes;

// A fork takes as long as some thousands of steps.
constexpr uint32_t kApart = 4000;
constexpr int kMost = 16;  // each has the memory that it wrote since the one before
constexpr uint32_t kNever = ~0u;

// Chain::turn; else the number of a checkpoint.
constexpr int kSearch = -1;
constexpr int kExecution = -2;

// A plan whose parts lie in memory of its own, which is shared: the search's may be on its stack.
struct KeptPlan {
  plan::Plan plan;
  std::vector<plan::Deviation> deviations;
  std::vector<op::ThreadId> script;
  std::vector<plan::ScriptOption> options;
  std::vector<uint32_t> newer;
  std::vector<plan::Sleeper> sleepers;

  void Keep(const plan::Plan& from) {
    plan = from;
    plan.deviations = Copy(deviations, from.deviations);
    plan.script = Copy(script, from.script);
    plan.options = Copy(options, from.options);
    plan.newer = Copy(newer, from.newer);
    plan.sleepers = Copy(sleepers, from.sleepers);
  }

 private:
  template <typename T>
  static std::span<const T> Copy(std::vector<T>& to, std::span<const T> from) {
    to.assign(from.begin(), from.end());
    return to;
  }
};

int WaitFor(long child) {
  int status = 0;
  while (RawSyscall(SYS_wait4, child, reinterpret_cast<long>(&status), 0, 0) == -EINTR) {
  }
  return status;
}

[[noreturn]] void EndProcess() {
  for (;;) RawSyscall(SYS_exit_group, 0);
}

long ThisProcess() { return RawSyscall(SYS_getpid); }

}  // namespace

// In heddle's heap, which is shared.
struct ForkCheckpoints::Chain {
  int turn = kSearch;  // a futex
  int depth = 0;       // number of the last checkpoint
  int wanted = 0;      // the one to go back to; -1: all end
  int status = 0;      // of the process that ran the last execution
  // Those of the checkpoints by number, and the one that runs the execution behind the last. Each
  // enters itself, so some of the last ones may be gone.
  long processes[kMost + 2] = {};
  uint64_t execution = 0;  // g_execution of the search
  KeptPlan plan;
  CheckpointPlace places[kMost + 1];

  long First() const { return processes[0]; }
  int Turn() const { return __atomic_load_n(&turn, __ATOMIC_SEQ_CST); }
  void Give(int to) {
    __atomic_store_n(&turn, to, __ATOMIC_SEQ_CST);
    WakeSleepersAnywhere(&turn);
  }
};

void ForkCheckpoints::Start(RunFromStart run_from_start, void* self) {
  if (kept == nullptr) kept = static_cast<char*>(ReserveMemory(kKeptBytes));
  InitCheckpoints();
  the_checkpoints = this;
  g_keep_checkpoint = Keep;
  RenewStacks();  // a child could not ask for clear ones (RestartFor::kStacks)
  RawSyscall(SYS_prctl, PR_SET_CHILD_SUBREAPER, 1);  // for EndChain
  chain_ = new Chain;
  const long first = Fork(0);
  HEDDLE_CHECK(first >= 0);
  if (first != 0) {
    chain_->processes[0] = first;  // it may not have begun yet
    return;
  }
  Serve(0, 0);
  g_first_checkpoint = chain_->plan.plan.record ? kNever : 1 + kApart;
  run_from_start(self, chain_->plan.plan);
  EndProcess();
}

int ForkCheckpoints::Run(const plan::Plan& plan, const trace::Execution& last,
                         RunFromStart run_from_start, void* self) {
  for (;;) {
    if (chain_ == nullptr) Start(run_from_start, self);
    Chain& chain = *chain_;
    const target::CommonPrefix common = target::CommonPrefixOf(plan, last);
    int depth = JointCyclesAreDue() ? 0 : chain.depth;
    while (depth != 0 && !CanGoOnFrom(chain.places[depth], plan, common)) --depth;
    chain.plan.Keep(plan);
    chain.execution = g_execution;
    SetForkedExecution(chain.First());
    ChannelHeader().summary.steps_skipped += chain.places[depth].steps - 1;
    HandOver(depth);
    constexpr long kLook = 100'000'000;  // ns between two looks whether somebody killed the chain
    bool gone = false;
    for (int turn; !gone && (turn = chain.Turn()) != kSearch;) {
      SleepAnywhereWhile(&chain.turn, turn, kLook);
      gone = HasEnded(chain.First());
    }
    SetForkedExecution(0);
    if (!gone) return chain.status;
    // Not the execution's doing, which runs in another process: again, from the beginning.
    EndChain();
  }
}

void ForkCheckpoints::Forget() {
  if (chain_ == nullptr) return;
  HandOver(-1);
  EndChain();
}

// Checkpoint 0 ends or has ended. If somebody killed it, or one behind it, the others die one after
// the other, and until then they write to what is shared; so the search waits for each. The chain
// is not deleted: a process that has not begun yet enters itself before it looks whether its parent
// is alive.
void ForkCheckpoints::EndChain() {
  for (const long process : chain_->processes)
    if (process != 0) WaitFor(process);  // which is a child of the search by now, or has ended
  chain_ = nullptr;
}

// The search is the parent of what its processes leave behind, too.
bool ForkCheckpoints::HasEnded(long child) {
  for (long ended; (ended = RawSyscall(SYS_wait4, -1, 0, WNOHANG, 0)) > 0;)
    if (ended == child) return true;
  return false;
}

// The process that is at `place` of the chain: 0 is that of checkpoint 0. It ends with its parent.
// What fork returns.
long ForkCheckpoints::Fork(int place) {
  const long parent = ThisProcess();
  const long child = RawFork();
  if (child != 0) return child;
  chain_->processes[place] = ThisProcess();
  RawSyscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);
  if (RawSyscall(SYS_getppid) != parent) EndProcess();  // it died before
  WatchSystemCalls();
  return 0;
}

// The last checkpoint is woken. It goes on, or ends, and then it is for the one before.
void ForkCheckpoints::HandOver(int depth) {
  const int last = chain_->depth;
  chain_->wanted = depth;
  chain_->depth = depth;
  chain_->Give(last);
}

// In the process of checkpoint `depth`, of which `child` runs the execution (0: it has none yet).
// Returns in every process that is to run one from here.
void ForkCheckpoints::Serve(int depth, long child) {
  Chain& chain = *chain_;
  for (;;) {
    if (child != 0) {
      const int status = WaitFor(child);
      const int turn = chain.Turn();
      const bool ran_it = chain.depth == depth;  // it has not become a checkpoint
      if (turn == kExecution && ran_it) {
        chain.status = status;
        chain.Give(kSearch);
      } else if (turn < 0) {
        EndProcess();  // somebody killed a checkpoint: the search begins a new chain
      } else {
        chain.turn = depth;  // the checkpoints behind this one have ended
      }
    }
    for (int turn; (turn = chain.Turn()) != depth;) SleepAnywhereWhile(&chain.turn, turn, -1);
    if (chain.wanted < depth) EndProcess();
    chain.turn = kExecution;
    child = Fork(depth + 1);
    HEDDLE_CHECK(child >= 0);
    if (child != 0) continue;
    ChannelHeader().runner.store(static_cast<uint32_t>(ThisProcess()), std::memory_order_relaxed);
    SyncFiberTable();
    SyncObjects();
    g_execution = chain.execution;
    return;
  }
}

void ForkCheckpoints::Keep() { the_checkpoints->KeepHere(); }

void ForkCheckpoints::KeepHere() {
  Chain& chain = *chain_;
  g_state.checkpoint_from = kNever;
  const int depth = chain.depth + 1;
  if (depth > kMost || g_state.joint_from == 0) return;
  base::SavedBytes to({kept, kKeptBytes});
  SaveExecution(to);
  if (to.LacksRoom()) return;
  kept_bytes = to.Bytes().size();
  const auto script_steps = static_cast<uint32_t>(chain.plan.plan.script.size());
  chain.places[depth] = PlaceHere(chain.places[depth - 1], script_steps);
  chain.depth = depth;
  const long child = Fork(depth + 1);
  if (child < 0) {  // as many processes as there may be: it goes on without
    chain.depth = depth - 1;
    return;
  }
  if (child != 0) {
    Serve(depth, child);
    GoOn();
  } else {
    ChannelHeader().runner.store(static_cast<uint32_t>(ThisProcess()), std::memory_order_relaxed);
  }
  g_state.checkpoint_from = chain.places[depth].steps + kApart;
}

// In a new process, under the plan that the search wants now.
void ForkCheckpoints::GoOn() {
  base::SavedBytesReader from({kept, kept_bytes});
  RestoreExecution(from);
  FollowRestOfPlan(chain_->plan.plan);
  LastOfScriptIsLater();
  GoOnVisiting();
  channel::Header& header = ChannelHeader();
  header.progress.heartbeat.fetch_add(1, std::memory_order_relaxed);
  header.in_flight.store(1, std::memory_order_release);
}

}  // namespace heddle::search
