"""Threads with objects of the C++ standard library: programs, a model, C++.

A program uses one or two kinds of object. main is thread 0. What calls answer is the outcome, with a counter:
  latch      count (count_down), latchwait, latchtry, latcharrive (arrive_and_wait)
  barrier    barrier (arrive_and_wait), drop (arrive_and_drop); its completion adds to the counter
  semaphore  acquire, release, acquiretry
  rw         std::shared_mutex: lock, unlock, share, unshare; trylock and tryshare unlock at once
  atomic     set V, one, all (notify), wait V (while the value is V)
  once       once: std::call_once of a function that adds to the counter and, the first time or two, throws
  promise    set_value (the second one throws), get, ready (wait_for of no time, on a shared future)
  stop       stop (request_stop), is_stopped, waitstop (condition_variable_any), register and deregister (a stop_callback that adds to
             the counter; its destructor waits while another thread runs it)
  look       at the counter
"""

import dataclasses

WRONG = ["latch-opens-early", "drop-is-forgotten", "one-wakes-all", "wait-sees-each-change", "throw-is-done", "writers-first",
         "set-twice", "deregister-does-not-wait", "acquire-takes-nothing", "semaphore-is-right"]
LANGUAGE = "c++"


@dataclasses.dataclass
class Program:
    first: dict  # what the objects begin with
    threads: list  # of lists of calls

    def size(self):
        return sum(map(len, self.threads))


WORDS = {
    "latch": ["count", "count", "latchwait", "latchtry", "latcharrive"],
    "semaphore": ["acquire", "acquire", "release", "release", "acquiretry"],
    "rw": ["lock", "share", "unlock", "unlock", "trylock", "tryshare"],
    "atomic": ["set", "set", "one", "one", "all", "wait", "wait"],
    "once": ["once", "once", "look"],
    "promise": ["set_value", "set_value", "get", "ready"],
    "stop": ["stop", "is_stopped", "waitstop", "register", "register", "register", "look"],
    "barrier": ["barrier", "barrier", "drop", "look"],
}


# Shapes that chance hardly makes.
NOTHING = {"latch": 0, "semaphore": 0, "throws": 0, "barrier": 0}
SHAPES = [Program(NOTHING, [[("set", 1), ("one",)], [("wait", 0)], [("wait", 0)]]),
          Program(NOTHING, [[("stop",)], [("register",), ("deregister",), ("look",)]])]


def generate(rng):
    if rng.random() < 0.04:
        return rng.choice(SHAPES)
    kinds = rng.sample(sorted(WORDS), rng.choice([1, 1, 1, 2]))
    count = rng.choice([2, 3, 3])
    words = [word for kind in kinds for word in WORDS[kind]]
    threads = []
    for _ in range(count):
        calls, held, dropped, registered = [], None, False, False
        own = rng.sample(words, min(rng.choice([2, 2, 4]), len(words)))  # does little else
        for _ in range(rng.randint(2, 4) if count == 2 else rng.randint(1, 3)):
            word = rng.choice(own)
            if word in ("set", "wait"):
                calls.append((word, int((rng.random() < 0.8) != (word == "wait"))))
            elif word in ("lock", "share", "trylock", "tryshare", "unlock"):
                if held is None and word != "unlock":
                    calls.append((word,))
                    held = word if word in ("lock", "share") else None
                elif held is not None:
                    calls.append(("unlock" if held == "lock" else "unshare",))
                    held = None
            elif word in ("barrier", "drop"):
                if not dropped:
                    calls.append((word,))
                dropped |= word == "drop"
            elif word == "register":
                calls.append(("deregister" if registered else "register",))
                registered = not registered
            else:
                calls.append((word,))
        calls += [("unlock" if held == "lock" else "unshare",)] * (held is not None) + [("deregister",)] * registered
        threads.append(calls)
    arrivals = sum(call[0] in ("count", "latcharrive") for calls in threads for call in calls)
    first = {"latch": max(arrivals, rng.randint(0, 2)), "semaphore": rng.randrange(2), "throws": rng.randrange(3),
             "barrier": sum(any(call[0] in ("barrier", "drop") for call in calls) for calls in threads)}
    return Program(first, threads)


# The steps of calls that are more than one.
MICRO = {
    "acquire": ["acquireload", "acquiretake", "acquiresleep", "acquireagain"],
    "release": ["release", "wakedozers"],
    "latcharrive": ["count", "latchwait"],
    "barrier": ["arrive", "go_through"],
    "once": ["once", "onceend"],
    "set_value": ["set_value", "makeready"],
    "stop": ["stop", "callbacks"],
    "trylock": ["trylock", "untry"],
    "tryshare": ["tryshare", "untry"],
}


