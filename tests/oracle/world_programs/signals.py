"""Threads that send each other signals, block them, wait for them and are interrupted by them: programs, a model, C.

SIGUSR1 has a handler, which counts in a counter of the thread that runs it. SIGUSR2 is blocked by all threads; sigwait takes it. Neither is
queued. All begin with both blocked. Calls: kill S, tkill T S (to thread T), block and unblock (SIGUSR1; they may change nothing), mask
(blocks SIGUSR2 once more), sigwait (for SIGUSR2), semwait, sempost, look T (at a counter). What semwait answers and what is seen is the
outcome, with the counters. main is thread 0, creates the others first, and joins the last one first: nobody is joined who may still get a
signal.

As POSIX has it: a signal that is pending comes at any time, or never; before a call comes back that sets the mask and leaves the signal
unblocked, or that sends it where no other thread can take it. What POSIX leaves open is as in Linux: a signal to the thread comes before
one to the process, and one that is pending when a handler comes back is taken at once.
"""

import dataclasses

LANGUAGE = "c"
WRONG = ["sem-is-restarted", "sender-need-not-take", "unblock-need-not-take", "mask-need-not-take", "main-takes-all", "signals-are-queued",
         "handler-is-atomic", "ended-keep-signals"]


@dataclasses.dataclass
class Program:
    threads: list  # of lists of calls

    def size(self):
        return sum(map(len, self.threads))


def generate(rng):
    count = rng.choice([2, 2, 2, 3])
    aim = rng.randrange(count)  # of most that goes to a thread or looks at one
    threads = []
    for t in range(count):
        blocked = rng.random() < 0.3
        calls = [] if blocked else [("unblock",)]
        for _ in range(rng.randint(1, 3) if count == 2 else rng.randint(1, 2) if t < 2 else 1):
            word = rng.choice(["kill", "kill", "tkill", "tkill", "tkill", "mask", "mask", "sigwait", "semwait", "sempost", "look", "look"])
            signal = rng.choice("UUUV")
            aimed = rng.random() < 0.7
            if word == "kill":
                calls.append((word, signal))
            elif word == "tkill":  # main has told the number of who was created before
                known = count if t == 0 else t + 1
                calls.append((word, aim if aimed and aim < known else rng.randrange(known), signal))
            elif word == "mask":
                kind = rng.choice(["change", "change", "again", "mask"])
                blocked ^= kind == "change"
                calls.append(("mask" if kind == "mask" else "block" if blocked else "unblock",))
            elif word == "look":
                calls.append((word, aim if aimed else rng.randrange(count)))
            else:
                calls.append((word,))
        threads.append(calls)
    return Program(threads)


@dataclasses.dataclass(frozen=True)
class Thread:
    at: int = 0
    alive: bool = False
    blocked: bool = False  # SIGUSR1, by the thread itself
    handler: int = 0  # 1: it is about to count; 2: it has, and is about to come back; 0: in none
    in_call: bool = False  # the handler has interrupted the call
    pending: tuple = ()
    count: int = 0
    answers: tuple = ()

    def takes(self):
        return self.alive and not self.blocked and not self.handler

    def with_(self, **changes):
        return dataclasses.replace(self, **changes)


