"""Threads that fork while others hold mutexes: programs, a model, C.

main is thread 0. Calls: lock M, unlock M, sempost, semtry, fork, give (fork, and the child first unlocks what the thread holds). A child
tries to lock each mutex, and to take from the semaphore; its exit status, which the thread waits for, says which it could not: the
outcome. Some programs have handlers (pthread_atfork), which hold mutex 0 while the process forks. Mutexes are locked in one order.
"""

import dataclasses

MUTEXES = 2
# heddle does not call a search with a fork beside other threads a proof; without a reduction it finds everything that such children tell.
NO_PROOF = "child-process"
LANGUAGE = "c"
WRONG = ["child-finds-all-free", "child-owns-all", "fork-waits-for-locks", "semaphore-begins-anew", "handlers-lock-nothing",
         "child-handler-is-missing"]


@dataclasses.dataclass
class Program:
    handlers: bool
    threads: list  # of lists of calls

    def size(self):
        return sum(map(len, self.threads))


def generate(rng):
    handlers = rng.random() < 0.4
    count = rng.choice([2, 2, 2, 3])
    threads = []
    for t in range(count):
        calls, held = [], []
        for _ in range(rng.randint(1, 3) if count == 2 else rng.randint(1, 2)):
            words = ["lock"] * 2 * (not held or max(held) < MUTEXES - 1) + ["unlock"] * bool(held) + ["sempost", "semtry"]
            forks = not any(call[0] in ("fork", "give") for call in calls) and not (handlers and held)
            word = rng.choice(words + (["fork", "give"] if t == 0 else ["fork"]) * forks)
            if word == "lock":
                held.append(rng.randrange(max(held, default=-1) + 1, MUTEXES))
                calls.append((word, held[-1]))
            elif word == "unlock":
                calls.append((word, held.pop()))
            else:
                calls.append((word,))
        if t == 0 and not handlers and not any(call[0] in ("fork", "give") for call in calls):
            calls.append((rng.choice(["fork", "give"]),))
        calls += [("unlock", mutex) for mutex in reversed(held)]
        if t == 0 and not any(call[0] in ("fork", "give") for call in calls):
            calls.append(("fork",))
        threads.append(calls)
    return Program(handlers, threads)


class Model:
    """A state: (positions, owners, the semaphore, answers)."""

    def __init__(self, program, wrong=None):
        self.wrong, self.handlers = wrong, program.handlers
        self.calls = [[step for call in calls for step in self.steps_of(call)] for calls in program.threads]

    def steps_of(self, call):
        if call[0] not in ("fork", "give") or not self.handlers or self.wrong == "handlers-lock-nothing":
            return [call]
        return [("lock", 0), call, ("unlock", 0)]

    def first(self):
        count = len(self.calls)
        return (0,) * count, (None,) * MUTEXES, 0, ((),) * count

    def label(self, state):
        if any(at < len(calls) for at, calls in zip(state[0], self.calls)):
            return None
        return "|".join(",".join(answers) for answers in state[3])

    def steps(self, state):
        for t, calls in enumerate(self.calls):
            if state[0][t] < len(calls):
                after = self.call(state, t, *calls[state[0][t]])
                if after is not None:
                    yield after

    def call(self, state, t, word, mutex=None):
        positions, owners, semaphore, answers = state
        positions = positions[:t] + (positions[t] + 1,) + positions[t + 1:]
        if word == "lock":
            return None if owners[mutex] is not None else (positions, owners[:mutex] + (t,) + owners[mutex + 1:], semaphore, answers)
        if word == "unlock":
            return positions, owners[:mutex] + (None,) + owners[mutex + 1:], semaphore, answers
        if word == "sempost":
            return positions, owners, semaphore + 1, answers
        if word == "semtry":
            return positions, owners, max(semaphore - 1, 0), answers
        if self.wrong == "fork-waits-for-locks" and any(owner not in (None, t) for owner in owners):
            return None
        status = str(self.child(owners, semaphore, t, word == "give"))
        return positions, owners, semaphore, answers[:t] + (answers[t] + (status,),) + answers[t + 1:]

    def child(self, owners, semaphore, t, gives):
        locked = [owner is not None for owner in owners]
        if gives:
            locked = [owner not in (None, t) and self.wrong != "child-owns-all" for owner in owners]
        if self.handlers and self.wrong != "child-handler-is-missing":
            locked[0] = False
        if self.wrong == "child-finds-all-free":
            locked = [False] * MUTEXES
        empty = semaphore == 0 or self.wrong == "semaphore-begins-anew"
        return sum(1 << i for i, is_locked in enumerate(locked) if is_locked) + (empty << MUTEXES)


HEAD = """\
#define _GNU_SOURCE
#include <heddle.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t mutex[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static sem_t semaphore;
static char told[3][16];
static void Lock0(void) { pthread_mutex_lock(&mutex[0]); }
static void Unlock0(void) { pthread_mutex_unlock(&mutex[0]); }
// `held`: of these mutexes, as bits, the child unlocks first.
static void Fork(int t, int held) {
  const pid_t child = fork();
  if (child == 0) {
    int status = 0;
    for (int i = 0; i < 2; i++)
      if (held >> i & 1) pthread_mutex_unlock(&mutex[i]);
    for (int i = 0; i < 2; i++) status |= (pthread_mutex_trylock(&mutex[i]) != 0) << i;
    _exit(status | (sem_trywait(&semaphore) != 0) << 2);
  }
  int status;
  waitpid(child, &status, 0);
  const size_t length = strlen(told[t]);
  snprintf(told[t] + length, sizeof told[t] - length, "%s%d", length ? "," : "", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
}
"""


def print_calls(t, calls):
    held = set()
    for word, *mutex in calls:
        if word in ("lock", "unlock"):
            held ^= set(mutex)
            yield f"  pthread_mutex_{word}(&mutex[{mutex[0]}]);"
        elif word in ("fork", "give"):
            yield f"  Fork({t}, {sum(1 << i for i in held) if word == 'give' else 0});"
        else:
            yield {"sempost": "  sem_post(&semaphore);", "semtry": "  sem_trywait(&semaphore);"}[word]


def print_program(program, name):
    lines = []
    others = range(1, len(program.threads))
    for t in others:
        lines += [f"static void *{name}_{t}(void *a) {{", *print_calls(t, program.threads[t]), "  return a;", "}"]
    lines += [f"static void {name}(void) {{", f"  pthread_t threads[{len(program.threads)}];", "  sem_init(&semaphore, 0, 0);"]
    lines += ["  pthread_atfork(Lock0, Unlock0, Unlock0);"] if program.handlers else []
    lines += [f"  pthread_create(&threads[{t}], 0, {name}_{t}, 0);" for t in others] + list(print_calls(0, program.threads[0]))
    lines += [f"  pthread_join(threads[{t}], 0);" for t in others]
    told = ", ".join(f"told[{t}]" for t in range(len(program.threads)))
    lines += [f'  heddle_outcome("{"|".join(["%s"] * len(program.threads))}", {told});', "}"]
    return "\n".join(lines) + "\n"
