// Processes. One line a symbol; world/processes.h has what they do.

#include <sched.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/export.h"
#include "runtime/hooks/operands.h"
#include "runtime/memory/rewind.h"
#include "runtime/prim/real.h"
#include "runtime/runtime.h"
#include "runtime/world/child_locks.h"
#include "runtime/world/processes.h"

using namespace heddle::runtime;  // NOLINT: this file defines libc's names in terms of ours

namespace {

// Before a call that would make the program another one, descriptors, memory and all.
void RefuseReplacement() {
  if (InExecution()) Unsupported("exec without fork");
}

void PrepareFork(const char* what, uintptr_t pc) {
  NeedChildProcess(what);
  ReachFork(pc);
}

template <typename Status>
void PrepareWait(Status* status, int options, uintptr_t pc) {
  ReachProcessWait((options & WNOHANG) != 0, pc);
  if (status != nullptr) MakeWritable(status, sizeof *status);
}

// The kernel has told how the child `found` ended.
pid_t Waited(pid_t found, int* status, uintptr_t pc) {
  if (found > 0) SeeWrite(status, pc);
  return found;
}
pid_t WaitedWithUsage(pid_t found, int* status, struct rusage* usage, uintptr_t pc) {
  if (found > 0) SeeWrite(usage, pc);
  return Waited(found, status, pc);
}

}  // namespace

