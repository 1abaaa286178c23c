"""Reads pieces and their results, as far as a driver needs them: who they are of, how they ended, what is left, which files a
program has. docs/pieces.md has the format."""

import dataclasses
import hashlib
import json
import struct
from typing import Iterator

HEAD = struct.Struct("<8sII")
PART = struct.Struct("<IIQQ")
WORDS, DIGEST, REPORT, PIECE = 2, 3, 9, 12
ID_DIGITS = 32
ROOT = "root"


class BadResult(Exception):
    """Not what `heddle work` has written, or not all of it."""


@dataclasses.dataclass(frozen=True)
class Result:
    campaign: str
    piece: str
    end: str  # explored, bug, grew, gave-up
    why: str
    executions: int
    bugs: int
    left: list[tuple[str, int, int]]  # pieces: id, where it begins in the file, bytes


def parts(data: bytes, letter: bytes = b"R") -> Iterator[tuple[int, int, int]]:
    """Kind, beginning and end of each part. The digest at the end is compared."""
    if len(data) < HEAD.size or HEAD.unpack_from(data)[0] != b"heddle\0" + letter:
        raise BadResult("no result of a piece")
    at = HEAD.size
    while at + PART.size <= len(data):
        kind, _, before, size = PART.unpack_from(data, at)
        begin, end = at + PART.size, at + PART.size + size
        if end > len(data):
            break
        if kind == DIGEST:
            if before == at and end == len(data) and hashlib.sha256(data[:at]).digest() == data[begin:end]:
                return
            break
        yield kind, begin, end
        at = end
    raise BadResult("damaged")


def names_and_values(data: bytes) -> list[tuple[str, str]]:
    fields = data.decode(errors="replace").split("\0")
    return list(zip(fields[::2], fields[1::2]))


@dataclasses.dataclass(frozen=True)
class Needs:
    """What has to be on a machine that explores a piece."""

    directory: str
    files: list[tuple[str, str]]  # path, SHA-256


def needs_of(piece: bytes) -> Needs:
    if piece.startswith(b"{"):  # a search that is whole (swarm.py)
        search = json.loads(piece)
        return Needs(search["directory"], [(path, digest) for path, digest in search["needs"]])
    directory, files, digest = "", [], ""
    for kind, begin, end in parts(piece, b"P"):
        for name, value in names_and_values(piece[begin:end]) if kind == WORDS else []:
            if name == "directory":
                directory = value
            elif name == "sha256":
                digest = value
            elif name == "file":
                files.append((value, digest))
    return Needs(directory, files)


def read(data: bytes) -> Result:
    words: dict[str, str] = {}
    report, left = {}, []
    for kind, begin, end in parts(data):
        if kind == WORDS:
            words.update(names_and_values(data[begin:end]))
        elif kind == REPORT:
            report = json.loads(data[begin:end])
        elif kind == PIECE:
            # The id of a piece is in the digest at its own end.
            digest = data[end - hashlib.sha256().digest_size : end]
            left.append((digest.hex()[:ID_DIGITS], begin, end - begin))
    try:
        return Result(
            campaign=words["campaign"],
            piece=words["piece"],
            end=words["end"],
            why=words.get("why", ""),
            executions=int(report.get("executions", 0)),
            bugs=len(report.get("bugs", [])),
            left=left,
        )
    except KeyError as missing:
        raise BadResult(f"it does not say its {missing}") from None
