// Going back into the middle of an execution by fork (--rewind fork-checkpoint), for programs that
// do what copying memory cannot undo: the One Page Model Checker's way (Holt, section 2), for any
// number of threads, because all of them live in one kernel thread.
//
// At a checkpoint the process forks. The child goes on with the execution; the parent stays behind
// as the checkpoint, asleep. Checkpoint 0 is the beginning. So the processes are a chain, each the
// parent of the next, and the last one runs:
//
//   search ── checkpoint 0 ── checkpoint 1 ── checkpoint 2 ── runs an execution
//
// When the execution has ended, the search says which of them the next plan goes on from. Those
// behind it end, and it forks once more. What is private to a process is then as it was. What is
// shared, as the trace, the new process restores from a copy (runtime/memory/execution_state.h).
//
// In the paper a process and its children explore all options of a branch by themselves; here the
// search says what is next, so every explorer can use it.
//
// Invariants: one process is awake at a time, and Chain::turn says which. Whoever dies takes the
// processes behind it along (PR_SET_PDEATHSIG), one after the other; the search begins a new chain
// when all have ended.
#pragma once

#include "plan/plan.h"
#include "search/checkpoint_place.h"
#include "trace/execution.h"

namespace heddle::search {

class ForkCheckpoints {
 public:
  ForkCheckpoints() = default;
  ~ForkCheckpoints() { Forget(); }
  ForkCheckpoints(const ForkCheckpoints&) = delete;
  ForkCheckpoints& operator=(const ForkCheckpoints&) = delete;

  // Where a process is to run an execution from the beginning.
  using RunFromStart = void (*)(void* self, const plan::Plan& plan);

  // Runs `plan` after `last`, by run_from_start(self, a copy of the plan) or from a checkpoint, in
  // a process of its own, and waits for its end: what wait4 says of it.
  int Run(const plan::Plan& plan, const trace::Execution& last, RunFromStart run_from_start,
          void* self);
  // Ends the processes of all checkpoints: something has changed that they do not know.
  void Forget();

 private:
  struct Chain;

  static void Keep();
  static bool HasEnded(long child);
  long Fork(int place);
  void Start(RunFromStart run_from_start, void* self);
  void HandOver(int depth);
  void EndChain();
  void KeepHere();
  void Serve(int depth, long child);
  void GoOn();

  Chain* chain_ = nullptr;  // there is one, and checkpoint 0
};

}  // namespace heddle::search
