// __libc_start_main: the program's constructors run as ever; instead of main, heddle takes over. If
// it is to take over at a call of heddle::Check, main runs as ever up to that call.

#include "runtime/start.h"

#include "runtime/export.h"
#include "runtime/hooks/operator_new.h"
#include "runtime/hooks/print.h"
#include "runtime/prim/lifetime.h"
#include "runtime/prim/real.h"
#include "runtime/runtime.h"
#include "runtime/world/check_call.h"
#include "runtime/world/decide_control.h"
#include "runtime/world/finalizers.h"
#include "runtime/world/prepare.h"
#include "search/take_over.h"

namespace heddle::runtime {

[[HEDDLE_LASTS("found once")]] ProgramStart g_program;

namespace {
[[HEDDLE_LASTS("from before main")]] bool threads_before_main;

int InsteadOfMain(int argc, char** argv, char** envp) {
  g_program.argc = argc;
  g_program.argv = argv;
  g_program.envp = envp;
  if (TakesOverAtCheck()) {
    CopyArguments();
    PassOverBreaks();
    return g_program.main(g_program.argc, g_program.argv, g_program.envp);
  }
  search::TakeOver();
}
}  // namespace

void NoteEarlyThread() {
  if (!g_decided) DecideControl();
  threads_before_main |= g_state.controlled;
}
bool ThreadsBeforeMain() { return threads_before_main; }

}  // namespace heddle::runtime

extern "C" HEDDLE_EXPORT int __libc_start_main(int (*main)(int, char**, char**), int argc,
                                               char** argv, void (*init)(), void (*fini)(),
                                               void (*rtld_fini)(), void* stack_end) {
  using namespace heddle::runtime;  // NOLINT
  using Start =
      int (*)(int (*)(int, char**, char**), int, char**, void (*)(), void (*)(), void (*)(), void*);
  auto* start = reinterpret_cast<Start>(FindReal("__libc_start_main", "GLIBC_2.34"));
  if (!g_decided) DecideControl();
  FindOperators();
  FindPrinting();
  if (!g_state.controlled) return start(main, argc, argv, init, fini, rtld_fini, stack_end);
  g_program.main = main;
  return start(InsteadOfMain, argc, argv, init, fini, ReplaceLinkerFinalizer(rtld_fini), stack_end);
}
