#include "runtime/world/termination.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unwind.h>

#include <exception>
#include <typeinfo>

#include "runtime/fibers/trace_buffers.h"
#include "runtime/prim/lifetime.h"
#include "runtime/prim/syscall.h"
#include "runtime/runtime.h"
#include "runtime/start.h"
#include "runtime/steps/program_end.h"
#include "runtime/steps/thread_life.h"
#include "runtime/world/kept_output.h"
#include "runtime/world/own_code.h"

namespace heddle::runtime {
namespace {

[[HEDDLE_LASTS("found once")]] std::terminate_handler original_handler;

template <typename Function>
Function Symbol(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, name));
}

// The program has its own C++ library, and so its own std::exception: everything about the
// exception is asked there. Both libraries follow one ABI, so calls through virtual tables work.
const std::type_info* CurrentType() {
  auto* type = Symbol<std::type_info* (*)()>("__cxa_current_exception_type");
  return type != nullptr ? type() : nullptr;
}

const char* CurrentText(const std::type_info& type) {
  const auto* base = Symbol<const std::type_info*>("_ZTISt9exception");
  // The result's place is the first argument.
  auto* current = Symbol<void (*)(void**)>("_ZSt17current_exceptionv");
  if (base == nullptr || current == nullptr) return nullptr;
  void* object = nullptr;
  current(&object);
  if (object == nullptr || !base->__do_catch(&type, &object, 1)) return nullptr;
  return static_cast<const std::exception*>(object)->what();
}

// "X: text" into `message`; false if there is none.
bool DescribeException(char* message, size_t size) {
  const OutsideExecution outside;
  const std::type_info* type = CurrentType();
  if (type == nullptr) return false;
  int status = 0;
  // Never freed: the end is near.
  const char* readable = abi::__cxa_demangle(type->name(), nullptr, nullptr, &status);
  const char* name = status == 0 ? readable : type->name();
  if (strncmp(name, "std::__cxx11::basic_string<char,", 32) == 0) name = "std::string";
  const char* text = CurrentText(*type);
  snprintf(message, size, "%s%s%s", name, text != nullptr ? ": " : "", text != nullptr ? text : "");
  for (char* at = message; *at != '\0'; ++at)
    if (*at == '\n') *at = ' ';
  return true;
}

struct PlaceSearch {
  void* skipped[2];  // modules: the C++ library and the unwinder
  uintptr_t pc;
};

_Unwind_Reason_Code FindThrower(_Unwind_Context* context, void* argument) {
  auto* search = static_cast<PlaceSearch*>(argument);
  const uintptr_t pc = _Unwind_GetIP(context);
  Dl_info info;
  if (IsOwnCode(pc) || dladdr(reinterpret_cast<void*>(pc), &info) == 0) return _URC_NO_REASON;
  if (info.dli_fbase == search->skipped[0] || info.dli_fbase == search->skipped[1])
    return _URC_NO_REASON;
  search->pc = pc;
  return _URC_END_OF_STACK;
}

void* ModuleOf(const char* symbol) {
  Dl_info info;
  void* address = dlsym(RTLD_DEFAULT, symbol);
  return address != nullptr && dladdr(address, &info) != 0 ? info.dli_fbase : nullptr;
}

// The innermost frame that is not of the machinery that throws.
uintptr_t ThrowingPlace(uintptr_t otherwise) {
  const OutsideExecution outside;
  PlaceSearch search = {{ModuleOf("__cxa_throw"), ModuleOf("_Unwind_RaiseException")}, 0};
  _Unwind_Backtrace(FindThrower, &search);
  return search.pc != 0 ? search.pc : otherwise;
}

void Print(const char* text) {
  RawSyscall(SYS_write, 2, reinterpret_cast<long>(text), static_cast<long>(strlen(text)));
}

void OnTerminate() {
  if (!InExecution()) return original_handler();
  const uintptr_t pc = ThrowingPlace(HEDDLE_CALLER);
  ReachProgramEnd(pc);
  char message[400];
  if (!DescribeException(message, sizeof message))
    snprintf(message, sizeof message,
             "std::terminate was called without an exception (for example, a std::thread was "
             "destroyed before it was"
             " joined)");
  else if (HasJoinedItself())
    snprintf(message + strlen(message), sizeof message - strlen(message),
             ": %%T%u%% waits for its own end, by a future or std::thread of its own",
             Current().id);
  NoteEndOfOutput(Current().id);  // the report says the rest in its own words
  Print("terminate called: ");
  Print(message);
  Print("\n");
  EndExecution(trace::EndKind::kUncaughtException, SIGABRT, 0, pc, "%s", message);
}

