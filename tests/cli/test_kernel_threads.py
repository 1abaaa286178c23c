"""A replay on kernel threads, as under a debugger, is the same replay: the same bug, the same steps.
`test_kernel_threads.py BUILD [EVERY]`: every EVERY-th program of tests/programs/wrong, 12 by default."""

import json
import pathlib
import subprocess
import sys

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS))
from run_program import Failure, Program, Runner  # noqa: E402
from heddle_run import Case  # noqa: E402

case = Case(sys.argv[1])
every = int(sys.argv[2]) if len(sys.argv) > 2 else 12


def schedules(path):
    """Of the first bug of each search that the program asks for: with the working directory to replay it in."""
    program = Program(path)
    runner = Runner(sys.argv[1], program)
    binary = runner.compile(*program.configurations()[0])
    for number, block in enumerate(program.blocks):
        if not any(key == "verdict" and value == "bug" for key, _, value in block.expected):
            continue
        # A state is compared with the snapshot, and so is what points to a block; a debugger's process has none.
        if "--visited" in block.options or "zing" in block.options or "--leaks" in block.options:
            continue
        answer = runner.check(binary, [*block.options, "--out", str(case.path / f"{path.stem}-{number}")], block.arguments)
        for bug in answer["bugs"][:1]:
            if bug.get("schedule"):
                yield binary.parent, binary.parent / bug["schedule"]


def replayed(folder, schedule, *options):
    """Status, and what tells one replay from another."""
    result = case.path / "replay.json"
    result.unlink(missing_ok=True)
    done = case.heddle("replay", "--quiet", "--json", result, *options, schedule, cwd=folder)
    if not result.exists():
        return done, (done.status,)
    told = json.loads(result.read_text())
    steps = [[(step["thread"], step["operation"], step["text"], step["location"], step["marks"]) for step in bug["steps"]]
             for bug in told["bugs"]]
    kinds = [(bug["kind"], bug["identity"], bug["preemptions"]) for bug in told["bugs"]]
    # How far a hang comes, and at which line it is met, says nothing. On kernel threads stacks lie elsewhere, so that threads
    # that go round together may be recognised a round later.
    together = any(bug["kind"] == "livelock" and len(bug["livelock"]["loops"]) > 1 for bug in told["bugs"])
    if together or any(kind == "hang" for kind, _, _ in kinds):
        return done, (done.status, [kind for kind, _, _ in kinds])
    return done, (done.status, kinds, steps, told["events"], told["threads"])


count = 0
for path in sorted(TESTS.glob("programs/wrong/*.c*"))[::every]:
    try:
        found = list(schedules(path))
    except (Failure, subprocess.SubprocessError) as failure:
        print(f"left out {path.name}: {failure}")
        continue
    for folder, schedule in found:
        done, ordinary = replayed(folder, schedule)
        again, on_threads = replayed(folder, schedule, "--kernel-threads")
        count += 1
        if ordinary != on_threads:
            print(f"  ordinary {ordinary}\n  on kernel threads {on_threads}"[:6000])
        case.expect(f"{path.name}: {schedule.name}", ordinary == on_threads, again)
        case.expect(f"{path.name}: no process is left", not again.leftover, again)
print(f"{count} schedules")
if count < 100 // every:
    print("too few")
    case.failures += 1
case.finish()
