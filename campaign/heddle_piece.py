"""Runs one piece on the machine of a worker. Standard library only, and nothing of the other modules: Dask sends this file and
heddle_cache.py to its workers as they are (docs/campaigns.md)."""

import contextlib
import ctypes
import dataclasses
import functools
import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import time
from typing import Callable, Iterator

import heddle_cache

EXPLORED, BUG, ERROR, UNCONTROLLED, MISSING = range(5)  # exit statuses of heddle
MARK = ".result.worker-"  # heddle leaves PIECE.result.worker-HOST-PID of a worker that died
LEAST_SLICE_MS = 1000
# Who has had a piece for so long is stopped, or lost without anybody having noticed. That harms nobody, as the first result counts.
OVERDUE_SLICES, OVERDUE_S = 8, 60.0
PATIENCE = 4  # until it is ended; meanwhile another worker has the piece, too
# Of a processor, what programs and their libraries choose code by: with others a program may take other steps.
EXTENSIONS = re.compile(
    r"abm|adx|aes|amx_\w+|avx\w*|bmi\d|erms|f16c|fma\w*|fsrm|gfni|hle|movbe|pclmulqdq|pni|popcnt|rtm|sha_ni|s?sse\w*|vaes|vpclmulqdq|xsave\w*"
)
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
    results: str = "results"  # the folder of a campaign where its result is to be
    processor: str = ""  # where the search began; empty: any will do


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


@functools.cache
def processor() -> str:
    """This machine's: its architecture and its extensions."""
    with open("/proc/cpuinfo", encoding="ascii", errors="replace") as file:
        flags = re.search(r"^flags\s*:(.*)$", file.read(), re.MULTILINE)
    words = flags[1].split() if flags else []
    return " ".join([os.uname().machine, *sorted(word for word in words if EXTENSIONS.fullmatch(word))])


def differs(wanted: str) -> str:
    """In a line, if this machine's processor is not like that one."""
    words = sorted(set(wanted.split()) ^ set(processor().split())) if wanted else []
    return f"the processor is another one than where the search began, with or without {' '.join(words[:6])}" if words else ""


def overdue_s(slice_ms: int) -> float:
    return OVERDUE_SLICES * slice_ms / 1000 + OVERDUE_S


def finished(command: list[str], order: Order, stop: Callable[[], bool], folder: pathlib.Path | None = None) -> tuple[int, str]:
    """Its status and the last line of what it says of errors."""
    try:
        process = subprocess.Popen(
            command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, preexec_fn=die_with_parent
        )
    except OSError as error:
        return ERROR, f"cannot run {command[0]}: {error.strerror}"
    until = time.monotonic() + PATIENCE * overdue_s(order.slice_ms)
    while True:
        try:
            err = process.communicate(timeout=0.5)[1]
            break
        except subprocess.TimeoutExpired:
            if time.monotonic() > until:
                process.kill()  # counts as a death, so that it is not tried for ever
            elif stop():
                process.send_signal(signal.SIGINT)
                process.send_signal(signal.SIGCONT)
    lines = err.decode(errors="replace").strip().splitlines()
    return process.returncode, lines[-1] if lines else f"heddle ended with status {process.returncode}"


def run(heddle: str, order: Order, piece: pathlib.Path, results: pathlib.Path, stop: Callable[[], bool] = lambda: False) -> Ran:
    """`heddle work` on the file `piece`, or a search that is whole; its result is in the folder `results` afterwards."""
    with open(piece, "rb") as file:
        if file.read(1) == b"{":
            return run_search(heddle, order, json.loads(piece.read_bytes()), results, stop)
    if why := differs(order.processor):
        return Ran(False, why=why)
    result = results / f"{order.piece}.result"
    command = [heddle, "work", str(piece), "-o", str(result), "--slice", f"{order.slice_ms}ms", "--pieces", str(order.children)]
    command += ["--executions", str(order.executions)] if order.executions else []
    command += ["--keep-going"] if order.keep_going else []
    marks = deaths_of(order.piece, results)
    status, why = finished(command, order, stop)
    if status in (EXPLORED, BUG, UNCONTROLLED):
        return Ran(True) if result.exists() else Ran(False, why=why)
    return Ran(False, lost=status < 0 or deaths_of(order.piece, results) > marks, why=why)


