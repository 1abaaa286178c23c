// Random small programs for the fake target: two to four threads, at most a few thousand schedules.
// The seed and the vocabulary say everything.
#pragma once

#include <algorithm>
#include <sstream>
#include <string>

#include "base/hash.h"
#include "target/fake_target.h"

namespace heddle::agree {

// kAll adds read-write locks, barriers, time limits and plain memory, with and without data races.
// A race makes one happens-before graph mean several things, which explorers need not bear.
// kLives adds the beginning and end of objects and threads, ends of the program wherever they may
// stand, choices whose options go on differently, and atomic sections. The programs of the first
// two are what they were before there was a third, so their seeds keep their meaning.
// kChoices has nothing but accesses to one or two variables, and choices by which some of them are
// left out: what a thread will do next is as good as never known from what it did.
// kWide is kRaceFree with atomic operations that access two or three variables in one go: a word
// and its halves, or an operation that is not aligned.
// kAdds is kRaceFree with additions of which nobody looks at what was there.
// kSections is kLives with an atomic section around anything, waits of all kinds and choices
// included, and threads that are done early.
enum class Vocabulary { kRaceFree, kAll, kLives, kChoices, kWide, kSections, kAdds };

class Generator {
 public:
  explicit Generator(uint64_t seed, Vocabulary vocabulary = Vocabulary::kRaceFree)
      : random_(base::Mix(seed + 1)),
        sections_(vocabulary == Vocabulary::kSections),
        lives_(vocabulary == Vocabulary::kLives || sections_),
        all_(vocabulary == Vocabulary::kAll || lives_),
        choices_(vocabulary == Vocabulary::kChoices),
        wide_(vocabulary == Vocabulary::kWide),
        adds_(vocabulary == Vocabulary::kAdds),
        forgets_locks_(lives_ && seed % 8 == 3) {}

  target::FakeProgram Program() {
    if (choices_) return Choices();
    target::FakeProgram program;
    program.variables.assign((wide_ ? 2 : 1) + Below(2), 0);
    program.mutexes = 1 + Below(2);
    program.semaphores.assign(1, Below(2));
    program.conditions = 1;
    if (all_) {
      program.rwlocks = 1;
      program.barriers.assign(1, 2);
      program.plain.assign(2, 0);
    }
    objects_ = &program;
    condition_mutex_ = Mutex();  // with two at a time it would be misused
    const uint32_t threads = 2 + Below(3);
    if (lives_) ChooseLives(program, threads);
    for (uint32_t t = 0; t < threads; ++t) {
      thread_ = static_cast<uint16_t>(t);
      static constexpr uint32_t kMostOperations[] = {6, 4, 3};
      const uint32_t operations = 1 + Below(kMostOperations[threads - 2]);
      code_.clear();
      for (left_ = operations; left_ > 0;) Fragment();
      if (lives_ && t + 1 == threads && Below(3) == 0) Finish(program, threads);
      if (Below(3) == 0) Verdict();
      program.threads.push_back(code_);
    }
    return program;
  }

 private:
  target::FakeProgram Choices() {
    target::FakeProgram program;
    program.variables.assign(Below(4) == 0 ? 2 : 1, 0);
    objects_ = &program;
    const uint32_t threads = Below(4) == 0 ? 2 : 3;
    for (uint32_t t = 0; t < threads; ++t) {
      code_.clear();
      for (uint32_t left = 1 + Below(threads == 2 ? 3 : 2); left > 0; --left) {
        Below(3) == 0 ? Access() : ChooseToAccess();
      }
      program.threads.push_back(code_);
    }
    return program;
  }

  // A choice of two or three, one of which leaves out the accesses that follow.
  void ChooseToAccess() {
    const uint8_t reg = Register();
    const auto options = static_cast<int32_t>(2 + Below(2));
    const auto accesses = static_cast<int32_t>(1 + Below(2));
    Add(target::Choose(options, reg));
    Add(target::SkipIf(reg, static_cast<int32_t>(Below(static_cast<uint32_t>(options))), accesses));
    for (int32_t k = 0; k < accesses; ++k) Access();
  }

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

  // One access to a variable.
  void Access() {
    if (all_ && Below(4) == 0) return PlainAccess();
    const target::Instruction access = AtomicAccess();
    const auto variables = static_cast<uint32_t>(objects_->variables.size());
    const uint32_t most = variables - access.object;
    if (!wide_ || most == 1 || Below(2) == 0) return Add(access);
    Add(target::Wide(access, static_cast<uint16_t>(2 + Below(most - 1))));
  }