@dataclasses.dataclass(frozen=True)
class State:
    at: tuple
    answers: tuple
    latch: int
    semaphore: int
    throws: int
    expected: int  # of the barrier, in each phase to come
    missing: int  # in this one
    phase: int = 0
    tokens: tuple = (0, 0, 0)  # the phase in which each thread arrived; what it waits for the semaphore not to be
    looks: tuple = ((0, False),) * 3  # of who acquires: what it has seen, and whether that was 0 before
    counter: int = 0
    value: int = 0  # of the atomic
    sleepers: frozenset = frozenset()  # on the atomic
    dozers: frozenset = frozenset()  # on the semaphore
    writer: object = None
    readers: frozenset = frozenset()
    once: object = None  # None, the thread that runs it, or "done"
    is_set: bool = False
    is_ready: bool = False
    stopped: bool = False
    registered: tuple = ()
    runs: object = None  # whose callback is running

    def with_(self, **changes):
        return dataclasses.replace(self, **changes)


class Model:
    def __init__(self, program, wrong=None):
        self.wrong, self.begin = wrong, program.first
        self.calls = [[(micro, *call[1:]) for call in calls for micro in MICRO.get(call[0], [call[0]])] for calls in program.threads]

    def first(self):
        count = len(self.calls)
        return State((0,) * count, ((),) * count, self.begin["latch"], self.begin["semaphore"], self.begin["throws"], self.begin["barrier"],
                     self.begin["barrier"])

    def label(self, state):
        if any(at < len(calls) for at, calls in zip(state.at, self.calls)):
            return None
        return "|".join(",".join(answers) for answers in state.answers) + f"|{state.counter}{state.value}"

    def steps(self, state):
        for t, calls in enumerate(self.calls):
            if state.at[t] < len(calls):
                word, *operands = calls[state.at[t]]
                yield from getattr(self, word)(state, t, *operands)

    def on(self, state, t, answer=None, **changes):
        """The thread goes on."""
        if answer is not None:
            changes["answers"] = self.with_at(state.answers, t, state.answers[t] + (str(int(answer)),))
        return self.to(state, t, 1, **changes)

    def to(self, state, t, steps, **changes):
        return state.with_(at=self.with_at(state.at, t, state.at[t] + steps), **changes)

    def with_at(self, values, t, value):
        return values[:t] + (value,) + values[t + 1:]

    def count(self, state, t):
        yield self.on(state, t, latch=state.latch - 1)

    def latchwait(self, state, t):
        if state.latch <= (self.wrong == "latch-opens-early"):
            yield self.on(state, t)

    def latchtry(self, state, t):
        yield self.on(state, t, answer=state.latch == 0)

    def arrived(self, state, expected):
        if state.missing > 1:
            return state.with_(missing=state.missing - 1, expected=expected)
        return state.with_(missing=expected, expected=expected, phase=state.phase + 1, counter=state.counter + 1)

    def arrive(self, state, t):
        state = state.with_(tokens=self.with_at(state.tokens, t, state.phase))
        yield self.on(self.arrived(state, state.expected), t)

    def drop(self, state, t):
        yield self.on(self.arrived(state, state.expected - (self.wrong != "drop-is-forgotten")), t)

    def go_through(self, state, t):
        if state.phase != state.tokens[t]:
            yield self.on(state, t)

    # libstdc++ 12 remembers what the semaphore was before its first look, and sleeps if it is that again: even if that is not 0, and
    # until it is released when it is 0.
    def acquireload(self, state, t):
        yield self.on(state, t, tokens=self.with_at(state.tokens, t, state.semaphore), looks=self.with_at(state.looks, t, (0, False)))

    def acquiretake(self, state, t):
        expected, was_0 = state.looks[t]  # 0: nothing is expected, it looks
        if expected == 0 and state.semaphore == 0:
            yield state.with_(looks=self.with_at(state.looks, t, (0, True)))
        elif expected == 0:
            yield state.with_(looks=self.with_at(state.looks, t, (state.semaphore, was_0)))
        elif state.semaphore == expected:
            yield self.to(self.take(state, t), t, 3)
        else:
            yield state.with_(looks=self.with_at(state.looks, t, (0, was_0)))
        if was_0 and expected != state.semaphore or state.semaphore == expected == 0:  # enough looks in vain
            yield self.on(state, t)

    def acquiresleep(self, state, t):
        if t in state.dozers:
            return
        if self.wrong == "semaphore-is-right":
            yield from [self.on(state, t)] * (state.semaphore > 0)
        elif state.semaphore == state.tokens[t]:
            yield state.with_(dozers=state.dozers | {t})
        else:
            yield self.on(state, t)

    def acquireagain(self, state, t):
        yield self.to(state, t, -3)
        if state.semaphore > 0:
            yield self.on(self.take(state, t), t)

    def take(self, state, t):
        return state.with_(semaphore=state.semaphore - (self.wrong != "acquire-takes-nothing"))

    def release(self, state, t):
        yield self.to(state, t, 1 if state.semaphore == 0 else 2, semaphore=state.semaphore + 1)

    def wakedozers(self, state, t):
        woken = state.with_(dozers=frozenset())
        for dozer in state.dozers:
            woken = self.on(woken, dozer)
        yield self.on(woken, t)

    def acquiretry(self, state, t):
        yield self.on(state, t, answer=state.semaphore > 0, semaphore=max(state.semaphore - 1, 0))

    def free_to_share(self, state):
        waits = any(at < len(calls) and calls[at] == ("lock",) for at, calls in zip(state.at, self.calls))
        return state.writer is None and not (waits and self.wrong == "writers-first")

    def lock(self, state, t):
        if state.writer is None and not state.readers:
            yield self.on(state, t, writer=t)

    def unlock(self, state, t):
        yield self.on(state, t, writer=None)

    def share(self, state, t):
        if self.free_to_share(state):
            yield self.on(state, t, readers=state.readers | {t})

    def unshare(self, state, t):
        yield self.on(state, t, readers=state.readers - {t})

    def trylock(self, state, t):
        free = state.writer is None and not state.readers
        yield self.on(state, t, answer=free, writer=t if free else state.writer)

    def tryshare(self, state, t):
        free = self.free_to_share(state)
        yield self.on(state, t, answer=free, readers=state.readers | {t} if free else state.readers)

    def untry(self, state, t):
        yield self.on(state, t, writer=None if state.writer == t else state.writer, readers=state.readers - {t})

    def set(self, state, t, value):
        awake = frozenset() if self.wrong == "wait-sees-each-change" and value != state.value else state.sleepers
        yield self.on(state, t, value=value, sleepers=awake)

    def one(self, state, t):
        if self.wrong == "one-wakes-all":
            yield from self.all(state, t)
            return
        for sleeper in state.sleepers:
            yield self.on(state, t, sleepers=state.sleepers - {sleeper})
        if not state.sleepers:
            yield self.on(state, t)

    def all(self, state, t):
        yield self.on(state, t, sleepers=frozenset())

    def wait(self, state, t, value):
        if t in state.sleepers:
            return
        if state.value != value:
            yield self.on(state, t)
        else:
            yield state.with_(sleepers=state.sleepers | {t})

    def once(self, state, t):
        if state.once == "done":
            yield self.on(self.on(state, t), t, answer=0)
        elif state.once is None:
            yield self.on(state, t, once=t)

    def onceend(self, state, t):
        throws = state.throws > 0
        after = "done" if not throws or self.wrong == "throw-is-done" else None
        yield self.on(state, t, answer=2 if throws else 1, counter=state.counter + 1, throws=max(state.throws - 1, 0), once=after)

    def set_value(self, state, t):
        if state.is_set:
            yield self.on(self.on(state, t), t, answer=self.wrong == "set-twice")
        else:
            yield self.on(state, t, answer=1, is_set=True)

    def makeready(self, state, t):  # libstdc++ tells who waits after what sets it twice would fail
        yield self.on(state, t, is_ready=True)

    def get(self, state, t):
        if state.is_ready:
            yield self.on(state, t)

    def ready(self, state, t):
        yield self.on(state, t, answer=state.is_ready)

    def stop(self, state, t):
        yield self.on(state if not state.stopped else self.on(state, t), t, answer=not state.stopped, stopped=True)

    def callbacks(self, state, t):
        if state.runs is not None:
            yield state.with_(runs=None, counter=state.counter + 1)
        elif state.registered:
            yield state.with_(runs=state.registered[-1], registered=state.registered[:-1])
        else:
            yield self.on(state, t)

    def is_stopped(self, state, t):
        yield self.on(state, t, answer=state.stopped)

    def waitstop(self, state, t):
        if state.stopped:
            yield self.on(state, t)

    def register(self, state, t):
        if state.stopped:
            yield self.on(state, t, counter=state.counter + 1)
        else:
            yield self.on(state, t, registered=state.registered + (t,))

    def deregister(self, state, t):
        if state.runs != t or self.wrong == "deregister-does-not-wait":
            yield self.on(state, t, registered=tuple(other for other in state.registered if other != t))

    def look(self, state, t):
        yield self.on(state, t, answer=state.counter)


