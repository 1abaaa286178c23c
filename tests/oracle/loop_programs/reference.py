"""All behaviour of a program: every interleaving of its instructions is walked, state by state.

A state is complete: what every thread stands before, all locals, all memory, all objects. Each instruction of each thread is
a step. States that were visited are not walked again, so a loop that spins ends where it comes back to a state. There is no
notion of a loop here, nor of a wait that is over, nor of steps that commute. A local computation belongs to the step before
it: nobody can see it.

What is left out of the walk cannot be seen: yields, sleeps (time is virtual, and no program reads it) and ghosts.
"""

import dataclasses
import itertools
import re

from .program import locals_of


class Invalid(Exception):
    """The program does what no program may do, or it has too many states."""


@dataclasses.dataclass
class Behaviour:
    outcomes: set
    bugs: set  # "assertion N", "deadlock", "livelock": a state from which no end can be reached
    states: int
    edges: list  # for each state [(thread, state)]
    enabled: list  # for each state the threads that can go on, as bits

    def has_fair_cycle(self):
        """Is there a cycle in which every thread runs that can go on at some moment of it?"""
        remaining = [set(range(self.states))]
        while remaining:
            within = remaining.pop()
            for component in components(self.edges, within):
                runs = can = 0
                for state in component:
                    can |= self.enabled[state]
                    for thread, to in self.edges[state]:
                        if to in component:
                            runs |= 1 << thread
                if runs == 0:
                    continue
                if can & ~runs == 0:
                    return True
                smaller = {state for state in component if self.enabled[state] & ~runs == 0}
                if smaller and len(smaller) < len(component):
                    remaining.append(smaller)
        return False


def components(edges, within):
    """The strongly connected components of the graph of the states `within` (Tarjan), as sets."""
    index, low, on_stack, stack, found = {}, {}, set(), [], []
    for root in within:
        if root in index:
            continue
        work = [(root, iter(edges[root]))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        while work:
            state, successors = work[-1]
            for _, to in successors:
                if to not in within:
                    continue
                if to not in index:
                    index[to] = low[to] = len(index)
                    stack.append(to)
                    on_stack.add(to)
                    work.append((to, iter(edges[to])))
                    break
                if to in on_stack:
                    low[state] = min(low[state], index[to])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[state])
                if low[state] == index[state]:
                    component = set()
                    while state not in component:
                        component.add(stack.pop())
                    on_stack -= component
                    found.append(component)
    return found


# ---- statements to instructions with jumps ----

UNSEEN = ("yield", "pause", "sleep", "ghost")
WAITS = ("cwait", "ctimed", "fwait", "ftimed")  # they have two steps: they begin, and they are over


def flatten(statements):
    """A list of instructions: statements without `if` and `loop`, ("jump", to) and ("unless", e, to)."""
    code = []

    def put(*instruction):
        code.append(instruction)
        if instruction[0] in WAITS:
            code.append((instruction[0] + " over",) + instruction[1:])
        return len(code) - 1

    def emit_if(condition, then, otherwise, breaks):
        at = put("to be set")
        emit(then, breaks)
        end = put("to be set") if otherwise else None
        code[at] = ("unless", condition, len(code))
        if otherwise:
            emit(otherwise, breaks)
            code[end] = ("jump", len(code))

    def emit(block, breaks):
        for s in block:
            if s[0] == "if":
                emit_if(s[1], s[2], s[3], breaks)
            elif s[0] == "loop":
                begin, inner = len(code), []
                emit(s[1], inner)
                put("jump", begin)
                for at in inner:
                    code[at] = ("jump", len(code))
            elif s[0] == "break":
                if breaks is None:
                    raise Invalid("a break outside of a loop")
                breaks.append(put("to be set"))
            elif s[0] == "await":  # it sleeps only while the value is the old one
                begin = put("awaited", s[1], s[2], len(code) + 4)
                put("fwait", s[1], s[2])
                put("jump", begin)
            elif s[0] == "notify":
                put("fwake", s[1], s[2])
            elif s[0] not in UNSEEN:
                put(*s)

    emit(statements, None)
    return code


LOCAL = ("jump", "unless", "set")
FUTEX = 100  # the wait slot of a thread is FUTEX + X on the futex X, 1 + C on a condition variable; -1: that timed out
MOST_LOCAL_STEPS = 10000


