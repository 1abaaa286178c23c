"""Schedules of two programs, of two bugs, and of a program that was built again stay apart in one --out; names may be as
strange as the system takes them; replay says when a source is newer than the program."""

import os
import shlex
import shutil
import subprocess
import sys
import time

from heddle_run import SECONDS, Case, Done, read_json

PROGRAM = """
#include <stdatomic.h>
#include "run_threads.h"
static atomic_int x;
static void *Add(void *arg) { int seen = x; x = seen + 1; return arg; }
int main(int argc, char **argv) { RunSame(2, Add); assert(x == 2); return argv[argc] != 0; }
"""
DEADLOCK = """
#include "run_threads.h"
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void *Lock(void *arg) {
  pthread_mutex_t *first = arg ? &b : &a, *second = arg ? &a : &b;
  pthread_mutex_lock(first); pthread_mutex_lock(second);
  pthread_mutex_unlock(second); pthread_mutex_unlock(first);
  return 0;
}
int main() { RunSame(2, Lock); }
"""

case = Case(sys.argv[1])
out = case.path / "out"


def contents():
    return {path.name: path.read_bytes() for path in out.glob("*")}


def check(what, program, *arguments, new=1, **options):
    """A search that finds a bug and leaves `new` files; the others stay as they are."""
    before = contents()
    done = case.heddle("check", "--out", out, "--json", "result.json", program, *arguments, **options)
    after = contents()
    kept = all(after.get(name) == content for name, content in before.items())
    case.expect(what, done.status == 1 and kept and len(after) == len(before) + new, done)
    schedule = read_json(case.path / "result.json")["bugs"][0]["schedule"]
    again = case.heddle("replay", schedule, **options)
    case.expect(f"{what}: replay", again.status == 1 and "shows again" in again.out, again)
    return schedule


bank = case.compile("bank_account", PROGRAM)
name = os.path.basename(check("a bug", bank))
case.expect(f"a readable name: {name}", name.startswith("bank_account-assertion-") and len(name) == 38, case.heddle("--version"))
check("the same bug takes the place of its own", bank, new=0)
check("with other arguments", bank, "argument")
shutil.copy(bank, case.path / "other")
check("another program with the same bug", case.path / "other")
(case.path / "elsewhere").mkdir()
shutil.copy(bank, case.path / "elsewhere" / "bank_account")
check("another program with the same name", case.path / "elsewhere" / "bank_account")
check("another bug", case.compile("bank_account_2", DEADLOCK))
case.compile("bank_account", PROGRAM.replace("x == 2)", "x == 2 || !argc)"))
check("the program built again", bank)

# A file in our place that is no schedule of this bug: another name.
(out / name).write_text("not ours")
newest = os.path.basename(check("the same once more", bank, new=0))
(out / newest).write_text("not ours")
case.expect("a file that is not ours stays", check("a name that is taken", bank).endswith("-2.heddle")
            and (out / newest).read_text() == "not ours", case.heddle("--version"))

# Names that nobody should have.
for strange in ("with space", "Gr\u00f6\u00dfe \u7d0d", "two\nlines", "quote ' \" $HOME `x`", "-rf", b"latin \xff".decode(errors="surrogateescape")):
    folder = case.path / f"in {strange}"
    folder.mkdir()
    program = folder / strange
    shutil.copy(bank, program)
    done = case.heddle("check", "--out", folder / strange.upper() / "out", "--json", folder / f"{strange}.json", program, "a b\n\udcff")
    schedules = list((folder / strange.upper() / "out").glob("*.heddle"))
    case.expect(f"{strange!r}: found", done.status == 1 and len(schedules) == 1, done)
    again = case.heddle("replay", *schedules)
    case.expect(f"{strange!r}: replayed", again.status == 1 and "shows again" in again.out, again)
    printed = done.out.split("replay: heddle replay ")[1].split("\n  schedule: ")[0]
    case.expect(f"{strange!r}: the result is read", case.heddle("report", folder / f"{strange}.json").status == 0, done)
    if "\udcff" not in strange:
        case.expect(f"{strange!r}: on one line", "\n" not in printed, done)
        line = subprocess.run(["bash", "-c", f"{shlex.quote(str(case.build / 'heddle'))} replay {printed}"], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=SECONDS, cwd=case.path)
        case.expect(f"{strange!r}: the line to paste", line.returncode == 1,
                    Done([printed], line.returncode, line.stdout.decode(errors="replace"), ""))

# Newer sources.
source = case.path / "bank_account.c"
schedule = check("before the source is changed", bank, new=0)
done = case.heddle("replay", schedule)
case.expect("no warning", "warning" not in done.err, done)
later = time.time() + 10
os.utime(source, (later, later))
done = case.heddle("replay", schedule)
lines = [line for line in done.err.splitlines() if line.startswith("heddle:")]
case.expect("a warning that names the source, and goes on", done.status == 1 and len(lines) == 1
            and f"warning: {source} changed after {bank} was built" in lines[0], done)
done = case.heddle("check", "--out", "newer", bank)
lines = done.err.splitlines()
case.expect("the same of check", done.status == 1 and len(lines) == 1 and lines[0].endswith("; build it again")
            and f"warning: {source} changed after {bank} was built" in lines[0], done)
case.finish()