def run_search(heddle: str, order: Order, search: dict, results: pathlib.Path, stop: Callable[[], bool]) -> Ran:
    """`heddle check` (swarm.py). The result is what it has written, as JSON."""
    with tempfile.TemporaryDirectory(prefix="heddle-campaign-") as name:
        found, schedules = pathlib.Path(name, "found.json"), pathlib.Path(name, "schedules")
        command = [heddle, "check", *search["options"], "--jobs", "1", "--quiet", "--out", str(schedules), "--json", str(found)]
        command += ["--keep-going"] if order.keep_going else []
        status, why = finished([*command, "--", *search["command"]], order, stop, pathlib.Path(search["directory"]))
        if status in (EXPLORED, BUG, UNCONTROLLED, MISSING) and found.exists():
            texts = {file.name: file.read_text(errors="replace") for file in schedules.glob("*")}
            result = {"found": found.read_text().replace(str(schedules), search["schedules"]), "schedules": texts}
            new = results / f".{order.piece}.{os.uname().nodename}-{os.getpid()}.new"
            new.write_text(json.dumps(result))
            os.replace(new, results / f"{order.piece}.result")
            return Ran(True)
        return Ran(False, lost=status < 0, why=why)


def address_of_worker() -> str:
    from distributed import get_worker

    return get_worker().address


@contextlib.contextmanager
def provided(needs: heddle_cache.Needs, directory: str, sent: list[bytes], shared: pathlib.Path | None = None) -> Iterator[list[str]]:
    """While a piece runs: what it needs is where it has to be, and stays. The digests of what this machine lacks."""
    cache = heddle_cache.Cache()
    for data in sent:
        cache.add(data)
    os.makedirs(directory, exist_ok=True)
    missing = cache.provide(needs, shared)
    with cache.in_use():
        yield missing


def run_far(heddle: str, piece_bytes: bytes, order: dict, needs: heddle_cache.Needs, directory: str | None, sent: list[bytes]):
    """The same on a machine that shares no files with the driver: a piece comes in, and its result goes back, or None. Then:
    whether the piece killed heddle, why there is none, which worker this is, and the digests of files that it lacks, which are to
    be sent. No `directory`: nothing is put anywhere."""
    wanted = Order(**order)
    begun = time.monotonic()
    me, host = address_of_worker(), os.uname().nodename
    lost, why = False, ""
    try:
        with provided(needs, directory, sent) if directory else contextlib.nullcontext([]) as missing:
            lacks = next((name for name, digest in needs if digest in missing or not os.path.exists(name)), "")
            if lacks:
                return None, False, f"{host} has no {lacks} (--ship sends it)", me, missing
            other = next((name for name, digest in needs if digest and heddle_cache.digest_of(name) != digest), "")
            if other:
                raise heddle_cache.CacheError(f"{other} is not the same here")
            with tempfile.TemporaryDirectory(prefix="heddle-campaign-") as folder:
                piece = pathlib.Path(folder, f"{wanted.piece}.piece")
                piece.write_bytes(piece_bytes)
                ran = run(heddle, wanted, piece, piece.parent)
                if ran.has_result:
                    return piece.with_suffix(".result").read_bytes(), False, "", me, []
                lost, why = ran.lost, f"{host}: {ran.why.removeprefix('heddle: ')}"
    except heddle_cache.CacheError as error:
        why = f"{host}: {error}"
    except OSError as error:
        why = f"{host}: cannot write {error.filename}: {error.strerror}"
    # A machine on which nothing runs is not to be the fastest of all.
    time.sleep(max(0.0, min(wanted.slice_ms / 1000, 1.0) - (time.monotonic() - begun)))
    return None, lost, why, me, []