HEAD = """\
#include <heddle.h>
#include <atomic>
#include <barrier>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstring>
#include <future>
#include <latch>
#include <mutex>
#include <optional>
#include <semaphore>
#include <shared_mutex>
#include <stdexcept>
#include <stop_token>
#include <thread>

static std::atomic<int> counter, value, throws;
static const auto Add = []() noexcept { counter++; };
static std::optional<std::latch> latch;
static std::optional<std::barrier<decltype(Add)>> barrier;
static std::optional<std::counting_semaphore<8>> semaphore;
static std::shared_mutex rw;
static std::once_flag flag;
static std::promise<void> promise;
static std::shared_future<void> future;
static std::stop_source source;
static std::mutex mutex;
static std::condition_variable_any changed;
static char told[3][16];

static void Tell(int t, int answer) {
  const size_t length = strlen(told[t]);
  snprintf(told[t] + length, sizeof told[t] - length, "%s%d", length ? "," : "", answer);
}
static void Once(int t) {
  int answer = 0;
  try {
    std::call_once(flag, [&] {
      counter++;
      if (throws > 0) {
        throws--;
        throw std::runtime_error("");
      }
      answer = 1;
    });
  } catch (const std::runtime_error &) {
    answer = 2;
  }
  Tell(t, answer);
}
static bool Set() {
  try {
    promise.set_value();
    return true;
  } catch (const std::future_error &) {
    return false;
  }
}
static void TryLock(int t) {
  const bool locked = rw.try_lock();
  Tell(t, locked);
  if (locked) rw.unlock();
}
static void TryShare(int t) {
  const bool locked = rw.try_lock_shared();
  Tell(t, locked);
  if (locked) rw.unlock_shared();
}
static void WaitStop() {
  std::unique_lock lock(mutex);
  changed.wait(lock, source.get_token(), [] { return false; });
}
struct Callback {
  void operator()() const { counter++; }
};
"""

