"""The engine of plain files: a directory that all machines see, and `heddle-campaign work DIR` on each of them.

    queue/NUMBER-PIECE.task   how a piece is to be run; who runs it has it locked
    queue/PIECE.piece         the piece
    queue/NUMBER-PIECE.error  why there is no result
    workers/NAME              a worker, which has it locked

A worker writes the result to results/ by itself, and takes the task away then. The kernel takes back the locks of a worker that
dies, and a file system on the network those of a machine: then somebody else takes the task. So nothing depends on clocks. What a
machine knows of a directory on the network may be old: a task is gone when its result or error is seen, or neither for long."""

import dataclasses
import errno
import fcntl
import itertools
import json
import os
import pathlib
import signal
import subprocess
import sys
import time
from typing import Optional

from heddle_piece import LIBC, PR_SET_PDEATHSIG, Order
from heddle_campaign.directory import Directory, write_whole
from heddle_campaign.engines import Outcome
from heddle_campaign.errors import CampaignError

POLL_S = 0.05
COUNT_S = 1.0  # workers are counted so often
UNSEEN_S = 90.0  # NFS keeps what it knows of a directory for 60 s at most, if nobody has told it otherwise
END_S = 30.0  # for a worker that is to end
NO_LOCKS = (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL)


def take_lock(path: pathlib.Path) -> Optional[int]:
    """A descriptor that has the file locked; or None: somebody else has, or there is no such file."""
    try:
        file = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    except OSError as error:
        if error.errno == errno.ESTALE:  # NFS: somebody else has removed it
            return None
        raise
    try:
        lock(file, path, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.stat(path).st_ino == os.fstat(file).st_ino:
            return file
    except (BlockingIOError, FileNotFoundError):
        pass
    os.close(file)
    return None


def lock(file: int, path: pathlib.Path, how: int) -> None:
    try:
        fcntl.flock(file, how)
    except OSError as error:
        if error.errno not in NO_LOCKS:
            raise
        raise CampaignError(f"{path.parent} is on a file system without locks ({error.strerror}): use Dask") from None


def end_with_driver() -> None:
    """A worker that the driver started ends in order when the driver dies, so that its piece does not count as deadly."""
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def is_stopped(pid: int) -> bool:
    """By a signal, or a debugger."""
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] in "Tt"
    except OSError:
        return False


class FilesEngine:
    window = 2

    def __init__(self, directory: Directory, heddle: str, start: int = 0):
        """`start`: so many workers on this machine."""
        self._directory = directory
        self._pending: dict[str, str] = {}  # task: piece
        self._unseen: dict[str, float] = {}  # of those, not listed, and nothing there that came of it: since when
        self._numbers = itertools.count(self._last_number() + 1)
        self._command = [sys.executable, sys.argv[0], "work", "--quiet", "--heddle", heddle, str(directory.path)]
        self._start = self._wanted = start
        self._own: list[subprocess.Popen] = []
        self._counted = (0.0, 0)
        for task in directory.queue.glob("*.task"):
            self._pending[task.name] = task.stem.partition("-")[2]
        self._keep_up()

    def _last_number(self) -> int:
        numbers = [name.partition("-")[0] for name in os.listdir(self._directory.queue)]
        return max((int(number) for number in numbers if number.isdigit()), default=0)

    def _keep_up(self) -> None:
        """Starts workers of its own, also in place of those that were killed or stopped. One that ended by itself has said why."""
        ended = [worker for worker in self._own if worker.poll() is not None]
        for worker in ended:
            self._own.remove(worker)
            if worker.returncode > 0:
                self._wanted -= 1
                if self._wanted == 0:
                    raise CampaignError("no worker is left: see above; the same command goes on")
        for _ in range(self._wanted - sum(not is_stopped(worker.pid) for worker in self._own)):
            self._own.append(
                subprocess.Popen(self._command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, preexec_fn=end_with_driver)
            )

    def workers(self) -> int:
        at, count = self._counted
        if time.monotonic() >= at + COUNT_S:
            count = sum(self._lives(path) for path in self._directory.workers.iterdir() if not path.name.startswith("."))
            self._counted = (time.monotonic(), count)
        return max(count, self._wanted)

    @staticmethod
    def _lives(path: pathlib.Path) -> bool:
        file = take_lock(path)
        if file is None:
            return True
        path.unlink(missing_ok=True)
        os.close(file)
        return False

    def submit(self, order: Order, piece: bytes) -> None:
        queue = self._directory.queue
        path = queue / f"{order.piece}.piece"
        if not path.exists():
            write_whole(path, piece, lasts=False)
        task = f"{next(self._numbers):09}-{order.piece}.task"
        write_whole(queue / task, json.dumps(dataclasses.asdict(order)).encode(), lasts=False)
        if order.piece in self._pending.values():  # it is overdue: what made workers give up may be over
            self._wanted = min(self._wanted + 1, self._start)
        self._pending[task] = order.piece

    def collect(self, seconds: float) -> list[Outcome]:
        until = time.monotonic() + seconds
        while True:
            self._keep_up()
            outcomes = self._gone(set(os.listdir(self._directory.queue)))
            if outcomes or time.monotonic() >= until:
                return outcomes
            time.sleep(POLL_S)

    def _gone(self, names: set[str]) -> list[Outcome]:
        outcomes = []
        for task, piece in list(self._pending.items()):
            outcome = self._outcome(task, piece) if task not in names else None
            if outcome is None:
                continue
            outcomes.append(outcome)
            del self._pending[task]
            self._unseen.pop(task, None)
            if piece not in self._pending.values():
                (self._directory.queue / f"{piece}.piece").unlink(missing_ok=True)
        return outcomes

    def _outcome(self, task: str, piece: str) -> Optional[Outcome]:
        """None: it cannot be seen yet."""
        try:
            return Outcome(piece, (self._directory.results / f"{piece}.result").read_bytes())
        except FileNotFoundError:
            pass
        error = (self._directory.queue / task).with_suffix(".error")
        try:
            said = json.loads(error.read_text())
        except (FileNotFoundError, ValueError):
            since = self._unseen.setdefault(task, time.monotonic())
            if time.monotonic() < since + UNSEEN_S:
                return None
            return Outcome(piece, why="its task is gone, and there is no result")
        error.unlink(missing_ok=True)
        # heddle has left a mark in results/ itself.
        return Outcome(piece, workers_lost=int(said["lost"]), marked=True, why=said["why"])

    def close(self) -> None:
        for worker in self._own:
            worker.terminate()
            worker.send_signal(signal.SIGCONT)
        until = time.monotonic() + END_S
        for worker in self._own:
            try:
                worker.wait(max(until - time.monotonic(), 0.1))
            except subprocess.TimeoutExpired:
                worker.kill()
                worker.wait()
        for path in self._directory.queue.iterdir():
            path.unlink(missing_ok=True)
