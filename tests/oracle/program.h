// A program of the oracle: its objects and the instructions of its threads.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "machine.h"

namespace heddle::oracle {

enum class Code : uint8_t {
#define INSTRUCTION(code, name) code,
#include "instructions.def"
#undef INSTRUCTION
};

struct Instruction {
  Code code;
  uint8_t reg = kDiscard;
  uint8_t object = 0;
  uint8_t object2 = 0;
  int value = 0;
  int value2 = 0;
};

struct Program {
  // In the order of machine.h: -1 is raw.
  std::array<int, kSetupNumbers> setup{};
  std::vector<std::vector<Instruction>> threads;  // the first is main

  int& Mutex(unsigned i) { return setup[i]; }
  int& Condition(unsigned i) { return setup[kMutexes + i]; }
  int& Semaphore(unsigned i) { return setup[kMutexes + kConditions + i]; }
  int& Barrier(unsigned i) { return setup[kMutexes + kConditions + kSemaphores + i]; }
  int& RwLock(unsigned i) { return setup[kMutexes + kConditions + kSemaphores + kBarriers + i]; }

  bool Has(Code code) const;
  bool HasPlain() const { return Has(Code::kPlainLoad) || Has(Code::kPlainStore); }
};

// As interpreter.c reads it: the set-up, and one text for each thread.
std::vector<std::string> Print(const Program& program);

}  // namespace heddle::oracle
