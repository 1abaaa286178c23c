"""Programs that do what no model checker likes. For each: a clear result within the time, nothing left running.

A row is a name, the exit statuses that are right, words of which one must be in the answer (none: any answer), and
the program. Status 3 (not under control) is right only where the program undoes what heddle relies on."""

import json
import os
import sys

from heddle_run import Case

HEAD = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include "run_threads.h"
static atomic_int x;
static void *Add(void *arg) { (void)arg; x++; x++; return 0; }
"""

ROWS = [
    ("stack_overflow_of_main", {1}, ["stack overflow"], """
static int Recurse(volatile int *above) { volatile int here[64]; here[0] = *above; return Recurse(here) + here[0]; }
int main() { int zero = 0; RunSame(2, Add); return Recurse(&zero); }"""),
    ("stack_overflow_of_a_thread", {1}, ["stack overflow"], """
static int Recurse(volatile int *above) { volatile int here[64]; here[0] = *above; return Recurse(here) + here[0]; }
static void *Run(void *arg) { (void)arg; int zero = 0; x++; Recurse(&zero); return 0; }
int main() { RunSame(2, Run); }"""),
    ("smashed_stack", {1}, ["crash", "abort"], """
static volatile size_t size = 32 << 20;
static void *Smash(void *arg) { (void)arg; char local[8]; memset(local, 0x41, size); return 0; }
int main() { RunSame(1, Smash); }"""),
    ("wild_write_to_code", {1}, ["crash"], """
static void *Write(void *arg) { (void)arg; *(volatile char *)(void *)&Write = 0; return 0; }
int main() { RunSame(2, Write); }"""),
    ("wild_jump", {1}, ["crash"], """
static void *Jump(void *arg) { (void)arg; ((void (*)(void))(volatile long){0x1234})(); return 0; }
int main() { RunSame(2, Jump); }"""),
    ("wild_write_far_away", {1, 2, 3}, [], """
static void *Write(void *arg) { (void)arg; memset((void *)0x7a0000001000, 0x5a, 1 << 20); x++; return 0; }
int main() { RunSame(2, Write); }"""),
    ("fork", {0, 2, 3}, [], """
int main() {
  RunSame(2, Add);
  pid_t child = fork();
  if (child == 0) _exit(7);
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child || WEXITSTATUS(status) != 7) return 1;
}"""),
    ("fork_bomb_of_one", {0, 1, 2, 3}, [], """
int main() { RunSame(2, Add); fork(); return 0; }"""),
    ("system", {0, 2, 3}, [], """
int main() { RunSame(2, Add); if (system("exit 5") != 5 << 8) return 1; }"""),
    ("exec", {0, 1, 2, 3}, [], """
int main() { RunSame(2, Add); execl("/bin/true", "true", (char *)0); return 9; }"""),
    ("raw_clone", {0, 1, 2, 3}, [], """
int main() {
  RunSame(2, Add);
  if (syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0) == 0) syscall(SYS_exit_group, 0);
  wait(0);
}"""),
    ("dlopen", {0}, [], """
int main() {
  RunSame(2, Add);
  void *library = dlopen("libm.so.6", RTLD_NOW);
  double (*cosine)(double) = (double (*)(double))dlsym(library, "cos");
  if (!cosine || cosine(0) != 1) return 1;
}"""),
    ("dlopen_and_close", {0}, [], """
static void *Load(void *arg) {
  (void)arg;
  void *library = dlopen("libresolv.so.2", RTLD_LAZY);
  x++;
  if (library) dlclose(library);
  return 0;
}
int main() { RunSame(2, Load); }"""),
    ("close_everything", {0}, [], """
int main() { for (int fd = 0; fd < 1024; fd++) close(fd); RunSame(2, Add); }"""),
    ("close_range", {0}, [], """
int main() { syscall(SYS_close_range, 0, ~0u, 0); RunSame(2, Add); }"""),
    ("hundred_megabytes", {0}, [], """
int main() {
  static char line[1 << 20];
  memset(line, 'x', sizeof line);
  for (int i = 0; i < 100; i++) fwrite(line, sizeof line, 1, stdout);
  RunSame(1, Add);
}"""),
    ("exit_from_signal_handler", {1}, ["status 3", "3"], """
static void Handler(int signal) { (void)signal; exit(3); }
int main() { signal(SIGUSR1, Handler); RunSame(2, Add); raise(SIGUSR1); }"""),
    ("handler_of_a_crash", {1}, ["3", "crash"], """
