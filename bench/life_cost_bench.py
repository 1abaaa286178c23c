#!/usr/bin/env python3
"""What checking each access against the life of its memory adds to a search: processor time beside that of the same heddle
without it, in turn.

Usage: life_cost_bench.py BUILD-DIRECTORY [--rounds N] [--only NAME]
       life_cost_bench.py --check      only: do the changes below find their places in the sources?

The one without is that of BUILD-DIRECTORY with libheddle.so linked anew, with copies of those sources that the searches below
run through, in which UNCHECKED is changed. It compares accesses with each other (data races) and with nothing else. What malloc
does is the same in both (a block is freed late, and is a write to all of it), and so are executions and events.
"""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "oracle")]
import compare_builds  # noqa: E402
from measure import PROGRAMS  # noqa: E402
from planted import SRC, check_places  # noqa: E402
from planted_errors import commands  # noqa: E402

# name, file below src, what stands there (once, as a regular expression), what stands there instead
UNCHECKED = [
    ("bounds", "runtime/primitives/plain.h", r"return IsOnHeap\(address\) && __builtin_expect\(!g_program_heap\.IsInBlock\(address, size\), 0\);",
     "return address == 0 && size == 0;"),
    ("bounds of ranges", "runtime/primitives/plain.h", r"return IsOnHeap\(address\) && !g_program_heap\.IsAllInBlock\(address, size\);",
     "return address == 0 && size == 0;"),
    ("one thread", "runtime/primitives/plain.h", r"const bool bad = IsInProgramHeap[^;]*;", "const bool bad = false;"),
    ("ranges of one thread", "runtime/primitives/plain.h", r"const bool bad = IsRangeOutOfBounds[^;]*;", "const bool bad = false;"),
    ("bounds in arenas", "runtime/primitives/plain.cpp", r"bad = !g_program_heap\.IsInBlock\(address, size\);", "bad = address == 0;"),
    ("frames", "runtime/primitives/plain.cpp", r"return IsOfThread\(address\) && !IsOnOwnStack[^;]*;",
     "return address == 0 && self.id == op::kNoThread;"),
    ("atomics on stacks", "runtime/primitives/atomic.cpp", r"if \(__builtin_expect\(IsOfThread\(operation_\.object\), 0\)\) UseStack\(\);",
     "if (operation_.object == 0) UseStack();"),
    ("atomics on the heap", "runtime/primitives/atomic.cpp", r"IsRangeOutOfBounds\(operation_\.object, size_\) \|\| LooksForUnwritten\(\)",
     "LooksForUnwritten()"),
    ("atomics of one thread", "runtime/primitives/atomic.cpp", r"freed_ = check::IsFreed\([^;]*;", "freed_ = false;"),
    ("objects", "runtime/steps/object_use.h", r"return __builtin_expect\(IsOnHeap\(address\), 0\) \|\|\n[^;]*;",
     "return address == 0;"),
    ("objects on stacks", "runtime/steps/object_use.h", r"else if \(__builtin_expect\(IsOfThread\(object\.address\), 0\)\)",
     "else if (object.address == 0)"),
    ("frames of operations", "runtime/steps/frames.h", r"if \(__builtin_expect\(!same, 0\)\) ComeToFrame",
     "if (same && pc == 0) ComeToFrame"),
    ("freed memory", "check/data_race.cpp", r"freed = IsFreedPage\(chunk, visit\.granule\);\n.*\n  \} else if [^{]*\{\n    freed = true;\n"
     r"  \} else if [^{]*\{\n    freed = true;\n  \} else", "  } else"),
    ("marks of freed memory", "check/data_race.cpp", r"  if \(__builtin_expect\(visit\.frees, 0\)\) head\.key \|= kFreedBit;\n", ""),
    ("bounds of new blocks", "runtime/memory/heap_bounds.h", r"uint8_t\* bound = BoundOf\(payload\);\n",
     "uint8_t* bound = BoundOf(payload);\n  if (bytes <= capacity) return;\n"),
    ("bounds of freed blocks", "runtime/memory/heap_bounds.h", r"  Fill\(BoundOf\(begin\), 0, \(end - begin\) / kUnit\);",
     "  if (begin == 0) Fill(BoundOf(begin), 0, end / kUnit);"),
]

