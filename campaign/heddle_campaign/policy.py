"""How long a piece runs and into how many it is cut: pieces enough for all workers, but not more, because each costs its
beginning and a result. bench/campaign_simulation.py has what becomes of other numbers."""

import dataclasses

LEAST_SLICE_MS = 1000
MOST_CHILDREN = 64
CHILDREN = 3
ENOUGH = 4  # pieces waiting a worker: nothing needs to be cut


@dataclasses.dataclass(frozen=True)
class Plan:
    slice_ms: int
    children: int


def plan(waiting: int, workers: int, slice_ms: int) -> Plan:
    """For the next piece, when so many wait."""
    workers = max(workers, 1)
    if waiting < workers:
        least = min(LEAST_SLICE_MS, slice_ms)
        return Plan(max(slice_ms * waiting // workers, least), MOST_CHILDREN)
    if waiting > ENOUGH * workers:
        return Plan(slice_ms, 1)
    return Plan(slice_ms, CHILDREN)
