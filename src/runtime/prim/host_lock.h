// A lock between the kernel's own threads, for what they may do before and after the executions: a
// constructor may start some. Inside an execution there is one kernel thread, and nothing to lock.
#pragma once

namespace heddle::runtime {

// Tells the processor that this thread waits in a loop.
inline void PauseProcessor() { asm volatile("pause"); }

// Holds the lock `taken`, a bool that is false at first, from construction to destruction; null: no
// lock.
class HostLock {
 public:
  explicit HostLock(bool* taken) : taken_(taken) {
    while (taken_ != nullptr && __atomic_test_and_set(taken_, __ATOMIC_ACQUIRE)) PauseProcessor();
  }
  ~HostLock() {
    if (taken_ != nullptr) __atomic_clear(taken_, __ATOMIC_RELEASE);
  }
  HostLock(const HostLock&) = delete;
  HostLock& operator=(const HostLock&) = delete;

 private:
  bool* const taken_;
};

}  // namespace heddle::runtime
