// The programs of fake_target.h, as data.
#pragma once

#include <cstdint>
#include <vector>

namespace heddle::target {

inline constexpr unsigned kRegisters = 8;
inline constexpr uint8_t kZero = 255;  // in place of a register: reads as 0, writes are lost
inline constexpr uint32_t kNoObject = 0xffffffffu;  // in events

struct Instruction {
  enum class Code : uint8_t {
    // visible
    // These access `object2` variables from `object` on in one go, as a word and its bytes; 0: one.
    kLoad,             // reg = object; of several, their values as digits
    kStore,            // object = reg + value, each of them
    kFetchAdd,         // reg = object; object += value
    kCompareExchange,  // reg = (object == value, all of them); if so object = value2
    kLock,
    kTryLock,  // reg = got it
    kUnlock,
    kSemWait,
    kSemPost,
    kCondWait,  // object: condition variable, object2: mutex
    kCondSignal,
    kCondBroadcast,
    kYield,
    kChoose,         // reg = one of 0 .. value-1
    kSemTryWait,     // reg = got it
    kTimedLock,      // reg = got it
    kTimedSemWait,   // reg = got it
    kTimedCondWait,  // like kCondWait; reg = was woken
    kReadLock,
    kWriteLock,
    kTryReadLock,   // reg = got it
    kTryWriteLock,  // reg = got it
    kRwUnlock,
    kBarrier,
    kTimedReadLock,   // reg = got it
    kTimedWriteLock,  // reg = got it
    kInit,            // object of type object2 (ObjectType); a semaphore gets value permits
    kDestroy,         // likewise; it is not used before it is initialised again
    kTryJoin,         // reg = thread `object` has ended
    kTimedJoin,       // reg = it has ended within the time limit
    kAtomicBegin,     // up to kAtomicEnd, but for waits, there is no choice
    kDone,            // likewise, up to the end of the thread
    kAdd,             // object += value, as 32 bits; nobody looks at what was there
    // local
    kSet,          // reg = value
    kSkipIf,       // if reg == value, skip the next value2 instructions
    kAssertEqual,  // fails unless reg == value
    kAssertNot,    // fails if reg == value
    kAssume,       // ends the execution as assumed away unless reg == value
    kPlainLoad,    // reg = object, of plain memory
    kPlainStore,   // object = reg + value, in plain memory
    kJoin,         // waits for the end of thread `object`
    kAtomicEnd,
    kExit,  // ends the program
  };
  Code code;
  uint8_t reg = kZero;
  uint16_t object = 0;
  uint16_t object2 = 0;
  int32_t value = 0;
  int32_t value2 = 0;
};

enum class ObjectType : uint16_t { kMutex, kSemaphore, kCondition, kRwLock, kBarrier };

struct FakeProgram {
  struct Named {
    ObjectType type;
    uint16_t index;
  };
  std::vector<std::vector<Instruction>> threads;
  std::vector<int64_t> variables;   // initial values
  std::vector<int64_t> semaphores;  // initial values
  uint32_t mutexes = 0;
  uint32_t conditions = 0;
  uint32_t rwlocks = 0;
  std::vector<uint32_t> barriers = {};  // how many threads each waits for
  std::vector<int64_t> plain = {};      // initial values of plain memory
  std::vector<Named> raw = {};          // objects that are not initialised at the start
  std::vector<uint16_t> robust = {};    // mutexes that their owner's end gives up
  // The end of a thread is a step of its own. REQUIRED by kTryJoin, kTimedJoin and robust mutexes.
  bool thread_ends = false;
  // To end the program is an operation, before which others go first; otherwise it is at an end
  // with the last step before it.
  bool ends_yield = true;
};

// How many variables it accesses; for the atomic operations on them.
inline uint32_t Width(const Instruction& instruction) {
  return instruction.object2 == 0 ? 1 : instruction.object2;
}

// Instructions by name: a program reads as {Load(x, 0), Store(x, 0, 1)}, which is x = x + 1.
inline Instruction Load(uint16_t variable, uint8_t reg) {
  return {Instruction::Code::kLoad, reg, variable};
}
inline Instruction Store(uint16_t variable, uint8_t reg, int32_t plus) {
  return {Instruction::Code::kStore, reg, variable, 0, plus};
}
inline Instruction Assign(uint16_t variable, int32_t value) {
  return Store(variable, kZero, value);
}
inline Instruction FetchAdd(uint16_t variable, int32_t plus, uint8_t reg = kZero) {
  return {Instruction::Code::kFetchAdd, reg, variable, 0, plus};
}
inline Instruction Add(uint16_t variable, int32_t plus) {
  return {Instruction::Code::kAdd, kZero, variable, 0, plus};
}
inline Instruction CompareExchange(uint16_t variable, int32_t expected, int32_t desired,
                                   uint8_t reg) {
  return {Instruction::Code::kCompareExchange, reg, variable, 0, expected, desired};
}
// The same of `count` variables in one go.
inline Instruction Wide(Instruction access, uint16_t count) {
  access.object2 = count;
  return access;
}
inline Instruction Lock(uint16_t mutex) { return {Instruction::Code::kLock, kZero, mutex}; }
inline Instruction TryLock(uint16_t mutex, uint8_t reg) {
  return {Instruction::Code::kTryLock, reg, mutex};
}
inline Instruction Unlock(uint16_t mutex) { return {Instruction::Code::kUnlock, kZero, mutex}; }
inline Instruction SemWait(uint16_t semaphore) {
  return {Instruction::Code::kSemWait, kZero, semaphore};
}
inline Instruction SemPost(uint16_t semaphore) {
  return {Instruction::Code::kSemPost, kZero, semaphore};
}
inline Instruction CondWait(uint16_t condition, uint16_t mutex) {
  return {Instruction::Code::kCondWait, kZero, condition, mutex};
}
inline Instruction CondSignal(uint16_t condition) {
  return {Instruction::Code::kCondSignal, kZero, condition};
}
inline Instruction CondBroadcast(uint16_t condition) {
  return {Instruction::Code::kCondBroadcast, kZero, condition};
}
inline Instruction Yield() { return {Instruction::Code::kYield}; }
inline Instruction Choose(int32_t options, uint8_t reg) {
  return {Instruction::Code::kChoose, reg, 0, 0, options};
}
inline Instruction SemTryWait(uint16_t semaphore, uint8_t reg) {
  return {Instruction::Code::kSemTryWait, reg, semaphore};
}
inline Instruction TimedLock(uint16_t mutex, uint8_t reg) {
  return {Instruction::Code::kTimedLock, reg, mutex};
}
inline Instruction TimedSemWait(uint16_t semaphore, uint8_t reg) {
  return {Instruction::Code::kTimedSemWait, reg, semaphore};
}
inline Instruction TimedCondWait(uint16_t condition, uint16_t mutex, uint8_t reg) {
  return {Instruction::Code::kTimedCondWait, reg, condition, mutex};
}
inline Instruction ReadLock(uint16_t lock) { return {Instruction::Code::kReadLock, kZero, lock}; }
inline Instruction WriteLock(uint16_t lock) { return {Instruction::Code::kWriteLock, kZero, lock}; }
inline Instruction TryReadLock(uint16_t lock, uint8_t reg) {
  return {Instruction::Code::kTryReadLock, reg, lock};
}
inline Instruction TryWriteLock(uint16_t lock, uint8_t reg) {
  return {Instruction::Code::kTryWriteLock, reg, lock};
}
inline Instruction RwUnlock(uint16_t lock) { return {Instruction::Code::kRwUnlock, kZero, lock}; }
inline Instruction Barrier(uint16_t barrier) {
  return {Instruction::Code::kBarrier, kZero, barrier};
}
inline Instruction TimedReadLock(uint16_t lock, uint8_t reg) {
  return {Instruction::Code::kTimedReadLock, reg, lock};
}
inline Instruction TimedWriteLock(uint16_t lock, uint8_t reg) {
  return {Instruction::Code::kTimedWriteLock, reg, lock};
}
inline Instruction Init(ObjectType type, uint16_t object, int32_t permits = 0) {
  return {Instruction::Code::kInit, kZero, object, static_cast<uint16_t>(type), permits};
}
inline Instruction Destroy(ObjectType type, uint16_t object) {
  return {Instruction::Code::kDestroy, kZero, object, static_cast<uint16_t>(type)};
}
inline Instruction Join(uint16_t thread) { return {Instruction::Code::kJoin, kZero, thread}; }
inline Instruction TryJoin(uint16_t thread, uint8_t reg) {
  return {Instruction::Code::kTryJoin, reg, thread};
}
inline Instruction TimedJoin(uint16_t thread, uint8_t reg) {
  return {Instruction::Code::kTimedJoin, reg, thread};
}
inline Instruction AtomicBegin() { return {Instruction::Code::kAtomicBegin}; }
inline Instruction AtomicEnd() { return {Instruction::Code::kAtomicEnd}; }
inline Instruction Done() { return {Instruction::Code::kDone}; }
inline Instruction Exit() { return {Instruction::Code::kExit}; }
inline Instruction PlainLoad(uint16_t object, uint8_t reg) {
  return {Instruction::Code::kPlainLoad, reg, object};
}
inline Instruction PlainStore(uint16_t object, uint8_t reg, int32_t plus) {
  return {Instruction::Code::kPlainStore, reg, object, 0, plus};
}
inline Instruction Set(uint8_t reg, int32_t value) {
  return {Instruction::Code::kSet, reg, 0, 0, value};
}
inline Instruction SkipIf(uint8_t reg, int32_t value, int32_t count) {
  return {Instruction::Code::kSkipIf, reg, 0, 0, value, count};
}
inline Instruction AssertEqual(uint8_t reg, int32_t value) {
  return {Instruction::Code::kAssertEqual, reg, 0, 0, value};
}
inline Instruction AssertNot(uint8_t reg, int32_t value) {
  return {Instruction::Code::kAssertNot, reg, 0, 0, value};
}
inline Instruction Assume(uint8_t reg, int32_t value) {
  return {Instruction::Code::kAssume, reg, 0, 0, value};
}

}  // namespace heddle::target