static void Handler(int signal) { (void)signal; _exit(3); }
int main() { signal(SIGSEGV, Handler); RunSame(2, Add); *(volatile int *)0 = 1; }"""),
    ("sigkill", {1}, ["SIGKILL"], """
static void *Run(void *arg) { (void)arg; x++; raise(SIGKILL); return 0; }
int main() { RunSame(2, Run); }"""),
    ("sigkill_to_its_group", {1}, ["sends itself SIGKILL"], """
int main() { RunSame(2, Add); kill(0, SIGKILL); }"""),
    ("sigkill_by_killpg", {1}, ["sends itself SIGKILL"], """
int main() { RunSame(2, Add); killpg(getpgrp(), SIGKILL); }"""),
    ("sigkill_by_system_call", {1}, ["sends itself SIGKILL"], """
int main() { RunSame(2, Add); syscall(SYS_kill, getpid(), SIGKILL); }"""),
    ("sigterm_to_itself", {1}, ["SIGTERM"], """
int main() { RunSame(2, Add); kill(getpid(), SIGTERM); }"""),
    ("blocks_all_signals", {0}, [], """
int main() { sigset_t all; sigfillset(&all); sigprocmask(SIG_SETMASK, &all, 0); RunSame(2, Add); }"""),
    ("raw_exit_in_thread", {1}, ["3"], """
static void *Run(void *arg) { (void)arg; x++; _exit(3); }
int main() { RunSame(2, Run); }"""),
    ("raw_exit_group", {1}, ["3"], """
static void *Run(void *arg) { (void)arg; x++; syscall(SYS_exit_group, 3); return 0; }
int main() { RunSame(2, Run); }"""),
    ("pause_for_ever", {1, 2, 3}, [], """
int main() { RunSame(2, Add); pause(); }"""),
    ("read_of_an_empty_pipe", {1, 2, 3}, [], """
int main() { int ends[2]; char c; RunSame(2, Add); if (pipe(ends) || read(ends[0], &c, 1)) return 0; }"""),
    ("reads_stdin", {0}, [], """
int main() { RunSame(2, Add); return getchar() != EOF; }"""),
    ("no_memory", {0}, [], """
int main() { RunSame(2, Add); void *volatile huge = malloc((size_t)1 << 46); return huge != 0; }"""),
    ("small_limits", {0}, [], """
int main() {
  struct rlimit few = {3, 3};
  setrlimit(RLIMIT_NOFILE, &few);
  RunSame(2, Add);
}"""),
    ("changes_directory_and_environment", {0}, [], """
int main() { if (chdir("/")) return 1; clearenv(); RunSame(2, Add); }"""),
    ("abort_before_main", {1, 2, 3}, [], """
__attribute__((constructor)) static void Early() { abort(); }
int main() { RunSame(2, Add); }"""),
    ("exit_before_main", {0, 1, 2, 3}, [], """
__attribute__((constructor)) static void Early() { exit(5); }
int main() { RunSame(2, Add); }"""),
    ("thread_before_main", {0, 2, 3}, [], """
__attribute__((constructor)) static void Early() { RunSame(1, Add); }
int main() { RunSame(2, Add); }"""),
]

case = Case(sys.argv[1])
wanted = sys.argv[2:]
for name, statuses, words, text in ROWS:
    if wanted and name not in wanted:
        continue
    program = case.compile(name, HEAD + text, "-w", "-ldl")
    done = case.heddle("check", "--hang-after", "2s", "--time", "20s", program)
    answer = done.out + done.err
    case.expect(name, done.status in statuses and not done.leftover and done.lines()
                and (not words or any(word in answer for word in words)), done)
    if done.leftover:
        print("  processes were left running")
if not wanted or "descriptors_closed_for_heddle" in wanted:
    program = case.compile("descriptors_closed_for_heddle", HEAD + "int main() { RunSame(2, Add); }")
    result = case.path / "closed.json"
    done = case.heddle("check", "--json", result, program, preexec_fn=lambda: os.closerange(0, 3))
    case.expect("descriptors_closed_for_heddle",
                done.status == 0 and json.loads(result.read_text())["verdict"] == "clean", done)
if not wanted or "hundred_megabytes" in wanted:
    done = case.heddle("check", "--show-output", "--executions", "1", case.path / "hundred_megabytes")
    case.expect("hundred_megabytes shown", done.status == 0 and len(done.out) + len(done.err) >= 100 << 20, done)
case.finish()
