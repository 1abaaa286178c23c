"""What libstdc++ 12 builds on atomic waits and futexes, as models of traces.py (traces_models.py says what a model is)."""


def library_wait(is_over):
    """std::__atomic_wait_address_bare(&count, is_over) of libstdc++ 12, whose looks but the last before it sleeps are left out."""
    while True:
        found = yield "load", "count"
        if (yield from is_over()):
            return
        yield "futex_wait", "count", found
        if (yield from is_over()):
            return


def latch_is_open():
    return (yield "load", "count") == 0


def latch_arrive():
    if (yield "add", "count", -1) == 1 and (yield "load", "waiters"):
        yield "wake", "count", 9


def latch_wait():
    yield "post", "waiters", 1
    yield from library_wait(latch_is_open)
    yield "post", "waiters", -1


def latch_arrive_and_wait():
    yield from latch_arrive()
    yield from latch_wait()


def semaphore_take():
    old = yield "load", "count"
    return old != 0 and (yield "cas", "count", old, old - 1) == old


def semaphore_take_in_16():
    """No two rounds are one state, as each makes a step if a permit is there: all of them are made."""
    for _ in range(16):
        if (yield from semaphore_take()):
            return True
    return False


def semaphore_acquire():
    found = yield "load", "count"
    while not (yield from semaphore_take_in_16()):
        yield "futex_wait", "count", found
        if (yield from semaphore_take()):
            return
        found = yield "load", "count"


def semaphore_acquire_twice():
    yield from semaphore_acquire()
    yield from semaphore_acquire()


def semaphore_release(permits):
    def release():
        if (yield "add", "count", permits) == 0:
            yield "wake", "count", 9
    return release
