"""Which pieces are still to be run: those that results name, reached from the root, and that have no result. The same rule as
`heddle merge` has (src/session/follow.h)."""

import collections
import pathlib
from typing import Optional

from heddle_campaign import result_file


class Frontier:
    """The results in a folder, `PIECE.result` each, and what they leave."""

    def __init__(self, results: pathlib.Path):
        self._results = results
        self._place: dict[str, tuple[pathlib.Path, int, int]] = {}  # of each known piece: file, where it begins, bytes
        self._waiting: collections.deque[str] = collections.deque()
        self._handed: set[str] = set()
        self.campaign = ""
        self.done = self.executions = self.bugs = 0
        self.ends: dict[str, str] = {}  # of pieces that did not end as they should: "grew", "bug", "gave-up"
        self._follow([result_file.ROOT])

    def _follow(self, pieces: list[str]) -> None:
        while pieces:
            piece = pieces.pop()
            try:
                data = self.path_of(piece).read_bytes()
            except FileNotFoundError:
                self._waiting.append(piece)
                continue
            pieces += self._count(piece, result_file.read(data))

    def _count(self, piece: str, result: result_file.Result) -> list[str]:
        """The pieces that are new with this result."""
        if result.piece != piece or (self.campaign and result.campaign != self.campaign):
            raise result_file.BadResult("of another piece")
        self.campaign = result.campaign
        self.done += 1
        self.executions += result.executions
        self.bugs += result.bugs
        if result.end != "explored":
            self.ends[piece] = result.end
        new = [left for left in result.left if left[0] not in self._place]
        for left, begin, size in new:
            self._place[left] = (self.path_of(piece), begin, size)
        return [left for left, _, _ in new]

    def path_of(self, piece: str) -> pathlib.Path:
        return self._results / f"{piece}.result"

    def bytes_of(self, piece: str) -> bytes:
        path, begin, size = self._place[piece]
        with open(path, "rb") as file:
            file.seek(begin)
            return file.read(size)

    def any_piece(self) -> Optional[bytes]:
        return self.bytes_of(next(iter(self._place))) if self._place else None

    def only(self, share: int, of: int) -> None:
        """Leaves the others' pieces to them: everybody who has the same results takes the same shares."""
        self._waiting = collections.deque(sorted(self._waiting)[share - 1 :: of])

    @property
    def waiting(self) -> int:
        return len(self._waiting)

    @property
    def running(self) -> int:
        return len(self._handed)

    def next(self) -> Optional[str]:
        """A piece to hand out; the oldest, which is the largest."""
        if not self._waiting:
            return None
        piece = self._waiting.popleft()
        self._handed.add(piece)
        return piece

    def give_back(self, piece: str) -> None:
        """No result came of it."""
        if piece in self._handed:
            self._handed.discard(piece)
            self._waiting.append(piece)

    def finish(self, piece: str, data: bytes) -> bool:
        """Its result is in the folder. False: that was known."""
        if piece not in self._handed:
            return False
        self._handed.discard(piece)
        self._waiting.extend(self._count(piece, result_file.read(data)))
        return True
