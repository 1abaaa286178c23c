"""The loop of a campaign: hands out pieces, keeps results, until nothing is left, a bug is found, or the time is over.

Everything that has to be exact is here and in frontier.py: a result counts when it is in the directory, the first of a piece, and
only then are the pieces that it leaves handed out."""

import dataclasses
import pathlib
import signal
import time
from typing import Callable, Optional

import heddle_piece
from heddle_campaign import policy, result_file
from heddle_campaign.directory import Directory, write_whole
from heddle_campaign.engines import Engine, Outcome
from heddle_campaign.errors import CampaignError
from heddle_campaign.frontier import Frontier

COLLECT_S = 0.2
GRACE_S = 3.0  # for slices that end with the time
MOST_DEATHS = 3  # the same as heddle's (session/worker_mark.h)
ERRORS_A_WORKER = 3  # in a row, of all workers together


@dataclasses.dataclass
class Options:
    slice_ms: int
    executions: int  # of a slice; 0: any
    keep_going: bool
    time_s: Optional[float]
    share: tuple[int, int] = (1, 1)


@dataclasses.dataclass
class Handed:
    order: heddle_piece.Order
    due: float
    copies: int = 1


class Driver:
    def __init__(self, directory: Directory, engine: Engine, heddle: str, options: Options, show: Callable[["Driver"], None]):
        self._directory, self._engine, self._heddle, self._options, self._show = directory, engine, heddle, options, show
        self.frontier = self._read()
        if options.share != (1, 1):
            self.frontier.only(*options.share)
        self.begun = time.monotonic()
        self.workers = engine.workers()
        self.dispatched = 0
        self.path = directory.path
        self._processor = directory.about().get("processor", "")
        self._executions_before = self.frontier.executions
        self.why = ""  # it ended
        self._handed: dict[str, Handed] = {}
        self._errors = 0
        self._most_workers = 1
        self._interrupted = False

    def _read(self) -> Frontier:
        try:
            return Frontier(self._directory.results)
        except result_file.BadResult as error:
            raise CampaignError(f"{self._directory.results}: {error}; heddle merge says which, remove it") from None

    @property
    def executions_here(self) -> int:
        return self.frontier.executions - self._executions_before

    def interrupt(self, *_: object) -> None:
        self._interrupted = True

    def run(self) -> None:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self.interrupt)
        while not self._over():
            self.workers = self._engine.workers()
            self._most_workers = max(self._most_workers, self.workers)
            self._hand_out()
            for outcome in self._engine.collect(COLLECT_S):
                self._take(outcome)
            self._show(self)
        self._wind_up()

    def _left_s(self) -> float:
        if self._options.time_s is None:
            return float("inf")
        return self._options.time_s - (time.monotonic() - self.begun)

    def _over(self) -> bool:
        frontier = self.frontier
        if "grew" in frontier.ends.values():
            self.why = "grew"
        elif "bug" in frontier.ends.values() and not self._options.keep_going:
            self.why = "bug"
        elif self._interrupted:
            self.why = "interrupted"
        elif self._left_s() <= 0:
            self.why = "time"
        elif frontier.waiting + frontier.running == 0:
            self.why = "explored"
        return self.why != ""

    def _wind_up(self) -> None:
        """Those who have nearly done may end."""
        if self.why != "time":
            return
        self._directory.end("soon")
        until = time.monotonic() + GRACE_S
        while self.frontier.running and time.monotonic() < until and not self._interrupted:
            for outcome in self._engine.collect(COLLECT_S):
                self._take(outcome)

    def leave(self) -> None:
        """Nobody is to run the pieces of this cut any more: waits for those who do, which a slice of theirs ends."""
        until = max((handed.due for handed in self._handed.values()), default=0.0)
        while self._handed and time.monotonic() < until and not self._interrupted:
            for outcome in self._engine.collect(COLLECT_S):
                self._handed.pop(outcome.piece, None)

    def _hand_out(self) -> None:
        room = self._engine.window * self.workers - len(self._handed)
        while room > 0:
            piece = self.frontier.next()
            if piece is None:
                break
            room -= self._begin(piece)
        now = time.monotonic()
        for piece, handed in self._handed.items():
            if now > handed.due and self.workers:
                handed.copies += 1
                self._send(piece, handed)

    def _begin(self, piece: str) -> int:
        """Hands out a piece; how many that are."""
        deaths = heddle_piece.deaths_of(piece, self._directory.results)
        if deaths >= MOST_DEATHS and self._give_up(piece):
            return 0
        # Those that wait with the engine are as good as running, so they do not count.
        plan = policy.plan(self.frontier.waiting + 1, self.workers, self._options.slice_ms)
        slice_ms = heddle_piece.slice_after(plan.slice_ms, deaths)
        slice_ms = min(slice_ms, max(int(1000 * min(self._left_s(), 1e6)), 100))
        executions, results = self._options.executions, self._directory.results.name
        goes_on = self._options.keep_going
        order = heddle_piece.Order(piece, slice_ms, plan.children, executions, goes_on, results, self._processor)
        handed = self._handed[piece] = Handed(order, 0.0)
        self._send(piece, handed)
        return 1

    def _send(self, piece: str, handed: Handed) -> None:
        handed.due = time.monotonic() + 2 ** (handed.copies - 1) * heddle_piece.overdue_s(handed.order.slice_ms)
        self._engine.submit(handed.order, self.frontier.bytes_of(piece))
        self.dispatched += 1

    def _give_up(self, piece: str) -> bool:
        """Has heddle write the result that says so, which it does by the marks of those that died, and runs nothing."""
        path = self._directory.path / f"{piece}.piece"
        write_whole(path, self.frontier.bytes_of(piece))
        order = heddle_piece.Order(piece, heddle_piece.LEAST_SLICE_MS, 1)
        ran = heddle_piece.run(self._heddle, order, path, self._directory.results)
        path.unlink()
        if ran.has_result:
            self._count(piece)
        return ran.has_result

    def _take(self, outcome: Outcome) -> None:
        if outcome.piece not in self._handed:  # that came twice
            return
        why = self._keep(outcome) if outcome.result is not None else outcome.why
        if outcome.result is not None and not why:
            self._errors = 0
            return
        if outcome.workers_lost and not outcome.marked:
            self._mark(outcome)
        if not outcome.workers_lost and why:
            self._errors += 1
            if self._errors >= ERRORS_A_WORKER * self._most_workers:
                raise CampaignError(f"{why.removeprefix('heddle: ')} (nothing runs; the same command goes on)")
        del self._handed[outcome.piece]
        self.frontier.give_back(outcome.piece)

    def _keep(self, outcome: Outcome) -> str:
        """The result gets its name, unless there is one. Or why it does not count."""
        path = self.frontier.path_of(outcome.piece)
        try:
            result = result_file.read(outcome.result or b"")
        except result_file.BadResult as error:
            return f"{path}: {error}; if it is there, remove it"
        if result.piece != outcome.piece or result.campaign != self.frontier.campaign:
            return f"{path}: of another piece; if it is there, remove it"
        if not path.exists():
            write_whole(path, outcome.result or b"", first_stays=True)
        self._count(outcome.piece)
        return ""

    def _count(self, piece: str) -> None:
        """By what is in the file: somebody else may have been faster."""
        self._handed.pop(piece, None)
        path = self.frontier.path_of(piece)
        try:
            self.frontier.finish(piece, path.read_bytes())
        except result_file.BadResult as error:
            raise CampaignError(f"{path}: {error}; remove it") from None

    def _mark(self, outcome: Outcome) -> None:
        results: pathlib.Path = self._directory.results
        for _ in range(outcome.workers_lost):
            number = heddle_piece.deaths_of(outcome.piece, results) + 1
            (results / f"{outcome.piece}{heddle_piece.MARK}far-{number}").touch(mode=0o600)
