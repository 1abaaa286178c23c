// Random small programs for the fake target: two to four threads, every kind of operation, at most
// a few thousand schedules. The seed says everything.
#pragma once

#include <sstream>
#include <string>

#include "base/splitmix.h"
#include "target/fake_target.h"

namespace heddle::agree {

class Generator {
 public:
  explicit Generator(uint64_t seed) : random_(base::Mix(seed + 1)) {}

  target::FakeProgram Program() {
    target::FakeProgram program;
    program.variables.assign(1 + Below(2), 0);
    program.mutexes = 1 + Below(2);
    program.semaphores.assign(1, Below(2));
    program.conditions = 1;
    objects_ = &program;
    const uint32_t threads = 2 + Below(3);
    for (uint32_t t = 0; t < threads; ++t) {
      static constexpr uint32_t kMostOperations[] = {6, 4, 3};
      const uint32_t operations = 1 + Below(kMostOperations[threads - 2]);
      code_.clear();
      for (left_ = operations; left_ > 0;) Fragment();
      if (Below(3) == 0) Verdict();
      program.threads.push_back(code_);
    }
    return program;
  }

 private:
  uint32_t Below(uint32_t bound) { return base::NextBelow(random_, bound); }
  uint16_t Variable() {
    return static_cast<uint16_t>(Below(static_cast<uint32_t>(objects_->variables.size())));
  }
  uint16_t Mutex() { return static_cast<uint16_t>(Below(objects_->mutexes)); }
  uint8_t Register() { return static_cast<uint8_t>(Below(3)); }
  int32_t Value() { return static_cast<int32_t>(Below(3)); }

  void Add(const target::Instruction& instruction) {
    code_.push_back(instruction);
    if (instruction.code < target::Instruction::Code::kSet && left_ > 0) --left_;
  }

  // An access to a variable, possibly followed by a branch around the next.
  void Access() {
    switch (Below(5)) {
      case 0:
        return Add(target::Load(Variable(), Register()));
      case 1:
        return Add(target::Store(Variable(), Register(), Value()));
      case 2:
        return Add(target::Assign(Variable(), Value()));
      case 3:
        return Add(target::FetchAdd(Variable(), 1, Register()));
      default:
        return Add(target::CompareExchange(Variable(), Value(), Value(), Register()));
    }
  }

  void Fragment() {
    switch (Below(14)) {
      default:
        return Access();
      case 5: {  // a branch
        Add(target::SkipIf(Register(), Value(), 1));
        return Access();
      }
      case 6:
      case 7: {  // a critical section
        const uint16_t mutex = Mutex();
        Add(target::Lock(mutex));
        if (left_ > 1) left_ > 2 && Below(3) == 0 ? Fragment() : Access();
        return Add(target::Unlock(mutex));
      }
      case 8: {  // a critical section if the mutex is free
        const uint16_t mutex = Mutex();
        const uint8_t reg = Register();
        Add(target::TryLock(mutex, reg));
        Add(target::SkipIf(reg, 0, 2));
        Access();
        return Add(target::Unlock(mutex));
      }
      case 9:
        return Add(Below(2) == 0 ? target::SemWait(0) : target::SemPost(0));
      case 10: {
        const uint16_t mutex = Mutex();
        Add(target::Lock(mutex));
        Add(target::CondWait(0, mutex));
        return Add(target::Unlock(mutex));
      }
      case 11:
        return Add(Below(2) == 0 ? target::CondSignal(0) : target::CondBroadcast(0));
      case 12:
        return Add(target::Yield());
      case 13:
        return Add(target::Choose(2 + static_cast<int32_t>(Below(2)), Register()));
    }
  }

  void Verdict() {
    switch (Below(4)) {
      case 0:
        return Add(target::AssertEqual(Register(), Value()));
      case 1:
      case 2:
        return Add(target::AssertNot(Register(), 1 + Value()));
      default:
        return Add(target::Assume(Register(), Value()));
    }
  }

  uint64_t random_;
  const target::FakeProgram* objects_ = nullptr;
  std::vector<target::Instruction> code_;
  uint32_t left_ = 0;  // visible operations to go in this thread
};

// The program for a failure message.
inline std::string Print(const target::FakeProgram& program) {
  static constexpr const char* kNames[] = {
      "load",   "store",    "fetch-add", "compare-exchange", "lock",         "try-lock",
      "unlock", "sem-wait", "sem-post",  "cond-wait",        "cond-signal",  "cond-broadcast",
      "yield",  "choose",   "set",       "skip-if",          "assert-equal", "assert-not",
      "assume"};
  std::ostringstream text;
  for (size_t t = 0; t < program.threads.size(); ++t) {
    text << "thread " << t << ":";
    for (const target::Instruction& i : program.threads[t]) {
      text << "  " << kNames[static_cast<unsigned>(i.code)] << " r" << unsigned{i.reg} << " o"
           << i.object << "/" << i.object2 << " " << i.value << "," << i.value2;
    }
    text << "\n";
  }
  return text.str();
}

}  // namespace heddle::agree