extern "C" {

HEDDLE_EXPORT pid_t fork() noexcept {
  if (InExecution()) PrepareFork("fork", HEDDLE_CALLER);
  return Real<&fork>("fork")();  // in the child, BecomeOrdinaryProcess runs first of all handlers
}

// The child of a real vfork would return through our frame and destroy it for the parent.
HEDDLE_EXPORT pid_t vfork() noexcept { return fork(); }

HEDDLE_EXPORT pid_t _Fork() noexcept {
  if (InExecution()) PrepareFork("_Fork", HEDDLE_CALLER);
  const pid_t child = Real<&_Fork>("_Fork")();
  if (child == 0) BecomeOrdinaryProcess();
  return child;
}

HEDDLE_EXPORT int clone(int (*function)(void*), void* stack, int flags, void* argument,
                        ...) noexcept {
  if (InExecution()) Unsupported("clone");
  va_list rest;
  va_start(rest, argument);
  void* parent = va_arg(rest, void*);
  void* tls = va_arg(rest, void*);
  void* child = va_arg(rest, void*);
  va_end(rest);
  return Real<&clone>("clone")(function, stack, flags, argument, parent, tls, child);
}

HEDDLE_EXPORT int posix_spawn(pid_t* child, const char* path,
                              const posix_spawn_file_actions_t* actions,
                              const posix_spawnattr_t* attributes, char* const* argv,
                              char* const* envp) {
  if (InExecution()) NeedChildProcess("posix_spawn");
  return Real<&posix_spawn>("posix_spawn")(child, path, actions, attributes, argv, envp);
}

HEDDLE_EXPORT int posix_spawnp(pid_t* child, const char* file,
                               const posix_spawn_file_actions_t* actions,
                               const posix_spawnattr_t* attributes, char* const* argv,
                               char* const* envp) {
  if (InExecution()) NeedChildProcess("posix_spawnp");
  return Real<&posix_spawnp>("posix_spawnp")(child, file, actions, attributes, argv, envp);
}

HEDDLE_EXPORT int system(const char* command) {
  if (InExecution() && command != nullptr) NeedChildProcess("system");
  return Real<&system>("system")(command);
}

HEDDLE_EXPORT FILE* popen(const char* command, const char* mode) {
  if (InExecution()) NeedChildProcess("popen");
  return Real<&popen>("popen")(command, mode);
}

HEDDLE_EXPORT int daemon(int keep_directory, int keep_output) noexcept {
  if (InExecution()) Unsupported("daemon");
  return Real<&daemon>("daemon")(keep_directory, keep_output);
}

HEDDLE_EXPORT int execve(const char* path, char* const* argv, char* const* envp) noexcept {
  RefuseReplacement();
  return Real<&execve>("execve")(path, argv, envp);
}

HEDDLE_EXPORT int execv(const char* path, char* const* argv) noexcept {
  RefuseReplacement();
  return Real<&execv>("execv")(path, argv);
}

HEDDLE_EXPORT int execvp(const char* file, char* const* argv) noexcept {
  RefuseReplacement();
  return Real<&execvp>("execvp")(file, argv);
}

HEDDLE_EXPORT int execvpe(const char* file, char* const* argv, char* const* envp) noexcept {
  RefuseReplacement();
  return Real<&execvpe>("execvpe")(file, argv, envp);
}

HEDDLE_EXPORT int fexecve(int descriptor, char* const* argv, char* const* envp) noexcept {
  RefuseReplacement();
  return Real<&fexecve>("fexecve")(descriptor, argv, envp);
}

// The forms with a list of arguments: made an array, which libc would do, too.
#define HEDDLE_COLLECT(argv, first)                                                 \
  va_list list;                                                                     \
  va_start(list, first);                                                            \
  size_t count = 1;                                                                 \
  while (va_arg(list, char*) != nullptr) ++count;                                   \
  va_end(list);                                                                     \
  auto** argv = static_cast<char**>(__builtin_alloca((count + 1) * sizeof(char*))); \
  va_start(list, first);                                                            \
  argv[0] = const_cast<char*>(first);                                               \
  for (size_t i = 1; i <= count; ++i) argv[i] = va_arg(list, char*)

HEDDLE_EXPORT int execl(const char* path, const char* first, ...) noexcept {
  HEDDLE_COLLECT(argv, first);
  va_end(list);
  return execv(path, argv);
}

HEDDLE_EXPORT int execlp(const char* file, const char* first, ...) noexcept {
  HEDDLE_COLLECT(argv, first);
  va_end(list);
  return execvp(file, argv);
}

HEDDLE_EXPORT int execle(const char* path, const char* first, ...) noexcept {
  HEDDLE_COLLECT(argv, first);
  char** envp = va_arg(list, char**);
  va_end(list);
  return execve(path, argv, envp);
}
#undef HEDDLE_COLLECT

// Waiting for a child is waiting for something outside. The kernel writes the answers.

HEDDLE_EXPORT pid_t wait(int* status) {
  if (InExecution()) PrepareWait(status, 0, HEDDLE_CALLER);
  return Waited(Real<&wait>("wait")(status), status, HEDDLE_ACCESS_CALLER);
}

HEDDLE_EXPORT pid_t waitpid(pid_t child, int* status, int options) {
  if (InExecution()) PrepareWait(status, options, HEDDLE_CALLER);
  const pid_t found = Real<&waitpid>("waitpid")(child, status, options);
  return Waited(found, status, HEDDLE_ACCESS_CALLER);
}

HEDDLE_EXPORT pid_t wait3(int* status, int options, struct rusage* usage) noexcept {
  if (InExecution()) PrepareWait(status, options, HEDDLE_CALLER);
  if (InExecution() && usage != nullptr) MakeWritable(usage, sizeof *usage);
  const pid_t found = Real<&wait3>("wait3")(status, options, usage);
  return WaitedWithUsage(found, status, usage, HEDDLE_ACCESS_CALLER);
}

HEDDLE_EXPORT pid_t wait4(pid_t child, int* status, int options, struct rusage* usage) noexcept {
  if (InExecution()) PrepareWait(status, options, HEDDLE_CALLER);
  if (InExecution() && usage != nullptr) MakeWritable(usage, sizeof *usage);
  const pid_t found = Real<&wait4>("wait4")(child, status, options, usage);
  return WaitedWithUsage(found, status, usage, HEDDLE_ACCESS_CALLER);
}

HEDDLE_EXPORT int waitid(idtype_t type, id_t child, siginfo_t* info, int options) {
  if (InExecution()) PrepareWait(info, options, HEDDLE_CALLER);
  const int answer = Real<&waitid>("waitid")(type, child, info, options);
  if (answer == 0) SeeWrite(info, HEDDLE_ACCESS_CALLER);
  return answer;
}

// ---- numbers ----

HEDDLE_EXPORT pid_t getpid() noexcept {
  if (!InExecution()) return Real<&getpid>("getpid")();
  return ProcessNumber();
}

HEDDLE_EXPORT pid_t gettid() noexcept {
  if (!InExecution()) return Real<&gettid>("gettid")();
  return ThreadNumber();
}

HEDDLE_EXPORT int sched_getcpu() noexcept {
  if (!InExecution()) return Real<&sched_getcpu>("sched_getcpu")();
  return 0;
}

HEDDLE_EXPORT int getcpu(unsigned* cpu, unsigned* node) noexcept {
  if (!InExecution()) return Real<&getcpu>("getcpu")(cpu, node);
  if (cpu != nullptr) *cpu = 0;
  if (node != nullptr) *node = 0;
  return 0;
}

}  // extern "C"
