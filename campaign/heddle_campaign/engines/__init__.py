"""Who runs a piece. An engine is a class with three functions; everything that has to be right is in the driver, so an engine may
lose pieces, run them twice, and bring results in any order. docs/campaigns.md has one more as an example."""

import dataclasses
from typing import Optional, Protocol

from heddle_piece import Order


@dataclasses.dataclass(frozen=True)
class Outcome:
    """What became of a piece that was handed out: a result, or a line that says why there is none. `workers_lost`: so many died
    while they ran it. `marked`: that is noted already beside where the result would be."""

    piece: str
    result: Optional[bytes] = None
    workers_lost: int = 0
    marked: bool = False
    why: str = ""


class Engine(Protocol):
    # How many pieces an engine holds for each worker: one that runs, and perhaps one that waits.
    window: int

    def workers(self) -> int:
        """So many pieces can run at the same time, now."""

    def submit(self, order: Order, piece: bytes) -> None:
        """Hands out a piece. It may be handed out again before anything has come of it."""

    def collect(self, seconds: float) -> list[Outcome]:
        """What has come, at the latest after so long."""

    def close(self) -> None:
        """Whatever still runs is not wanted any more."""
