"""Compares the places that reports show with what addr2line -i says, call by call: for every call in the code of test programs,
with both compilers at -O0, -Og, -O1 and -O2, the lines are those of the same chain of inlined functions, and the place shown is one
of them, in the program's own code wherever one of them is.

Usage: compare.py BUILD [--all]     a sample made to be hard, in a few builds; with --all all of tests/programs and tests/bugs, too
"""

import argparse
import concurrent.futures
import functools
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "tests"))
import run_program  # noqa: E402

BUILDS = [(compiler, level) for compiler in ("gcc", "clang") for level in ("-O0", "-Og", "-O1", "-O2")]
FEW_BUILDS = [("gcc", "-Og"), ("gcc", "-O2"), ("clang", "-O1")]
LIBRARY = re.compile(r"^/usr/(include|lib)/|/heddle\.hpp$|/heddle\.h$")
SECONDS = 600


def run(command, text=None):
    return subprocess.run(command, input=text, capture_output=True, text=True, errors="replace", timeout=SECONDS, check=True).stdout


def returns_of(binary):
    """Where the calls of its code return to. What follows a call in the listing is the next instruction."""
    addresses, after_call = [], False
    for line in run(["objdump", "-d", "--no-show-raw-insn", "-j", ".text", binary]).splitlines():
        match = re.match(r"\s*([0-9a-f]+):\s+(\S+)", line)
        if not match:
            continue
        if after_call:
            addresses.append(int(match[1], 16))
        after_call = match[2].startswith("call")
    return addresses


def lines_by(tool, binary, addresses):
    """The places of each address's chain, innermost first."""
    text = run([tool, "-a", "-i", "-e", binary], "".join(f"0x{address - 1:x}\n" for address in addresses))
    chains = []
    for line in text.splitlines():
        if re.fullmatch(r"0x[0-9a-f]+", line):
            chains.append([])
        else:
            chains[-1].append(re.sub(r" \(discriminator \d+\)$", "", line))
    return chains


def normal(place):
    file, _, line = place.rpartition(":")
    return (os.path.normpath(file) if file != "??" else file) + ":" + ("0" if line == "?" else line)


@functools.cache
def length_of(file):
    try:
        return len(pathlib.Path(file).read_text(errors="replace").splitlines())
    except OSError:
        return sys.maxsize


def is_same(ours, theirs):
    """The same place; or addr2line's is none. That of binutils 2.40 gives lines of functions that the compiler has made itself to
    the source of the unit, which is shorter: `objdump --dwarf=decodedline` says otherwise."""
    file, _, line = theirs.rpartition(":")
    return ours == theirs or (ours.rpartition(":")[2] == line and int(line) > length_of(file))


def judge(told, chain):
    """What is wrong with a place and its frames, or None."""
    frames, _, shown = told.partition(" ")[2].rpartition(" | ")
    frames = [normal(place) for place in frames.split(" ")]
    if len(frames) != len(chain) or not all(map(is_same, frames, chain)):
        return f"frames {frames}, addr2line {chain}"
    own = [place for place in frames if not LIBRARY.search(place.rpartition(":")[0])]
    if normal(shown) not in (own or frames):
        return f"shown {shown}, of {chain}"
    return None


def differences(frames_of, binary):
    """How many calls were looked at, and what is wrong."""
    addresses = returns_of(binary)
    ours = run([frames_of, binary], "".join(f"{address:x}\n" for address in addresses)).splitlines()
    wrong, looked_at = {}, 0
    for address, told, chain in zip(addresses, ours, lines_by("addr2line", binary, addresses), strict=True):
        chain = [normal(place) for place in chain]
        if all(place.endswith(":0") for place in chain):
            continue  # the start-up code's
        looked_at += 1
        if why := judge(told, chain):
            wrong[address] = told, why
    if wrong and shutil.which("llvm-addr2line"):  # a second opinion
        for address, chain in zip(list(wrong), lines_by("llvm-addr2line", binary, wrong), strict=True):
            if judge(wrong[address][0], [normal(place) for place in chain]) is None:
                del wrong[address]
    return looked_at, [f"{address:x}: {why}" for address, (_, why) in wrong.items()]


def built(build, folder, source, compiler, level):
    """The program, or None: this compiler does not build it."""
    binary = folder / f"{source.stem}{level}-{compiler}"
    driver = build / ("heddle-cc" if source.suffix == ".c" else "heddle-c++")
    try:
        settings = run_program.Program(source).settings
    except run_program.Failure:
        settings = {"flags": [], "build": ["heddle"], "std": []}
    command = [driver, f"--heddle-compiler={compiler}", "-g", "-w", level, "-pthread", f"-I{ROOT / 'include'}",
               f"-I{ROOT / 'tests' / 'programs'}", *[f"-std={word}" for word in settings["std"][:1]], "-o", binary, source,
               *settings["flags"]]
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
    return binary if done.returncode == 0 else None


def check(job):
    build, source, compiler, level = job
    with tempfile.TemporaryDirectory(prefix="heddle-lines-") as folder:
        binary = built(build, pathlib.Path(folder), source, compiler, level)
        if binary is None:
            return source, compiler, level, 0, []
        return (source, compiler, level, *differences(build / "heddle_frames_of", binary))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    sources = sorted(HERE.glob("sample_*.cpp"))
    if options.all:
        for folder in "programs/correct", "programs/wrong", "programs/incomplete", "bugs":
            sources += sorted(path for path in (ROOT / "tests" / folder).iterdir() if path.suffix in (".c", ".cpp"))
    builds = BUILDS if options.all else FEW_BUILDS
    jobs = [(options.build.resolve(), source, *one) for source in sources for one in builds]
    calls, programs, failed, sample_calls = 0, 0, 0, 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for source, compiler, level, looked_at, wrong in pool.map(check, jobs):
            calls += looked_at
            programs += looked_at != 0
            if source.parent == HERE and looked_at == 0:
                wrong = ["no call was looked at"]
            failed += len(wrong)
            for line in wrong[:5]:
                print(f"{source.relative_to(ROOT)} {compiler} {level}: {line}")
    print(f"{calls} calls of {programs} programs: {failed} with another place than addr2line's")
    sys.exit(1 if failed or not calls else 0)


if __name__ == "__main__":
    main()
