"""The program travels: what its pieces need, by content, to workers that lack it (heddle_cache.py). Dask sends it; workers that see
the directory of the campaign find there

    ship.json      which heddle, in which directory, and the path and SHA-256 of each file
    files/SHA256   the files
    worker/        heddle-campaign itself: python3 DIR/worker/heddle-campaign work DIR
"""

import contextlib
import json
import pathlib
import re
import shutil
import subprocess
import sys
from typing import Optional

import heddle_cache
import heddle_piece
from heddle_campaign.directory import Directory, write_whole
from heddle_campaign.errors import CampaignError
from heddle_campaign.result_file import Needs

MODULES = pathlib.Path(heddle_piece.__file__).parent


def with_digests(paths: list[str]) -> heddle_cache.Needs:
    needs = []
    for path in paths:
        digest = heddle_cache.digest_of(path)
        if digest is None:
            raise CampaignError(f"cannot read {path}")
        needs.append((path, digest))
    return needs


def libraries_of(program: str) -> list[str]:
    """Those that are loaded when it starts. A script has none."""
    told = subprocess.run(["ldd", program], stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace").stdout
    return [path for path in re.findall(r"(?:=> |^\s*)(/\S+)", told, re.MULTILINE) if pathlib.Path(path).is_file()]


def needs_of_heddle(heddle: str) -> heddle_cache.Needs:
    beside = [path for path in pathlib.Path(heddle).parent.glob("libheddle.so")]
    return with_digests([heddle, *libraries_of(heddle), *map(str, beside)])


def require_unchanged(path: str, digest: str) -> None:
    if heddle_cache.digest_of(path) != digest:
        raise CampaignError(f"{path} is not what it was when the search was cut")


def contents(paths: dict[str, str], digests: list[str]) -> list[bytes]:
    """Of the files that have these digests; `paths`: where they are."""
    for digest in digests:
        require_unchanged(paths[digest], digest)
    return [pathlib.Path(paths[digest]).read_bytes() for digest in digests]


def publish(directory: Directory, heddle: str, needs: Needs, inputs: heddle_cache.Needs) -> None:
    """For workers that see the directory."""
    files, worker = directory.path / "files", directory.path / "worker"
    files.mkdir(exist_ok=True)
    every = dict([*needs.files, *inputs, *needs_of_heddle(heddle)])
    for path, digest in every.items():
        require_unchanged(path, digest)
        if not (files / digest).exists():
            write_whole(files / digest, pathlib.Path(path).read_bytes())
    if not worker.exists():
        new = directory.path / "worker.new"
        shutil.rmtree(new, ignore_errors=True)
        shutil.copytree(MODULES, new, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copyfile(sys.argv[0], new / "heddle-campaign")  # installed, it is in another folder
        new.rename(worker)
    told = {"heddle": heddle, "directory": needs.directory, "needs": list(every.items())}
    write_whole(directory.path / "ship.json", json.dumps(told).encode())


def shipped(directory: Directory) -> Optional[dict]:
    try:
        return json.loads((directory.path / "ship.json").read_text())
    except FileNotFoundError:
        return None


def provided(directory: Directory, told: Optional[dict]) -> contextlib.AbstractContextManager[list[str]]:
    if told is None:
        return contextlib.nullcontext([])
    return heddle_piece.provided(told["needs"], told["directory"], [], directory.path / "files")
