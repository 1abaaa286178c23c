"""What a generated program is: threads made of statements, on objects that they share.

A statement is a tuple of its word and its operands. Expressions are text that C and Python read alike; `$name` is a
local of the thread. Comparisons are combined with & and |.

    load L X              L = X                            lock M, unlock M
    store X e             X = e                            trylock L M, timedlock L M      L: was it taken?
    add L X e             L = X; X += e  (L may be None)   semwait S, sempost S
    xchg L X e            L = X; X = e                     semtry L S, semtimed L S        L: did it go down?
    cas L X e d           L = (X == e); if so X = d        cwait C M
    pload L P, pstore P e plain memory: only under the     ctimed L C M                    L: was it notified?
                          mutex of all plain memory, m0    signal C, broadcast C
    set L e               a local                          fwait X e, ftimed L X e         futex; L: was it woken?
    yield, pause, sleep K what nobody sees                 fwake X n                       n: how many at most
    assert N e            number N fails unless e          await X e, notify X n           std::atomic's wait
    ghost L e             a local that no value and no branch depends on: C has it, the reference does not
    if e A B, loop A      A, B: lists of statements        break                           out of the innermost loop
"""

import dataclasses
import re


@dataclasses.dataclass
class Program:
    atomics: dict  # name -> initial value
    threads: list  # of lists of statements
    results: list  # of each thread: the locals that the outcome shows
    plain: dict = dataclasses.field(default_factory=dict)
    semaphores: dict = dataclasses.field(default_factory=dict)
    in_memory: list = dataclasses.field(default_factory=list)  # threads whose locals are static variables
    mutexes: int = 2
    conditions: int = 1

    def size(self):
        return sum(count(thread) for thread in self.threads)


def count(statements):
    """How many statements, with those inside of others."""
    return sum(1 + sum(count(part) for part in s[1:] if isinstance(part, list)) for s in statements)


def locals_of(statements):
    """The locals of a thread, in the order of their names; those of ghosts apart."""
    found, ghosts = set(), set()
    for s in statements:
        for part in s[1:]:
            if isinstance(part, list):
                inner, inner_ghosts = locals_of(part)
                found |= inner
                ghosts |= inner_ghosts
            elif isinstance(part, str):
                (ghosts if s[0] == "ghost" else found).update(re.findall(r"\$(\w+)", part))
    return found, ghosts - found

