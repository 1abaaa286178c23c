"""`heddle-campaign work DIR`: a worker of the engine of plain files."""

import dataclasses
import fcntl
import json
import os
import pathlib
import secrets
import signal
import sys
import time
from typing import Optional

import heddle_cache
import heddle_piece
from heddle_campaign import shipping
from heddle_campaign.directory import Directory, write_whole
from heddle_campaign.engines.files import end_with_driver, lock, take_lock
from heddle_campaign.errors import CampaignError

POLL_S = 0.1
AGAIN = 4  # exit status: somebody is to start the driver again, and workers
MOST_ERRORS = 3  # in a row: something is wrong with this machine


class Worker:
    def __init__(self, directory: Directory, heddle: Optional[str], idle_s: Optional[float], time_s: Optional[float]):
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
        statuses = [0]
        while self._others:  # not reaped while it can be sent a signal
            os.waitid(os.P_PID, self._others[0], os.WEXITED | os.WNOWAIT)
            status = os.waitstatus_to_exitcode(os.waitpid(self._others.pop(0), 0)[1])
            statuses.append(status if status >= 0 else 2)
        return max(statuses)

    def _ends_now(self) -> bool:
        return self._stopped or self._how_ended() in ("now", "again")

    def _how_ended(self) -> str:
        try:
            return self._directory.ended.read_text()
        except FileNotFoundError:
            return ""

    def run(self) -> int:
        # Containers may have the same host name and numbers of processes.
        mark = self._directory.workers / f"{os.uname().nodename}-{os.getpid()}-{secrets.token_hex(4)}"
        new = mark.with_name(f".{mark.name}.new")
        file = os.open(new, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        lock(file, mark, fcntl.LOCK_EX)
        os.rename(new, mark)  # one that is not locked is taken for dead
        try:
            return self._loop()
        finally:
            mark.unlink(missing_ok=True)
            os.close(file)

    def _loop(self) -> int:
        busy = time.monotonic()
        while not self._stopped and time.monotonic() < self._until:
            if ended := self._how_ended():
                return AGAIN if ended == "again" else 0
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
            held = take_lock(task)
            if held is None:
                continue
            try:
                self._run(task)
            finally:
                os.close(held)
            return True
        return False

    def _run(self, task: pathlib.Path) -> None:
        try:
            order = heddle_piece.Order(**json.loads(task.read_text()))
        except FileNotFoundError:  # seen too late
            return
        results = self._directory.path / pathlib.PurePath(order.results).name
        if not (results / f"{order.piece}.result").exists():
            deaths = heddle_piece.deaths_of(order.piece, results)
            slice_ms = heddle_piece.slice_after(order.slice_ms, deaths)
            order = dataclasses.replace(order, slice_ms=slice_ms)
            ran = self._run_piece(order, task.with_name(f"{order.piece}.piece"), results)
            if self._ends_now() and not ran.has_result:
                return
            self._note(task, ran)
        task.unlink(missing_ok=True)

    def _run_piece(self, order: heddle_piece.Order, piece: pathlib.Path, results: pathlib.Path) -> heddle_piece.Ran:
        told = shipping.shipped(self._directory)
        heddle = told["heddle"] if told and not self._heddle else self._heddle
        try:
            with shipping.provided(self._directory, told) as missing:
                if missing:
                    return heddle_piece.Ran(False, why=f"files/{missing[0]} is missing or damaged")
                return heddle_piece.run(heddle, order, piece, results, self._ends_now)
        except (heddle_cache.CacheError, OSError) as error:
            return heddle_piece.Ran(False, why=f"{os.uname().nodename}: {error}")

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


def work(directory: Directory, heddle: Optional[str], jobs: int, idle_s: Optional[float], time_s: Optional[float], quiet: bool) -> int:
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
