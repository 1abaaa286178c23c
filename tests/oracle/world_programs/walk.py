"""All behaviour of a model, by brute force: every interleaving is walked, state by state.

A model has `first()`, a state; `steps(state)`, the states that one step of one thread leads to; and `label(state)`: what the program
tells at its end, or None where some thread has not finished. States can be hashed. Nothing here knows of dependence.
"""

import dataclasses


class TooLarge(Exception):
    """The program has too many states."""


@dataclasses.dataclass
class Behaviour:
    outcomes: set
    bugs: set  # of "deadlock"
    states: int


def all_behaviour(model, most_states):
    first = model.first()
    seen, work = {first}, [first]
    outcomes, bugs = set(), set()
    while work:
        state = work.pop()
        found = list(model.steps(state))
        if not found:
            label = model.label(state)
            if label is None:
                bugs.add("deadlock")
            else:
                outcomes.add(label)
        for after in found:
            if after not in seen:
                seen.add(after)
                work.append(after)
        if len(seen) > most_states:
            raise TooLarge
    return Behaviour(outcomes, bugs, len(seen))
