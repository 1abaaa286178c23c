// Going back into the middle of an execution (--rewind checkpoint), so that a prefix which many
// executions have in common is run once. Two ways, here by copying memory; fork_checkpoints.h
// forks.
//
// On the way of an execution the whole of its state is copied, now and then: a checkpoint. The next
// plan mostly repeats the beginning of the last one, so it goes on from the deepest checkpoint on
// their common way, and the checkpoints behind that are given up. So the checkpoints are a stack,
// and so is their memory:
//
//   last execution   ----+-------+------------+-----.
//   checkpoints          1       2            3
//   next plan        ------------------.            goes on from 2; 3 is given up
//                                       `-------
//
// Every explorer can do without: a plan for which there is no checkpoint is run from the beginning.
// An execution is the same either way, to the last event (tests/runtime/restore_test.cpp).
//
// Whether a copy pays depends on how long the way to it was and how often the search comes back.
// So one is taken only where it costs less than to run what it saves once; and while those that
// were taken are seldom used, as when schedules are drawn at random, none are (Balance).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "plan/plan.h"
#include "search/checkpoint_place.h"
#include "trace/execution.h"

namespace heddle::search {

class Checkpoints {
 public:
  // As much memory as checkpoints may take; 0: there are none.
  explicit Checkpoints(size_t most_bytes);
  ~Checkpoints();
  Checkpoints(const Checkpoints&) = delete;
  Checkpoints& operator=(const Checkpoints&) = delete;

  // An execution is about to run under `plan`, after `last`. True: it goes on in the middle, and
  // everything is as it was there (then ResumeFibers). False: it begins at the beginning.
  // REQUIRES: the program's memory is as at its beginning.
  bool GoBackFor(const plan::Plan& plan, const trace::Execution& last);
  // What of it is to be kept. REQUIRES: the execution is about to begin or to go on.
  void Begin(const plan::Plan& plan);
  // It has ended, as `execution`.
  void End(const trace::Execution& execution);
  // What was kept fits no more.
  void Forget() { count_ = 0; }

 private:
  struct Checkpoint {
    CheckpointPlace place;
    std::span<const char> bytes;
    uint64_t version;
  };

  static void Keep();
  void KeepHere();
  void KeepFrom(uint32_t steps);
  void Balance();

  static constexpr unsigned kMost = 256;

  char* const memory_;
  const size_t most_bytes_;
  Checkpoint stack_[kMost];
  unsigned count_ = 0;
  uint32_t script_steps_ = 0;   // that the plan of the execution names
  uint32_t parts_at_ = 0;       // where its way parts from the last one's
  unsigned behind_ = 0;         // checkpoints behind that
  size_t last_bytes_ = 0;       // of the last one kept
  size_t events_per_step_ = 1;  // of the last execution
  // In bytes copied: what checkpoints have cost and what they have saved since the last balance.
  uint64_t cost_ = 0;
  uint64_t gain_ = 0;
  uint32_t executions_ = 0;  // since then
  uint32_t rest_ = 0;        // executions until checkpoints are tried again
  uint32_t next_rest_;
};

}  // namespace heddle::search
