#include "runtime/fibers/pool.h"

#include <link.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "base/check.h"
#include "runtime/control.h"
#include "runtime/fibers/recurrence.h"
#include "runtime/fibers/table.h"
#include "runtime/memory/pages.h"
#include "runtime/memory/rewind.h"
#include "runtime/prim/context.h"
#include "runtime/prim/copy.h"
#include "runtime/prim/real.h"
#include "runtime/prim/syscall.h"

namespace heddle::runtime {
namespace {

constexpr size_t kPage = 4096;
constexpr size_t kGuard = kPage;

size_t tls_size;  // static TLS block, thread control block included
size_t tcb_size;  // sizeof(struct pthread)
uint32_t pool_size;

struct Stack {
  char* begin;
  size_t size;
};
Stack* own_stacks;  // by fiber number; our own mapping, kept when the program lends its memory

// pthread_t -> fiber number + 1, open addressing.
struct Handle {
  uintptr_t handle;
  uint32_t number;
};
Handle* handles;
uint32_t handle_capacity;

void InsertHandle(uintptr_t handle, uint32_t number) {
  uint32_t at = static_cast<uint32_t>(handle >> 6) & (handle_capacity - 1);
  while (handles[at].handle != 0) at = (at + 1) & (handle_capacity - 1);
  handles[at] = {handle, number};
}

// Does a module want to run code on the stack, as GCC's nested functions do? Decided as the loader
// decides for the stacks that it makes: one that does not say what it wants, wants it.
bool StacksAreExecutable() {
  static int answer = -1;
  if (answer >= 0) return answer != 0;
  answer = dl_iterate_phdr(
      [](dl_phdr_info* module, size_t, void*) {
        const bool kernels =
            reinterpret_cast<uintptr_t>(module->dlpi_phdr) - getauxval(AT_SYSINFO_EHDR) < kPage;
        if (kernels) return 0;  // the vdso, which the loader does not ask
        for (unsigned i = 0; i < module->dlpi_phnum; ++i)
          if (module->dlpi_phdr[i].p_type == PT_GNU_STACK)
            return (module->dlpi_phdr[i].p_flags & PF_X) != 0 ? 1 : 0;
        return 1;
      },
      nullptr);
  return answer != 0;
}

// TLS variant II: the block ends with the thread control block, at which the FS base points.
void SetTls(Fiber& fiber, uintptr_t fs_base) {
  fiber.fs_base = fs_base;
  fiber.tls_begin = reinterpret_cast<char*>(fs_base + tcb_size - tls_size);
  fiber.tls_size = tls_size;
}

// glibc registers an area in the control block where the kernel writes on which processor the
// thread runs, at any time. A page that the kernel writes to cannot be write-protected, and an area
// that is rewound looks corrupted to the kernel, which then kills the process. So the kernel thread
// that runs the fibers does without.
void StopRestartableSequences() {
  constexpr long kUnregister = 1;
  constexpr long kSignature = 0x53053053;  // glibc's RSEQ_SIG on x86
  constexpr long kOriginalSize = 32;  // what glibc registers when the kernel's area is not larger
  auto* offset = static_cast<const ptrdiff_t*>(FindReal("__rseq_offset"));
  auto* size = static_cast<const unsigned*>(FindReal("__rseq_size"));
  if (offset == nullptr || size == nullptr || *size == 0) return;
  const long area = static_cast<long>(ReadFsBase()) + *offset;
  const int processor = *reinterpret_cast<const int*>(area + 4);  // negative: not registered
  if (processor < 0 || RawSyscall(SYS_rseq, area, kOriginalSize, kUnregister, kSignature) == 0)
    return;
  if (RawSyscall(SYS_rseq, area, static_cast<long>((*size + 31) & ~31u), kUnregister, kSignature) ==
      0)
    return;
  FailSetUp(
      "this C library's restartable sequences cannot be switched off: set "
      "GLIBC_TUNABLES=glibc.pthread.rseq=0");
}

struct Parking {
  uintptr_t fs_base;
  int parked;  // futex
};

void* Park(void* argument) {
  auto* parking = static_cast<Parking*>(argument);
  constexpr uint64_t kAll = ~uint64_t{0};  // what comes to the process is for the thread that runs
  RawSyscall(SYS_rt_sigprocmask, SIG_SETMASK, reinterpret_cast<long>(&kAll), 0, sizeof kAll);
  StopRestartableSequences();
  parking->fs_base = ReadFsBase();
  __atomic_store_n(&parking->parked, 1, __ATOMIC_SEQ_CST);
  RawSyscall(SYS_futex, reinterpret_cast<long>(&parking->parked), FUTEX_WAKE_PRIVATE, 1);
  // Sleeps for good. From here on this thread touches no memory: its TLS block belongs to a fiber.
  static const int kNever = 0;
  for (;;) RawSyscall(SYS_futex, reinterpret_cast<long>(&kNever), FUTEX_WAIT_PRIVATE, 0, 0);
}

}  // namespace

size_t DefaultStackSize() {
  static size_t size = 0;
  if (size == 0) {
    struct rlimit limit;
    RawSyscall(SYS_prlimit64, 0, RLIMIT_STACK, 0, reinterpret_cast<long>(&limit));
    size =
        limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > (64u << 20) ? 8u << 20 : limit.rlim_cur;
    constexpr size_t kLeast = 256u << 10;  // heddle's own frames are on these stacks, too
    if (size < kLeast) size = kLeast;
    size &= ~(kPage - 1);
  }
  return size;
}

void ProvideStack(Fiber& fiber, size_t bytes, char* given) {
  if (given != nullptr) {
    fiber.stack_begin = given;
    fiber.stack_size = bytes;
    return;
  }
  Stack& own = own_stacks[fiber.id];
  bytes = (bytes + kPage - 1) & ~(kPage - 1);
  if (own.size < bytes) {
    if (own.begin != nullptr)
      RawSyscall(SYS_munmap, reinterpret_cast<long>(own.begin - kGuard),
                 static_cast<long>(own.size + kGuard));
    const int execute = StacksAreExecutable() ? PROT_EXEC : 0;
    long at =
        RawSyscall(SYS_mmap, 0, static_cast<long>(bytes + kGuard), PROT_READ | PROT_WRITE | execute,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    HEDDLE_CHECK(at > 0 || at < -4095);
    RawSyscall(SYS_mprotect, at, kGuard, PROT_NONE);
    own = {reinterpret_cast<char*>(at) + kGuard, bytes};
  }
  fiber.stack_begin = own.begin;
  fiber.stack_size = own.size;
  // What the last execution left there would be part of the state: whether a loop is recognised
  // would depend on it. A new stack is clear, too.
  constexpr size_t kCompared = 8 << 10;
  if (StacksAreCompared()) Fill(own.begin + own.size - kCompared, 0, kCompared);
}

void InitPool() {
  using GetStaticInfo = void (*)(size_t*, size_t*);
  auto get_info = reinterpret_cast<GetStaticInfo>(FindReal("_dl_get_tls_static_info"));
  auto size_of_pthread = static_cast<const uint32_t*>(FindReal("_thread_db_sizeof_pthread"));
  if (get_info == nullptr || size_of_pthread == nullptr)
    FailSetUp(
        "this C library is not a glibc that heddle knows (2.34 or later): no TLS layout "
        "information");
  size_t alignment;
  get_info(&tls_size, &alignment);
  tcb_size = *size_of_pthread;
  own_stacks = static_cast<Stack*>(ReserveMemory(sizeof(Stack) * kMaxFibers));
  g_fibers[0].id = 0;
  SetTls(g_fibers[0], ReadFsBase());
  ProvideStack(g_fibers[0], DefaultStackSize(), nullptr);  // also decides StacksAreExecutable
  pool_size = 1;
  StopRestartableSequences();
  const auto begin = reinterpret_cast<uintptr_t>(g_fibers[0].tls_begin);
  AddRegion(begin, begin + tls_size);
}

void GrowPool(uint32_t count) {
  if (count <= pool_size) return;
  // Nothing from outside may come to a thread that has no stack for it yet. But libc writes to
  // pages of the snapshot here: with SIGSEGV blocked the kernel would kill the process for the
  // first.
  sigset_t outside, before;
  sigfillset(&outside);
  for (int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS}) sigdelset(&outside, number);
  RawSyscall(SYS_rt_sigprocmask, SIG_SETMASK, reinterpret_cast<long>(&outside),
             reinterpret_cast<long>(&before), 8);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&attributes, (64u << 10) + ((tls_size + kPage - 1) & ~(kPage - 1)));
  auto* create = Real<&pthread_create>("pthread_create");
  for (uint32_t i = pool_size; i < count; ++i) {
    Parking parking = {0, 0};
    pthread_t handle;
    if (create(&handle, &attributes, Park, &parking) != 0)
      FailSetUp(
          "cannot create %u kernel threads to lend their thread-local storage: raise the limit on "
          "processes (ulimit -u)",
          i);
    while (__atomic_load_n(&parking.parked, __ATOMIC_SEQ_CST) == 0)
      RawSyscall(SYS_futex, reinterpret_cast<long>(&parking.parked), FUTEX_WAIT_PRIVATE, 0, 0);
    g_fibers[i].id = i;
    SetTls(g_fibers[i], parking.fs_base);
    // Whole pages: what else is on them is the stack of a thread that sleeps for good.
    const auto begin = reinterpret_cast<uintptr_t>(g_fibers[i].tls_begin);
    AddRegion(begin & ~(kPage - 1), (begin + tls_size + kPage - 1) & ~(kPage - 1));
  }
  pool_size = count;
  pthread_attr_destroy(&attributes);
  RawSyscall(SYS_rt_sigprocmask, SIG_SETMASK, reinterpret_cast<long>(&before), 0, 8);

  if (handles != nullptr)
    RawSyscall(SYS_munmap, reinterpret_cast<long>(handles), handle_capacity * sizeof(Handle));
  handle_capacity = 64;
  while (handle_capacity < 4 * count) handle_capacity *= 2;
  long at = RawSyscall(SYS_mmap, 0, handle_capacity * sizeof(Handle), PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  HEDDLE_CHECK(at > 0 || at < -4095);
  handles = reinterpret_cast<Handle*>(at);
  for (uint32_t i = 0; i < pool_size; ++i) InsertHandle(g_fibers[i].fs_base, i);
}

uint32_t PoolSize() { return pool_size; }

Fiber* FiberOfHandle(uintptr_t handle) {
  uint32_t at = static_cast<uint32_t>(handle >> 6) & (handle_capacity - 1);
  for (; handles[at].handle != 0; at = (at + 1) & (handle_capacity - 1)) {
    if (handles[at].handle != handle) continue;
    Fiber& fiber = g_fibers[handles[at].number];
    return fiber.state == FiberState::kUnused ? nullptr : &fiber;
  }
  return nullptr;
}

}  // namespace heddle::runtime
