"""Executions that do not end: heddle ends them from wherever they are, with both ways to rewind, and says what they do.

Nothing here depends on the time of the wall: a hang is judged by processor time, and by time asleep in the kernel.
A row is a name, words that must be in the answer, and the program. None may be killed for it."""

import os
import re
import shutil
import sys

from heddle_run import Case

HEAD = """
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "run_threads.h"
static atomic_int x;
static void *Add(void *arg) { (void)arg; x++; return 0; }
static volatile unsigned sink;
static unsigned State(unsigned n) { return n * 1664525u + 1013904223u; }
static void Loop(void) { for (unsigned n = 1;; n = State(n)) sink = n; }
static long Call(long number, long a, long b, long c) {
  long result;
  __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
  return result;
}
"""
LOOP = "never ends"
WAITS = "waits in a system call"

ROWS = [
    ("spin_on_plain", ["data race on `?flag`?"], """
static int flag;
static void *Set(void *arg) { (void)arg; x = 1; flag = 1; return 0; }
static void *Spin(void *arg) {
  (void)arg;
  x = 2;
  while (*(volatile int *)&flag == 0);
  return 0;
}
int main() { RunThreads(2, (Body[]){Spin, Set}); }"""),
    ("spin_hoisted", ["where nothing changes", "may have moved the read out of the loop"], """
static int flag;
static void *Set(void *arg) { (void)arg; x = 1; flag = 1; return 0; }
static void *Spin(void *arg) {
  (void)arg;
  x = 2;
  if (flag == 0) for (;;) __asm__ volatile("");
  return 0;
}
int main() { RunThreads(2, (Body[]){Spin, Set}); }"""),
    ("counts_while_it_spins", ["data race on `?flag`?"], """
static int flag;
static void *Set(void *arg) { (void)arg; x = 1; flag = 1; return 0; }
static void *Spin(void *arg) {
  (void)arg;
  x = 2;
  unsigned rounds = 0;
  while (*(volatile int *)&flag == 0) { ++rounds; __asm__ volatile("" : "+r"(rounds)); }
  return 0;
}
int main() { RunThreads(2, (Body[]){Spin, Set}); }"""),
    ("spin_for_nobody", ["hang: ", "spin_for_nobody.c:"], """
static int flag;
int main() { RunSame(2, Add); while (*(volatile int *)&flag == 0); }"""),
    ("endless_loop", [LOOP, "endless_loop.c:2"], """
int main() { RunSame(2, Add); Loop(); }"""),
    ("signals_blocked", [LOOP], """
int main() {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, 0);
  RunSame(2, Add);
  Loop();
}"""),
    ("signals_blocked_by_system_call", [LOOP], """
int main() {
  unsigned long all = ~0ul;
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, 0, sizeof all);
  RunSame(2, Add);
  Loop();
}"""),
    ("in_a_handler", [LOOP], """
static void Handle(int number) { (void)number; Loop(); }
int main() { signal(SIGUSR1, Handle); RunSame(2, Add); raise(SIGUSR1); }"""),
    ("in_a_handler_on_an_alternate_stack", [LOOP], """
static void Handle(int number) { (void)number; Loop(); }
int main() {
  stack_t stack = {.ss_sp = malloc(65536), .ss_size = 65536};
  sigaltstack(&stack, 0);
  struct sigaction action = {.sa_flags = SA_ONSTACK};
  action.sa_handler = Handle;
  sigaction(SIGUSR1, &action, 0);
  sigaction(SIGFPE, &action, 0);
  RunSame(2, Add);
  volatile int zero = 0;
  return 100 / zero;
}"""),
    ("stack_nearly_full", [LOOP], """
static int Recurse(char *end) {
  volatile char here[64];
  if ((char *)here - end > 1024) return Recurse(end) + here[0];
  Loop();
  return 0;
}
static void *Run(void *arg) {
  (void)arg;
  char here;
  x++;
  Recurse(&here - (1 << 20) + 8192);
  return 0;
}
int main() {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 1 << 20);
  pthread_t thread;
  pthread_create(&thread, &attributes, Run, 0);
  RunSame(1, Add);
  pthread_join(thread, 0);
}"""),
    ("system_call_unseen", [WAITS], """
int main() {
  int ends[2];
  RunSame(2, Add);
  if (Call(SYS_pipe2, (long)ends, 0, 0) != 0) return 1;
  char byte;
  Call(SYS_read, ends[0], (long)&byte, 1);
}"""),
    ("system_call_again_and_again", ["of (waiting|processor time)"], """
int main() {
  int ends[2];
  RunSame(2, Add);
  if (Call(SYS_pipe2, (long)ends, 0, 0) != 0) return 1;
  for (;;) {
    char byte;
    Call(SYS_read, ends[0], (long)&byte, 1);
  }
}"""),
    ("threads_in_epoll_wait", ["deadlock|" + WAITS], """
static void *Wait(void *arg) {
  (void)arg;
  int set = epoll_create1(0), ends[2];
  if (pipe(ends) != 0) abort();
  struct epoll_event event = {.events = EPOLLIN};
  epoll_ctl(set, EPOLL_CTL_ADD, ends[0], &event);
  epoll_wait(set, &event, 1, -1);
  return 0;
}
int main() { RunSame(3, Wait); }"""),
    ("ppoll_and_sigwait", ["deadlock|" + WAITS], """
static void *Poll(void *arg) {
  (void)arg;
  int ends[2];
  if (pipe(ends) != 0) abort();
  struct pollfd descriptor = {ends[0], POLLIN, 0};
  sigset_t none;
  sigemptyset(&none);
  ppoll(&descriptor, 1, 0, &none);
  return 0;
}
static void *Wait(void *arg) {
  (void)arg;
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  int number;
  sigwait(&set, &number);
  return 0;
}
int main() { RunThreads(3, (Body[]){Poll, Wait, Poll}); }"""),
    ("changes_who_it_is", [LOOP], """
int main() {
  if (setuid(getuid()) != 0 || setgid(getgid()) != 0) return 1;
  RunSame(9, Add);  // more threads than there were at first
  Loop();
}"""),
]

