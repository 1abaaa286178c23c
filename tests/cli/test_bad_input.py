"""What users get wrong: for each, one clear line and status 2, before anything is run."""

import os
import subprocess
import sys

from heddle_run import Case

PROGRAM = """
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


def refused(what, words, *arguments, **options):
    """heddle refuses with one line on stderr that has every one of `words` in it."""
    done = case.heddle(*arguments, **options)
    lines = done.lines()
    good = done.status == 2 and len(lines) == 1 and all(w.lower() in lines[0].lower() for w in words)
    case.expect(what, good, done)


good = case.compile("good", PROGRAM)
plain_folder = case.path / "folder"
plain_folder.mkdir()
script = case.path / "script.sh"
script.write_text("#!/bin/sh\nexec ./good\n")
script.chmod(0o755)
text = case.path / "text.txt"
text.write_text("hello\n")
not_executable = case.path / "not_executable"
not_executable.write_bytes(good.read_bytes())
not_executable.chmod(0o644)

refused("no such program", ["no_such_program"], "check", "./no_such_program")
refused("no such program on PATH", ["no_such_program"], "check", "no_such_program")
refused("a directory", ["directory"], "check", plain_folder)
refused("a script", ["script"], "check", script)
refused("a text file", ["text.txt"], "check", text)
(case.path / "queue.cpp").write_text("int main() {}\n")
refused("a source file", ["queue.cpp is a source file", "heddle-c++"], "check", "./queue.cpp")
done = case.heddle("help", "check")
case.expect("help of a command", done.status == 0 and done.out == case.heddle("check", "--help").out, done)
refused("a time beyond all limits", ["--time", "too long"], "check", "--time", "99999999999999h", good)
refused("not executable", ["executable"], "check", not_executable)
refused("an empty command line", [], "check")
refused("a priority that there is not", ["--priority", "foo", "mdpor"], "check", "--priority", "foo", good)
refused("priorities of another order", ["--priority", "best-first"], "check", "--priority", "pb", "--order", "random", good)
refused("a function that there is not", ["Lokc", "nearest: Lock"], "check", "--focus-function", "Lokc", good)
refused("a variable that there is not", ["--focus-variable", "zzz"], "check", "--focus-variable", "zzz", good)
refused("no amount of memory", ["--memory", "5Q", "500M"], "check", "--memory", "5Q", good)
refused("best first by depth", ["best-first", "depth"], "check", "--order", "best-first", "--bound", "depth=3", good)
refused("best first within a bound that reduces", ["bounded", "best-first"], "check", "--order", "best-first", "--reduction",
        "bounded", good)
refused("an unknown option", ["--no-such-option"], "check", "--no-such-option", good)
refused("a mistyped option", ["--kep-going", "did you mean --keep-going?"], "check", "--kep-going=1", good)
refused("an unknown subcommand", ["explode"], "explode")
refused("a mistyped subcommand", ["did you mean replay?"], "repaly", "x.heddle")
refused("a program for a subcommand", ["did you mean heddle check ./good?"], "./good")
refused("too many failing allocations", ["--fail-allocations", "0 to 255"], "check", "--fail-allocations", "256", good)
refused("a negative number of them", ["--fail-allocations"], "check", "--fail-allocations", "-1", good)
refused("leaks with counters", ["--leaks", "counters"], "check", "--leaks", "--preset", "one-page", good)
refused("failing allocations with counters", ["--fail-allocations", "counters"], "check", "--fail-allocations", "1", "--preset", "one-page", good)
refused("an unknown order", ["sideways"], "check", "--order", "sideways", good)
refused("a mistyped order", ["did you mean random?"], "check", "--order", "randon", good)
refused("a bound that is no number", ["preemptions"], "check", "--bound", "preemptions=many", good)
refused("a time that is no time", ["soon"], "check", "--time", "soon", good)
refused("a time with an exponent", ["1e9"], "check", "--time", "1e9", good)
refused("an empty order", ["--order", "empty"], "check", "--order", "", good)
for option in "--seed", "--executions", "--max-events":
    for number in "-1", "1e9", "99999999999999999999", "":
        refused(f"{option} {number!r}", [option, f"'{number}'", "whole number"], "check", option, number, good)
refused("an option given twice", ["--order", "only once"], "check", "--order", "random", "--order=random", good)
refused("an option without its value", ["--order", "needs a value"], "check", "--order")
for option in "--out", "--json":
    refused(f"{option}= does not take the next option for its value", [option, "empty"], "check", f"{option}=", "--require-complete",
            good)
os.mkfifo(case.path / "pipe")
refused("a pipe that nobody writes to", ["pipe", "give a file"], "replay", case.path / "pipe")
refused("a directory that is not a program on PATH", ["folder is a directory"], "check", "folder")
refused("a file without end", ["/dev/zero", "does not end"], "replay", "/dev/zero")
refused("a preset that is not there", ["lightspeed"], "check", "--preset", "lightspeed", good)
refused("a reduction with a preemption bound", ["bound"], "check", "--reduction", "sleep-sets", "--bound",
        "preemptions=2", good)

for what, words, *options in (
    ("a reduction", ["--visited", "optimal", "unsound"], "--reduction", "optimal"),
    ("an order that draws", ["--visited states", "random"], "--order", "random"),
    ("best first", ["--visited states", "best-first"], "--order", "best-first"),
    ("several searches in turn", ["--visited states", "escalating"], "--order", "escalating"),
    ("depth first within a bound", ["--visited states", "unsound", "context-bounded"], "--order", "depth-first", "--bound", "preemptions=2"),
    ("a bound of delays", ["--visited states", "preemptions=N"], "--order", "context-bounded", "--bound", "delays=2"),
    ("all points", ["--visited states", "--points sync"], "--points", "all"),
    ("every schedule twice", ["--visited states", "--verify-determinism"], "--verify-determinism"),
    ("a process for each execution", ["--visited states", "--rewind memory"], "--rewind", "fork"),
    ("processes as checkpoints", ["--visited states", "--rewind memory"], "--rewind", "fork-checkpoint"),
    ("a program that was not rebuilt", ["--visited states", "heddle-cc"], "--uninstrumented"),
    ("saving", ["--visited states", "not saved"], "--save", "saved"),
):
    refused(f"states with {what}", words, "check", "--visited", "states", *options, good)
refused("exact without states", ["--exact", "--visited states"], "check", "--exact", good)
refused("exact counters", ["--exact", "--visited states"], "check", "--exact", "--preset", "one-page", good)
for what, words, *options in (
    ("other points", ["--visited counters", "--points hooks"], "--points", "sync"),
    ("another order", ["--visited counters", "depth-first"], "--order", "context-bounded"),
    ("a reduction", ["--visited", "unsound"], "--reduction", "optimal"),
    ("saving", ["--visited counters", "not saved"], "--save", "saved"),
):
    refused(f"counters with {what}", words, "check", "--visited", "counters", *options, good)

refused("a reduction with a bound of depth", ["unsound", "depth"], "check", "--reduction", "optimal", "--bound", "depth=3", good)
refused("a depth of nothing", ["depth=0"], "check", "--bound", "depth=0", good)
refused("depth is no cost", ["context-bounded", "--iterate"], "check", "--bound", "depth=3", "--order", "context-bounded", good)
refused("a bound on preemptions under c11", ["--bound stale=N"], "check", "--memory-model", "c11", "--bound", "preemptions=1", good)
refused("stale accesses without a model", ["--memory-model tso or c11"], "check", "--bound", "stale=1", good)
refused("random schedules with a depth", ["random"], "check", "--bound", "depth=3", "--order", "random", good)
for order in "pct", "pos", "surw", "rff":
    refused(f"--order {order} with a reduction", [order, "whole schedules"], "check", "--order", order, "--reduction", "optimal", good)
    refused(f"--order {order} with a bound", [order, "cannot be bounded"], "check", "--order", order, "--bound", "delays=2", good)
    refused(f"--order {order} with --require-complete", [order, "never completes"], "check", "--order", order,
            "--require-complete", good)
refused("--depth of another order", ["--depth", "--order pct", "--order surw has none"], "check", "--order", "surw", "--depth", "2", good)
refused("--depth of no order", ["--depth", "--order pct"], "check", "--depth", "2", good)
refused("a bug of no depth", ["--depth", "at least 1"], "check", "--order", "pct", "--depth", "0", good)
refused("a bug too deep", ["--depth", "at most 1000"], "check", "--order", "pct", "--depth", "1001", good)
refused("a depth that is no number", ["--depth", "'x'", "whole number"], "check", "--order", "pct", "--depth", "x", good)
refused("--iterate of nothing", ["--iterate", "--bound"], "check", "--iterate", good)
refused("--iterate depth-first by preemptions", ["drop --order depth-first"], "check", "--iterate", "--bound", "preemptions=2",
        "--order", "depth-first", good)

static = case.compile("static_program", PROGRAM, "-static", compiler="gcc")
refused("a static binary", ["static"], "check", static)
stripped = case.compile("stripped", PROGRAM, "-s", compiler="gcc")
refused("no debug info", ["debug"], "check", stripped)
refused("not built with heddle-cc", ["heddle-cc", "--uninstrumented"], "check", "--no-debug-info", stripped)
case.expect("no debug info and not built with heddle-cc, but asked for", (done := case.heddle(
    "check", "--no-debug-info", "--uninstrumented", stripped)).status == 1, done)
library = case.compile("library.so", "int Answer(void) { return 42; }", "-shared", "-fPIC", compiler="gcc")
refused("a shared library", ["librar"], "check", library)

# Another machine: the header of a good program with another e_machine (AArch64), and with 32-bit class.
for name, offset, value, words in (("other_machine", 18, b"\xb7\x00", ["x86-64"]), ("other_class", 4, b"\x01", ["32-bit"])):
    image = bytearray(good.read_bytes())
    image[offset:offset + len(value)] = value
    (case.path / name).write_bytes(image)
    (case.path / name).chmod(0o755)
    refused(name.replace("_", " "), words, "check", case.path / name)
truncated = case.path / "truncated"
truncated.write_bytes(good.read_bytes()[:100])
truncated.chmod(0o755)
refused("a truncated program", ["truncated"], "check", truncated)

try:
    sanitized = case.compile("sanitized", PROGRAM, "-fsanitize=thread", compiler="gcc")
except subprocess.CalledProcessError:
    print("skipped: this compiler has no libtsan")
else:
    refused("linked with libtsan", ["tsan", "heddle-c"], "check", sanitized)

if os.geteuid() == 0:  # root may write everywhere but here
    unwritable = "/proc/heddle-out"
else:
    locked = case.path / "locked"
    locked.mkdir(mode=0o555)
    unwritable = locked / "out"
refused("output directory not writable", [str(unwritable)], "check", "--out", unwritable, good)
refused("output directory is a file", ["text.txt"], "check", "--out", text, good)
refused("JSON not writable", ["nowhere"], "check", "--json", "/nowhere/result.json", good)

# What a run reads is not what it writes over, by whatever name.
before = good.read_bytes()
(case.path / "suppress").write_text("race:Nothing\n")
(case.path / "alias").symlink_to(good)
refused("JSON over the program", ["good", "reads"], "check", "--json", good, good)
refused("JSON over the program by a link", ["alias", "reads"], "check", "--json", "alias", good)
refused("JSON over the suppressions", ["suppress", "reads"], "check", "--suppressions", "suppress", "--json", "./suppress",
        good)
refused("schedules into the program", ["good"], "check", "--out", good, good)
case.expect("and nothing was changed", good.read_bytes() == before
            and (case.path / "suppress").read_text() == "race:Nothing\n", case.heddle("--version"))

# Found out before anything is run: no such search ends by itself within the time of a test.
endless = case.compile("endless", """
#include "run_threads.h"
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *Many(void *arg) {
  for (int i = 0; i < 200; i++) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); }
  return arg;
}
int main() { RunSame(4, Many); }
""")
for what, option, path in (("--out below a file", "--out", text / "out"), ("--json below a file", "--json", text / "r.json"),
                           ("--out where root cannot write either", "--out", "/proc/heddle-out"),
                           ("--json where root cannot write either", "--json", "/proc/r.json"),
                           ("--json that is a folder", "--json", plain_folder), ("--json with a slash", "--json", "r.json/"),
                           ("--json that is empty", "--json", ""), ("--json with a long name", "--json", "x" * 256)):
    refused(what + ", before the search", [str(path)[:100]], "check", option, path, endless, seconds=20)
refused("a name with control characters", ["no such program", r"two\nlines", r"\x1b[31m"], "check", "./two\nlines\x1b[31m")

# Options of ours after the program.
WARNING = "heddle: warning: {} after the program's name {} passed to the program; put {} before"
for arguments, words in ((["--bound", "preemptions=2"], ("--bound", "is", "it")), (["--bound=none"], ("--bound", "is", "it")),
                         (["x", "--seed=3", "--time", "1s", "--seed=4"], ("--seed, --time", "are", "them"))):
    done = case.heddle("check", good, *arguments)
    warned = [line for line in done.err.splitlines() if line.startswith(WARNING.format(*words))]
    case.expect(f"{' '.join(arguments)} after the program", done.status == 1 and len(warned) == 1, done)
for arguments in (["--", good, "--bound", "none"], [good, "--size", "3"], [good, "--help"], [good, "-h"], [good, "--", "--time"],
                  [good, "-v", "bound"]):
    done = case.heddle("check", *arguments)
    case.expect(f"no warning for {arguments[1:]}", done.status == 1 and "warning" not in done.err, done)

# Replay files.
refused("no such schedule", ["none.heddle"], "replay", "none.heddle")
refused("not a schedule", ["text.txt"], "replay", text)
done = case.heddle("check", "--out", "out", good)
case.expect("the good program has a bug", done.status == 1, done)
schedules = list((case.path / "out").glob("*.heddle"))
case.expect("one schedule was written", len(schedules) == 1, done)
if schedules:
    content = schedules[0].read_text()
    refused("JSON over the schedule", [schedules[0].name, "reads"], "replay", "--json", schedules[0], schedules[0])
    refused("JSON over the replayed program", ["good", "reads"], "replay", "--json", good, schedules[0])
    half = case.path / "half.heddle"
    half.write_text(content[:len(content) // 2])
    refused("half a schedule", ["half.heddle"], "replay", half)
    future = case.path / "future.heddle"
    future.write_text(content.replace('"heddle-schedule": 1', '"heddle-schedule": 99')
                      .replace('"heddle-schedule":1', '"heddle-schedule":99'))
    refused("a schedule of another version", ["version"], "replay", future)
    for what, damaged in (("an empty schedule", b""), ("only blanks", b" \n\t"), ("binary garbage", os.urandom(4096)),
                          ("zeros", bytes(4096)), ("a hundred thousand brackets", b"[" * 100000),
                          ("closed again", b"[" * 100000 + b"]" * 100000),
                          ("in a field", content.replace('"choices": [', '"choices": ' + "[" * 100000).encode()),
                          ("in the version", b'{"heddle-schedule": ' + b"[" * 100000 + b"]" * 100000 + b"}"),
                          ("objects", b'{"a":' * 100000),
                          ("a text for a number", content.replace('"seed": 1', '"seed": "1"').encode()),
                          ("a number for a text", content.replace('"kind": "deadlock"', '"kind": 3').encode()),
                          ("a list for an object", content.replace('"options": {', '"options": [], "x": {').encode()),
                          ("a huge number", content.replace('"preemptions": ', '"preemptions": 99999999999').encode()),
                          ("a huger number", content.replace('"seed": 1', '"seed": 1e999').encode()),
                          ("a negative number", content.replace('"seed": 1', '"seed": -1').encode()),
                          ("a fraction", content.replace('"seed": 1', '"seed": 1.5').encode())):
        assert damaged != content.encode(), what
        (case.path / "damaged.heddle").write_bytes(damaged)
        refused(f"a schedule: {what}", ["damaged.heddle"], "replay", "damaged.heddle")
    refused("a folder for a schedule", ["folder", "directory"], "replay", plain_folder)
    case.heddle("check", "--json", "result.json", "--out", "out", good)
    result = (case.path / "result.json").read_text()
    refused("a result for a schedule", ["result.json", "heddle report"], "replay", "result.json")
    refused("a schedule for a result", [schedules[0].name, "heddle replay"], "report", schedules[0])
    case.compile("good", PROGRAM.replace("RunSame(2", "RunSame(1"))
    refused("a schedule of another program", ["good"], "replay", schedules[0])
    os.remove(good)
    refused("a schedule of a program that is gone", ["good"], "replay", schedules[0])


# Results. Nothing of the good ones is printed beside a bad one.
if schedules:
    for what, damaged in (("an empty result", b""), ("binary garbage", os.urandom(4096)),
                          ("half a result", result[:len(result) // 2].encode()),
                          ("a hundred thousand brackets", b"[" * 100000 + b"]" * 100000),
                          ("in a field", result.replace('"notes": [', '"notes": [' + "[" * 100000).encode()),
                          ("deep in a field", result.replace('"args": [', '"args": ' + "[" * 99999 + "]" * 99999 + ', "x": [').encode()),
                          ("a text for a number", result.replace('"executions": ', '"executions": "1", "x": ').encode()),
                          ("true for a number", result.replace('"executions": ', '"executions": true, "x": ').encode()),
                          ("a negative number", result.replace('"executions": ', '"executions": -').encode()),
                          ("a huge number", result.replace('"executions": ', '"executions": 99999999999999999999').encode()),
                          ("a list for an object", result.replace('"outcomes": {', '"outcomes": [], "x": {').encode()),
                          ("an object for a list", result.replace('"bugs": [', '"bugs": {}, "x": [').encode()),
                          ("an unknown verdict", result.replace('"verdict": "bug"', '"verdict": "perhaps"').encode()),
                          ("a result of a later version", result.replace('"verdict": "bug"', '"verdict": "perhaps"').replace(
                              '"heddle": "', '"heddle": "9.').encode())):
        assert damaged != result.encode(), what
        (case.path / "damaged.json").write_bytes(damaged)
        words = ["damaged.json"] + (["heddle 9."] if "later version" in what else [])
        refused(f"a result: {what}", words, "report", "result.json", "damaged.json")
    refused("a folder for a result", ["folder", "directory"], "report", plain_folder)
    done = case.heddle("report", "result.json")
    case.expect("the result itself is good", done.status == 0 and "deadlock" in done.out, done)

case.finish()
