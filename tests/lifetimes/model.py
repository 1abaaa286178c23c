"""What the C and C++ standards say of a generated program: all its interleavings, and the life of each block in them.

Written from the standards and docs/checks.md, and from nothing of heddle's: threads take turns after every operation, plain ones,
too; what happens before what is kept as vector clocks. An execution ends with the first thing in it that is wrong, but for
what is wrong only because nothing orders it, which is noted.
"""

import dataclasses

from program import AFTER, BEFORE, LINK, LOCK, LOCK_BYTES, POINTERS, flatten

RACE, LATE_USE, DOUBLE_FREE, INVALID_FREE = "data-race", "use-after-free", "double-free", "invalid-free"
OVERFLOW, UNDERFLOW, MISMATCH, LEAK = "heap-buffer-overflow", "heap-buffer-underflow", "alloc-dealloc-mismatch", "leak"
MISUSE, CRASH, DEADLOCK = "misuse", "crash", "deadlock"
PLAIN, ATOMIC, COPIED = "plain", "atomic", "copied"  # how memory was accessed; copied: by realloc
MOST_STATES = 40000


class TooLarge(Exception):
    pass


class Senseless(Exception):
    """The program does what the generator must not make: it reads what nobody wrote."""


@dataclasses.dataclass
class Answer:
    """A finding is (kind, place) where the place is an op: of a leak the one that allocated, of a late use the one that freed, else None."""
    required: set = dataclasses.field(default_factory=set)  # frozensets of findings, of each of which one has to be reported
    allowed: set = dataclasses.field(default_factory=set)   # may be reported, too
    ends: set = dataclasses.field(default_factory=set)      # of required, what ends an execution
    states: int = 0
    executions_end_well: bool = False

    def kinds(self):
        return {kind for findings in self.required for kind, _ in findings}


@dataclasses.dataclass(frozen=True)
class Block:
    size: int
    family: str       # by what it has to be given back
    freed_at: tuple   # the op that freed it, or None
    nul: int          # how many letters its string has, -1: no end, -2: no string
    count: int
    link: object      # the pointer in it
    mutex: int        # 0: never made, 1: made, 2: destroyed


class State:
    def __init__(self, threads):
        self.pcs = [0] * threads
        self.locals = [[None] * POINTERS for _ in range(threads)]
        self.numbers = [0] * threads
        self.memory = {}   # slots, flags, holders of mutexes
        self.released = {}  # what is learnt by who acquires an object: {thread that released: clock}
        self.blocks = {}
        self.history = {}  # (object, first byte, end, writes, how, thread) -> epoch
        self.clocks = [[1 if a == b else 0 for b in range(threads)] for a in range(threads)]

    def copy(self):
        other = State.__new__(State)
        other.pcs, other.numbers = self.pcs[:], self.numbers[:]
        other.locals = [row[:] for row in self.locals]
        other.memory, other.blocks, other.history = dict(self.memory), dict(self.blocks), dict(self.history)
        other.released = dict(self.released)
        other.clocks = [row[:] for row in self.clocks]
        return other

    def key(self):
        return (tuple(self.pcs), tuple(self.numbers), tuple(map(tuple, self.locals)), tuple(map(tuple, self.clocks)),
                frozenset(self.memory.items()), frozenset(self.released.items()), frozenset(self.blocks.items()),
                frozenset(self.history.items()))

    def forget_order(self, threads):
        """All that was done happens before all that will be done."""
        self.pcs, self.numbers = [0] * threads, [0] * threads
        self.locals = [[None] * POINTERS for _ in range(threads)]
        self.history, self.released = {}, {}
        self.clocks = [[1 if a == b else 0 for b in range(threads)] for a in range(threads)]


