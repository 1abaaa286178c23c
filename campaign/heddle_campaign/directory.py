"""The files of a campaign, and how it begins: some seconds of an ordinary search, which is then cut.

    campaign.json   what is searched
    search.saved    the search before it was cut; search-c11.saved
    results/        the state: root.result, and PIECE.result of each piece that was run; results-2/: of the search that was cut anew
    results-c11/    the same of the search under C11's memory model, which follows (under_c11.py); under-c11: it does
    queue/ workers/ of the engine of plain files
    schedules/ found.json report.html   what was found, as of now; found-sc.json: before the search under C11's memory model
    lock            of the driver
    ended           nothing more is to be run: "soon", "now", or "again", if another driver has to go on
"""

import contextlib
import fcntl
import itertools
import json
import os
import pathlib
import re
import shutil
import subprocess
from typing import Callable, Iterator, Optional, Sequence

from heddle_piece import UNCONTROLLED, die_with_parent, processor
from heddle_campaign import under_c11
from heddle_campaign.errors import CampaignError

LEAST_PIECES, MOST_PIECES = 16, 1000
PIECES_A_WORKER = 4
# More may become visible while a search runs, which then begins again. That is soon over in most programs (docs/pieces.md).
MOST_BEGINNINGS = 8


class Finished(Exception):
    """The search ended before it had to be cut: with this report, and this exit status."""

    def __init__(self, report: str, status: int):
        super().__init__(report)
        self.report, self.status = report, status


class Uncuttable(CampaignError):
    """`heddle split` says that searches of this kind have no pieces."""


def write_whole(path: pathlib.Path, data: bytes, first_stays: bool = False, lasts: bool = True) -> None:
    """The file has its name when it is whole; `lasts`: and on the disk. `first_stays`: if there is one, that is right."""
    new = path.parent / f".{path.name}.{os.uname().nodename}-{os.getpid()}.new"
    try:
        with open(new, "wb") as file:
            file.write(data)
            file.flush()
            if lasts:
                os.fsync(file.fileno())
        if not first_stays:
            os.replace(new, path)
            return
        try:
            os.link(new, path)
        except FileExistsError:
            pass
    except OSError as error:
        raise CampaignError(f"cannot write {path}: {error.strerror}; nothing is lost: the same command goes on") from None
    finally:
        new.unlink(missing_ok=True)