CALLS = {
    "count": "latch->count_down()",
    "latchwait": "latch->wait()",
    "latchtry": "Tell({t}, latch->try_wait())",
    "latcharrive": "latch->arrive_and_wait()",
    "barrier": "barrier->arrive_and_wait()",
    "drop": "barrier->arrive_and_drop()",
    "acquire": "semaphore->acquire()",
    "release": "semaphore->release()",
    "acquiretry": "Tell({t}, semaphore->try_acquire())",
    "lock": "rw.lock()",
    "unlock": "rw.unlock()",
    "share": "rw.lock_shared()",
    "unshare": "rw.unlock_shared()",
    "trylock": "TryLock({t})",
    "tryshare": "TryShare({t})",
    "set": "value = {v}",
    "one": "value.notify_one()",
    "all": "value.notify_all()",
    "wait": "value.wait({v})",
    "once": "Once({t})",
    "set_value": "Tell({t}, Set())",
    "get": "future.wait()",
    "ready": "Tell({t}, future.wait_for(std::chrono::seconds(0)) == std::future_status::ready)",
    "stop": "Tell({t}, source.request_stop())",
    "is_stopped": "Tell({t}, source.stop_requested())",
    "waitstop": "WaitStop()",
    "register": "callback.emplace(source.get_token(), Callback{{}})",
    "deregister": "callback.reset()",
    "look": "Tell({t}, counter)",
}


def print_calls(t, calls):
    if ("register",) in calls:
        yield "  std::optional<std::stop_callback<Callback>> callback;"
    for word, *operands in calls:
        yield f"  {CALLS[word].format(t=t, v=operands[0] if operands else '')};"


def print_program(program, name):
    others, first, lines = range(1, len(program.threads)), program.first, []
    for t in others:
        lines += [f"static void {name}_{t}() {{", *print_calls(t, program.threads[t]), "}"]
    lines += [f"static void {name}() {{", f"  latch.emplace({first['latch']});", f"  barrier.emplace({max(first['barrier'], 1)}, Add);",
              f"  semaphore.emplace({first['semaphore']});", f"  throws = {first['throws']};", "  future = promise.get_future().share();"]
    lines += [f"  std::thread thread{t}({name}_{t});" for t in others] + list(print_calls(0, program.threads[0]))
    lines += [f"  thread{t}.join();" for t in others]
    told = ", ".join(f"told[{t}]" for t in range(len(program.threads)))
    lines += [f'  heddle_outcome("{"|".join(["%s"] * len(program.threads))}|%d%d", {told}, counter.load(), value.load());', "}"]
    return "\n".join(lines) + "\n"
