#include "runtime/world/check_call.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/control.h"
#include "runtime/memory/pages.h"
#include "runtime/memory/rewind.h"
#include "runtime/prim/context.h"
#include "runtime/prim/lifetime.h"
#include "runtime/prim/page.h"
#include "runtime/record.h"
#include "runtime/runtime.h"
#include "runtime/start.h"

namespace heddle::runtime {
namespace {

[[HEDDLE_LASTS("from before the first execution")]] unsigned calls;

// The loop around the executions runs here: the stack of the call belongs to the snapshot.
constexpr size_t kLoopStackBytes = 64u << 20;

const char* Asked() { return ChannelHeader().settings.at_check; }
const char* AskedPlace() { return strchr(Asked(), '@') + 1; }
// How many calls come before it.
unsigned AskedBefore() { return static_cast<unsigned>(strchr(Asked(), '@') - Asked()); }

// Above main's stack lie the arguments, the environment and last the name of the program.
uintptr_t StackEnd() {
  const unsigned long name = getauxval(AT_EXECFN);
  return RoundUp(name + strlen(reinterpret_cast<const char*>(name)) + 1, kPageBytes);
}

// A folder for each of the kernel's threads, and each is a link.
bool IsOnlyThread() {
  struct stat tasks;
  return stat("/proc/self/task", &tasks) != 0 || tasks.st_nlink <= 3;
}

// A thread that was joined may be there for another moment.
bool IsOnlyThreadSoon() {
  for (int tries = 0; tries < 1000; ++tries) {
    if (IsOnlyThread()) return true;
    usleep(100);
  }
  return false;
}

void GoOn(int) {}

}  // namespace

void PassOverBreaks() { signal(SIGTRAP, GoOn); }

void LeaveStackFor(void (*take_over)()) {
  const auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  const uintptr_t stack_end = StackEnd();
  constexpr uintptr_t kMostStack = 1ul << 40;
  if (stack_end - here > kMostStack)
    FailSetUp("heddle::Check is called on a stack that is not main's: call it from main's thread");
  // Whatever the compiler keeps below the frame of this function is used no more.
  AddRegion(here & -kPageBytes, stack_end);
  InitSwitching();
  char* stack = static_cast<char*>(ReserveMemory(kLoopStackBytes));
  void* never;
  const auto run = [](void* loop) { reinterpret_cast<void (*)()>(loop)(); };
  heddle_switch_context(
      &never, PrepareStack(stack + kLoopStackBytes, run, reinterpret_cast<void*>(take_over)),
      ReadThreadPointer());
  __builtin_unreachable();
}

bool TakesOverAtCheck() { return Asked()[0] != '\0'; }

char CheckCalled(void (*body)(void*), void* argument, const char* place, uintptr_t pc) {
  const unsigned number = calls++;
  if (number < AskedBefore()) return Asked()[number];
  if (strcmp(place, AskedPlace()) != 0)
    FailSetUp(
        "the program does not come to the same heddle::Check when it is run again: call number %u "
        "was at %s, now it is at %s; does something before it depend on chance, the clock or files "
        "(a test order of its own)?",
        number + 1, AskedPlace(), place);
  if (!IsOnlyThreadSoon())
    FailSetUp(
        "other threads run when heddle::Check is called at %s: start them in its body, or end them "
        "before",
        place);
  if (getpid() != gettid())
    FailSetUp("heddle::Check is called at %s by a thread that is not main's: call it from there",
              place);
  struct sigaction break_action;
  sigaction(SIGTRAP, nullptr, &break_action);
  if (break_action.sa_handler == GoOn) signal(SIGTRAP, SIG_DFL);
  fflush(nullptr);  // so that it is not written in every execution
  g_program.body = body;
  g_program.body_argument = argument;
  RememberCallers(pc);
  return 0;
}

void EndedBeforeCheck() {
  FailSetUp(
      "the program, run again, ended before it came to the heddle::Check at %s (call number %u): "
      "does something before it depend on chance, the clock or files?",
      AskedPlace(), AskedBefore() + 1);
}

}  // namespace heddle::runtime