class Layout:
    """Where in the tuple of a state everything is."""

    def __init__(self, program):
        self.slot, self.first, self.results = {}, [], []
        self.shown = list(program.atomics) + list(program.plain)
        for name, value in [*program.atomics.items(), *program.plain.items(), *program.semaphores.items()]:
            self.add(name, value)
        for m in range(program.mutexes):
            self.add(f"m{m}", 0)  # 1 + its owner
        for t, statements in enumerate(program.threads):
            self.add(("pc", t), 0)
            self.add(("wait", t), 0)
            for name in sorted(locals_of(statements)[0] | set(program.results[t])):
                self.add((t, name), 0)
            self.results.append([self.slot[t, name] for name in program.results[t]])
        self.waits = [self.slot["wait", t] for t in range(len(program.threads))]

    def add(self, name, value):
        self.slot[name] = len(self.first)
        self.first.append(value)

    def place(self, t, name):
        """The place of an atomic, plain variable, semaphore, mutex or of a local of thread t."""
        return f"s[{self.slot[name if name in self.slot else (t, name[1:])]}]"

    def text(self, t, expression):
        return "(" + re.sub(r"\$(\w+)", lambda m: self.place(t, m[0]), str(expression)) + ")"


# ---- what each instruction does, as Python ----
# Lines of a function of `s`, a tuple before `COPY`, a list after it. `return ()`: the thread cannot go on.

COPY = "s = list(s)"


def lines_of(layout, t, at, instruction):
    word, operands = instruction[0], instruction[1:]
    pc, wait = f"s[{layout.slot['pc', t]}]", f"s[{layout.slot['wait', t]}]"
    to = lambda where: f"{pc} = {where}"
    p = lambda name: layout.place(t, name)
    e = lambda expression: layout.text(t, expression)
    result = lambda value: [f"{p(operands[0])} = {value}"] if operands[0] else []
    need = lambda mutex: f"if {p(mutex)} != {t + 1}: raise Invalid('not the owner of {mutex}')"
    if word == "assert":
        return [f"return {operands[0]}"]
    if word == "load":
        return [COPY, *result(p(operands[1])), to(at + 1)]
    if word == "store":
        return [COPY, f"{p(operands[0])} = {e(operands[1])}", to(at + 1)]
    if word in ("add", "xchg"):
        new = e(operands[2]) if word == "xchg" else f"old + {e(operands[2])}"
        return [COPY, f"old = {p(operands[1])}", f"{p(operands[1])} = {new}", *result("old"), to(at + 1)]
    if word == "cas":
        return [COPY, f"equal = {p(operands[1])} == {e(operands[2])}", f"if equal: {p(operands[1])} = {e(operands[3])}",
                *result("int(equal)"), to(at + 1)]
    if word == "pload":
        return [need("m0"), COPY, *result(p(operands[1])), to(at + 1)]
    if word == "pstore":
        return [need("m0"), COPY, f"{p(operands[0])} = {e(operands[1])}", to(at + 1)]
    if word == "lock":
        return [f"if {p(operands[0])}: return ()", COPY, f"{p(operands[0])} = {t + 1}", to(at + 1)]
    if word == "unlock":
        return [need(operands[0]), COPY, f"{p(operands[0])} = 0", to(at + 1)]
    if word in ("trylock", "timedlock"):
        return [COPY, f"free = {p(operands[1])} == 0", f"if free: {p(operands[1])} = {t + 1}", *result("int(free)"), to(at + 1)]
    if word == "semwait":
        return [f"if {p(operands[0])} == 0: return ()", COPY, f"{p(operands[0])} -= 1", to(at + 1)]
    if word in ("semtry", "semtimed"):
        return [COPY, f"up = {p(operands[1])} > 0", f"if up: {p(operands[1])} -= 1", *result("int(up)"), to(at + 1)]
    if word == "sempost":
        return [COPY, f"{p(operands[0])} += 1", to(at + 1)]
    if word in ("cwait", "ctimed"):
        condition, mutex = operands[-2:]
        return [need(mutex), COPY, f"{p(mutex)} = 0", f"{wait} = {1 + int(condition[1:])}", to(at + 1)]
    if word == "cwait over":
        return [f"if {wait} or {p(operands[1])}: return ()", COPY, f"{p(operands[1])} = {t + 1}", to(at + 1)]
    if word == "ctimed over":
        return [f"if {wait} > 0:", f" {COPY}; {wait} = -1; return (tuple(s),)", f"if {p(operands[2])}: return ()", COPY,
                *result(f"int({wait} == 0)"), f"{wait} = 0", f"{p(operands[2])} = {t + 1}", to(at + 1)]
    if word in ("signal", "broadcast"):
        return wake(layout, to(at + 1), 1 + int(operands[0][1:]), 1 if word == "signal" else len(layout.waits), t)
    if word == "fwake":
        return wake(layout, to(at + 1), FUTEX + layout.slot[operands[0]], operands[1], t)
    if word == "awaited":
        return [COPY, f"{pc} = {at + 1} if {p(operands[0])} == {e(operands[1])} else {operands[2]}"]
    if word in ("fwait", "ftimed"):
        atomic, expected = operands[-2:]
        lines = [COPY, f"if {p(atomic)} == {e(expected)}: {wait} = {FUTEX + layout.slot[atomic]}; {to(at + 1)}"]
        return lines + ["else:"] + [" " + line for line in (result(0) if word == "ftimed" else []) + [to(at + 2)]]
    if word == "fwait over":
        return [f"if {wait}: return ()", COPY, to(at + 1)]
    if word == "ftimed over":
        return [COPY, *result(f"int({wait} == 0)"), f"{wait} = 0", to(at + 1)]
    raise Invalid(f"no instruction {word}")


