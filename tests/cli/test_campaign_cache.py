"""The cache of files on the machine of a worker (campaign/heddle_cache.py): by content, of a size, for several workers at once, and
whatever is damaged in it is noticed."""

import hashlib
import os
import pathlib
import subprocess
import sys

from heddle_run import Case, Done

case = Case(sys.argv[1])
sys.path.insert(0, str(case.source / "campaign"))
sys.dont_write_bytecode = True
from heddle_cache import Cache, CacheError  # noqa: E402


def expect(what, holds):
    case.expect(what, holds, Done([], 0, "", ""))


def digest(data):
    return hashlib.sha256(data).hexdigest()


folder, there = case.path / "cache", case.path / "opt"
cache = Cache(folder, 300)
first, second, third = (bytes([number]) * 100 for number in (1, 2, 3))
program = str(there / "deep" / "program")
needs = [(program, digest(first))]
expect("it is asked for", cache.provide(needs) == [digest(first)])
cache.add(first)
expect("and is where it has to be", cache.provide(needs) == [] and pathlib.Path(program).read_bytes() == first)
expect("and can be run", os.access(program, os.X_OK))
os.unlink(program)
expect("it is not asked for twice", Cache(folder, 300).provide(needs) == [] and pathlib.Path(program).read_bytes() == first)

# Another program in the same place: ours are replaced, unless a piece runs with them; those of others never.
cache.add(second)
needs = [(program, digest(second))]
with cache.in_use():
    try:
        cache.provide(needs)
        expect("a file in use is not replaced", False)
    except CacheError as error:
        expect("a file in use is not replaced", "in use" in str(error) and pathlib.Path(program).read_bytes() == first)
expect("another one takes its place", cache.provide(needs) == [] and pathlib.Path(program).read_bytes() == second)
os.unlink(program)
pathlib.Path(program).write_bytes(b"somebody else's")
expect("what others have put there stays", cache.provide(needs) == [] and pathlib.Path(program).read_bytes() == b"somebody else's")

# Damage.
os.unlink(program)
(folder / "files" / digest(second)).write_bytes(second[:-1] + b"x")
expect("a damaged file is asked for again", cache.provide(needs) == [digest(second)] and not os.path.exists(program))
(folder / "files" / digest(second)).write_bytes(b"")
shared = case.path / "shared"
shared.mkdir()
(shared / digest(second)).write_bytes(second)
expect("or taken from where all see it", cache.provide(needs, shared) == [] and pathlib.Path(program).read_bytes() == second)
(shared / digest(third)).write_bytes(b"damaged there, too")
expect("if it is right there", cache.provide([(str(there / "third"), digest(third))], shared) == [digest(third)])

# The oldest go first, never what is needed.
for number in range(4, 8):
    cache.add(bytes([number]) * 100)
    cache.provide([(str(there / str(number)), digest(bytes([number]) * 100))])
left = {file.name for file in (folder / "files").iterdir()}
expect("at most 300 bytes", left == {digest(bytes([number]) * 100) for number in (5, 6, 7)})
small = Cache(folder, 10)
expect("but what is needed has room", small.provide([(str(there / "5"), digest(bytes([5]) * 100))]) == []
       and {file.name for file in (folder / "files").iterdir()} == {digest(bytes([5]) * 100)})

# Four workers of one host, that all lack the same large file.
large = os.urandom(1 << 18)
(shared / digest(large)).write_bytes(large)
text = f"""
import pathlib, sys
sys.path.insert(0, {str(case.source / "campaign")!r})
from heddle_cache import Cache
cache = Cache(pathlib.Path({str(case.path / "many")!r}))
for turn in range(10):
    needs = [({str(there / "large")!r} + str(turn), {digest(large)!r})]
    assert cache.provide(needs, pathlib.Path({str(shared)!r})) == []
    with cache.in_use():
        assert pathlib.Path(needs[0][0]).read_bytes() == pathlib.Path({str(shared / digest(large))!r}).read_bytes()
"""
many = [subprocess.Popen([sys.executable, "-B", "-c", text]) for _ in range(4)]
expect("four at once", [one.wait() for one in many] == [0] * 4)
expect("one file for all of them", [file.name for file in (case.path / "many" / "files").iterdir()] == [digest(large)])
expect("nobody else may read it", (folder.stat().st_mode & 0o777) == 0o700)
case.finish()