case = Case(sys.argv[1])
wanted = sys.argv[2:]
# Proved never to end, or deadlocks. All others exceed the limit on time.
BUGS = {"spin_on_plain", "counts_while_it_spins", "spin_for_nobody", "spin_hoisted", "threads_in_epoll_wait", "ppoll_and_sigwait"}


def check(name, words, *command, rewind, limit="100ms"):
    done = case.heddle("check", "--executions", "1", "--hang-after", limit, "--rewind", rewind, *command)
    answer = done.out + done.err
    if name in BUGS:
        told = done.status == 1 and all(re.search(word, answer) for word in words)
    else:  # that it never ends is not proved: cut, and no bug
        told = done.status == 0 and "an execution was cut after" in answer and "not a proof" in answer
    killed = "killed by" in answer or "crash:" in answer
    case.expect(f"{name}, rewind {rewind}", not done.leftover and told and not killed, done)


for name, words, text in ROWS:
    if wanted and name not in wanted:
        continue
    program = case.compile(name, HEAD + text, "-w")
    for rewind in ("memory", "fork"):
        check(name, words, program, rewind=rewind)

# A server with libevent and threads of its own, not rebuilt, that waits for a client.
memcached = shutil.which("memcached")
if memcached and (not wanted or "memcached" in wanted):
    user = ["-u", "root"] if os.getuid() == 0 else []
    for rewind in ("memory", "fork"):
        socket = case.path / f"socket-{rewind}"
        check("memcached", ["hang:"], "--no-debug-info", "--uninstrumented", memcached, *user, "-s", socket, rewind=rewind,
              limit="500ms")
case.finish()
