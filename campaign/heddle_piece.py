"""Runs one piece on the machine of a worker. Standard library only, and nothing of the other modules: Dask sends this file to
its workers as it is (docs/campaigns.md)."""

import ctypes
import dataclasses
import os
import pathlib
import signal
import subprocess
import tempfile
import time
from typing import Callable

EXPLORED, BUG, ERROR, UNCONTROLLED = 0, 1, 2, 3  # exit statuses of `heddle work`
MARK = ".result.worker-"  # heddle leaves PIECE.result.worker-HOST-PID of a worker that died
LEAST_SLICE_MS = 1000
LIBC = ctypes.CDLL(None)
PR_SET_PDEATHSIG = 1


@dataclasses.dataclass(frozen=True)
class Order:
    """How a piece is to be run."""

    piece: str  # its id
    slice_ms: int
    children: int  # pieces that may be left of it
    executions: int = 0  # 0: as many as the slice has room for
    keep_going: bool = False


@dataclasses.dataclass(frozen=True)
class Ran:
    """What came of running a piece. `lost`: the piece killed what ran it. Without a result, `why` says so in a line."""

    has_result: bool
    lost: bool = False
    why: str = ""


def die_with_parent() -> None:
    """Nobody waits for a piece whose worker was killed, and it would only be in the way of the next one."""
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def deaths_of(piece: str, results: pathlib.Path) -> int:
    """How many workers of the piece have died; one that lives counts, too."""
    return sum(name.startswith(piece + MARK) for name in os.listdir(results))


def slice_after(slice_ms: int, deaths: int) -> int:
    """A piece that was there when a worker died runs in short slices: either it is innocent, and gets through, or what kills
    is soon alone in a small piece."""
    return max(slice_ms >> (2 * deaths), min(slice_ms, LEAST_SLICE_MS))


def run(heddle: str, order: Order, piece: pathlib.Path, results: pathlib.Path, stop: Callable[[], bool] = lambda: False) -> Ran:
    """`heddle work` on the file `piece`; its result is in the folder `results` afterwards."""
    command = [heddle, "work", str(piece), "-o", str(results), "--slice", f"{order.slice_ms}ms", "--pieces", str(order.children)]
    command += ["--executions", str(order.executions)] if order.executions else []
    command += ["--keep-going"] if order.keep_going else []
    marks = deaths_of(order.piece, results)
    try:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, preexec_fn=die_with_parent
        )
    except OSError as error:
        return Ran(False, why=f"cannot run {heddle}: {error.strerror}")
    while True:
        try:
            err = process.communicate(timeout=0.5)[1]
            break
        except subprocess.TimeoutExpired:
            if stop():
                process.send_signal(signal.SIGINT)
    lines = err.decode(errors="replace").strip().splitlines()
    why = lines[-1] if lines else f"heddle work ended with status {process.returncode}"
    if process.returncode in (EXPLORED, BUG, UNCONTROLLED):
        if (results / f"{order.piece}.result").exists():
            return Ran(True)
        return Ran(False, why=why)
    return Ran(False, lost=process.returncode < 0 or deaths_of(order.piece, results) > marks, why=why)


def address_of_worker() -> str:
    from distributed import get_worker

    return get_worker().address


def place(directory: str, files: dict[str, bytes]) -> None:
    """The program and what it needs, in the same place as on the driver's machine, because addresses and reports depend on it. A
    file that is there stays; heddle compares its digest with that in the piece."""
    os.makedirs(directory, exist_ok=True)
    for name, data in files.items():
        path = pathlib.Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        new = path.with_name(f".{path.name}.{os.getpid()}.new")
        new.write_bytes(data)
        new.chmod(0o755)
        try:
            os.link(new, path)
        except FileExistsError:
            pass
        finally:
            new.unlink()


def run_far(heddle: str, piece_bytes: bytes, order: dict, needed: list[str], directory: str, files: dict[str, bytes]):
    """The same on a machine that shares no files with the driver: a piece comes in, and its result goes back, or None. Then:
    whether the piece killed heddle, why there is none, which worker this is, and which of the files that it needs are missing."""
    wanted = Order(**order)
    begun = time.monotonic()
    me = address_of_worker()
    try:
        place(directory, files)
    except OSError as error:
        return None, False, f"{os.uname().nodename}: cannot write {error.filename}: {error.strerror}", me, []
    missing = [name for name in needed if not os.path.exists(name)]
    if missing:
        return None, False, f"{os.uname().nodename} has no {missing[0]} (--ship sends it)", me, missing
    with tempfile.TemporaryDirectory(prefix="heddle-campaign-") as folder:
        piece = pathlib.Path(folder, f"{wanted.piece}.piece")
        try:
            piece.write_bytes(piece_bytes)
        except OSError as error:
            return None, False, f"cannot write {piece}: {error.strerror}", me, []
        ran = run(heddle, wanted, piece, piece.parent)
        if ran.has_result:
            return piece.with_suffix(".result").read_bytes(), False, "", me, []
    # A machine on which nothing runs is not to be the fastest of all.
    time.sleep(max(0.0, min(wanted.slice_ms / 1000, 1.0) - (time.monotonic() - begun)))
    return None, ran.lost, ran.why, me, []
