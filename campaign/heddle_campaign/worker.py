"""`heddle-campaign work DIR`: a worker of the engine of plain files."""

import dataclasses
import fcntl
import json
import os
import pathlib
import signal
import sys
import time
from typing import Optional

import heddle_piece
from heddle_campaign.directory import Directory, write_whole
from heddle_campaign.engines.files import end_with_driver, take_lock
from heddle_campaign.errors import CampaignError

POLL_S = 0.1
MOST_ERRORS = 3  # in a row: something is wrong with this machine


class Worker:
    def __init__(self, directory: Directory, heddle: str, idle_s: Optional[float], time_s: Optional[float]):
        self._directory, self._heddle = directory, heddle
        self._idle_s = idle_s
        self._until = time.monotonic() + time_s if time_s is not None else float("inf")
        self._stopped = False
        self._errors = 0
        self._others: list[int] = []  # processes that are to stop with this one
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._stop)

    def _stop(self, *_: object) -> None:
        self._stopped = True
        for other in self._others:
            os.kill(other, signal.SIGTERM)

    def begin_another(self) -> None:
        """In a process of its own, which ends in order when this one dies."""
        child = os.fork()
        if child != 0:
            self._others.append(child)
            return
        self._others = []
        status = 2
        try:
            end_with_driver()
            status = self.run()
        except CampaignError as error:
            print(f"heddle-campaign: {error}", file=sys.stderr, flush=True)
        finally:
            os._exit(status)

    def wait_for_others(self) -> int:
        """The worst of their statuses."""
        status = 0
        while self._others:  # not reaped while it can be sent a signal
            os.waitid(os.P_PID, self._others[0], os.WEXITED | os.WNOWAIT)
            status = max(status, 2 if os.waitpid(self._others.pop(0), 0)[1] else 0)
        return status

    def _ends(self) -> bool:
        return self._stopped or self._directory.ended.exists()

    def _ends_now(self) -> bool:
        try:
            return self._stopped or self._directory.ended.read_text() == "now"
        except FileNotFoundError:
            return False

    def run(self) -> int:
        mark = self._directory.workers / f"{os.uname().nodename}-{os.getpid()}"
        file = os.open(mark, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(file, fcntl.LOCK_EX)
        except OSError as error:
            raise CampaignError(f"{mark.parent} is on a file system without locks ({error.strerror}): use Dask") from None
        try:
            return self._loop()
        finally:
            mark.unlink(missing_ok=True)
            os.close(file)

    def _loop(self) -> int:
        busy = time.monotonic()
        while not self._ends() and time.monotonic() < self._until:
            if self._one_task():
                busy = time.monotonic()
            elif self._idle_s is not None and time.monotonic() > busy + self._idle_s:
                return 0
            else:
                time.sleep(POLL_S)
        return 0

    def _one_task(self) -> bool:
        """Runs the first task that nobody else has."""
        queue = self._directory.queue
        for name in sorted(os.listdir(queue)):
            if not name.endswith(".task"):
                continue
            task = queue / name
            lock = take_lock(task)
            if lock is None:
                continue
            try:
                self._run(task)
            finally:
                os.close(lock)
            return True
        return False

    def _run(self, task: pathlib.Path) -> None:
        order = heddle_piece.Order(**json.loads(task.read_text()))
        results = self._directory.results
        if not (results / f"{order.piece}.result").exists():
            deaths = heddle_piece.deaths_of(order.piece, results)
            slice_ms = heddle_piece.slice_after(order.slice_ms, deaths)
            order = dataclasses.replace(order, slice_ms=slice_ms)
            ran = heddle_piece.run(self._heddle, order, task.with_name(f"{order.piece}.piece"), results, self._ends_now)
            if self._ends_now() and not ran.has_result:
                return
            self._note(task, ran)
        task.unlink(missing_ok=True)

    def _note(self, task: pathlib.Path, ran: heddle_piece.Ran) -> None:
        if ran.has_result:
            self._errors = 0
            return
        write_whole(task.with_suffix(".error"), json.dumps({"why": ran.why, "lost": ran.lost}).encode())
        if ran.lost:
            return
        self._errors += 1
        if self._errors == MOST_ERRORS:
            task.unlink(missing_ok=True)
            raise CampaignError(f"this worker ends after {MOST_ERRORS} errors: {ran.why.removeprefix('heddle: ')}")


def work(directory: Directory, heddle: str, jobs: int, idle_s: Optional[float], time_s: Optional[float], quiet: bool) -> int:
    """`jobs`: so many workers, of which each runs one piece at a time."""
    directory.about()
    if not quiet:
        print(f"heddle-campaign: works for {directory.path}", file=sys.stderr, flush=True)
    worker = Worker(directory, heddle, idle_s, time_s)
    for _ in range(jobs - 1):
        worker.begin_another()
    try:
        status = worker.run()
    finally:
        others = worker.wait_for_others()
    return max(status, others)
