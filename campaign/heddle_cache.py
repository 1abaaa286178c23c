"""Files of a program, by content, on the machine of a worker. Standard library only, as heddle_piece.py.

    ~/.cache/heddle-campaign/    or $HEDDLE_CAMPAIGN_CACHE; at most $HEDDLE_CAMPAIGN_CACHE_BYTES (2 GiB), the oldest go first
      files/SHA256               a file; its digest is compared each time that it is used
      used/SHA256                when it was used last
      placed/SHA256              of a path: files of these digests were put there by us
      lock                       shared: a piece runs; alone: a file that was put somewhere is replaced

A program has to be in the same place on each machine, because addresses and reports depend on it. So what a piece needs is linked
from here to where the driver has it. A file that is there already, and that is not from here, is never replaced."""

import contextlib
import dataclasses
import fcntl
import hashlib
import os
import pathlib
import shutil
from typing import Callable, Iterator, Optional

MOST_BYTES = 2 << 30
Needs = list[tuple[str, str]]  # path, SHA-256


class CacheError(Exception):
    """Why a piece cannot run on this machine, in a line."""


_known: dict[tuple, str] = {}  # digests, of files that have not changed since


def digest_of(path: os.PathLike | str) -> Optional[str]:
    """None: there is no such file."""
    try:
        with open(path, "rb") as file:
            stat = os.fstat(file.fileno())
            key = (stat.st_dev, stat.st_ino, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns)
            if key not in _known:
                _known[key] = _digest(file)
            return _known[key]
    except (FileNotFoundError, NotADirectoryError):
        return None


def _digest(file) -> str:
    """As hashlib.file_digest, which Python 3.10 lacks."""
    digest = hashlib.sha256()
    while part := file.read(1 << 20):
        digest.update(part)
    return digest.hexdigest()


def _link(new: pathlib.Path, path: pathlib.Path) -> None:
    """The same file, or a copy where that is on another disk."""
    try:
        os.link(new, path)
    except OSError:
        shutil.copyfile(new, path)
    path.chmod(0o755)


class Cache:
    def __init__(self, folder: Optional[pathlib.Path] = None, most_bytes: Optional[int] = None):
        home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
        self._folder = folder or pathlib.Path(os.environ.get("HEDDLE_CAMPAIGN_CACHE") or f"{home}/heddle-campaign")
        self._most_bytes = most_bytes or int(os.environ.get("HEDDLE_CAMPAIGN_CACHE_BYTES") or MOST_BYTES)
        self._files, self._used, self._placed = (self._folder / name for name in ("files", "used", "placed"))
        for path in (self._files, self._used, self._placed):
            path.mkdir(parents=True, exist_ok=True)
        self._folder.chmod(0o700)

    def add(self, data: bytes) -> None:
        self._add(hashlib.sha256(data).hexdigest(), lambda new: new.write_bytes(data))

    def _add(self, digest: str, write: Callable[[pathlib.Path], object]) -> None:
        new = self._files / f".{digest}.{os.urandom(8).hex()}"
        try:
            write(new)
            new.chmod(0o755)
            os.replace(new, self._files / digest)
        finally:
            new.unlink(missing_ok=True)

    def _take(self, digest: str, shared: Optional[pathlib.Path]) -> Optional[pathlib.Path]:
        """The file of this content, from here or from a folder that has such files, too. None: it is in neither."""
        file = self._files / digest
        if shared is not None and digest_of(file) is None and digest_of(shared / digest) == digest:
            self._add(digest, lambda new: shutil.copyfile(shared / digest, new))
        found = digest_of(file)
        if found == digest:
            return file
        if found is not None:
            file.unlink(missing_ok=True)  # damaged
            return self._take(digest, shared) if shared is not None else None
        return None

    def _record(self, path: str) -> pathlib.Path:
        return self._placed / hashlib.sha256(path.encode()).hexdigest()

    def _is_ours(self, path: str, digest: str) -> bool:
        try:
            return digest in self._record(path).read_text().split()
        except FileNotFoundError:
            return False

    def provide(self, needs: Needs, shared: Optional[pathlib.Path] = None) -> list[str]:
        """Puts what is missing where it has to be. The digests of what is not here."""
        missing = []
        for name, digest in needs:
            there = digest_of(name)
            if there == digest or (there is not None and not self._is_ours(name, there)):
                continue  # heddle says so if it is not the same
            file = self._take(digest, shared)
            if file is None:
                missing.append(digest)
            else:
                self._place(file, pathlib.Path(name), digest, there is not None)
        self._evict({digest for _, digest in needs})
        return missing

    def _place(self, file: pathlib.Path, path: pathlib.Path, digest: str, replaces: bool) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        new = path.with_name(f".{path.name}.{os.urandom(8).hex()}.new")
        try:
            _link(file, new)
            with open(self._record(str(path)), "a") as record:
                record.write(digest + "\n")
            if replaces:
                with self._lock(fcntl.LOCK_EX | fcntl.LOCK_NB):
                    os.replace(new, path)
            else:
                os.link(new, path)
        except BlockingIOError:
            raise CacheError(f"{path} is in use by another campaign, of which it is another file") from None
        except FileExistsError:
            pass  # another worker of this machine was faster
        finally:
            new.unlink(missing_ok=True)

    def _evict(self, used: set[str]) -> None:
        """What was not used for the longest time goes, until the rest has room; what is placed stays where it is."""
        for digest in used:
            (self._used / digest).touch()
        sizes, times = self._stats(self._files, "st_size"), self._stats(self._used, "st_mtime_ns")
        bytes_left = sum(sizes.values())
        for digest in sorted(sizes.keys() - used, key=lambda digest: times.get(digest, 0)):
            if bytes_left > self._most_bytes:
                (self._files / digest).unlink(missing_ok=True)
                bytes_left -= sizes[digest]

    @staticmethod
    def _stats(folder: pathlib.Path, what: str) -> dict[str, int]:
        found = {}
        for file in folder.iterdir():
            with contextlib.suppress(FileNotFoundError):  # another worker's, which it has just removed or renamed
                found[file.name] = getattr(file.stat(), what)
        return found

    @contextlib.contextmanager
    def _lock(self, how: int) -> Iterator[None]:
        file = os.open(self._folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(file, how)
            yield
        finally:
            os.close(file)

    def in_use(self):
        """While a piece runs."""
        return self._lock(fcntl.LOCK_SH)
