"""The models of traces.py: of a program's name (and argument), what its memory holds at first and one generator
function a thread.

A thread yields its visible operations, as tuples that traces.State.step knows, and receives their results.
The main thread is modelled where it does more than wait for the others: as the body whose name begins with main.
"""

from traces_library_models import (latch_arrive, latch_arrive_and_wait, latch_wait, semaphore_acquire, semaphore_acquire_twice,
                                   semaphore_release)


def fail_if(condition):
    if condition:
        yield "end",


def assume(holds):
    if not holds:
        yield "drop",


def lamport(self, count):
    def lock():
        while True:
            yield "store", f"wants{self}", 1
            yield "store", "x", self
            if (yield "load", "y"):
                yield "store", f"wants{self}", 0
                yield from assume((yield "load", "y") == 0)
                continue
            yield "store", "y", self
            if (yield "load", "x") == self:
                return
            yield "store", f"wants{self}", 0
            for other in range(1, count + 1):
                yield from assume((yield "load", f"wants{other}") == 0)
            if (yield "load", "y") == self:
                return
            yield from assume((yield "load", "y") == 0)

    def enter():
        yield from lock()
        yield "store", "y", 0
        yield "store", f"wants{self}", 0
    return enter


def asm_statements():
    yield "add", "long", 1
    yield "load", "long"
    yield "load", "long"
    for _ in range(3):
        yield "add", "long", 1
    yield "add", "bits", 1  # the same bit, set again: an update all the same
    yield "cas", "wide", 0, 1


def unsafe_pop():
    old = yield "load", "top"
    while old:
        after = yield "load", f"next{old}"
        found = yield "cas", "top", old, after
        if found == old:
            break
        old = found
    return old


def unsafe_push(node):
    old = yield "load", "top"
    while True:
        yield "store", f"next{node}", old
        found = yield "cas", "top", old, node
        if found == old:
            return
        old = found


def own(node):
    if node:
        yield from fail_if((yield "add", f"owners{node}", 1))


def take():
    yield from own((yield from unsafe_pop()))


def take_two_give_back_one():
    first = yield from unsafe_pop()
    yield from own((yield from unsafe_pop()))
    if first:
        yield from unsafe_push(first)


def get_if():
    yield "lock", "m"
    if (yield "load", "items") == 0:
        yield "wait", "changed", "m"
    yield from fail_if((yield "load", "items") == 0)
    yield "add", "items", -1
    yield "broadcast", "changed"
    yield "unlock", "m"


def put_two_if():
    for _ in range(2):
        yield "lock", "m"
        if (yield "load", "items") == 1:
            yield "wait", "changed", "m"
        yield "add", "items", 1
        yield "broadcast", "changed"
        yield "unlock", "m"


def consume_if():
    yield "lock", "m"
    if (yield "load", "items") == 0:
        yield "wait", "changed", "m"
    yield from fail_if((yield "load", "items") == 0)
    yield "add", "items", -1
    yield "unlock", "m"


def produce_two():
    for _ in range(2):
        yield "lock", "m"
        yield "add", "items", 1
        yield "broadcast", "changed"
        yield "unlock", "m"


def buffer_use(waits_at, change):
    def body():
        yield "lock", "m"
        while (yield "load", "count") == waits_at:
            yield "wait", "changed", "m"
        yield "add", "count", change
        yield "signal", "changed"
        yield "unlock", "m"
    return body


def bluetooth_decrement():
    if (yield "add", "pending", -1) == 1:
        yield "lock", "m"
        yield "store", "event", 1
        yield "signal", "changed"
        yield "unlock", "m"


def bluetooth_worker():
    if (yield "load", "stopping"):
        return
    yield "add", "pending", 1
    yield from fail_if((yield "load", "stopped"))
    yield from bluetooth_decrement()


def bluetooth_stopper():
    yield "store", "stopping", 1
    yield from bluetooth_decrement()
    yield "lock", "m"
    while not (yield "load", "event"):
        yield "wait", "changed", "m"
    yield "unlock", "m"
    yield "store", "stopped", 1


