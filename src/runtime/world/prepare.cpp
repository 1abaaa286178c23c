#include "runtime/world/prepare.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <unwind.h>

#include "runtime/control.h"
#include "runtime/fibers/focus.h"
#include "runtime/fibers/kernel_threads.h"
#include "runtime/fibers/keys.h"
#include "runtime/fibers/pool.h"
#include "runtime/fibers/schedule.h"
#include "runtime/fibers/table.h"
#include "runtime/fibers/trace_buffers.h"
#include "runtime/fibers/weak_events.h"
#include "runtime/loops/await.h"
#include "runtime/loops/joint_cycle.h"
#include "runtime/memory/execution_state.h"
#include "runtime/memory/names_lock.h"
#include "runtime/memory/pages.h"
#include "runtime/memory/program_heap.h"
#include "runtime/memory/tables.h"
#include "runtime/objects/table.h"
#include "runtime/prim/context.h"
#include "runtime/prim/inline_asm.h"
#include "runtime/primitives/order_overrides.h"
#include "runtime/races.h"
#include "runtime/record.h"
#include "runtime/runtime.h"
#include "runtime/start.h"
#include "runtime/steps/thread_life.h"
#include "runtime/visible.h"
#include "runtime/world/finalizers.h"
#include "runtime/world/locales.h"
#include "runtime/world/outside.h"
#include "runtime/world/world.h"

namespace heddle::runtime {
namespace {

constexpr size_t kBumpBytes = 64ull << 30;  // address space; vector clocks of one execution
// Threads made ready before anybody asks; more cost a restart of one execution.
constexpr uint32_t kFirstPool = 8;

// LD_PRELOAD without libheddle, in place; null if nothing is left.
char* WithoutPreload(char* entry) {
  constexpr size_t kName = sizeof "LD_PRELOAD=" - 1;
  char* to = entry + kName;
  bool kept = false;
  for (char* from = entry + kName; *from != '\0';) {
    char* end = from + strcspn(from, ": ");
    const bool more = *end != '\0';
    *end = '\0';
    if (*from != '\0' && strstr(from, "libheddle.so") == nullptr) {
      if (kept) *to++ = ':';
      memmove(to, from, static_cast<size_t>(end - from));
      to += end - from;
      kept = true;
    }
    from = more ? end + 1 : end;
  }
  *to = '\0';
  return kept ? entry : nullptr;
}

size_t BumpBytes() { return static_cast<size_t>(g_state.bump.cursor - g_state.bump.begin); }

// Memory that dies with the execution: a table from which everybody takes.
void InitBump() {
  char* const begin = static_cast<char*>(MapTable(kBumpTable, kBumpBytes));
  g_state.bump = {begin, begin, begin + kBumpBytes};
  AddExecutionTable({
      .reset = nullptr,
      .save = [](base::SavedBytes& to) { to.Put(g_state.bump.begin, BumpBytes()); },
      .restore = [](base::SavedBytesReader& from) { from.Get(g_state.bump.begin, BumpBytes()); },
  });
}

// The unwinder sets itself up at its first use. Were that in an execution, each would do it again.
void WarmUpUnwinder() {
  using Backtrace = _Unwind_Reason_Code (*)(_Unwind_Trace_Fn, void*);
  auto* backtrace = reinterpret_cast<Backtrace>(dlsym(RTLD_DEFAULT, "_Unwind_Backtrace"));
  if (backtrace != nullptr)
    backtrace([](_Unwind_Context*, void*) { return _URC_END_OF_STACK; }, nullptr);
}

}  // namespace

void CopyArguments() {
  auto copy = [](char** from, int count) {
    auto** to = static_cast<char**>(malloc((static_cast<size_t>(count) + 1) * sizeof(char*)));
    for (int i = 0; i < count; ++i) to[i] = strdup(from[i]);
    to[count] = nullptr;
    return to;
  };
  g_program.argv = copy(g_program.argv, g_program.argc);
  int count = 0;
  while (environ[count] != nullptr) ++count;
  char** all = copy(environ, count);
  int kept = 0;
  for (int i = 0; i < count; ++i) {
    char* entry = all[i];
    if (strncmp(entry, "HEDDLE_CHANNEL=", sizeof "HEDDLE_CHANNEL=" - 1) == 0) continue;
    if (strcmp(entry, "LD_BIND_NOW=1") == 0) continue;
    if (strncmp(entry, "LD_PRELOAD=", sizeof "LD_PRELOAD=" - 1) == 0) entry = WithoutPreload(entry);
    if (entry != nullptr) all[kept++] = entry;
  }
  all[kept] = nullptr;
  environ = all;
  g_program.envp = all;
}

void PrepareRuntime() {
  if (g_program.body == nullptr && ThreadsBeforeMain())
    FailSetUp(
        "the program starts threads before main (in a static constructor); heddle takes control at "
        "main:"
        " start them from main");
  g_program.thread = gettid();
  const channel::Settings& settings = ChannelHeader().settings;
  InitSwitching();
  InitInlineAsm();
  if (NamesShared() != nullptr) NamesLock::Share(&NamesShared()->holder);
  InitFiberTable();
  InitTraceBuffers(settings.max_events);
  InitObjects(g_trace->objects,
              NamesShared() != nullptr ? &NamesShared()->objects : &g_trace->object_count);
  SyncObjects();
  InitBump();
  InitSchedule();
  InitFocus();
  InitKeys();
  g_state.check_races = settings.report_races != 0;
  g_state.end_at_cycle = settings.end_at_cycle != 0;
  g_program_heap.SetReusesNow(settings.reuse_now != 0);
  g_state.volatile_atomic = settings.volatile_atomic != 0;
  g_state.c11_continues = settings.release_sequences != channel::ReleaseSequences::kCxx20;
  g_state.others_continue = settings.release_sequences == channel::ReleaseSequences::kC11;
  g_state.all_points = settings.points == channel::Points::kAll;
  g_state.every_point = settings.points == channel::Points::kEvery;
  g_state.all_points |= g_state.every_point;
  g_state.hooks_only = settings.points == channel::Points::kHooks;
  g_state.timeouts_last = settings.timeouts == channel::Timeouts::kLast;
  if (settings.debugger != 0) UseKernelThreads();
  InitVisible();
  InitAwaits();
  InitJointCycles();
  PrepareNotes();
  InitPool();
  InitWeakMemory();
  InitOrderOverrides();
  if (g_program.body == nullptr) CopyArguments();
  // pthread_exit unwinds; a C program may not have loaded the unwinder yet, and may not load
  // anything later.
  dlopen("libgcc_s.so.1", RTLD_NOW | RTLD_GLOBAL);
  WarmUpUnwinder();
  InitLocales();
  InitFinalizers();
  WatchRaces();
  InitRecording();
  InitOutside();
  WorldInit();
  uint32_t pool = kFirstPool;
  while (pool < g_fiber_count) pool *= 2;
  // Under a debugger nothing can be begun again: what the schedule has threads for is made now.
  if (settings.debugger != 0) pool = settings.name_count + 1;
  GrowPool(pool);
  KeepFirstState();
}

}  // namespace heddle::runtime
