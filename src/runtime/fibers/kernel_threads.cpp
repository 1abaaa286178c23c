#include "runtime/fibers/kernel_threads.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>

#include "base/check.h"
#include "runtime/bounded_text.h"
#include "runtime/control.h"
#include "runtime/debugger.h"
#include "runtime/fibers/table.h"
#include "runtime/memory/pages.h"
#include "runtime/prim/context.h"
#include "runtime/prim/copy.h"
#include "runtime/prim/kernel_thread.h"
#include "runtime/prim/lifetime.h"
#include "runtime/prim/signal_mask.h"
#include "runtime/prim/sleep.h"
#include "runtime/prim/syscall.h"
#include "runtime/runtime.h"

namespace heddle::runtime {
namespace {

constexpr uint64_t kAllSignals = ~uint64_t{0};
constexpr size_t kNameBytes = sizeof HeddleThread::name;

[[HEDDLE_LASTS("mapped once")]] HeddleThread* threads;  // by fiber number
[[HEDDLE_LASTS("of the one execution")]] bool execution_is_over;
// All handlers of heddle's share one stack. Only one thread runs, so all threads may.
[[HEDDLE_LASTS("of the process")]] stack_t signal_stack;

constexpr op::ThreadId kMain = 0;  // its kernel thread is the process's first, the loop's

void Open(int& turn) {
  __atomic_store_n(&turn, 1, __ATOMIC_SEQ_CST);
  WakeSleeper(&turn);
}

void AwaitTurn(int& turn) {
  while (__atomic_load_n(&turn, __ATOMIC_SEQ_CST) == 0) SleepWhile(&turn, 0);
  turn = 0;
}

// "main", "T1", "T1.2", as reports say it.
void TellPath(op::ThreadId id, char (&name)[sizeof HeddleThread::path]) {
  constexpr unsigned kDeepest = 16;
  uint32_t path[kDeepest];
  unsigned depth = 0;
  for (op::ThreadId at = id; at != kMain && depth < kDeepest; at = Names()[at].parent)
    path[depth++] = Names()[at].child;
  BoundedText text = {name, name + sizeof name};
  text.Add(depth == 0 ? "main" : "T");
  while (depth-- > 0) text.Add(depth == 0 ? "%u" : "%u.", path[depth]);
}

void TellKernel(const HeddleThread& thread) {
  char path[64];
  BoundedText text = {path, path + sizeof path};
  text.Add("/proc/self/task/%d/comm", thread.number);
  const long file =
      RawSyscall(SYS_openat, AT_FDCWD, reinterpret_cast<long>(path), O_WRONLY | O_CLOEXEC);
  if (Failed(file)) return;
  RawSyscall(SYS_write, file, reinterpret_cast<long>(thread.name),
             static_cast<long>(strnlen(thread.name, kNameBytes)));
  RawSyscall(SYS_close, file);
}

void Name(op::ThreadId id) {
  HeddleThread& thread = threads[id];
  TellPath(id, thread.path);
  if (thread.name[0] == '\0') CopyForward(thread.name, thread.path, kNameBytes - 1);
  TellKernel(thread);
}

// It waits for its turn, then.
void MakeKernelThread(const Fiber& fiber) {
  HeddleThread& thread = threads[fiber.id];
  int* const known = KernelNumberIn(fiber.thread_pointer);
  const long number = heddle_start_kernel_thread(fiber.stack_pointer, fiber.thread_pointer,
                                                 known != nullptr ? known : &thread.number);
  HEDDLE_CHECK(!Failed(number));
  thread.number = static_cast<int>(number);
  if (fiber.id >= heddle_debugger.thread_count) heddle_debugger.thread_count = fiber.id + 1;
}

}  // namespace

void UseKernelThreads() {
  threads = static_cast<HeddleThread*>(ReserveMemory(sizeof(HeddleThread) * kMaxFibers));
  heddle_debugger.threads = reinterpret_cast<uintptr_t>(threads);
  g_state.kernel_threads = true;
}

void BeginOnKernelThreads(const Fiber& main_fiber) {
  RawSyscall(SYS_sigaltstack, 0, reinterpret_cast<long>(&signal_stack));
  threads[main_fiber.id].number = static_cast<int>(RawSyscall(SYS_gettid));
  heddle_debugger.thread_count = main_fiber.id + 1;
  Name(main_fiber.id);
}

bool HandOver(Fiber& from, Fiber& to) {
  const uint64_t mask = KernelSignalMask();
  SetKernelSignalMask(kAllSignals);
  if (threads[to.id].number == 0) MakeKernelThread(to);
  if (from.state == FiberState::kFinished && from.id != kMain) {
    if (int* const known = KernelNumberIn(from.thread_pointer)) *known = kEndedThread;
    heddle_wake_and_end_thread(&threads[to.id].turn);
  }
  Open(threads[to.id].turn);
  AwaitTurn(threads[from.id].turn);
  SetKernelSignalMask(mask);
  return execution_is_over;
}

void HandOverToLoop(Fiber& from) {
  execution_is_over = true;
  if (from.id == kMain) return;
  SetKernelSignalMask(kAllSignals);
  Open(threads[kMain].turn);
  for (;;) AwaitTurn(threads[from.id].turn);
}

void BeginOnOwnThread(Fiber& self) {
  AwaitTurn(threads[self.id].turn);
  RawSyscall(SYS_sigaltstack, reinterpret_cast<long>(&signal_stack), 0);
  Name(self.id);
  SetKernelSignalMask(0);
}

void NameKernelThread(const Fiber& fiber, const char* name) {
  HeddleThread& thread = threads[fiber.id];
  const size_t length = strnlen(name, kNameBytes - 1);
  CopyForward(thread.name, name, length);
  thread.name[length] = '\0';
  if (thread.number != 0) TellKernel(thread);
}

void EndParkedThread(int* parked) {
  KeepStorageAtEnd();
  if (int* const known = KernelNumberIn(ReadThreadPointer())) *known = kEndedThread;
  heddle_wake_and_end_thread(parked);
}

}  // namespace heddle::runtime