def chooser():
    yield "lock", "m"
    yield "add", "waiting", 1
    yield "signal", "ready"
    while not (yield "load", "tokens"):
        yield "wait", "turn", "m"
    yield "add", "tokens", -1
    if (yield "exchange", "first", 1) == 0:
        yield "add", "tokens", 1
        yield "signal", "turn"
    yield "unlock", "m"


def chosen_by():
    yield "lock", "m"
    while (yield "load", "waiting") < 2:
        yield "wait", "ready", "m"
    yield "store", "tokens", 1
    yield "signal", "turn"
    yield "unlock", "m"


def futex_section():
    if (yield "cas", "state", 0, 1) != 0:
        while (yield "exchange", "state", 2) != 0:
            yield "futex_wait", "state", 2
    if (yield "exchange", "state", 0) == 2:
        yield "wake", "state", 1


def futex_sleeper():
    yield "futex_wait", "word", 0
    yield "lock", "m"
    yield "unlock", "m"


def futex_waker():
    yield "load", "word"  # a requeue that finds another value
    yield "wake", "word", 0  # of nobody, by its bits
    moved = yield "requeue", "word", "other"
    if moved == 2:
        yield "wake", "word", 2
        yield "wake", "other", 1
    yield "lock", "m"
    yield "unlock", "m"
    yield "store", "word", 1
    yield "wake", "word", 2
    yield "wake", "other", 2


def guarded_section():
    yield "lock", "m"
    yield from fail_if((yield "add", "inside", 1))
    yield "add", "inside", -1
    yield "unlock", "m"


def init_then_section():
    yield "init", "m"
    yield from guarded_section()


def waits_for_signal():
    yield "begin_wait", "m"  # as in racing_section
    yield "lock", "m"
    yield "wait", "c", "m"
    yield "unlock", "m"


def signals_once():
    yield "signal", "c"


def init_held():
    yield "lock", "m"
    yield "init", "m"


def init_only():
    yield "init", "m"


def racing_section():
    yield "begin_wait", "m"  # the search asks for it: the mutex is made anew while it may be locked
    yield "lock", "m"
    yield "store", "data", 1 + (yield "load", "data")
    yield "unlock", "m"


def stores_and_ends():
    yield "store", "x", 1
    yield "thread_end", "T1"


def joins_with_limit():
    yield "begin_join", "T1"
    joined = yield "timed_join", "T1"
    yield "add", "x", 20 if joined else 10
    yield "thread_end", "T2"


def main_joins_with_limit():
    yield "begin_join", "T1"
    yield "timed_join", "T1"
    yield "begin_join", "T2"
    yield "join", "T2"
    yield "load", "x"
    yield "end",


def joins(*threads):
    for thread in threads:
        yield "begin_join", thread
        yield "join", thread


def joins_and_ends(thread, name):
    def body():
        yield from joins(thread)
        yield "thread_end", name
    return body


def ends(name):
    def body():
        yield "thread_end", name
    return body


def main_joins():
    yield from joins("T2", "T3")


def main_detaches():
    yield "store", "x", 2
    yield "detach", "T1"
    yield from joins("T2")
    yield "load", "x"


def waits_for_a_signal():
    yield "lock", "m"
    yield "wait", "changed", "m"
    yield "unlock", "m"


def signals_and_destroys():
    yield "signal", "changed"
    yield "destroy", "changed"


def publishes_twice():
    yield "store", "flag", 1
    broken = yield "load", "between"
    yield "store", "flag", 3 if broken else 4


def comes_between():
    if (yield "load", "flag") == 1:
        yield "store", "flag", 2
        yield "store", "between", 1


def looks_once():
    yield "load", "flag"


def enters():
    yield "sem_wait", "permits"
    yield "add", "inside", 1
    yield "add", "inside", -1
    yield "post", "permits"
    yield "post", "done"


def waits_for_both():
    yield "sem_wait", "done"
    yield "sem_wait", "done"


def reads_together():
    yield "read_lock", "rw"
    yield "add", "readers", 1
    yield "add", "readers", -1
    yield "read_unlock", "rw"


def writes_alone():
    yield "write_lock", "rw"
    yield "unlock", "rw"