  // All values are numbers of 32 bits, as additions of less than zero make them.
  target::Instruction AccessOrAddition() {
    static constexpr int32_t kPlus[] = {1, 1, -1, 2};
    switch (Below(6)) {
      case 0:
        return target::Load(Variable(), Register());
      case 1:
        return target::Assign(Variable(), Value());
      case 2:
        return target::CompareExchange(Variable(), Value(), Value(), Register());
      default:
        return target::Add(Variable(), kPlus[Below(4)]);
    }
  }

  target::Instruction AtomicAccess() {
    if (adds_) return AccessOrAddition();
    switch (Below(5)) {
      case 0:
        return target::Load(Variable(), Register());
      case 1:
        return target::Store(Variable(), Register(), Value());
      case 2:
        return target::Assign(Variable(), Value());
      case 3:
        return target::FetchAdd(Variable(), 1, Register());
      default:
        return target::CompareExchange(Variable(), Value(), Value(), Register());
    }
  }

  void PlainAccess() {
    const auto object = static_cast<uint16_t>(Below(2));
    Add(Below(2) == 0 ? target::PlainLoad(object, Register())
                      : target::PlainStore(object, Register(), Value()));
  }

  // What was tried has put 0 or 1 into `reg`: one access if it succeeded, and the end of the
  // section.
  void IfGot(uint8_t reg, const target::Instruction& release) {
    Add(target::SkipIf(reg, 0, 2));
    Access();
    Add(release);
  }

  void ChooseLives(target::FakeProgram& program, uint32_t threads) {
    threads_ = threads;
    program.thread_ends = Below(2) == 0;
    if (program.thread_ends && Below(2) == 0) program.robust = {Mutex()};
    if (Below(6) == 0) {
      const auto [type, index] = Object();
      program.raw.push_back({type, index});
    }
  }

  std::pair<target::ObjectType, uint16_t> Object() {
    switch (Below(6)) {
      case 0:
      case 1:
        return {target::ObjectType::kMutex, Mutex()};
      case 2:
        return {target::ObjectType::kCondition, uint16_t{0}};
      case 3:
        return {target::ObjectType::kRwLock, uint16_t{0}};
      case 4:
        return {target::ObjectType::kBarrier, uint16_t{0}};
      default:
        return {target::ObjectType::kSemaphore, uint16_t{0}};
    }
  }

  target::Instruction BeginOrEnd() {
    const auto [type, index] =
        Below(2) == 0 ? std::pair(target::ObjectType::kSemaphore, uint16_t{0}) : Object();
    const bool begins = type == target::ObjectType::kSemaphore || Below(3) == 0;
    if (begins && Below(4) != 0) {
      return target::Init(type, index, static_cast<int32_t>(Below(2)));
    }
    return target::Destroy(type, index);
  }

  uint16_t OtherThread() {
    return static_cast<uint16_t>((thread_ + 1 + Below(threads_ - 1)) % threads_);
  }

  // Like main: waits for the others, and ends objects.
  void Finish(const target::FakeProgram& program, uint32_t threads) {
    for (uint16_t other = 0; other + 1u < threads; ++other) Add(target::Join(other));
    for (uint16_t m = 0; m < program.mutexes; ++m) {
      Add(target::Destroy(target::ObjectType::kMutex, m));
    }
  }

  // One instruction that ends something, or goes on in another way than if it were not there.
  void Turn() {
    switch (Below(6)) {
      case 0:
        return Add(target::Exit());
      case 1:
        return Add(BeginOrEnd());
      case 2:
        return Add(target::Choose(2, Register()));
      case 3:
        return Verdict();
      default:
        return Access();
    }
  }

  void Live() {
    switch (Below(10)) {
      default:
        return Add(BeginOrEnd());
      case 2:
        return Add(target::Join(OtherThread()));
      case 3:
      case 4:
        if (!objects_->thread_ends) return Add(target::Join(OtherThread()));
        return Add(Below(2) == 0 ? target::TryJoin(OtherThread(), Register())
                                 : target::TimedJoin(OtherThread(), Register()));
      case 5: {  // a choice whose options go on differently
        const uint8_t reg = Register();
        Add(target::Choose(2 + static_cast<int32_t>(Below(2)), reg));
        Add(target::SkipIf(reg, static_cast<int32_t>(Below(2)), 1));
        return Turn();
      }
      case 6:
        Add(Below(3) == 0 ? target::Done() : target::AtomicBegin());
        if (Below(2) == 0) {
          const uint16_t mutex = Mutex();
          Add(target::Lock(mutex));
          Access();
          Add(target::Unlock(mutex));
        } else {
          left_ > 1 ? Fragment() : Access();
        }
        if (Below(2) == 0) Access();
        return Add(target::AtomicEnd());
      case 7:
        return Add(Below(3) == 0 ? target::Done() : target::Yield());
      case 8: {
        const uint8_t reg = Register();
        Add(Below(2) == 0 ? target::TimedReadLock(0, reg) : target::TimedWriteLock(0, reg));
        return IfGot(reg, target::RwUnlock(0));
      }
      case 9:
        return Verdict();
    }
  }