# What of it is compiled; and the inline functions that are other ones there than elsewhere, which need another name.
COMPILED = ["runtime/hooks/tsan_access.cpp", "runtime/hooks/memory_functions.cpp", "runtime/primitives/plain.cpp",
            "runtime/primitives/atomic.cpp", "runtime/primitives/mutex.cpp", "runtime/steps/scheduler.cpp",
            "runtime/steps/thread_life.cpp", "runtime/memory/arena.cpp", "check/data_race.cpp"]
INLINE = ["IsOutOfBounds", "IsRangeOutOfBounds", "PlainAlone", "PlainRangeAlone", "Plain", "PlainRange", "MayEnd", "BeginUse",
          "EndUse", "NoteFrame", "SetBounds", "ForbidRange"]

RANDOM = ["--order", "random", "--executions"]
# As in compare_builds.py. Of the first three nearly all events are plain accesses, of the others none is.
ROWS = [
    ("queue", PROGRAMS / "concurrent_queue.cpp", [], [*RANDOM, "20000"]),
    ("plain accesses, 1000", PROGRAMS / "plain_accesses.c", [1000], [*RANDOM, "6000"]),
    ("plain accesses, 100000", PROGRAMS / "plain_accesses.c", [100000], [*RANDOM, "60", "--max-events", "10000000"]),
    ("mutex counter", PROGRAMS / "mutex_counter.c", [], [*RANDOM, "200000"]),
    ("two threads", PROGRAMS / "two_threads.cpp", [], [*RANDOM, "150000"]),
    ("growth", PROGRAMS / "growth.c", [4, 100], [*RANDOM, "15000"]),
]


def unchecked_heddle(build, folder):
    """A folder with the heddle of `build`, whose libheddle.so does not check lives."""
    for file in dict.fromkeys(file for _, file, *_ in UNCHECKED):
        text = (SRC / file).read_text()
        for _, changed, pattern, replacement in UNCHECKED:
            if changed == file:
                text = re.sub(pattern, replacement, text)
        (folder / "src" / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / "src" / file).write_text(text)
    compile_of, link = commands(build)
    for number, file in enumerate(COMPILED):
        was = re.search(r" -o (\S+)", compile_of[file])[1]
        made, copy = folder / f"{number}.o", folder / "src" / file
        command, source = compile_of[file].rsplit(" ", 1)
        command = re.sub(r" -MD -MT \S+ -MF \S+| -Werror\b", "", command).replace(f" -o {was} ", f" -o {made} ")
        command = command.replace(" -I", f" -I{folder / 'src'} -I", 1)
        names = " ".join(f"-D{name}={name}Unchecked" for name in INLINE)
        run_shell(command.replace(" -c", f" {names} -c") + f" {copy if copy.exists() else source}", build)
        # What comes out of a library does not if it is there already.
        link = link.replace(f" {was} ", f" {made} ") if f" {was} " in link else link.replace(" -o ", f" {made} -o ", 1)
    run_shell(link.replace("-o libheddle.so", f"-o {folder / 'libheddle.so'}"), build)
    for file in build / "heddle", *build.glob("heddle-*"):
        shutil.copy(file, folder / file.name)
    for part in "include", "assembler":
        shutil.copytree(build / part, folder / part, dirs_exist_ok=True)
    return folder


def run_shell(command, folder):
    subprocess.run(command, cwd=folder, check=True, shell=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", nargs="?", type=pathlib.Path)
    parser.add_argument("--check", action="store_true", help="only look for the places of the changes")
    parser.add_argument("--keep", type=pathlib.Path, metavar="FOLDER", help="make the heddle without there, and leave it")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--only", action="append", metavar="NAME", help="rows whose name contains this")
    options = parser.parse_args()
    if options.check:
        return check_places(SRC, UNCHECKED)
    if options.build is None:
        parser.error("BUILD-DIRECTORY is missing")
    build = options.build.resolve()
    with tempfile.TemporaryDirectory(prefix="heddle-bench-") as folder:
        unchecked = unchecked_heddle(build, options.keep or pathlib.Path(folder))
        compare_builds.compare(unchecked, build, ROWS, options.rounds, options.only)
    return 0


if __name__ == "__main__":
    sys.exit(main())
