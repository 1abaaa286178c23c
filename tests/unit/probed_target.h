// Looks into the states of a fake program between steps: who is open, where each thread stands,
// what is in memory, and what state the objects are in.
//
// The target shows only what happened, and runs to an end. So the program gets threads of probes in
// addition, which a script runs after the steps in question: attempts on every object, whose events
// tell its level, a broadcast, which lets all waiters go in the order of their queue, and an
// arrival at the barrier. After that everybody sleeps (plan/plan.h), so nothing else runs.
#pragma once

#include <optional>
#include <vector>

#include "target/fake_target.h"

namespace heddle::tests {

// A step of a thread, and what it chooses if it has a choice.
struct Move {
  op::ThreadId thread;
  std::optional<uint32_t> option = std::nullopt;
};

struct PendingOperation {
  op::Kind kind;
  uint8_t detail;
  uint32_t object;
  friend bool operator==(const PendingOperation&, const PendingOperation&) = default;
};

struct State {
  std::vector<bool> open;  // by thread, as all of them here
  std::vector<PendingOperation> pending;
  std::vector<int64_t> memory;            // variables, plain memory, registers of all threads
  std::vector<op::Level> levels;          // by object
  std::vector<op::ThreadId> waiters;      // of the condition variables, in order
  std::vector<op::ThreadId> at_barriers;  // in order
  friend bool operator==(const State&, const State&) = default;
};

// The last of some moves, and the state after it.
struct Outcome {
  bool ended = false;  // by that move: there is no state
  trace::EndKind end = trace::EndKind::kRunning;
  std::vector<trace::Event> events;            // of the last move
  std::vector<std::vector<uint32_t>> objects;  // that each of them touches
  std::vector<op::ThreadId> released;          // by the last move
  uint32_t options = 1;                        // that it had
  uint64_t happens_before = 0;
  State state;
};

class ProbedTarget {
 public:
  // REQUIRES: barriers are for two.
  explicit ProbedTarget(const target::FakeProgram& program);

  // nullopt: a move is not open.
  // REQUIRES: none but the last one ends the execution.
  std::optional<Outcome> Observe(const std::vector<Move>& moves);

  op::ThreadId Threads() const { return threads_; }  // probes not included

 private:
  std::optional<trace::Execution> Run(const std::vector<Move>& moves,
                                      const std::vector<op::ThreadId>& probes);
  void ReadStanding(const trace::Execution& execution, size_t step, State& state) const;
  void ReadObjects(const trace::Execution& execution, size_t step, State& state) const;

  op::ThreadId threads_;
  op::ThreadId stop_;                        // its only operation is harmless
  std::vector<op::ThreadId> object_probes_;  // one entry per step
  std::vector<plan::Sleeper> sleepers_;      // all but that one
  target::FakeTarget target_;
};

}  // namespace heddle::tests
