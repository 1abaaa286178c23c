// An oracle that shares nothing with the explorers' idea of a step: an interpreter of fake programs
// in which every instruction of every kind is a step and a choice, accesses to plain memory, ends
// of threads and of the program, and the beginning and end of objects included. It goes through all
// states that can be reached, by plain recursion, and tells how the program can end. Nothing of
// src/target but the programs themselves, and nothing of src/explore, is used.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "target/fake_program.h"

namespace heddle::agree {

enum class End : uint8_t { kExit, kDeadlock, kAssertion, kAssumption, kExitCall, kMisuse };

// How an execution ended. By a thread: which, and its registers. Otherwise: which threads had
// ended, all memory and all registers.
struct EndState {
  End end;
  uint32_t thread = 0;
  std::vector<int64_t> values = {};
  friend auto operator<=>(const EndState&, const EndState&) = default;
};

struct EveryStep {
  std::set<EndState> ends;
  uint64_t states = 0;
  bool races = false;  // two threads stood before conflicting accesses to plain memory
};

// Nothing if there are more than `most` states.
std::optional<EveryStep> RunEveryStep(const target::FakeProgram& program, uint64_t most);

}  // namespace heddle::agree
