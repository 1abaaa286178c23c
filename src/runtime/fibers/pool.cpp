#include "runtime/fibers/pool.h"

#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include <algorithm>

#include "base/check.h"
#include "runtime/control.h"
#include "runtime/fibers/kernel_threads.h"
#include "runtime/fibers/table.h"
#include "runtime/memory/pages.h"
#include "runtime/memory/rewind.h"
#include "runtime/prim/context.h"
#include "runtime/prim/copy.h"
#include "runtime/prim/lifetime.h"
#include "runtime/prim/page.h"
#include "runtime/prim/real.h"
#include "runtime/prim/signal_mask.h"
#include "runtime/prim/sleep.h"
#include "runtime/prim/syscall.h"
#include "runtime/prim/thread_storage.h"
#include "runtime/restart.h"
#include "runtime/runtime.h"

namespace heddle::runtime {
namespace {

constexpr size_t kGuard = kPageBytes;

[[HEDDLE_LASTS("of this C library")]] ThreadStorage storage;
[[HEDDLE_LASTS("the pool grows between executions")]] uint32_t pool_size;

struct Stack {
  char* begin;
  size_t size;
  size_t clear;  // as many bytes at the top were, when it was lent
  bool used;     // by an execution, since it was mapped or renewed
};
// By fiber number; our own mapping, kept when the program lends its memory.
[[HEDDLE_LASTS("mapped once")]] Stack* own_stacks;

// As many bytes of every stack are cleared: the most that was compared of any.
[[HEDDLE_LASTS("of the search")]] size_t compared_bytes;

[[HEDDLE_LASTS("of the search")]] uint64_t stacks_version;

// By fiber number: of the TLS block that is lent.
[[HEDDLE_LASTS("of the pool")]] uintptr_t* thread_pointers;

// pthread_t -> fiber number + 1, open addressing.
struct Handle {
  uintptr_t handle;
  uint32_t number;
};
[[HEDDLE_LASTS("of the pool")]] Handle* handles;
[[HEDDLE_LASTS("of the pool")]] uint32_t handle_capacity;

void InsertHandle(uintptr_t handle, uint32_t number) {
  uint32_t at = static_cast<uint32_t>(handle >> 6) & (handle_capacity - 1);
  while (handles[at].handle != 0) at = (at + 1) & (handle_capacity - 1);
  handles[at] = {handle, number};
}

// Does a module want to run code on the stack, as GCC's nested functions do? Decided as the loader
// decides for the stacks that it makes: one that does not say what it wants, wants it.
bool StacksAreExecutable() {
  [[HEDDLE_LASTS("found once")]] static int answer = -1;
  if (answer >= 0) return answer != 0;
  answer = dl_iterate_phdr(
      [](dl_phdr_info* module, size_t, void*) {
        const bool kernels =
            reinterpret_cast<uintptr_t>(module->dlpi_phdr) - getauxval(AT_SYSINFO_EHDR) <
            kPageBytes;
        if (kernels) return 0;  // the vdso, which the loader does not ask
        for (unsigned i = 0; i < module->dlpi_phnum; ++i)
          if (module->dlpi_phdr[i].p_type == PT_GNU_STACK)
            return (module->dlpi_phdr[i].p_flags & PF_X) != 0 ? 1 : 0;
        return 1;
      },
      nullptr);
  return answer != 0;
}

// `bytes` that end where place `number` ends, or anywhere.
char* MapAtPlace(uintptr_t places, size_t place, uint32_t number, size_t bytes, int protection) {
  const uintptr_t end = places + (number + 1) * place;
  const bool fits = number < kThreadPlaces && bytes <= place;
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK;
  const long at = RawSyscall(SYS_mmap, fits ? static_cast<long>(end - bytes) : 0,
                             static_cast<long>(bytes), protection, flags, -1, 0);
  HEDDLE_CHECK(!Failed(at));
  return reinterpret_cast<char*>(at);
}

// At least `bytes`. A new one takes the place of one that is too small.
void MapStack(uint32_t number, size_t bytes) {
  Stack& own = own_stacks[number];
  bytes = RoundUp(bytes, kPageBytes);
  if (own.size >= bytes) return;
  if (own.begin != nullptr)
    RawSyscall(SYS_munmap, reinterpret_cast<long>(own.begin - kGuard),
               static_cast<long>(own.size + kGuard));
  const int execute = StacksAreExecutable() ? PROT_EXEC : 0;
  char* const at = MapAtPlace(kStacksBegin, kStackPlace, number, bytes + kGuard,
                              PROT_READ | PROT_WRITE | execute);
  RawSyscall(SYS_mprotect, reinterpret_cast<long>(at), kGuard, PROT_NONE);
  own = {at + kGuard, bytes, 0, false};
  ++stacks_version;
}

void DoWithoutRestartableSequences() {
  if (StopRestartableSequences()) return;
  FailSetUp(
      "this C library's restartable sequences cannot be switched off: set "
      "GLIBC_TUNABLES=glibc.pthread.rseq=0");
}

struct Parking {
  uintptr_t thread_pointer;
  int parked;  // SleepWhile
};

void* Park(void* argument) {
  auto* parking = static_cast<Parking*>(argument);
  SetKernelSignalMask(~uint64_t{0});  // what comes to the process is for the thread that runs
  DoWithoutRestartableSequences();
  parking->thread_pointer = ReadThreadPointer();
  if (g_state.kernel_threads) EndParkedThread(&parking->parked);
  __atomic_store_n(&parking->parked, 1, __ATOMIC_SEQ_CST);
  WakeSleeper(&parking->parked);
  // Sleeps for good. From here on this thread touches no memory: its TLS block belongs to a fiber.
  static const int kNever = 0;
  for (;;) SleepWhile(&kNever, 0);
}

}  // namespace

size_t DefaultStackSize() {
  [[HEDDLE_LASTS("found once")]] static size_t size = 0;
  if (size == 0) {
    struct rlimit limit;
    RawSyscall(SYS_prlimit64, 0, RLIMIT_STACK, 0, reinterpret_cast<long>(&limit));
    size =
        limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > (64u << 20) ? 8u << 20 : limit.rlim_cur;
    constexpr size_t kLeast = 256u << 10;  // heddle's own frames are on these stacks, too
    if (size < kLeast) size = kLeast;
    size = RoundDown(size, kPageBytes);
  }
  return size;
}

void LendStorage(Fiber& fiber) { fiber.thread_pointer = thread_pointers[fiber.id]; }

void FreeKeyBlocks(const Fiber& fiber) {
  if (storage.key_blocks == 0) return;
  void** const blocks = storage.KeyBlocks(fiber.thread_pointer);
  for (size_t i = 1; i < storage.key_block_count; ++i) {
    free(blocks[i]);
    blocks[i] = nullptr;
  }
}

void ProvideStack(Fiber& fiber, size_t bytes, char* given) {
  if (given != nullptr) {
    fiber.stack_begin = given;
    fiber.stack_size = bytes;
    return;
  }
  Stack& own = own_stacks[fiber.id];
  MapStack(fiber.id, bytes);
  fiber.stack_begin = own.begin;
  fiber.stack_size = own.size;
  own.clear = own.used ? std::min(compared_bytes, own.size) : own.size;
  if (own.used) Fill(own.begin + own.size - own.clear, 0, own.clear);
  own.used = true;
}

void NeedClearStack(const Fiber& fiber, size_t bytes) {
  const Stack& own = own_stacks[fiber.id];
  constexpr size_t kStep = 512;  // of restarts, should a recursion compare at every depth
  if (fiber.stack_begin != own.begin) return;  // the program's memory, which is rewound
  if (bytes > compared_bytes) {
    compared_bytes = RoundUp(bytes, kStep);
    ++stacks_version;
  }
  if (bytes > own.clear) Restart(RestartFor::kStacks, "a deeper stack is compared");
}

namespace {

bool HasStack(const Fiber& fiber) {
  const bool lives = fiber.state == FiberState::kPublished || fiber.state == FiberState::kRunning;
  return lives || &fiber == g_state.current;
}

// Calls visit(fiber, begin, end) for what is saved of each stack. Below what is in use, as deep as
// stacks are compared, lies what calls that have returned left there.
template <typename Visit>
void VisitStacks(Visit visit) {
  for (uint32_t id = 0; id < g_used_fibers; ++id) {
    const Fiber& fiber = g_fibers[id];
    if (!HasStack(fiber)) continue;
    char* const end = fiber.stack_begin + fiber.stack_size;
    char* begin = static_cast<char*>(fiber.stack_pointer);
    const bool is_own = fiber.stack_begin == own_stacks[id].begin;
    if (is_own) begin = std::min(begin, end - std::min(compared_bytes, fiber.stack_size));
    visit(fiber, begin, end);
  }
}

}  // namespace

bool StacksCanBeSaved() {
  for (uint32_t id = 0; id < g_used_fibers; ++id) {
    const Fiber& fiber = g_fibers[id];
    const auto depth = static_cast<char*>(fiber.stack_pointer) - fiber.stack_begin;
    if (HasStack(fiber) && static_cast<size_t>(depth) > fiber.stack_size) return false;
  }
  return true;
}

void SaveStacks(base::SavedBytes& to) {
  VisitStacks([&](const Fiber&, const char* begin, const char* end) {
    to.Put(begin, static_cast<size_t>(end - begin));
  });
}

void RestoreStacks(base::SavedBytesReader& from) {
  VisitStacks([&](const Fiber& fiber, char* begin, char* end) {
    from.Get(begin, static_cast<size_t>(end - begin));
    Stack& own = own_stacks[fiber.id];
    if (fiber.stack_begin == own.begin) own.clear = std::min(compared_bytes, own.size);
  });
}

uint64_t StacksVersion() { return stacks_version; }

void RenewStacks() {
  ++stacks_version;
  for (uint32_t i = 0; i < pool_size; ++i) {
    Stack& own = own_stacks[i];
    if (!own.used) continue;
    RawSyscall(SYS_madvise, reinterpret_cast<long>(own.begin), static_cast<long>(own.size),
               MADV_DONTNEED);
    own.used = false;
  }
}

void InitPool() {
  if (!FindThreadStorage(storage))
    FailSetUp(
        "this C library is not a glibc that heddle knows (2.34 or later): no TLS layout "
        "information");
  own_stacks = static_cast<Stack*>(ReserveMemory(sizeof(Stack) * kMaxFibers));
  thread_pointers = static_cast<uintptr_t*>(ReserveMemory(sizeof(uintptr_t) * kMaxFibers));
  thread_pointers[0] = ReadThreadPointer();
  MapStack(0, DefaultStackSize());  // also decides StacksAreExecutable
  pool_size = 1;
  DoWithoutRestartableSequences();
  const auto begin = reinterpret_cast<uintptr_t>(storage.Begin(thread_pointers[0]));
  AddRegion(begin, begin + storage.bytes);
}

void GrowPool(uint32_t count) {
  if (count <= pool_size) return;
  // Nothing from outside may come to a thread that has no stack for it yet. But libc writes to
  // pages of the snapshot here: with SIGSEGV blocked the kernel would kill the process for the
  // first.
  sigset_t outside;
  sigfillset(&outside);
  for (int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS}) sigdelset(&outside, number);
  const uint64_t before = KernelSignalMask();
  SetKernelSignalMask(KernelSignalMaskOf(outside));
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  const size_t bytes = (64u << 10) + RoundUp(storage.bytes, kPageBytes);
  auto* create = Real<&pthread_create>("pthread_create");
  for (uint32_t i = pool_size; i < count; ++i) {
    Parking parking = {0, 0};
    pthread_t handle;
    char* const stack = MapAtPlace(kStorageBegin, kStoragePlace, i, bytes, PROT_READ | PROT_WRITE);
    pthread_attr_setstack(&attributes, stack, bytes);
    if (create(&handle, &attributes, Park, &parking) != 0)
      FailSetUp(
          "cannot create %u kernel threads to lend their thread-local storage: raise the limit on "
          "processes (ulimit -u)",
          i);
    while (__atomic_load_n(&parking.parked, __ATOMIC_SEQ_CST) == 0) SleepWhile(&parking.parked, 0);
    thread_pointers[i] = parking.thread_pointer;
    // Whole pages: what else is on them is the stack of a thread that sleeps for good.
    const auto begin = reinterpret_cast<uintptr_t>(storage.Begin(thread_pointers[i]));
    AddRegion(RoundDown(begin, kPageBytes), RoundUp(begin + storage.bytes, kPageBytes));
  }
  pool_size = count;
  pthread_attr_destroy(&attributes);
  SetKernelSignalMask(before);

