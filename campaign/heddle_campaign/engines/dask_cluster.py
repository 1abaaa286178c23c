"""The engine Dask distributed (Debian: python3-distributed): a scheduler, and workers that come and go. Slurm, Kubernetes and SSH
start such workers. What goes over the network are bytes of pieces and results; heddle_piece.py is sent once."""

import contextlib
import dataclasses
import logging
import pathlib
import queue
import time
from typing import Any, Optional

import heddle_cache
import heddle_piece
from heddle_campaign import result_file, shipping
from heddle_campaign.engines import Outcome
from heddle_campaign.errors import CampaignError

CONNECT_S = 30
GONE = "the Dask scheduler is gone: start it, and the same command goes on"
MOST_SENT = 5  # other workers may lack something else
MOST_ERRORS = 3  # of a worker, in a row: something is wrong with its machine


def security(folder: Optional[pathlib.Path]):
    """Keys and certificates, as examples/campaign/make_certificates leaves them. None: no encryption."""
    from distributed.security import Security

    if folder is None:
        return None
    authority, own = str(folder / "ca.pem"), str(folder / "campaign.pem")
    for file in (authority, own):
        if not pathlib.Path(file).is_file():
            raise CampaignError(f"there is no {file}: examples/campaign/make_certificates makes it")
    roles = {f"tls_{role}_{part}": own for role in ("client", "scheduler", "worker") for part in ("cert", "key")}
    return Security(tls_ca_file=authority, require_encryption=True, **roles)


@dataclasses.dataclass(frozen=True)
class Sent:
    future: Any
    order: heddle_piece.Order
    piece: bytes
    needs: dict[str, str]  # by digest: the path
    times: int  # that it was sent


class DaskEngine:
    # One: Dask does not tell a piece that ran when its worker died from one that waited there.
    window = 1

    def __init__(
        self, heddle: str, inputs: heddle_cache.Needs, address: str = "", start: int = 0, tls: Optional[pathlib.Path] = None, ship: bool = False
    ):
        """Either the address of a scheduler, or so many workers on this machine. `ship`: sends files that a worker lacks."""
        try:
            import dask
            import distributed
        except ImportError:
            raise CampaignError("this Python has no Dask: install python3-distributed, or use --scheduler local") from None
        self._distributed = distributed
        for name in ("distributed", "tornado", "asyncio"):  # they print whole pieces when a connection breaks
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
        self._heddle, self._ship = heddle, ship
        self._needs = [*inputs, *(shipping.needs_of_heddle(heddle) if ship else [(heddle, "")])]
        self._close = contextlib.ExitStack()
        self._done: queue.SimpleQueue = queue.SimpleQueue()
        self._futures: dict[str, Sent] = {}  # by key
        self._number = 0
        self._errors: dict[str, int] = {}  # in a row, of each worker
        keys = security(tls)
        try:
            where: object = address
            if start:
                # The first worker that a piece kills is to be heard of; the driver counts.
                dask.config.set({"distributed.scheduler.allowed-failures": 0})
                where = self._close.enter_context(
                    distributed.LocalCluster(
                        n_workers=start, threads_per_worker=1, host="127.0.0.1", dashboard_address="127.0.0.1:0", security=keys
                    )
                )
            self._client = self._close.enter_context(distributed.Client(where, security=keys, timeout=CONNECT_S))
            for module in (heddle_cache, heddle_piece):
                self._client.upload_file(module.__file__)
        except (OSError, ValueError, TimeoutError) as error:
            self.close()
            raise CampaignError(f"no Dask scheduler at {address}: {error}") from None

    @property
    def dashboard(self) -> str:
        """Where Dask shows itself; empty without bokeh."""
        services = self._client.scheduler_info().get("services", {})
        return self._client.dashboard_link if "dashboard" in services else ""

    def workers(self) -> int:
        return sum(worker["nthreads"] for worker in self._client.scheduler_info().get("workers", {}).values())

    def submit(self, order: heddle_piece.Order, piece: bytes) -> None:
        self._send(order, piece, [], [], 1)

    def _send(self, order: heddle_piece.Order, piece: bytes, files: list[bytes], to: list[str], times: int) -> None:
        self._number += 1
        key = f"heddle-{order.piece}-{self._number}"
        of_piece = result_file.needs_of(piece)
        needs = [*of_piece.files, *self._needs]
        here = {"workers": to, "allow_other_workers": True} if to else {}
        arguments = (self._heddle, piece, dataclasses.asdict(order), needs, of_piece.directory if self._ship else None, files)
        try:
            future = self._client.submit(heddle_piece.run_far, *arguments, key=key, pure=False, **here)
        except Exception as error:  # which has the piece in it
            raise CampaignError(f"{GONE} ({type(error).__name__})") from None
        self._futures[key] = Sent(future, order, piece, {digest: path for path, digest in needs}, times)
        future.add_done_callback(lambda done: self._done.put(done.key))

    def collect(self, seconds: float) -> list[Outcome]:
        until = time.monotonic() + seconds
        outcomes = []
        while True:
            try:
                key = self._done.get(timeout=max(0.0, until - time.monotonic()) if not outcomes else 0)
            except queue.Empty:
                break
            if key in self._futures:
                outcome = self._outcome(self._futures.pop(key))
                outcomes += [outcome] if outcome else []
        if self._client.status == "closed":
            raise CampaignError(GONE)
        return outcomes

    def _outcome(self, sent: Sent) -> Optional[Outcome]:
        """None: it is sent again, with what the worker lacks."""
        killed = self._distributed.KilledWorker
        piece, future = sent.order.piece, sent.future
        try:
            result, lost, why, worker, missing = future.result(timeout=CONNECT_S)
        except killed as death:
            # With Dask's default a piece that kills has been sent to four workers before anybody hears of it.
            return Outcome(piece, workers_lost=getattr(death, "allowed_failures", 0) + 1, why="its worker died")
        except Exception as error:  # whatever Dask, the network, and the worker's machine come up with
            return Outcome(piece, why=f"Dask: {type(error).__name__}: {error}".splitlines()[0])
        finally:
            future.release()
        if result is not None:
            self._errors.pop(worker, None)
            return Outcome(piece, result)
        if missing and self._ship and sent.times < MOST_SENT:
            try:
                self._send(sent.order, sent.piece, shipping.contents(sent.needs, missing), [worker], sent.times + 1)
                return None
            except CampaignError as error:
                why = str(error)
        if not lost:
            self._count_error(worker)
        return Outcome(piece, workers_lost=int(lost), why=why)

    def _count_error(self, worker: str) -> None:
        self._errors[worker] = self._errors.get(worker, 0) + 1
        if self._errors[worker] == MOST_ERRORS:
            with contextlib.suppress(Exception):
                self._client.retire_workers([worker], close_workers=True)

    def close(self) -> None:
        with contextlib.suppress(Exception):
            self._client.cancel([sent.future for sent in self._futures.values()], force=True)
        with contextlib.suppress(Exception):
            self._close.close()
