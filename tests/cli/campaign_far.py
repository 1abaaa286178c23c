"""heddle-campaign as it is on a machine that is far away: for test_campaign_attack.py. By the environment:

    FAR_OVERDUE=SECONDS   who has a piece for so long is given up
    FAR_STALE=SECONDS     what this machine knows of a directory is up to so old, as on NFS: files of others are listed late, and
                          cannot be opened before; what is listed may be gone
"""

import builtins
import io
import os
import pathlib
import random
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "campaign"))
sys.dont_write_bytecode = True
import heddle_piece  # noqa: E402
from heddle_campaign import cli  # noqa: E402
from heddle_campaign.engines import files as files_engine  # noqa: E402

REAL = {"listdir": os.listdir, "stat": os.stat, "open": os.open, "file": io.open}
OF_HEDDLE = ("found.json", "root.result")  # written for the driver, on its own machine
CHANGES = ("rename", "replace", "link", "unlink", "mkdir")


class StaleDirectories:
    """What this process knows of the directories below `root`."""

    def __init__(self, root, seconds):
        self._root, self._seconds = root, seconds
        self._random = random.Random(os.getpid())
        self._known = {}  # of a directory: until when, names

    def install(self):
        os.listdir = lambda path=".": sorted(self._names(os.fspath(path)))
        os.stat = lambda path, **more: self._looked_up(path, REAL["stat"], **more)
        os.open = lambda path, flags, *more, **names: self._looked_up(path, REAL["open"], flags, *more, creates=flags & os.O_CREAT, **names)
        io.open = builtins.open = lambda path, mode="r", *more, **names: self._looked_up(
            path, REAL["file"], mode, *more, creates="r" not in mode, **names)
        for name in CHANGES:
            setattr(os, name, self._changing(getattr(os, name)))

    def _names(self, folder):
        folder = os.path.abspath(folder)
        if not folder.startswith(self._root):
            return REAL["listdir"](folder)
        until, names = self._known.get(folder, (0.0, set()))
        if time.monotonic() >= until:
            names = set(REAL["listdir"](folder))
            self._known[folder] = (time.monotonic() + self._random.random() * self._seconds, names)
        return names

    def _looked_up(self, path, call, *more, creates=False, **names):
        """A file of somebody else that is not known cannot be opened."""
        folder, name = os.path.split(os.path.abspath(path)) if isinstance(path, (str, os.PathLike)) else ("", "")
        below = folder.startswith(self._root) and name not in OF_HEDDLE
        if below and not creates and name not in self._names(folder):
            raise FileNotFoundError(2, "No such file or directory", os.fspath(path))
        result = call(path, *more, **names)
        if below and creates:
            self._known.pop(folder, None)
        return result

    def _changing(self, call):
        """What a process does itself it sees at once."""

        def changed(*paths, **more):
            try:
                return call(*paths, **more)
            finally:
                for path in paths:
                    if isinstance(path, (str, os.PathLike)):
                        self._known.pop(os.path.dirname(os.path.abspath(path)), None)

        return changed


if "FAR_OVERDUE" in os.environ:
    heddle_piece.OVERDUE_SLICES, heddle_piece.OVERDUE_S = 0, float(os.environ["FAR_OVERDUE"])
if "FAR_STALE" in os.environ:
    files_engine.UNSEEN_S = 2 * float(os.environ["FAR_STALE"])
    StaleDirectories(os.environ["FAR_ROOT"], float(os.environ["FAR_STALE"])).install()
sys.exit(cli.main(sys.argv[1:]))
