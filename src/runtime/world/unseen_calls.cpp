#include "runtime/world/unseen_calls.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <string.h>
#include <sys/syscall.h>
#include <unwind.h>

#include <optional>
#include <string_view>

#include "runtime/bounded_text.h"
#include "runtime/fibers/trace_buffers.h"
#include "runtime/memory/rewind.h"
#include "runtime/prim/lifetime.h"
#include "runtime/prim/machine.h"
#include "runtime/prim/page.h"
#include "runtime/prim/passing.h"
#include "runtime/prim/real.h"
#include "runtime/prim/signal_mask.h"
#include "runtime/prim/syscall.h"
#include "runtime/prim/trapped_call.h"
#include "runtime/rewind_mode.h"
#include "runtime/runtime.h"
#include "runtime/world/descriptors.h"
#include "runtime/world/faults.h"
#include "runtime/world/opened_libraries.h"
#include "runtime/world/own_code.h"
#include "runtime/world/processes.h"
#include "runtime/world/random.h"
#include "runtime/world/shared_files.h"
#include "runtime/world/transfer.h"

namespace heddle::runtime {
namespace {

struct Range {
  uintptr_t begin = ~uintptr_t{0};
  uintptr_t end = 0;
};
constexpr unsigned kLibraries = 2;  // the C library and the loader
[[HEDDLE_LASTS("found once")]] Range c_library[kLibraries];

int FindCLibrary(dl_phdr_info* module, size_t, void*) {
  const std::string_view path = module->dlpi_name;
  const std::string_view name = path.substr(path.rfind('/') + 1);
  const bool is_c = name.starts_with("libc.so") || name.starts_with("libc-");
  if (!is_c && !name.starts_with("ld-")) return 0;
  Range& range = c_library[is_c ? 0 : 1];
  for (int i = 0; i < module->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = module->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD) continue;
    const uintptr_t begin = module->dlpi_addr + segment.p_vaddr;
    if (begin < range.begin) range.begin = begin;
    if (begin + segment.p_memsz > range.end) range.end = begin + segment.p_memsz;
  }
  return 0;
}

// Who made a call: which function of the C library, and who called that.
struct Caller {
  uintptr_t function = 0;      // 0: none of the C library
  uintptr_t pc = 0;            // of the program: what that returns to, or the instruction itself
  const char* name = nullptr;  // in place of `function`
};

// The C library blocks signals while it makes a process, and lets them come again. What a program
// asks for itself is no matter of the kernel's (signals.h).
[[HEDDLE_LASTS("what is to be undone")]] bool blocks_signals;
[[HEDDLE_OF_EXECUTION]] Caller blocker;

struct Walk {
  uintptr_t call;  // the instruction behind it
  Caller caller;
};

// From the call on up to the first frame that is none of the C library's, nor of a hook that only
// passes the call on. That one is not unwound: nobody knows whether it can be.
_Unwind_Reason_Code FindCaller(_Unwind_Context* context, void* argument) {
  auto& walk = *static_cast<Walk*>(argument);
  const uintptr_t pc = _Unwind_GetIP(context);
  if (walk.caller.pc == 0 && pc != walk.call) return _URC_NO_REASON;
  walk.caller.pc = pc;
  if (!InCLibrary(pc) && !IsPassing(pc)) return _URC_END_OF_STACK;
  walk.caller.function = _Unwind_GetRegionStart(context);
  return _URC_NO_REASON;
}

// The one function that a hook ends with a jump to, because it looks at where it returns to.
bool IsOpening(uintptr_t function) {
  return function == reinterpret_cast<uintptr_t>(Real<&dlopen>("dlopen"));
}

// Hooks have frames of their own (hooks/CMakeLists.txt).
bool IsHook(const Caller& caller) { return IsOwnCode(caller.pc) || IsOpening(caller.function); }

Caller CallerIn(const ucontext_t& context) {
  Walk walk = {.call = ProgramCounter(context), .caller = {}};
  if (!InCLibrary(walk.call)) return {.function = 0, .pc = walk.call};
  _Unwind_Backtrace(FindCaller, &walk);
  // Where a thread or a process is made, the stack ends. Before that signals were blocked.
  return InCLibrary(walk.caller.pc) && blocks_signals ? blocker : walk.caller;
}

const char* FunctionOf(const Caller& caller) {
  if (caller.name != nullptr || caller.function == 0) return caller.name;
  const OutsideExecution outside;
  Dl_info info;
  return dladdr(reinterpret_cast<void*>(caller.function), &info) != 0 ? info.dli_sname : nullptr;
}

void Note(long number, const Caller& caller) {
  char text[400];
  BoundedText told = {text, text + sizeof text};
  if (const char* name = NameOf(number); name != nullptr)
    told.Add("%s", name);
  else
    told.Add("number %ld", number);
  if (const char* function = FunctionOf(caller); function != nullptr) told.Add(", by %s", function);
  told.Add(", at %%L%lx%%", caller.pc);
  NoteIncomplete(Incomplete::kUnseenSyscall, text);
}

// ---- descriptors ----

// Made while there were several threads, and not closed by whoever made them.
struct UnseenDescriptor {
  int number;
  int call;
  Caller caller;
};
constexpr unsigned kMostDescriptors = 4;
[[HEDDLE_OF_EXECUTION]] unsigned unseen_count;
[[HEDDLE_OF_EXECUTION]] UnseenDescriptor unseen[kMostDescriptors];

// Can other threads tell what is read or written there by other descriptors?
bool IsTold(int descriptor) {
  return IsFollowed(descriptor) || (g_state.several_threads && HasSharers(descriptor));
}

void Opened(int number, const SystemCall& call, const Caller& caller) {
  NoteOpened(number);
  if (OpensForWriting(call)) NoteWritten(number);
  if (!g_state.several_threads) return;
  if (unseen_count == kMostDescriptors) return Note(call.number, caller);
  unseen[unseen_count++] = {number, static_cast<int>(call.number), caller};
}

void Closing(const SystemCall& call, const Caller& caller) {
  const int number = static_cast<int>(call.a[0]);
  for (unsigned i = 0; i < unseen_count; ++i) {
    if (unseen[i].number != number) continue;
    unseen[i] = unseen[--unseen_count];
    return;
  }
  KeepDescriptor(number);
  StopFollowing(number);
  if (g_state.several_threads) Note(call.number, caller);
}

// ---- mappings ----

// What is to be unmapped, and the C library has not unmapped itself.
struct Mapped {
  long begin;
  long bytes;
};
constexpr unsigned kMostMappings = 64;
[[HEDDLE_LASTS("what is to be undone")]] unsigned mapped_count;
[[HEDDLE_LASTS("what is to be undone")]] Mapped mapped[kMostMappings];

Mapped* MappedAround(long begin, long bytes) {
  for (unsigned i = 0; i < mapped_count; ++i)
    if (begin >= mapped[i].begin && begin + bytes <= mapped[i].begin + mapped[i].bytes)
      return &mapped[i];
  return nullptr;
}

long RoundedToPages(long bytes) {
  return static_cast<long>(RoundUp(static_cast<size_t>(bytes), kPageBytes));
}

// The kernel cannot write to pages that the snapshot protects, and says EFAULT: they are made
// writable, and it is asked once more. Which argument is a buffer is not known here; one behind
// which its length comes is the usual case.
long Make(const SystemCall& call) {
  const long(&a)[6] = call.a;
  const long answer = RawSyscall(call.number, a[0], a[1], a[2], a[3], a[4], a[5]);
  if (answer != -EFAULT) return answer;
  constexpr long kMostBytes = 64l << 20;
  for (int i = 0; i < 6; ++i) {
    const long next = i + 1 < 6 ? a[i + 1] : 0;
    MakeWritable(reinterpret_cast<const void*>(a[i]),
                 static_cast<size_t>(next > 0 && next <= kMostBytes ? next : long{kPageBytes}));
  }
  return RawSyscall(call.number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

// Unless it is made by `Make`, by whoever asks.
std::optional<long> Map(const SystemCall& call) {
  const Mapping mapping = MappingOf(call);
  if (mapping.writes) NoteIncomplete(Incomplete::kWritesFiles);
  if (mapping.is_code) {
    NeedOwnProcess("a library that the C library opens");
    NoteOpening();
  }
  if (RewindsByFork()) return std::nullopt;
  const long bytes = RoundedToPages(call.a[1]);
  if (!mapping.fresh) {
    if (MappedAround(call.a[0], bytes) == nullptr) NeedOwnProcess("mmap");
    return std::nullopt;
  }
  if (mapping.is_writable) RefuseWithStates("memory that it maps");
  if (mapped_count == kMostMappings) NeedOwnProcess("mmap");
  const long at = Make(call);
  if (!Failed(at)) mapped[mapped_count++] = {at, bytes};
  return at;
}

void Unmap(const SystemCall& call) {
  if (RewindsByFork()) return;
  const long bytes = RoundedToPages(call.a[1]);
  Mapped* const around = MappedAround(call.a[0], bytes);
  if (around == nullptr || around->begin != call.a[0] || around->bytes != bytes)
    NeedOwnProcess("munmap");
  *around = mapped[--mapped_count];
}

// ---- signals that the kernel is not to deliver ----

long Mask(ucontext_t& context, const SystemCall& call, const Caller& caller) {
  uint64_t blocks;
  const long answer = ChangeMask(context, call, OwnSignals(), blocks);
  blocks_signals = blocks != 0;
  blocker = caller;
  return answer;
}

// ---- all of them ----

// What is to be done before the call; its answer, if it was made, too.
std::optional<long> Prepare(const SystemCall& call, CallEffect effect, const Caller& caller) {
  const int descriptor = static_cast<int>(call.a[0]);
  const char* name = NameOf(call.number);
  switch (effect) {
    case CallEffect::kNone:
      break;
    case CallEffect::kTransfer:
      if (IsTold(descriptor)) Note(call.number, caller);
      break;
    case CallEffect::kFlags:
      KeepFlags(descriptor);
      break;
    case CallEffect::kTransfersBoth:
      if (g_state.several_threads) Note(call.number, caller);
      break;
    case CallEffect::kSets:
      if (g_state.several_threads || IsInherited(descriptor)) Note(call.number, caller);
      break;
    case CallEffect::kOpens: {
      const long answer = Make(call);
      if (!Failed(answer)) Opened(static_cast<int>(answer), call, caller);
      return answer;
    }
    case CallEffect::kOpensPair: {
      int* const two = DescriptorsOf(call);
      MakeWritable(two, 2 * sizeof *two);
      const long answer = Make(call);
      for (int i = 0; answer == 0 && i < 2; ++i) Opened(two[i], call, caller);
      return answer;
    }
    case CallEffect::kCloses:
      Closing(call, caller);
      break;
    case CallEffect::kMaps:
      return Map(call);
    case CallEffect::kUnmaps:
      Unmap(call);
      break;
    case CallEffect::kRemaps:
      if (MappedAround(call.a[0], call.a[1]) == nullptr) NeedOwnProcess(name);
      break;
    case CallEffect::kFile:
      NoteWritten(descriptor);
      break;
    case CallEffect::kFiles:
      NoteIncomplete(Incomplete::kWritesFiles);
      break;
    case CallEffect::kDirectory:
      KeepDirectory();
      if (g_state.several_threads) Note(call.number, caller);
      break;
    case CallEffect::kOfProcess:
      if (g_state.several_threads) Note(call.number, caller);
      NeedOwnProcess(name);
      break;
    case CallEffect::kMakesProcess:
      if (g_state.several_threads) Note(call.number, caller);
      NeedChildProcess(name);
      break;
    case CallEffect::kMakesThread:
      Unsupported("a thread made without the C library's functions for it (clone)");
    case CallEffect::kReplaces:
      Unsupported("exec without fork");
    case CallEffect::kRandom:
      if (!RandomnessIsOurs()) break;
      FillRandom(reinterpret_cast<void*>(call.a[0]), static_cast<size_t>(call.a[1]));
      return call.a[1];
    case CallEffect::kMask:  // only syscall() comes here, and has its own way (SetMask)
    case CallEffect::kUnknown:
      Note(call.number, caller);
      break;
  }
  return std::nullopt;
}

}  // namespace

bool InCLibrary(uintptr_t pc) {
  for (const Range& range : c_library)
    if (pc >= range.begin && pc < range.end) return true;
  return false;
}

bool InLoader(uintptr_t pc) { return pc >= c_library[1].begin && pc < c_library[1].end; }

void InitUnseenCalls() { dl_iterate_phdr(FindCLibrary, nullptr); }

void WatchSystemCalls() {
  if (g_state.kernel_threads) return;
  if (!TrapSystemCalls(&g_state.in_execution, __ehdr_start, _end))
    NoteIncomplete(Incomplete::kUnwatched);
}

void OnTrappedCall(ucontext_t& context) {
  const SystemCall call = CallIn(context);
  const CallEffect effect = EffectOf(call);
  // The frequent ones first: looking for the caller takes longer than most calls.
  const bool is_plain = effect == CallEffect::kNone ||
                        (effect == CallEffect::kTransfer && !IsTold(static_cast<int>(call.a[0])));
  if (is_plain) return MakeCall(context);
  Caller caller;
  {
    const OutsideExecution outside;
    caller = CallerIn(context);
  }
  if (effect == CallEffect::kMask) return AnswerCall(context, Mask(context, call, caller));
  std::optional<long> answer;
  // What a hook's function draws for itself (mkstemp) is to be the same in every execution, too.
  if (!IsHook(caller) || effect == CallEffect::kRandom) answer = Prepare(call, effect, caller);
  if (answer)
    AnswerCall(context, *answer);
  else
    MakeCall(context);
}

long MakeUnseenCall(long number, const long (&arguments)[6], const char* function, uintptr_t pc) {
  SystemCall call = {.number = number, .a = {}};
  memcpy(call.a, arguments, sizeof call.a);
  Caller caller;
  caller.pc = pc;
  caller.name = function;
  const std::optional<long> answer = Prepare(call, EffectOf(call), caller);
  return answer ? *answer : Make(call);
}

void NoteUnseenCall(long number, const char* function, uintptr_t pc) {
  if (!InExecution() || !g_state.several_threads) return;
  Note(number, {.function = 0, .pc = pc, .name = function});
}

void ConcludeUnseenCalls() {
  // One that is run again was left in the middle of a call.
  const bool is_whole = g_trace->ending.kind != trace::EndKind::kRestart;
  for (unsigned i = 0; is_whole && i < unseen_count; ++i) Note(unseen[i].call, unseen[i].caller);
  if (!blocks_signals) return;
  if (is_whole) Note(kSignalMaskCall, blocker);
  SetKernelSignalMask(0);
  blocks_signals = false;
}

void RewindMappings() {
  for (; mapped_count != 0; --mapped_count)
    RawSyscall(SYS_munmap, mapped[mapped_count - 1].begin, mapped[mapped_count - 1].bytes);
}

bool MappingsAreAsAtBegin() { return mapped_count == 0; }

}  // namespace heddle::runtime
