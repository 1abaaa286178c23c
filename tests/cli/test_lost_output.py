"""Output that cannot be written, because the disk is full or files are limited (ulimit -f): a line on stderr and status 2,
whatever the search found. Never a report that is lost with the status of one that was printed."""

import os
import resource
import subprocess
import sys

from heddle_run import SECONDS, Case, Done

WRONG = """
#include <stdatomic.h>
#include "run_threads.h"
static atomic_int x;
static void *Add(void *arg) { int seen = x; x = seen + 1; return arg; }
int main() { RunSame(2, Add); assert(x == 2); }
"""
CORRECT = WRONG.replace("int seen = x; x = seen + 1;", "x++;")

if not os.access("/dev/full", os.W_OK):
    sys.exit(77)
case = Case(sys.argv[1])


def heddle(*arguments, stdout=subprocess.PIPE, file_size=None):
    def limit():
        if file_size is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (file_size, file_size))
    command = [str(case.build / "heddle"), *map(str, arguments)]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=stdout, stderr=subprocess.PIPE, text=True,
                          timeout=SECONDS, cwd=case.path, preexec_fn=limit)
    return Done(command, done.returncode, done.stdout or "", done.stderr)


def expect_lost(what, words, *arguments, **options):
    done = heddle(*arguments, **options)
    case.expect(what, done.status == 2 and all(word in done.err for word in words), done)


wrong, correct = case.compile("wrong", WRONG), case.compile("correct", CORRECT)
done = heddle("check", "--json", "result.json", "--out", "out", wrong)
schedule = next((case.path / "out").glob("*.heddle"))
case.expect("the program has a bug", done.status == 1, done)
FULL = ["cannot write", "No space left"]
with open("/dev/full", "w") as full:
    for name, program in (("a bug", wrong), ("no bug", correct)):
        expect_lost(f"report to a full disk, {name}", FULL, "check", program, stdout=full)
        expect_lost(f"JSON to a full disk, {name}", FULL + ["/dev/full"], "check", "--json", "/dev/full", program)
    expect_lost("one line for each bug to a full disk", FULL, "check", "--quiet", wrong, stdout=full)
    expect_lost("replay to a full disk", FULL, "replay", schedule, stdout=full)
    expect_lost("JSON of a replay to a full disk", FULL + ["/dev/full"], "replay", "--json", "/dev/full", schedule)
    expect_lost("heddle report to a full disk", FULL, "report", "result.json", stdout=full)
    for form in "--html", "--sarif", "--junit":
        expect_lost(f"heddle report {form} to a full disk", FULL, "report", form, "result.json", stdout=full)
        expect_lost(f"heddle report {form} -o a full disk", FULL + ["/dev/full"], "report", form, "-o", "/dev/full", "result.json")
    for option in (["--version"], ["--help"], ["check", "--help"]):
        expect_lost(f"{' '.join(option)} to a full disk", FULL, *option, stdout=full)

# The kernel would kill heddle for it.
for blocks in (0, 1, 4096):
    expect_lost(f"files limited to {blocks} bytes", ["File too large", "ulimit -f"], "check", wrong, file_size=blocks)
    expect_lost(f"replay with files limited to {blocks} bytes", ["File too large"], "replay", schedule, file_size=blocks)
with open(case.path / "report.txt", "w") as report:
    expect_lost("heddle report into a file of no bytes", ["File too large"], "report", "result.json", stdout=report, file_size=0)

# A disk that is full when the schedule is written: it is told, and the finding is printed all the same.
disk = case.path / "disk"
disk.mkdir()
if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4k", "tmpfs", disk], stderr=subprocess.DEVNULL).returncode == 0:
    try:
        (disk / "fill").write_bytes(bytes(4096))
        lost = f"heddle: cannot write {disk}/out/wrong-assertion-"
        done = heddle("check", "--out", disk / "out", wrong)
        case.expect("a schedule to a full disk", done.status == 1 and "assertion `x == 2' failed" in done.out and "replay:" not in done.out
                    and done.err.count("\n") == 1 and lost in done.err and "No space left" in done.err, done)
        done = heddle("check", "--out", disk / "out", "--json", disk / "r.json", wrong)
        case.expect("schedule and JSON to a full disk", done.status == 2 and "assertion `x == 2' failed" in done.out
                    and done.err.count("No space left") == 2 and done.err.count("\n") == 2, done)
        case.expect("nothing half is left", [path.name for path in disk.iterdir()] == ["fill"], done)
    finally:
        subprocess.run(["umount", disk], check=True)
else:
    print("skipped: no file system can be mounted here")
case.finish()