def wake(layout, go_on, queue, most, t):
    """All ways to wake at most so many of those that sleep there."""
    return [f"sleepers = [w for w in {layout.waits} if s[w] == {queue}]", "found = []",
            f"for woken in combinations(sleepers, min({most}, len(sleepers))):",
            " copy = list(s)", " for w in woken: copy[w] = 0", f" {go_on.replace('s[', 'copy[')}", f" settle_{t}(copy)",
            " found.append(tuple(copy))", "return found"]


def settle_lines(layout, t, code):
    """A function that makes the local steps of a thread."""
    pc = f"s[{layout.slot['pc', t]}]"
    lines = [f"def settle_{t}(s):", f" for _ in range({MOST_LOCAL_STEPS}):", f"  pc = {pc}", "  if pc < 0: pass"]
    for at, instruction in enumerate(code):
        if instruction[0] == "set":
            lines.append(f"  elif pc == {at}: {layout.place(t, instruction[1])} = int{layout.text(t, instruction[2])}; {pc} = {at + 1}")
        elif instruction[0] == "jump":
            lines.append(f"  elif pc == {at}: {pc} = {instruction[1]}")
        elif instruction[0] == "unless":
            lines.append(f"  elif pc == {at}: {pc} = {at + 1} if {layout.text(t, instruction[1])} else {instruction[2]}")
        elif instruction[0] == "assert":  # one that fails is a step: others can go first
            lines.append(f"  elif pc == {at} and {layout.text(t, instruction[2])}: {pc} = {at + 1}")
    return lines + ["  else: return", " raise Invalid('a loop in which nothing is seen')"]


def functions_of(program, layout):
    """For each thread and instruction a function of a state, and for each thread one that makes its local steps."""
    names, lengths = {"Invalid": Invalid, "combinations": itertools.combinations}, []
    lines = []
    for t, statements in enumerate(program.threads):
        code = flatten(statements)
        lengths.append(len(code))
        lines += settle_lines(layout, t, code)
        for at, instruction in enumerate(code):
            if instruction[0] in LOCAL:
                continue
            lines += [f"def step_{t}_{at}(s):"] + [" " + line for line in lines_of(layout, t, at, instruction)]
            if instruction[0] not in ("assert", "signal", "broadcast", "fwake"):
                lines += [f" settle_{t}(s)", " return (tuple(s),)"]
    exec("\n".join(lines), names)  # pylint: disable=exec-used
    steps = [[names.get(f"step_{t}_{at}") for at in range(length)] for t, length in enumerate(lengths)]
    return steps, [names[f"settle_{t}"] for t in range(len(lengths))]


def label(layout, state):
    """What the program tells heddle at its end; print_c.py prints the same."""
    shared = " ".join(f"{name}={state[layout.slot[name]]}" for name in layout.shown)
    return shared + "".join("|" + ",".join(str(int(state[at])) for at in results) for results in layout.results)


def all_behaviour(program, most_states):
    layout = Layout(program)
    steps, settles = functions_of(program, layout)
    first = list(layout.first)
    for settle in settles:
        settle(first)
    numbers, states = {tuple(first): 0}, [tuple(first)]
    pcs = [layout.slot["pc", t] for t in range(len(settles))]
    threads = [(t, pc, step, len(step)) for t, (pc, step) in enumerate(zip(pcs, steps))]
    outcomes, bugs, edges, enabled, ends = set(), set(), [], [], []
    for number, state in enumerate(states):
        successors, can, alive = [], 0, False
        for t, pc, step, length in threads:
            at = state[pc]
            if at == length:
                continue
            alive = True
            found = step[at](state)
            if isinstance(found, int):
                bugs.add(f"assertion {found}")
                ends.append(number)
                can |= 1 << t
                continue
            for to in found:
                can |= 1 << t
                known = numbers.setdefault(to, len(states))
                if known == len(states):
                    states.append(to)
                successors.append((t, known))
        if not can:
            ends.append(number)
            if alive:
                bugs.add("deadlock")
            else:
                outcomes.add(label(layout, state))
        edges.append(successors)
        enabled.append(can)
        if len(states) > most_states:
            raise Invalid("too many states")
    if len(reach_backwards(edges, ends)) < len(states):
        bugs.add("livelock")
    return Behaviour(outcomes, bugs, len(states), edges, enabled)


def reach_backwards(edges, ends):
    before = [[] for _ in edges]
    for state, successors in enumerate(edges):
        for _, to in successors:
            before[to].append(state)
    reached, work = set(ends), list(ends)
    while work:
        for state in before[work.pop()]:
            if state not in reached:
                reached.add(state)
                work.append(state)
    return reached
