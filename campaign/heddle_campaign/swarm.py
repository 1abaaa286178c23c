"""Searches that have no pieces: those that draw schedules, and those whose state is one table. Here diverse searches run side by
side: the one that was asked for, and others with seeds of their own, and it is merged what they saw. That finds bugs; a proof is
only what the first one proves.

    swarm/SEED.json   what a search has seen; the next run goes on with other seeds
"""

import dataclasses
import json
import pathlib
import signal
import subprocess
import time
from typing import Callable, Optional

from heddle_campaign.directory import Directory
from heddle_campaign.errors import CampaignError

DRAWN = ("pct", "pos", "surw", "rff", "random")
# Options that say which schedules come, with a value or without; another search has its own.
WITH_VALUE = ("--order", "--reduction", "--bound", "--visited", "--preset", "--priority", "--depth", "--seed", "--rewind", "--points")
ALONE = ("--iterate",)
POLL_S = 0.1


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


@dataclasses.dataclass
class Member:
    seed: int
    options: list[str]
    process: subprocess.Popen
    status: Optional[int] = None


class Swarm:
    def __init__(self, heddle: str, directory: Directory, keep_going: bool, time_s: Optional[float], say: Callable[[str], None]):
        self._heddle, self._directory, self._say = heddle, directory, say
        self._keep_going, self._time_s = keep_going, time_s
        self._folder = directory.path / "swarm"
        self._interrupted = False

    def _start(self, seed: int, options: list[str], command: list[str]) -> Member:
        words = [self._heddle, "check", *options, "--jobs", "1", "--out", str(self._directory.schedules)]
        words += ["--json", str(self._folder / f"{seed}.json"), "--quiet"]
        words += ["--time", f"{max(round(1000 * self._time_s), 1)}ms"] if self._time_s else []
        words += ["--keep-going"] if self._keep_going else []
        process = subprocess.Popen([*words, "--", *command], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        return Member(seed, options, process)

    def run(self, workers: int) -> None:
        about = self._directory.about()
        if order_of(about["check"]) in DRAWN and not self._time_s and "--executions" not in " ".join(about["check"]):
            raise CampaignError("schedules are drawn for ever: give --time")
        self._folder.mkdir(exist_ok=True)
        first = 1 + max((int(path.stem) for path in self._folder.glob("*.json")), default=0)
        self._say(f"this search has no pieces: {workers} diverse searches run side by side")
        members = [self._start(seed, options, about["command"]) for seed, options in searches(about["check"], first, workers)]
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._interrupt)
        while any(member.status is None for member in members):
            time.sleep(POLL_S)
            for member in members:
                self._look(member)
            if self._interrupted or self._is_over(members):
                for member in members:
                    if member.status is None:
                        member.process.send_signal(signal.SIGINT)

    def _interrupt(self, *_: object) -> None:
        self._interrupted = True

    def _look(self, member: Member) -> None:
        if member.status is not None or member.process.poll() is None:
            return
        member.status = member.process.returncode
        assert member.process.stderr is not None
        lines = member.process.stderr.read().decode(errors="replace").strip().splitlines()
        if member.status == 2:
            self._say(f"{' '.join(member.options)}: {lines[-1].removeprefix('heddle: ') if lines else 'failed'}")

    def _is_over(self, members: list[Member]) -> bool:
        """One has found a bug, or the first has proved that there is none."""
        bug = any(member.status == 1 for member in members) and not self._keep_going
        first = self._folder / f"{members[0].seed}.json"
        proved = members[0].seed == 1 and members[0].status == 0 and json.loads(first.read_text())["complete"]
        return bug or proved

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