def deque_steal():
    top = yield "load", "top"
    bottom = yield "load", "bottom"
    if top < bottom:
        item = yield "load", f"item{top}"
        if (yield "cas", "top", top, top + 1) == top:
            return item
    return 0


def deque_pop_forgetting():
    bottom = (yield "load", "bottom") - 1
    yield "store", "bottom", bottom
    top = yield "load", "top"
    if top > bottom:
        yield "store", "bottom", bottom + 1
        return 0
    item = yield "load", f"item{bottom}"
    if top == bottom:
        if (yield "cas", "top", top, top + 1) != top:
            return 0
        yield "store", "bottom", bottom + 1
    return item


def forgetting_owner():
    yield "add", "sum", (yield from deque_pop_forgetting())
    bottom = yield "load", "bottom"
    yield "store", f"item{bottom}", 2
    yield "store", "bottom", bottom + 1
    yield "add", "sum", (yield from deque_pop_forgetting())


def forgetting_thief():
    yield "add", "sum", (yield from deque_steal())


def greedy_owner():
    while True:
        bottom = (yield "load", "bottom") - 1
        if (yield "load", "top") > bottom:
            return
        item = yield "load", f"item{bottom}"
        yield "store", "bottom", bottom
        yield from fail_if((yield "add", f"taken{item}", 1))


def greedy_thief():
    item = yield from deque_steal()
    if item:
        yield from fail_if((yield "add", f"taken{item}", 1))


MODELS = {
    "asm_keeps_state": ({}, asm_statements, asm_statements),
    "condvar_signal_choice": ({}, chooser, chooser, chosen_by),
    "futex_by_hand": ({}, futex_section, futex_section),
    "futex_wake_some": ({}, futex_sleeper, futex_sleeper, futex_waker),
    "lamport -- 2": ({}, *[lamport(self, 2) for self in (1, 2)]),
    "std_waits -- count-down": ({"count": 2}, latch_arrive, latch_arrive, latch_wait),
    "rwlock": ({}, reads_together, reads_together, writes_alone),
    "semaphore": ({"permits": 2}, enters, enters, waits_for_both),
    "aba_stack": ({"top": 3, "next3": 2, "next2": 1}, take, take_two_give_back_one),
    "blocking_queue": ({}, get_if, get_if, put_two_if),
    "bluetooth": ({"pending": 1}, bluetooth_worker, bluetooth_stopper),
    "init_beside_signal": ({}, waits_for_signal, signals_once, init_held),
    "init_again_race": ({}, racing_section, init_only, racing_section),
    "init_race": ({}, guarded_section, init_then_section),
    "join_beside_detach": ({}, stores_and_ends, joins_and_ends("T1", "T2"), main_detaches),
    "join_timed_twice": ({}, stores_and_ends, joins_with_limit, main_joins_with_limit),
    "misuse_destroy_waited": ({}, waits_for_a_signal, waits_for_a_signal, signals_and_destroys),
    "misuse_join -- both": ({}, ends("T1"), joins_and_ends("T1", "T2"), joins_and_ends("T1", "T3"), main_joins),
    "release_broken_sequence": ({}, publishes_twice, comes_between, looks_once),
    "suite_bounded_buffer": ({}, *[buffer_use(1, 1)] * 2, *[buffer_use(0, -1)] * 2),
    "wait_with_if": ({}, consume_if, consume_if, produce_two),
    "work_stealing_empty_pop": ({"bottom": 1, "item0": 1}, forgetting_thief, forgetting_owner),
    "work_stealing_queue": ({"bottom": 2, "item0": 1, "item1": 2}, greedy_owner, greedy_thief),
}

# These take minutes: only when asked for.
SLOW_MODELS = {
    "lamport -- 3": ({}, *[lamport(self, 3) for self in (1, 2, 3)]),
    "std_waits -- latch": ({"count": 2}, latch_arrive_and_wait, latch_arrive_and_wait, latch_wait),
    "std_waits -- latch-all": ({"count": 3}, *[latch_arrive_and_wait] * 3),
    "std_waits -- semaphore": ({}, semaphore_acquire_twice, semaphore_release(1), semaphore_release(1)),
    "std_waits -- semaphore-two": ({}, semaphore_acquire, semaphore_acquire, semaphore_release(2)),
}