class Directory:
    def __init__(self, path: pathlib.Path):
        self.path = path
        self.queue = path / "queue"
        self.workers = path / "workers"
        self.schedules = path / "schedules"
        self.ended = path / "ended"
        self.found = path / "found.json"
        self.found_sc = path / "found-sc.json"
        self.page = path / "report.html"
        self._about = path / "campaign.json"
        self._under_c11 = path / "under-c11"
        self._for_a_while = False
        self._lock: Optional[int] = None

    def exists(self) -> bool:
        return self._about.exists()

    def is_under_c11(self) -> bool:
        return self._for_a_while or self._under_c11.exists()

    def go_under_c11(self) -> None:
        write_whole(self._under_c11, b"")

    @contextlib.contextmanager
    def as_under_c11(self) -> Iterator[None]:
        """For a while, and for this process only."""
        self._for_a_while = True
        try:
            yield
        finally:
            self._for_a_while = False

    def has_c11(self) -> bool:
        """That search is cut already."""
        return (self.path / "results-c11" / "root.result").exists()

    @property
    def saved(self) -> pathlib.Path:
        return self.path / ("search-c11.saved" if self.is_under_c11() else "search.saved")

    def _results(self, cut: int) -> pathlib.Path:
        name = "results-c11" if self.is_under_c11() else "results"
        return self.path / (name if cut == 1 else f"{name}-{cut}")

    def _cuts(self) -> int:
        return next(cut for cut in itertools.count() if not (self._results(cut + 1) / "root.result").exists())

    @property
    def results(self) -> pathlib.Path:
        """Of the newest cut. Each has a folder of its own, where workers put what they still have of it, however late that is."""
        return self._results(max(self._cuts(), 1))

    @property
    def next_results(self) -> pathlib.Path:
        return self._results(self._cuts() + 1)

    def is_cut(self) -> bool:
        return self._cuts() > 0

    def about(self) -> dict:
        try:
            return json.loads(self._about.read_text())
        except FileNotFoundError:
            raise CampaignError(f"{self.path} holds no campaign: give the program, {self.path} -- PROG ARGS") from None
        except (OSError, ValueError) as error:
            raise CampaignError(f"cannot read {self._about}: {error}") from None

    def open(self, command: list[str], check: list[str], inputs: Sequence[tuple[str, str]] = ()) -> None:
        """Makes the directory, or compares what is asked for with what is in it. One driver has it at a time."""
        if not command:
            self.about()
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            self.path.chmod(0o700)  # pieces have the environment in them
            self._lock = os.open(self.path / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise CampaignError(f"another heddle-campaign runs {self.path}") from None
        except OSError as error:
            raise CampaignError(f"cannot use {self.path}: {error.strerror}") from None
        if self.is_cut() or self.is_under_c11():
            there = self.about()
            if command and (command, check) != (there["command"], there["check"]):
                raise CampaignError(f"{self.path} is a campaign of another program or search: give another directory")
        elif not self.exists() and any(not re.fullmatch(r"lock|\.campaign\.json\..*\.new", entry.name) for entry in self.path.iterdir()):
            raise CampaignError(f"{self.path} is not empty, and no campaign: give another directory")
        elif command:
            about = {"command": command, "check": check, "inputs": inputs, "processor": processor()}
            write_whole(self._about, json.dumps(about).encode())
        for folder in (self.queue, self.workers):
            folder.mkdir(exist_ok=True)
        self.ended.unlink(missing_ok=True)

    def end(self, when: str) -> None:
        """Workers begin nothing any more; "now" and "again": and leave what they have begun."""
        write_whole(self.ended, when.encode())


def line_of(process: subprocess.CompletedProcess) -> str:
    """What heddle says of an error, as one line."""
    lines = [line for line in process.stderr.splitlines() if line.strip()] or [f"heddle ended with status {process.returncode}"]
    return lines[-1].removeprefix("heddle: ").removeprefix("error: ")


class Beginning:
    """Searches for a while, and cuts."""

    def __init__(self, heddle: str, directory: Directory, seconds: float, keep_going: bool):
        self._heddle, self._directory, self._seconds, self._keep_going = heddle, directory, seconds, keep_going

    def _run(self, *arguments: object) -> subprocess.CompletedProcess:
        command = [self._heddle, *map(str, arguments)]
        try:
            return subprocess.run(
                command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", preexec_fn=die_with_parent
            )
        except OSError as error:
            raise CampaignError(f"cannot run {self._heddle}: {error.strerror}") from None

    def _search(self, *what: object) -> None:
        """`heddle check` for a while. Raises Finished where it comes to an end of its own."""
        directory = self._directory
        goes_on = ["--keep-going"] if self._keep_going else []
        files = ["--out", directory.schedules, "--json", directory.found]
        directory.found.unlink(missing_ok=True)
        done = self._run("check", "--time", f"{max(round(1000 * self._seconds), 1)}ms", *goes_on, *files, *what)
        found = json.loads(directory.found.read_text()) if directory.found.exists() else {}
        # On a machine that is busy the time may be over before anything was explored, which is no error here.
        too_soon = done.returncode == UNCONTROLLED and found.get("stop") == "time" and found["executions"] == 0
        if not found or (done.returncode not in (0, 1, 4) and not too_soon):
            raise CampaignError(line_of(done), done.returncode or 2)
        if found["stop"] in ("exhausted", "bug", "interrupted"):
            raise Finished(done.stdout, done.returncode)

    def __call__(self, workers: int, say: Callable[[str], None]) -> None:
        """ENSURES: the results have a root. Raises Finished, if there was nothing to cut."""
        directory, about = self._directory, self._directory.about()
        directory.saved.unlink(missing_ok=True)
        say(f"searches for {self._seconds:g} s, and is cut then")
        options = under_c11.options(about["check"], directory.is_under_c11())
        self._search("--save", directory.saved, *options, "--", *about["command"])
        self.cut(workers, say)

    def again(self, workers: int, say: Callable[[str], None]) -> None:
        """In a piece more became visible, so the search that was cut is not all: goes on with it, and cuts it anew."""
        self._go_on(say)
        self.cut(workers, say)

    def _go_on(self, say: Callable[[str], None]) -> None:
        say("more became visible: the search is cut again")
        self._search("--resume", self._directory.saved)

    def cut(self, workers: int, say: Callable[[str], None]) -> None:
        """Only what is whole gets the name of results."""
        directory = self._directory
        new = directory.path / "results.new"
        pieces = min(max(PIECES_A_WORKER * workers, LEAST_PIECES), MOST_PIECES)
        for _ in range(MOST_BEGINNINGS):
            shutil.rmtree(new, ignore_errors=True)
            done = self._run("split", directory.saved, pieces, "-o", new)
            if "more became visible" in done.stderr:
                self._go_on(say)
                continue
            if "is at a bug" in done.stderr:  # found while it was cut; the saved search goes on to it
                self._search("--resume", directory.saved)
                continue
            if "cannot be cut" in done.stderr:
                raise Uncuttable(line_of(done))
            if done.returncode != 0:
                raise CampaignError(line_of(done), done.returncode)
            for piece in new.glob("*.piece"):  # the root has them in it
                piece.unlink()
            os.rename(new, directory.next_results)
            say(done.stdout.strip().rpartition(":")[0])
            return
        raise CampaignError(f"more became visible each time the search was cut: heddle check --resume {directory.saved}")