// What libc said before it aborted ("stack smashing detected", for example). Its variable, not part
// of the public ABI.
const char* LibcMessage() {
  struct AbortMessage {
    unsigned size;
    char text[];
  };
  auto* variable =
      static_cast<AbortMessage**>(dlvsym(RTLD_DEFAULT, "__abort_msg", "GLIBC_PRIVATE"));
  return variable != nullptr && *variable != nullptr ? (*variable)->text : nullptr;
}

struct QuickExitHandler {
  void (*function)(void*);
  void* argument;
  QuickExitHandler* next;
};
// In bump memory, ending in those from before main.
[[HEDDLE_OF_EXECUTION]] QuickExitHandler* handlers;

// Where exit() was called, once it was: what its handlers end in does not know that.
[[HEDDLE_OF_EXECUTION]] uintptr_t exit_pc;

}  // namespace

void InstallTerminateHandler() {
  using Handler = std::terminate_handler;
  auto* set = Symbol<Handler (*)(Handler)>("_ZSt13set_terminatePFvvE");
  auto* get = Symbol<Handler (*)()>("_ZSt13get_terminatev");
  if (set == nullptr || get == nullptr) return;
  // A handler of the program's own stays: it ends in abort().
  original_handler = get();
  if (original_handler == Symbol<Handler>("_ZN9__gnu_cxx27__verbose_terminate_handlerEv"))
    set(OnTerminate);
}

void EndByAssumption(uintptr_t pc) {
  ReachProgramEnd(pc);
  EndExecution(trace::EndKind::kRedundant, 0, 0, 0, "heddle_assume");
}

void EndByAbort(uintptr_t pc) {
  char message[400];
  if (const char* text = LibcMessage()) {
    snprintf(message, sizeof message, "the C library aborted the program: %s", text);
    for (char* at = message; *at != '\0'; ++at)
      if (*at == '\n') *at = at[1] == '\0' ? '\0' : ' ';
  } else {
    char exception[300];
    const bool thrown = DescribeException(exception, sizeof exception);
    snprintf(message, sizeof message, "abort() was called%s%s",
             thrown ? " while handling an exception: " : "", thrown ? exception : "");
  }
  NoteEndOfOutput(Current().id);
  EndExecution(trace::EndKind::kAbort, SIGABRT, 0, pc, "%s", message);
}

void EndByAssertion(const char* expression, const char* file, unsigned line, const char* function,
                    uintptr_t pc) {
  HashCallArgument(expression);
  HashCallArgument(file);
  ReachProgramEnd(pc);
  char text[1024];  // what libc would print
  const char* name = strrchr(file, '/');
  snprintf(text, sizeof text, "%s: %s:%u: %s%sAssertion `%s' failed.\n",
           program_invocation_short_name, name != nullptr ? name + 1 : file, line,
           function != nullptr ? function : "", function != nullptr ? ": " : "", expression);
  NoteEndOfOutput(Current().id);
  Print(text);
  EndExecution(trace::EndKind::kAssertion, SIGABRT, 0, pc, "assertion `%s' failed", expression);
}

void AtQuickExit(void (*handler)(void*), void* argument) {
  auto* entry = InExecution()
                    ? static_cast<QuickExitHandler*>(g_state.bump.Take(sizeof(QuickExitHandler)))
                    : new QuickExitHandler;
  *entry = {handler, argument, handlers};
  handlers = entry;
}

void QuickExit(int status, uintptr_t pc) {
  while (QuickExitHandler* entry = handlers) {
    handlers = entry->next;
    entry->function(entry->argument);
  }
  HashCallArgument(static_cast<uint64_t>(status));
  ReachProgramEnd(pc);
  EndByExit(status, pc);
}

uint64_t HashOfQuickExitHandlers() {
  uint64_t hash = exit_pc;
  for (const QuickExitHandler* entry = handlers; entry != nullptr; entry = entry->next) {
    hash = base::Fold(hash, reinterpret_cast<uintptr_t>(entry->function));
    hash = base::Fold(hash, reinterpret_cast<uintptr_t>(entry->argument));
  }
  return hash;
}

void NoteExit(uintptr_t pc) { exit_pc = pc; }

bool IsExiting() { return exit_pc != 0; }

void EndByExit(int status, uintptr_t pc) {
  status &= 0xff;  // what the kernel keeps of it
  NoteEndOfOutput(Current().id);
  if (g_program.body == nullptr)
    EndExecution(trace::EndKind::kExit, status, 0, pc, "exit status %d", status);
  g_trace->ending.before_return = true;
  EndExecution(trace::EndKind::kExit, status, 0, pc != 0 ? pc : exit_pc,
               "the program ended, with status %d, before the body of heddle::Check returned",
               status);
}

}  // namespace heddle::runtime
