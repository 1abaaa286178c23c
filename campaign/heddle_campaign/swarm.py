"""Searches that have no pieces: those that draw schedules, and those whose state is one table. Here diverse searches run side by
side: the one that was asked for, and others with seeds of their own, and it is merged what they saw. That finds bugs; a proof is
only what the first one proves.

    swarm/SEED.json   what a search has seen; the next run goes on with other seeds
"""

import itertools
import json
import pathlib
import signal
import subprocess
import time
from typing import Callable, Optional

from heddle_piece import Order
from heddle_campaign.directory import Directory, write_whole
from heddle_campaign.engines import Engine, Outcome
from heddle_campaign.errors import CampaignError
from heddle_campaign.result_file import Needs

DRAWN = ("pct", "pos", "surw", "rff", "random")
# Options that say which schedules come, with a value or without; another search has its own.
WITH_VALUE = ("--order", "--reduction", "--bound", "--visited", "--preset", "--priority", "--depth", "--seed", "--rewind", "--points")
ALONE = ("--iterate",)
COLLECT_S = 0.2
GRACE_S = 5.0  # for searches that are to end, and to say what they have seen
MOST_LOST = 3  # workers of a search


def without_search(check: list[str]) -> list[str]:
    """The options that every search has."""
    kept: list[str] = []
    words = iter(check)
    for word in words:
        if word in WITH_VALUE:
            next(words, None)
        elif word not in ALONE and word.partition("=")[0] not in WITH_VALUE:
            kept.append(word)
    return kept


def order_of(check: list[str]) -> str:
    words = " ".join(check).replace("=", " ").split()
    return words[words.index("--order") + 1] if "--order" in words[:-1] else ""


def searches(check: list[str], first_seed: int, count: int) -> list[tuple[int, list[str]]]:
    """Seeds and options. What draws goes on with other seeds; beside another search all ways to draw take turns."""
    asked = order_of(check)
    chosen = []
    for seed in range(first_seed, first_seed + count):
        if asked in DRAWN and "--reduction" not in " ".join(check):
            options = [*check, "--seed", str(seed)] if "--seed" not in check or seed > 1 else check
        elif seed == 1:
            options = check
        else:
            options = [*without_search(check), "--order", DRAWN[(seed - 2) % 4], "--seed", str(seed)]
        chosen.append((seed, options))
    return chosen


class Swarm:
    """What is handed out is a search, in place of a piece; the engines need not know."""

    def __init__(
        self, heddle: str, directory: Directory, engine: Engine, needs: Needs, keep_going: bool, slice_s: float, say: Callable[[str], None]
    ):
        self._heddle, self._directory, self._engine, self._needs, self._say = heddle, directory, engine, needs, say
        self._keep_going, self._slice_s = keep_going, slice_s
        self._folder = directory.path / "swarm"
        self._check = directory.about()["check"]
        self._running: dict[str, int] = {}  # seeds, by what the engine calls their searches
        self._lost: dict[int, int] = {}  # so many workers, by seed
        self._over = self._interrupted = False

    def _is_drawn(self) -> bool:
        return order_of(self._check) in DRAWN and "--reduction" not in " ".join(self._check)

    def _begin(self, seed: int, left_s: Optional[float]) -> None:
        """The search that was asked for runs to its end; others give way to further seeds, so that all see a bit of each."""
        [(_, options)] = searches(self._check, seed, 1)
        runs_s = left_s if left_s is not None else 1e9
        if left_s is None and seed != 1 and not self._is_drawn():
            runs_s = self._slice_s
        options = [*options, "--time", f"{max(round(1000 * runs_s), 1)}ms"] if runs_s < 1e9 else options
        search = {"options": options, "command": self._directory.about()["command"], "schedules": str(self._directory.schedules)}
        search |= {"directory": self._needs.directory, "needs": self._needs.files}
        name = f"search-{seed}"
        self._running[name] = seed
        order = Order(name, round(1000 * runs_s), 1, keep_going=self._keep_going, results=self._directory.results.name)
        self._engine.submit(order, json.dumps(search).encode())

    def run(self, time_s: Optional[float]) -> None:
        if self._is_drawn() and time_s is None and "--executions" not in " ".join(self._check):
            raise CampaignError("schedules are drawn for ever: give --time")
        for folder in (self._folder, self._directory.results, self._directory.schedules):
            folder.mkdir(exist_ok=True)
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._interrupt)
        until = time.monotonic() + time_s if time_s is not None else None
        seeds = (seed for seed in itertools.count(1) if not (self._folder / f"{seed}.json").exists())
        again: list[int] = []
        begun = 0
        while not self._over and not self._interrupted and (until is None or time.monotonic() < until):
            workers = self._engine.workers()
            # Each that ends by itself has had its turn, where nobody says how long this goes on.
            once = until is None and "--executions" in " ".join(self._check)
            while len(self._running) < workers and not (once and not again and begun >= workers):
                self._begin(again.pop() if again else next(seeds), None if until is None else max(until - time.monotonic(), 0.0))
                begun += 1
            if not self._running and workers:
                break
            for outcome in self._engine.collect(COLLECT_S):
                again += self._take(outcome)
        self._wind_up()

    def _interrupt(self, *_: object) -> None:
        self._interrupted = True

    def _wind_up(self) -> None:
        """What the others have seen until now counts, too."""
        self._directory.end("now")
        until = time.monotonic() + GRACE_S
        while self._running and time.monotonic() < until:
            for outcome in self._engine.collect(COLLECT_S):
                self._take(outcome)

    def _take(self, outcome: Outcome) -> list[int]:
        """Keeps what a search has seen. Seeds that are to be run again, because their worker has died."""
        seed = self._running.pop(outcome.piece, None)
        if seed is None:
            return []
        if outcome.result is None:
            self._lost[seed] = self._lost.get(seed, 0) + 1
            if outcome.workers_lost and self._lost[seed] < MOST_LOST:
                return [seed]
            self._say(f"{' '.join(searches(self._check, seed, 1)[0][1])}: {outcome.why.removeprefix('heddle: ')}")
            if seed == 1 and not outcome.workers_lost:
                self._over = True
            return []
        seen = json.loads(outcome.result)
        for name, text in seen["schedules"].items():
            write_whole(self._directory.schedules / pathlib.PurePath(name).name, text.encode(), first_stays=True)
        write_whole(self._folder / f"{seed}.json", seen["found"].encode())
        (self._directory.results / f"{outcome.piece}.result").unlink(missing_ok=True)
        found = json.loads(seen["found"])
        proved = seed == 1 and found["complete"]
        self._over = self._over or proved or (bool(found["bugs"]) and not self._keep_going)
        return []

    def merge(self, require_complete: bool) -> int:
        """Prints what all of them saw; the status."""
        executions, bugs, proof, told = 0, {}, "", []
        paths = sorted(self._folder.glob("*.json"), key=lambda path: int(path.stem))
        for path in paths:
            seen = json.loads(path.read_text())
            executions += seen["executions"]
            new = [bug["identity"] for bug in seen["bugs"] if bug["identity"] not in bugs]
            bugs.update(dict.fromkeys(new))
            told += [path] if new else []
            if seen["complete"]:
                proof = seen["guarantee"]
        for path in told:
            subprocess.run([self._heddle, "report", str(path)])
        end = proof or "nothing is proved"
        found = "1 bug" if len(bugs) == 1 else f"{len(bugs)} bugs"
        print(f"heddle-campaign: {len(paths)} searches, {executions:,} executions, {found}; {end}", flush=True)
        if not paths:
            return 2
        return 1 if bugs else 4 if require_complete and not proof else 0