  if (handles != nullptr) UnmapMemory(handles, handle_capacity * sizeof(Handle));
  handle_capacity = 64;
  while (handle_capacity < 4 * count) handle_capacity *= 2;
  handles = static_cast<Handle*>(ReserveMemory(handle_capacity * sizeof(Handle)));
  for (uint32_t i = 0; i < pool_size; ++i) InsertHandle(thread_pointers[i], i);
}

uint32_t PoolSize() { return pool_size; }

StorageRange StorageOf(uint32_t number) {
  const auto begin = reinterpret_cast<uintptr_t>(storage.Begin(thread_pointers[number]));
  return {begin, begin + storage.bytes};
}

Fiber* FiberOfStack(uintptr_t address) {
  if (!IsOnStack(address)) return nullptr;
  const uint32_t number = static_cast<uint32_t>((address - kStacksBegin) / kStackPlace);
  if (number >= g_used_fibers) return nullptr;
  Fiber& fiber = g_fibers[number];
  const bool within = address - reinterpret_cast<uintptr_t>(fiber.stack_begin) < fiber.stack_size;
  return fiber.state != FiberState::kUnused && within ? &fiber : nullptr;
}

Fiber* FiberOfStorage(uintptr_t address) {
  if (address - kStorageBegin >= kThreadPlaces * kStoragePlace) return nullptr;
  const uint32_t number = static_cast<uint32_t>((address - kStorageBegin) / kStoragePlace);
  if (number == 0 || number >= g_used_fibers) return nullptr;
  Fiber& fiber = g_fibers[number];
  const bool within = StorageOf(number).begin <= address && address < fiber.thread_pointer;
  return fiber.state != FiberState::kUnused && within ? &fiber : nullptr;
}

Fiber* FiberOfHandle(uintptr_t handle) {
  uint32_t at = static_cast<uint32_t>(handle >> 6) & (handle_capacity - 1);
  for (; handles[at].handle != 0; at = (at + 1) & (handle_capacity - 1)) {
    if (handles[at].handle != handle) continue;
    if (handles[at].number >= g_used_fibers) return nullptr;
    Fiber& fiber = g_fibers[handles[at].number];
    return fiber.state == FiberState::kUnused ? nullptr : &fiber;
  }
  return nullptr;
}

}  // namespace heddle::runtime
