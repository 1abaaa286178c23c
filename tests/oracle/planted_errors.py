#!/usr/bin/env python3
"""Shows that the oracle notices errors in the real runtime.

One error at a time is planted in a copy of a source file of src/runtime; libheddle.so is linked with that copy, beside a
copy of heddle, and the oracle asks them instead of those that were built. It must disagree. With the sources as they
are, it must agree.

Usage: planted_errors.py --build DIR [--programs N] [NAME ...]      (all errors without a NAME)
       planted_errors.py --check      only: does each error find its place in the sources?
"""

import argparse
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests"))
from planted import SRC, check_places, parse_built, plant  # noqa: E402
TIME_LIMIT_S = 900
LIFE = "life,mutex,semaphore,condition,rwlock"

# name, file below src/runtime, what stands there (once, as a regular expression), what stands there instead, themes; the
# first seed, if few programs notice
PLANTED = [
    ("init-is-no-step", "primitives/life.cpp", r"(kInitialise, object, pc\);\n  )Reach\(operation, &object\);\n", r"\1",
     LIFE),
    ("init-commutes", "primitives/life.cpp", r"(Commit\(operation, &object, op::Access::)kWrite(\);\n  EndUse\(object, pc\);\n  // Whoever takes)",
     r"\1kNone\2", LIFE),
    ("destroy-is-no-step", "primitives/life.cpp", r"(kDestroy, object, pc\);\n  )Reach\(operation, &object\);\n", r"\1",
     LIFE),
    ("destroy-commutes", "primitives/life.cpp", r"(BeginUse\(operation, object\);\n  Commit\(operation, &object, op::Access::)kWrite",
     r"\1kNone", LIFE),
    ("thread-end-is-no-step", "steps/thread_life.cpp", r"if \(g_state\.thread_ends\) Reach\(end, &object\);", "",
     "joins,robust"),
    ("thread-end-commutes", "steps/thread_life.cpp", r"g_state\.thread_ends \? op::Access::kWrite : op::Access::kNone",
     "op::Access::kNone", "joins,robust"),
    ("overlapping-atomics-commute", "primitives/atomic.cpp", r"if \(size <= kShownBytes\) object_ = FindAtom\(operation_\.object, size\);",
     "object_ = &FindObject(operation_.object, ObjectKind::kWord);", "mixed-atomics"),
    ("store-commutes", "primitives/atomic.cpp", r"(Done\(op::Access::)kWrite(, old_value, value, changed)",
     r"\1kNone\2", "mixed-atomics,mutex"),
    ("signal-wakes-the-first", "primitives/condition.cpp", r"ChooseOption\(trace::ChoiceKind::kWaiter, waiters\.count\)", "0u",
     "condition", 1000766),
    ("unlock-orders-nothing", "objects/mutex.cpp", r"(without pthread_mutex_consistent\n  return )\{\.releases = Releases::kAs\}", r"\1{}",
     "mutex,plain"),
    ("destroyed-mutex-unnoticed", "primitives/mutex.cpp", r"if \(IsFree\(object\.mutex\)\) RequireInitialised",
     "if (false) RequireInitialised", "life,mutex"),
    ("misuse-is-no-access", "steps/commit.cpp", r"if \(self\.attempted == nullptr\) return;", "return;", LIFE),
    ("end-when-done-is-no-step", "steps/program_end.cpp", r"(if \(!MayLeaveThreads\(self\))(\) return;)", r"\1 || self.done\2", "done,ends"),
    ("begin-of-a-wait-is-no-step", "primitives/life.cpp", r"__builtin_expect\(g_state\.waits_begin, 0\)", "false",
     "life,mutex,semaphore,condition,rwlock,barrier", 8002213),
    ("barrier-lets-go-too-soon", "objects/barrier.cpp", r"\+\+barrier\.arrived != barrier\.needed",
     "++barrier.arrived + 1 < barrier.needed", "barrier"),
]


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=int, default=300)
    return parse_built(parser, [name for name, *_ in PLANTED])


def commands(build):
    """How the sources of libheddle.so are compiled, by path below src, and how it is linked."""
    lines = subprocess.run(["ninja", "-t", "commands", "libheddle.so"], cwd=build, check=True, capture_output=True,
                           text=True).stdout.splitlines()
    compile_of = {}
    for line in lines:
        source = re.search(r" -c (\S*/src/(\S+\.cpp))$", line)
        if source:
            compile_of[source[2]] = line
    return compile_of, lines[-1]


def planted_heddle(build, folder, name, file, pattern, replacement):
    """A heddle with the error in a copy of `file`, a path below src."""
    text, wrong = plant(SRC, name, file, pattern, replacement)
    if wrong:
        sys.exit(wrong)
    folder.mkdir()
    copy, planted = folder / "planted.cpp", folder / "planted.o"
    copy.write_text(text)
    compile_of, link = commands(build)
    words = shlex.split(compile_of[file])
    was = words[words.index("-o") + 1]
    words[words.index("-o") + 1] = str(planted)
    words[-1] = str(copy)
    words = [word for word in words if word != "-MD" and word != "-Werror"]
    for option in "-MF", "-MT":
        if option in words:
            at = words.index(option)
            del words[at:at + 2]
    subprocess.run(words, cwd=build, check=True)
    # What comes out of a library does not if it is there already.
    link = link.replace(f" {was} ", f" {planted} ") if f" {was} " in link else link.replace(" -o ", f" {planted} -o ")
    link = link.replace("-o libheddle.so", f"-o {folder / 'libheddle.so'}")
    subprocess.run(link, cwd=build, check=True, shell=True)
    return shutil.copy(build / "heddle", folder / "heddle")


def agrees(build, heddle, programs, themes, seed=1):
    environment = dict(os.environ, HEDDLE_ORACLE_HEDDLE=str(heddle), HEDDLE_ORACLE_PROGRAMS=str(programs),
                       HEDDLE_ORACLE_SEED=str(seed), HEDDLE_ORACLE_THEMES=themes, HEDDLE_ORACLE_SEARCHES="optimal")
    done = subprocess.run([build / "heddle_oracle_tests"], env=environment, capture_output=True, text=True,
                          timeout=TIME_LIMIT_S)
    found = re.search(r"HEDDLE_ORACLE_SEED=(\d+) HEDDLE_ORACLE_PROGRAMS=1 (.*)", done.stdout)
    return done.returncode == 0, f"seed {found[1]}: {found[2][:100]}" if found else ""


def main():
    arguments = read_arguments()
    if arguments.check:
        return check_places(SRC / "runtime", [error[:4] for error in PLANTED])
    missed = []
    build = arguments.build.resolve()
    if not agrees(build, build / "heddle", arguments.programs, LIFE)[0]:
        sys.exit("without an error planted the oracle does not agree")
    with tempfile.TemporaryDirectory(prefix="heddle-planted-") as folder:
        for name, file, pattern, replacement, *where in PLANTED:
            if arguments.names and name not in arguments.names:
                continue
            heddle = planted_heddle(build, pathlib.Path(folder) / name, name, f"runtime/{file}", pattern, replacement)
            agreed, seen = agrees(build, heddle, arguments.programs, *where)
            print(f"{name:30} {'NOT CAUGHT' if agreed else seen}", flush=True)
            missed += [name] if agreed else []
    if missed:
        print(f"not caught with {arguments.programs} programs: {', '.join(missed)}", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