class Model:
    """A state: (threads, pending in the process, the semaphore)."""

    def __init__(self, program, wrong=None):
        self.wrong = wrong
        others = range(1, len(program.threads))
        main = [("create", t) for t in others] + program.threads[0] + [("join", t) for t in reversed(others)] + [("done",)]
        self.calls = [main] + [calls + [("end",)] for calls in program.threads[1:]]

    def first(self):
        return (Thread(alive=True, blocked=True),) + tuple(Thread() for _ in self.calls[1:]), (), 0

    def label(self, state):
        if state[0][0].at < len(self.calls[0]):
            return None
        return "|".join(",".join(thread.answers) + f":{thread.count}" for thread in state[0])

    def steps(self, state):
        if state[0][0].at == len(self.calls[0]):
            return
        for t, thread in enumerate(state[0]):
            if not thread.alive:
                continue
            if thread.handler:
                yield self.handle(state, t)
                continue
            if thread.takes() and self.has(state, t, "U"):
                yield self.take(state, t, False)
                waits = self.calls[t][thread.at] == ("semwait",) and state[2] == 0
                if waits and self.wrong != "sem-is-restarted":
                    yield self.take(state, t, True)
            after = self.call(state, t, *self.calls[t][thread.at])
            if after is not None:
                yield after

    def put(self, state, t, process=None, semaphore=None, **changes):
        threads = state[0][:t] + (state[0][t].with_(**changes),) + state[0][t + 1:]
        return threads, state[1] if process is None else process, state[2] if semaphore is None else semaphore

    def has(self, state, t, signal):
        if signal in state[0][t].pending:
            return True
        return signal in state[1] and not (self.wrong == "main-takes-all" and t != 0 and signal == "U")

    def remove(self, state, t, signal):
        if signal in state[0][t].pending:
            return self.put(state, t, pending=self.without(state[0][t].pending, signal))
        return self.put(state, t, process=self.without(state[1], signal))

    def without(self, pending, signal):
        at = pending.index(signal)
        return pending[:at] + pending[at + 1:]

    def added(self, pending, signal):
        return pending if signal in pending and self.wrong != "signals-are-queued" else tuple(sorted(pending + (signal,)))

    def take(self, state, t, in_call):
        state = self.put(self.remove(state, t, "U"), t, handler=1, in_call=in_call)
        return self.handle(state, t) if self.wrong == "handler-is-atomic" else state

    def handle(self, state, t):
        thread = state[0][t]
        if thread.handler == 1:
            return self.put(state, t, handler=2, count=thread.count + 1)
        if thread.in_call:
            state = self.put(state, t, at=thread.at + 1, in_call=False, answers=thread.answers + ("E",))
        state = self.put(state, t, handler=0)
        return self.take(state, t, False) if self.has(state, t, "U") else state

    def call(self, state, t, word, *operands):
        thread = state[0][t]
        goes_on = self.put(state, t, at=thread.at + 1)
        if word == "create":
            return self.put(goes_on, operands[0], alive=True, blocked=thread.blocked)
        if word == "join":
            other = state[0][operands[0]]
            return goes_on if not other.alive and other.at == len(self.calls[operands[0]]) else None
        if word == "end":
            return self.put(goes_on, t, alive=False)
        if word == "done":
            return goes_on
        if word == "block":
            return self.put(goes_on, t, blocked=True)
        if word in ("unblock", "mask"):
            after = self.put(goes_on, t, blocked=thread.blocked and word == "mask")
            takes = not after[0][t].blocked and self.has(after, t, "U") and self.wrong != f"{word}-need-not-take"
            return self.take(after, t, False) if takes else after
        if word == "kill":
            after = self.put(goes_on, t, process=self.added(state[1], operands[0]))
            others = any(other.takes() for u, other in enumerate(state[0]) if u != t)
            at_once = operands[0] == "U" and thread.takes() and not others and self.wrong not in ("sender-need-not-take", "main-takes-all")
            return self.take(after, t, False) if at_once else after
        if word == "tkill":
            u, signal = operands
            if not state[0][u].alive:
                return self.put(goes_on, t, process=self.added(state[1], signal)) if self.wrong == "ended-keep-signals" else goes_on
            after = self.put(goes_on, u, pending=self.added(state[0][u].pending, signal))
            return self.take(after, t, False) if u == t and signal == "U" and thread.takes() else after
        if word == "sigwait":
            return self.remove(goes_on, t, "V") if self.has(state, t, "V") else None
        if word == "sempost":
            return self.put(goes_on, t, semaphore=state[2] + 1)
        if word == "semwait":
            return self.put(goes_on, t, semaphore=state[2] - 1, answers=thread.answers + ("0",)) if state[2] else None
        return self.put(goes_on, t, answers=thread.answers + (str(state[0][operands[0]].count),))


HEAD = """\
#define _GNU_SOURCE
#include <errno.h>
#include <heddle.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static pthread_t threads[3];
static atomic_int handled[3];
static _Thread_local atomic_int self;
static sem_t semaphore;
static sigset_t usr1, usr2;
static char told[3][16];
static void Handle(int number) {
  (void)number;
  atomic_fetch_add(&handled[atomic_load_explicit(&self, memory_order_relaxed)], 1);
}
static void Tell(int t, char answer) {
  const size_t length = strlen(told[t]);
  if (length) told[t][length] = ',';
  told[t][length + (length != 0)] = answer;
}
static void SigWait(void) {
  int number;
  sigwait(&usr2, &number);
}
"""
SIGNALS = {"U": "SIGUSR1", "V": "SIGUSR2"}


def print_call(t, word, *operands):
    if word == "kill":
        return f"kill(getpid(), {SIGNALS[operands[0]]});"
    if word == "tkill":
        return f"pthread_kill({'pthread_self()' if operands[0] == t else f'threads[{operands[0]}]'}, {SIGNALS[operands[1]]});"
    if word in ("block", "unblock"):
        return f"pthread_sigmask(SIG_{word.upper()}, &usr1, 0);"
    return {"mask": "pthread_sigmask(SIG_BLOCK, &usr2, 0);", "sigwait": "SigWait();", "sempost": "sem_post(&semaphore);", "semwait": f"Tell({t}, sem_wait(&semaphore) == 0 ? '0' : 'E');",
            "look": f"Tell({t}, (char)('0' + handled[{operands[0] if operands else 0}]));"}[word]


def print_program(program, name):
    lines = []
    others = range(1, len(program.threads))
    for t in others:
        lines += [f"static void *{name}_{t}(void *a) {{", f"  atomic_store_explicit(&self, {t}, memory_order_relaxed);"]
        lines += ["  " + print_call(t, *call) for call in program.threads[t]] + ["  return a;", "}"]
    lines += [f"static void {name}(void) {{", "  struct sigaction action = {.sa_handler = Handle};", "  sigaction(SIGUSR1, &action, 0);",
              "  sigemptyset(&usr1);", "  sigaddset(&usr1, SIGUSR1);", "  sigemptyset(&usr2);", "  sigaddset(&usr2, SIGUSR2);",
              "  pthread_sigmask(SIG_BLOCK, &usr2, 0);", "  sem_init(&semaphore, 0, 0);", "  threads[0] = pthread_self();"]
    lines += ["  pthread_sigmask(SIG_BLOCK, &usr1, 0);"]
    lines += [f"  pthread_create(&threads[{t}], 0, {name}_{t}, 0);" for t in others]
    lines += ["  " + print_call(0, *call) for call in program.threads[0]] + [f"  pthread_join(threads[{t}], 0);" for t in reversed(others)]
    told = ", ".join(f"told[{t}], handled[{t}]" for t in range(len(program.threads)))
    lines += ["  pthread_sigmask(SIG_BLOCK, &usr1, 0);", f'  heddle_outcome("{"|".join(["%s:%d"] * len(program.threads))}", {told});', "}"]
    return "\n".join(lines) + "\n"