  // Without the lock the wait is a misuse. The seeds of which it is left out are few, and none of
  // those that tests name: these keep their programs.
  void LockToWait(uint16_t mutex) {
    if (forgets_locks_ && Below(2) == 0) return;
    Add(target::Lock(mutex));
  }

  void Section() {
    Add(Below(4) == 0 ? target::Done() : target::AtomicBegin());
    do Fragment();
    while (left_ > 0 && Below(2) == 0);
    Add(target::AtomicEnd());
  }

  void Fragment() {
    if (sections_ && Below(3) == 0) return Section();
    if (lives_ && Below(3) == 0) return Live();
    switch (Below(all_ ? 23 : 14)) {
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
        return IfGot(reg, target::Unlock(mutex));
      }
      case 9:
        return Add(Below(2) == 0 ? target::SemWait(0) : target::SemPost(0));
      case 10: {
        const uint16_t mutex = condition_mutex_;
        LockToWait(mutex);
        Add(target::CondWait(0, mutex));
        return Add(target::Unlock(mutex));
      }
      case 11:
        return Add(Below(2) == 0 ? target::CondSignal(0) : target::CondBroadcast(0));
      case 12:
        return Add(target::Yield());
      case 13:
        return Add(target::Choose(2 + static_cast<int32_t>(Below(2)), Register()));
      case 14:
        Add(target::ReadLock(0));
        Access();
        return Add(target::RwUnlock(0));
      case 15:
        Add(target::WriteLock(0));
        Access();
        return Add(target::RwUnlock(0));
      case 16: {
        const uint8_t reg = Register();
        Add(Below(2) == 0 ? target::TryReadLock(0, reg) : target::TryWriteLock(0, reg));
        return IfGot(reg, target::RwUnlock(0));
      }
      case 17:
        return Add(target::Barrier(0));
      case 18: {
        const uint16_t mutex = Mutex();
        const uint8_t reg = Register();
        Add(target::TimedLock(mutex, reg));
        return IfGot(reg, target::Unlock(mutex));
      }
      case 19:
        return Add(Below(2) == 0 ? target::TimedSemWait(0, Register())
                                 : target::SemTryWait(0, Register()));
      case 20: {
        const uint16_t mutex = condition_mutex_;
        LockToWait(mutex);
        Add(target::TimedCondWait(0, mutex, Register()));
        return Add(target::Unlock(mutex));
      }
      case 21:
      case 22: {  // an increment of plain memory that is always protected
        const uint8_t reg = Register();
        Add(target::Lock(0));
        Add(target::PlainLoad(0, reg));
        Add(target::PlainStore(0, reg, 1));
        return Add(target::Unlock(0));
      }
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
  const bool sections_;
  const bool lives_;
  const bool all_;
  const bool choices_;
  const bool wide_;
  const bool adds_;
  const bool forgets_locks_;
  uint32_t threads_ = 0;
  uint16_t thread_ = 0;
  const target::FakeProgram* objects_ = nullptr;
  std::vector<target::Instruction> code_;
  uint16_t condition_mutex_ = 0;
  uint32_t left_ = 0;  // visible operations to go in this thread
};

// Has it steps of more than one operation? What a part of one would do in another order only trying
// tells.
template <typename Holds>
bool AnyInstruction(const target::FakeProgram& program, const Holds& holds) {
  return std::ranges::any_of(program.threads, [&](const std::vector<target::Instruction>& thread) {
    return std::ranges::any_of(thread, holds);
  });
}

inline bool HasSections(const target::FakeProgram& program) {
  using Code = target::Instruction::Code;
  return AnyInstruction(program, [](const target::Instruction& i) {
    return i.code == Code::kAtomicBegin || i.code == Code::kDone;
  });
}

inline bool HasChoices(const target::FakeProgram& program) {
  return AnyInstruction(program, [](const target::Instruction& i) {
    return i.code == target::Instruction::Code::kChoose;
  });
}

// One line per thread; an instruction is its name, register, object/object2 and values.
inline std::string Print(const target::FakeProgram& program) {
  static constexpr const char* kNames[] = {
#define INSTRUCTION(code, name) name,
#include "instructions.def"
#undef INSTRUCTION
  };
  std::ostringstream text;
  for (const auto& thread : program.threads) {
    for (const target::Instruction& i : thread) {
      text << kNames[static_cast<unsigned>(i.code)] << " r" << unsigned{i.reg} << " o" << i.object
           << "/" << i.object2 << " " << i.value << "," << i.value2 << "; ";
    }
    text << "\n";
  }
  return text.str();
}

}  // namespace heddle::agree