class Model:
    def __init__(self, program):
        self.program = program
        self.codes = {name: flatten(body) for name, body in program.bodies().items()}
        self.answer = Answer()

    # -- findings

    def note(self, *findings):
        self.answer.required.add(frozenset(findings))

    def end(self, *findings):
        """Returns True: the execution is over."""
        self.note(*findings)
        self.answer.ends.add(frozenset(findings))
        return True

    def note_unless_copied(self, how, finding):
        """That realloc writes what it allocates is no access by the letter of the C standard (7.22.3), and one in truth: it may be told."""
        if how == COPIED:
            self.answer.allowed.add(finding)
        else:
            self.note(finding)

    # -- order

    def ordered(self, state, thread, by, epoch):
        return by == thread or state.clocks[thread][by] >= epoch

    def acquire(self, state, thread, what):
        for _, clock in state.released.get(what, ()):
            for other, value in enumerate(clock):
                state.clocks[thread][other] = max(state.clocks[thread][other], value)

    def release(self, state, thread, what, others):
        """`others`: those that released before stay in the sequence."""
        kept = {by: clock for by, clock in state.released.get(what, ()) if others}
        clock = list(state.clocks[thread])
        if thread in kept:
            clock = [max(a, b) for a, b in zip(clock, kept[thread])]
        kept[thread] = tuple(clock)
        state.released[what] = frozenset(kept.items())
        state.clocks[thread][thread] += 1

    def synchronise(self, state, thread, what, order, reads, writes):
        if reads and order in ("acquire", "acq_rel", "seq_cst"):
            self.acquire(state, thread, what)
        if writes and order in ("release", "acq_rel", "seq_cst"):
            self.release(state, thread, what, others=reads)
        elif writes and not reads:  # a relaxed store continues its own thread's release sequences, and ends the others'
            state.released[what] = frozenset(item for item in state.released.get(what, ()) if item[0] == thread)

    # -- memory

    def touch(self, state, thread, what, first, end, writes, atomic):
        """Notes races of an access, and the access."""
        for (object_, low, high, wrote, how, by), epoch in state.history.items():
            if (object_ == what and low < end and first < high and (writes or wrote) and not (atomic and how == ATOMIC)
                    and not self.ordered(state, thread, by, epoch)):
                self.note_unless_copied(how, (RACE, None))
        state.history[what, first, end, writes, ATOMIC if atomic else PLAIN, thread] = state.clocks[thread][thread]

    def use(self, state, thread, pointer, offset, length, writes, atomic=False):
        """An access to a block, within it or not. Returns True if it ends the execution."""
        if pointer is None:
            return self.end((CRASH, None))
        name, delta = pointer
        block, first = state.blocks[name], delta + offset
        end = first + length
        outside = [UNDERFLOW] if first < 0 else [OVERFLOW] if end > block.size else []
        if block.freed_at is not None or outside:
            if any(object_ == name and not self.ordered(state, thread, by, epoch)
                   for (object_, _, _, _, _, by), epoch in state.history.items()):
                self.answer.allowed.add((RACE, None))
            late = [(LATE_USE, block.freed_at)] if block.freed_at is not None else []
            return self.end(*[(kind, None) for kind in outside], *late)
        self.touch(state, thread, name, first, end, writes, atomic)
        return False

    def give_back(self, state, thread, pointer, how, at):
        name, delta = pointer
        block = state.blocks[name]
        if block.freed_at is not None:
            findings = [(DOUBLE_FREE, None)]
            if how != block.family:
                findings.append((MISMATCH, None))
            if delta != 0:
                findings.append((INVALID_FREE, None))
            # That it comes too soon for an access is true, too, if nothing orders the two.
            self.answer.allowed |= {(LATE_USE, at) for (object_, _, _, _, _, by), epoch in state.history.items()
                                    if object_ == name and not self.ordered(state, thread, by, epoch)}
            return self.end(*findings)
        if delta != 0:
            return self.end((INVALID_FREE, None))
        if how != block.family:
            return self.end((MISMATCH, None))
        for (object_, _, _, _, accessed, by), epoch in state.history.items():
            if object_ == name and not self.ordered(state, thread, by, epoch):
                self.note_unless_copied(accessed, (LATE_USE, at))
        state.blocks[name] = dataclasses.replace(block, freed_at=at)
        return False

    # -- operations

    def step(self, state, name, thread):
        """The next op of body `name`, by `thread`. Returns True if it ends the execution."""
        number = state.pcs[thread]
        op, otherwise = self.codes[name][number]
        state.pcs[thread] = number + 1
        local = state.locals[thread]
        at = (name, number)
        return bool(getattr(self, "do_" + op.kind)(state, thread, op, local, at, otherwise))

    def do_alloc(self, state, thread, op, local, at, _):
        family = op.how if op.how in ("new", "new[]") else "malloc"
        state.blocks[at] = Block(op.size, family, None, op.nul, 0, None, 0)
        state.history[at, 0, op.size, True, PLAIN, thread] = state.clocks[thread][thread]
        local[op.local] = (at, 0)

    def do_free(self, state, thread, op, local, at, _):
        if local[op.local] is None:
            return False
        return self.give_back(state, thread, local[op.local], op.how, at)

    def do_realloc(self, state, thread, op, local, at, _):
        if local[op.local] is None:
            raise Senseless("realloc of null")
        name, delta = local[op.local]
        before = state.blocks[name]
        if before.freed_at is None and delta == 0 and any(
                object_ == name and wrote and not self.ordered(state, thread, by, epoch)
                for (object_, _, _, wrote, _, by), epoch in state.history.items()):
            self.answer.allowed.add((RACE, None))  # it copies what it frees
        if self.give_back(state, thread, local[op.local], "malloc", at):
            return True
        kept = min(before.size, op.size)
        state.blocks[at] = Block(op.size, "malloc", None, before.nul if before.nul < kept else -1, before.count,
                                 before.link if LINK + 8 <= kept else None, 0)
        state.history[at, 0, kept, True, COPIED, thread] = state.clocks[thread][thread]
        local[op.local] = (at, 0)

    def do_access(self, state, thread, op, local, at, _):
        pointer = local[op.local]
        if self.use(state, thread, pointer, op.offset, op.length, op.write):
            return True
        block, first = state.blocks[pointer[0]], pointer[1] + op.offset
        if op.write and first <= block.nul < first + op.length:
            state.blocks[pointer[0]] = dataclasses.replace(block, nul=-1)

    def do_memcpy(self, state, thread, op, local, at, _):
        return self.use(state, thread, local[op.local], op.offset, op.length, False)

    def do_strlen(self, state, thread, op, local, at, _):
        if local[op.local] is None:
            return self.end((CRASH, None))
        name, delta = local[op.local]
        block = state.blocks[name]
        if block.nul == -2:
            raise Senseless("no string")
        length = block.nul + 1 - delta if block.nul >= delta else block.size + 1 - delta
        return self.use(state, thread, local[op.local], 0, length, False)

    def do_move(self, state, thread, op, local, at, _):
        if local[op.other] is None:
            raise Senseless("null moved")
        name, delta = local[op.other]
        local[op.local] = (name, delta + op.offset)

    def do_drop(self, state, thread, op, local, at, _):
        local[op.local] = None

    def plain(self, state, thread, where, writes):
        self.touch(state, thread, where, 0, 8, writes, False)

    def do_read(self, state, thread, op, local, at, _):
        self.plain(state, thread, op.where, False)
        local[op.local] = state.memory.get(op.where)

    def do_write(self, state, thread, op, local, at, _):
        self.plain(state, thread, op.where, True)
        state.memory[op.where] = local[op.local]
        state.released.pop(op.where, None)

    def do_clear(self, state, thread, op, local, at, _):
        self.plain(state, thread, op.where, True)
        state.memory[op.where] = None
        state.released.pop(op.where, None)

    def do_load(self, state, thread, op, local, at, _):
        self.touch(state, thread, op.where, 0, 8, False, True)
        self.synchronise(state, thread, op.where, op.order, True, False)
        local[op.local] = state.memory.get(op.where)

    def do_store(self, state, thread, op, local, at, _):
        self.touch(state, thread, op.where, 0, 8, True, True)
        self.synchronise(state, thread, op.where, op.order, False, True)
        state.memory[op.where] = local[op.other] if op.other >= 0 else None

    def do_exchange(self, state, thread, op, local, at, _):
        self.touch(state, thread, op.where, 0, 8, True, True)
        self.synchronise(state, thread, op.where, op.order, True, True)
        new = local[op.other] if op.other >= 0 else None
        local[op.local], state.memory[op.where] = state.memory.get(op.where), new

    def do_cas(self, state, thread, op, local, at, _):
        same = state.memory.get(op.where) == local[op.local]
        self.touch(state, thread, op.where, 0, 8, same, True)
        self.synchronise(state, thread, op.where, "acq_rel" if same else "acquire", True, same)
        state.numbers[thread] = int(same)
        if same:
            state.memory[op.where] = local[op.other] if op.other >= 0 else None

    def do_lock(self, state, thread, op, local, at, _):
        state.memory[op.where] = thread
        self.acquire(state, thread, op.where)

    def do_unlock(self, state, thread, op, local, at, _):
        if state.memory.get(op.where) != thread:
            return self.end((MISUSE, None))
        state.memory[op.where] = None
        self.release(state, thread, op.where, others=True)

    def mutex(self, state, thread, op, local, must_live=True):
        """The name of the mutex in a block; None if that ended the execution."""
        if self.use(state, thread, local[op.local], LOCK, LOCK_BYTES, False, atomic=True):
            return None
        name, delta = local[op.local]
        if delta:
            raise Senseless("a mutex in the middle")
        if must_live and state.blocks[name].mutex != 1:
            self.end((MISUSE, None))
            return None
        return (name, "mutex")

    def do_lock_in(self, state, thread, op, local, at, _):
        what = self.mutex(state, thread, op, local)
        if what is None:
            return True
        state.memory[what] = thread
        self.acquire(state, thread, what)

    def do_unlock_in(self, state, thread, op, local, at, _):
        what = self.mutex(state, thread, op, local)
        if what is None:
            return True
        if state.memory.get(what) != thread:
            return self.end((MISUSE, None))
        state.memory[what] = None
        self.release(state, thread, what, others=True)

    def do_init_in(self, state, thread, op, local, at, _):
        if self.mutex(state, thread, op, local, must_live=False) is None:
            return True
        name = local[op.local][0]
        state.blocks[name] = dataclasses.replace(state.blocks[name], mutex=1)

    def do_destroy_in(self, state, thread, op, local, at, _):
        what = self.mutex(state, thread, op, local)
        if what is None:
            return True
        if state.memory.get(what) is not None:
            return self.end((MISUSE, None))
        name = local[op.local][0]
        state.blocks[name] = dataclasses.replace(state.blocks[name], mutex=2)

    def do_set(self, state, thread, op, local, at, _):
        self.touch(state, thread, op.where, 0, 4, True, True)
        self.synchronise(state, thread, op.where, op.order, False, True)
        state.memory[op.where] = 1

    def do_test(self, state, thread, op, local, at, _):
        self.touch(state, thread, op.where, 0, 4, False, True)
        self.synchronise(state, thread, op.where, op.order, True, False)
        state.numbers[thread] = state.memory.get(op.where, 0)

    def do_count(self, state, thread, op, local, at, _):
        if self.use(state, thread, local[op.local], 0, 4, True):
            return True
        self.set_count(state, local[op.local], op.size)

    def set_count(self, state, pointer, value):
        state.blocks[pointer[0]] = dataclasses.replace(state.blocks[pointer[0]], count=value)

    def do_sub(self, state, thread, op, local, at, _):
        pointer = local[op.local]
        if self.use(state, thread, pointer, 0, 4, True, True):
            return True
        self.synchronise(state, thread, (pointer[0], "count"), op.order, True, True)
        state.numbers[thread] = state.blocks[pointer[0]].count
        self.set_count(state, pointer, state.numbers[thread] - 1)

    def do_get(self, state, thread, op, local, at, _):
        pointer = local[op.local]
        if self.use(state, thread, pointer, 0, 4, False, True):
            return True
        self.synchronise(state, thread, (pointer[0], "count"), "acquire", True, False)
        state.numbers[thread] = state.blocks[pointer[0]].count

    def do_put(self, state, thread, op, local, at, _):
        pointer = local[op.local]
        if self.use(state, thread, pointer, 0, 4, True, True):
            return True
        self.synchronise(state, thread, (pointer[0], "count"), "release", False, True)
        self.set_count(state, pointer, state.numbers[thread] - 1)

    @staticmethod
    def with_link(pointer):
        """The block whose link lies where the pointer says."""
        name, delta = pointer
        if delta:
            raise Senseless("a link in the middle")
        return name

    def do_link(self, state, thread, op, local, at, _):
        if self.use(state, thread, local[op.local], LINK, 8, True):
            return True
        name = self.with_link(local[op.local])
        state.blocks[name] = dataclasses.replace(state.blocks[name], link=local[op.other])

    def do_follow(self, state, thread, op, local, at, _):
        if self.use(state, thread, local[op.other], LINK, 8, False):
            return True
        local[op.local] = state.blocks[self.with_link(local[op.other])].link

    def do_own(self, state, thread, op, local, at, _):
        pass  # the thread ends before the program does

    def do_if_set(self, state, thread, op, local, at, otherwise):
        if local[op.local] is None:
            state.pcs[thread] = otherwise

    def do_if_is(self, state, thread, op, local, at, otherwise):
        if state.numbers[thread] != op.size:
            state.pcs[thread] = otherwise

    # -- executions

    def can_go_on(self, state, thread):
        if state.pcs[thread] >= len(self.codes[thread]):
            return False
        op, _ = self.codes[thread][state.pcs[thread]]
        if op.kind == "lock":
            return state.memory.get(op.where) is None
        if op.kind == "lock_in":
            pointer = state.locals[thread][op.local]
            if pointer is None:
                return True
            block = state.blocks[pointer[0]]
            return block.freed_at is not None or block.mutex != 1 or state.memory.get((pointer[0], "mutex")) is None
        return True

    def alone(self, state, name):
        state.forget_order(1)
        while state.pcs[0] < len(self.codes[name]):
            if self.step(state, name, 0):
                return True
        return False

    def lost(self, state):
        """Leaks, as the blocks of which one is to be told: each that nothing points to, and each circle that only itself does."""
        living = {name for name, block in state.blocks.items() if block.freed_at is None}
        reached, left = set(), [value for name, value in state.memory.items() if isinstance(name, str) and name[0] == "s" and value]
        while left:
            name, delta = left.pop()
            if name in living and name not in reached and 0 <= delta <= state.blocks[name].size:
                reached.add(name)
                if state.blocks[name].link is not None:
                    left.append(state.blocks[name].link)
        lost = living - reached
        # A block has one pointer. What it points to may be freed.
        after = {name: state.blocks[name].link[0] for name in lost if state.blocks[name].link and state.blocks[name].link[0] in lost}
        pointed = {to for name, to in after.items() if to != name}
        leaks, told = [{name} for name in lost - pointed], set()
        for name in lost - pointed:
            while name is not None and name not in told:
                told.add(name)
                name = after.get(name)
        for name in lost - told:
            circle = set()
            while name not in told and name not in circle:
                circle.add(name)
                name = after[name]
            told |= circle
            if circle:
                leaks.append(circle)
        return leaks

    def run(self):
        threads = len(self.program.threads)
        first = State(1)
        if self.alone(first, BEFORE):
            return self.answer
        first.forget_order(threads)
        seen, left = {first.key()}, [first]
        while left:
            state = left.pop()
            ready = [thread for thread in range(threads) if self.can_go_on(state, thread)]
            if not ready:
                if any(state.pcs[thread] < len(self.codes[thread]) for thread in range(threads)):
                    self.end((DEADLOCK, None))
                    continue
                if not self.alone(state, AFTER):
                    self.answer.executions_end_well = True
                    for blocks in self.lost(state):
                        self.end(*[(LEAK, name) for name in blocks])
                continue
            for thread in ready:
                after = state.copy()
                if self.step(after, thread, thread):
                    continue
                self.forget_known(after)
                key = after.key()
                if key not in seen:
                    seen.add(key)
                    left.append(after)
                    if len(seen) > MOST_STATES:
                        raise TooLarge
        self.answer.states = len(seen)
        return self.answer

    @staticmethod
    def forget_known(state):
        """Accesses that happen before all that any thread will do tell nothing."""
        threads = range(len(state.clocks))
        for access, epoch in list(state.history.items()):
            by = access[-1]
            if all(other == by or state.clocks[other][by] >= epoch for other in threads):
                del state.history[access]


def answer(program):
    return Model(program).run()
