"""heddle-campaign on plain files: whatever is killed, stopped, lost, damaged or delivered twice, the campaign finds what one run
finds. And what users get wrong.

    test_campaign.py BUILD [all]     all of it; else only what takes few seconds
"""

import dataclasses
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile

from campaign_run import OPTIMAL, PROGRAMS, Campaign, children, poison
from heddle_run import Case, Done, SECONDS, read_json
from piece_programs import GROWS, RELAXED

case = Case(sys.argv[1])
everything = sys.argv[2:] == ["all"]
sys.path.insert(0, str(case.source / "campaign"))
sys.dont_write_bytecode = True
import heddle_piece  # noqa: E402
from heddle_campaign import directory as directory_module  # noqa: E402
from heddle_campaign import driver as driver_module  # noqa: E402
from heddle_campaign import frontier as frontier_module  # noqa: E402
from heddle_campaign import policy  # noqa: E402
from heddle_campaign import worker as worker_module  # noqa: E402
from heddle_campaign.directory import Beginning, Directory  # noqa: E402
from heddle_campaign.engines import Outcome  # noqa: E402

# ---- workers and drivers are killed ----


def killed(name, slice_executions):
    """Two workers at work at most: of three that died with one piece nobody would run it again."""
    campaign = Campaign(case, name, "local:4", slice_executions=slice_executions)
    hit = []
    for results in (3, 9):
        campaign.hold(results)
        process = campaign.start()
        workers = lambda: children(process.pid)
        if everything:  # also one that is at work
            hit.append(campaign.kill_worker(process, workers))
        campaign.wait(process, lambda: campaign.done() >= results)
        hit += [campaign.kill_worker(process, workers), campaign.kill_driver(process)]
    campaign.hold(None)
    done = campaign.run()
    case.expect(f"{name}: all were killed", all(hit), done)
    campaign.is_exact("killed", done)
    case.expect(f"{name}: nothing stays in the queue", not list((campaign.path / "queue").iterdir()), done)
    return campaign


campaign = killed("adds", 120)
campaign.is_exact("called again, when it is explored", campaign.run())
if everything:
    for name in PROGRAMS:
        killed(name, 15)


def stopped_worker():
    # A worker that is stopped has its piece for itself; when it goes on, all is well.
    campaign = Campaign(case, "adds", "local:2", slice_executions=200)
    campaign.hold(8)
    process = campaign.start()
    stopped = campaign.kill_worker(process, lambda: children(process.pid), signal.SIGSTOP)
    rest = campaign.wait(process, lambda: campaign.done() > 3)
    os.kill(stopped, signal.SIGCONT)
    campaign.hold(None)
    done = campaign.end(process)
    case.expect("the others went on", rest, done)
    campaign.is_exact("stopped and continued", done)


def workers_of_others():
    # Workers that somebody else has started, on a machine that sees the directory; one driver at a time.
    campaign = Campaign(case, "adds", "files", slice_executions=300)
    process = campaign.start()
    campaign.wait(process, lambda: campaign.results.exists())
    done = campaign.run()
    case.expect("a second driver", done.status == 2 and "another heddle-campaign" in done.err and len(done.lines()) == 1, done)
    work = [sys.executable, case.build / "heddle-campaign", "work", "--quiet", campaign.path]
    workers = [subprocess.Popen([*work, "--jobs", jobs]) for jobs in "12"]
    marks = campaign.path / "workers"
    case.expect("there are three", campaign.wait(process, lambda: len(list(marks.iterdir())) == 3), done)
    campaign.is_exact("workers of others", campaign.end(process))
    case.expect("they end with the campaign", [worker.wait(SECONDS) for worker in workers] == [0, 0], done)


def stopped_workers():
    # Several on one machine, begun by one command, end with it; when the driver is interrupted, they say that this is not the end.
    campaign = Campaign(case, "adds", "files", slice_executions=300)
    campaign.hold(3)
    process = campaign.start()
    campaign.wait(process, lambda: campaign.results.exists())
    worker = subprocess.Popen([sys.executable, case.build / "heddle-campaign", "work", "--jobs", "3", campaign.path])
    marks = campaign.path / "workers"
    campaign.wait(process, lambda: len(list(marks.iterdir())) == 3)
    worker.terminate()
    ended = worker.wait(SECONDS)
    case.expect("stopped, all of them end", ended == 0 and not list(marks.iterdir()), Done([], ended, "", ""))
    worker = subprocess.Popen([sys.executable, case.build / "heddle-campaign", "work", "--jobs", "2", campaign.path])
    campaign.wait(process, lambda: len(list(marks.iterdir())) == 2)
    process.terminate()
    done = campaign.end(process)
    case.expect("the driver is interrupted", worker.wait(SECONDS) == 4 and "go on: heddle-campaign run" in done.err, done)


# ---- an engine that is as bad as one can be ----


class Clock:
    """Time passes when there is nothing to do."""

    def __init__(self):
        self.now = 0.0

    def monotonic(self):
        return self.now


class BadEngine:
    """Loses, damages, mixes up and repeats; and while what a result has left is run, the piece ends once more, cut in another way."""

    window = 2

    def __init__(self, seed, clock):
        self._random, self._clock = random.Random(seed), clock
        self._tasks, self._deaths, self._last = [], {}, None
        self._late, self.came_late = [], 0

    def workers(self):
        return 4

    def submit(self, order, piece):
        self._tasks.append((order, piece))

    def collect(self, seconds):
        if not self._tasks:
            self._clock.now += heddle_piece.OVERDUE_S
            return []
        if self._late and self._random.random() < 0.3:
            self.came_late += 1
            return [self._late.pop(0)]
        order, piece = self._tasks.pop(self._random.randrange(len(self._tasks)))
        draw = self._random.random()
        if draw < 0.1:  # lost without a word
            return []
        if draw < 0.2 and self._deaths.setdefault(order.piece, 0) < 2:
            self._deaths[order.piece] += 1
            return [Outcome(order.piece, workers_lost=1, why="its worker died")]
        if draw < 0.3:
            return [Outcome(order.piece, why="heddle: cannot write")]
        result = self._run(order, piece)
        if draw > 0.7:
            again = Outcome(order.piece, self._run(dataclasses.replace(order, executions=40, children=2), piece))
            if again.result != result:
                self._late.append(again)
        last, self._last = self._last, result
        right = Outcome(order.piece, result)
        bad = [Outcome(order.piece, result[:-1]), Outcome(order.piece, b""), Outcome(order.piece, last),
               Outcome(order.piece, result[:200] + bytes([result[200] ^ 1]) + result[201:])]
        if draw < 0.4:
            return [self._random.choice(bad)]
        return [right, right] if draw < 0.7 else [right]

    @staticmethod
    def _run(order, piece):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "piece")
            path.write_bytes(piece)
            ran = heddle_piece.run(str(case.build / "heddle"), order, path, pathlib.Path(folder))
            assert ran.has_result, ran
            return pathlib.Path(folder, f"{order.piece}.result").read_bytes()

    def close(self):
        pass


heddle_piece.OVERDUE_SLICES = 0
driver_module.time = Clock()
campaign = Campaign(case, "wrong", "files")
directory = Directory(campaign.path)
directory.open([str(campaign.program)], campaign.arguments[4].split())
Beginning(str(case.build / "heddle"), directory, 600, True)(4, lambda line: None)
options = driver_module.Options(600000, 150, True, None)
engine = BadEngine(20261128, driver_module.time)
driver_module.Driver(directory, engine, str(case.build / "heddle"), options, lambda driver: None).run()
os.close(directory._lock)
done = campaign.run()
case.expect("results came when their pieces were cut", engine.came_late > 0, done)
campaign.is_exact("a bad engine", done)

# In a piece more becomes visible: the search goes on from where it was cut.
PROGRAMS["grows"] = (GROWS, [], OPTIMAL, True)
campaign = Campaign(case, "grows", "local:2", slice_executions=100)
directory = Directory(campaign.path)
campaign.arguments[4] = campaign.arguments[4].replace("--executions 5", "--executions 2")
directory.open([str(campaign.program)], campaign.arguments[4].split())
directory_module.LEAST_PIECES = 3
Beginning(str(case.build / "heddle"), directory, 600, True)(0, lambda line: None)
os.close(directory._lock)
done = campaign.run()
case.expect("it has grown in a piece", "more became visible" in done.err, done)
campaign.is_exact("gone on with", done)
campaign.is_exact("called again", campaign.run())

# The search is cut again, further on; a worker that has slept since the first cut runs a piece of that.
campaign = Campaign(case, "late", "local:2", slice_executions=40)
directory = Directory(campaign.path)
directory.open([str(campaign.program)], campaign.arguments[4].split())
beginning = Beginning(str(case.build / "heddle"), directory, 600, False)
beginning(0, lambda line: None)
case.heddle("check", "--resume", directory.saved, "--executions", 9)
beginning.cut(0, lambda line: None)
first = frontier_module.Frontier(campaign.results)
piece = first.next()
order = heddle_piece.Order(piece, 600000, 1)
path, task = (campaign.path / "queue" / name for name in (f"{piece}.piece", f"1-{piece}.task"))
path.write_bytes(first.bytes_of(piece))
task.write_text(json.dumps(dataclasses.asdict(order)))
worker_module.Worker(directory, str(case.build / "heddle"), None, None)._one_task()
os.close(directory._lock)
second = frontier_module.Frontier(directory.results)
case.expect("it comes to the others of its cut", (campaign.results / f"{piece}.result").exists() and not task.exists()
            and directory.results.name == "results-2" and second.campaign != first.campaign, done)
# Another processor says so, and runs nothing.
order = dataclasses.replace(order, processor=f"{heddle_piece.processor()} avx1024")
ran = heddle_piece.run(str(case.path / "no heddle"), order, path, campaign.results)
case.expect("another processor", not ran.has_result and not ran.lost and "without avx1024" in ran.why, Done([str(ran)], 0, "", ""))
# Others were killed while they wrote.
for name in (f"{piece}.result.host-1.part", f".{piece}.result.host-1.new"):
    (directory.results / name).write_bytes((campaign.results / f"{piece}.result").read_bytes()[:300])
campaign.is_exact("late, and cut again", campaign.run())

# ---- under C11's memory model ----


def under_c11(name, flags):
    """A campaign of which the second search is asked for by nobody, and what one run under that model finds."""
    PROGRAMS[name] = (RELAXED, flags, "--memory-model c11", False)
    campaign = Campaign(case, name, "local:2", slice_executions=400, results="results-c11")
    campaign.arguments[4] = "--executions 5"
    return campaign


campaign = under_c11("relaxed", [])
campaign.hold(2)
process = campaign.start()
campaign.wait(process, lambda: campaign.done() >= 2)
campaign.kill_driver(process)
campaign.hold(None)
done = campaign.run()
campaign.is_exact("goes on under C11's memory model", done, "every execution under C11's memory model explored")
case.expect("and says what was explored before", "before that, every sequentially consistent execution was explored" in done.out, done)
before = read_json(campaign.path / "found-sc.json")
case.expect("which is less", before["complete"] and before["executions"] < campaign.expected["graphs"], done)
campaign = under_c11("relaxed_wrong", ["-DWRONG"])
done = campaign.run()
case.expect("a bug that only C11's memory model has", done.status == 1 and "assert" in done.out and "x86" in done.out, done)
campaign = under_c11("relaxed", [])
campaign.arguments[4] += " --memory-model sc"
done = campaign.run()
case.expect("not where it was asked for another", done.status == 0 and not (campaign.path / "under-c11").exists(), done)
campaign = under_c11("relaxed", [])
campaign.arguments[4] = ""  # both end before they have to be cut
done = campaign.run()
case.expect("nothing to cut", done.status == 0 and "every execution under C11's memory model explored" in done.out, done)

# ---- a piece that kills ----


def deadly_piece():
    campaign = poison(case, "local:4")
    done = campaign.run()
    case.expect("it stays given up", done.status == 3, done)
    for result in campaign.results.glob("*.result"):
        if b"three workers" in result.read_bytes():
            result.unlink()
    campaign.is_exact("without that result it is run again", campaign.run())


# ---- a disk that is full ----


def full_disk():
    small = case.path / "small"
    small.mkdir()

    def mount(*options):
        return subprocess.run(["mount", *options, small], stderr=subprocess.DEVNULL).returncode == 0

    if mount("-t", "tmpfs", "-o", "size=64m", "none"):
        try:
            campaign = Campaign(case, "adds", "local:2", slice_executions=60)
            campaign.path = small / "campaign"
            campaign.results = campaign.path / "results"
            campaign.run("--time", "1ms")
            disk = os.statvfs(small)
            used = (disk.f_blocks - disk.f_bfree) * disk.f_frsize
            before = campaign.done()
            mount("-o", f"remount,size={used + 65536}")
            done = campaign.run()
            case.expect("no room", done.status == 2 and "No space left" in done.err and "goes on" in done.err, done)
            mount("-o", "remount,size=64m")
            campaign.is_exact("with room again", campaign.run())
        finally:
            subprocess.run(["umount", "-l", small], check=True)


# ---- bugs, limits, shares ----

PROGRAMS["rare"] = (PROGRAMS["adds"][0].replace("#ifdef WRONG", "assert(got[2] != 81 + 4 * 9 + 6 || got[1] != 3 * 9 + 8);\n#ifdef WRONG"), [], OPTIMAL, False)
campaign = Campaign(case, "rare", "local:2")
done = campaign.run()
case.expect("stops at the first bug", done.status == 1 and "assert" in done.out and campaign.done() > 1, done)
schedules = list((campaign.path / "schedules").glob("*.heddle"))
case.expect("with its schedule", schedules and case.heddle("replay", schedules[0]).status == 1, done)
case.expect("and a page", (campaign.path / "report.html").exists(), done)

campaign = Campaign(case, "adds", "local:1", slice_executions=500)
done = campaign.run("--time", "1ms", "--require-complete")
case.expect("a time limit", done.status == 4 and "go on: heddle-campaign run" in done.err, done)
done = campaign.run("--share", "1/2", "--require-complete")
half = campaign.done()
case.expect("a share is not all", done.status == 4, done)
done = campaign.run("--share", "1/1")
campaign.is_exact("all shares", done)

cut = campaign

# Searches without pieces run side by side.
campaign = Campaign(case, "adds", "local:2")
campaign.arguments[4] = "--order pct --executions 20"
done = campaign.run()
case.expect("two seeds", done.status == 0 and "2 searches, 40 executions, 0 bugs; nothing is proved" in done.out, done)
done = campaign.run("--require-complete")
case.expect("others the next time", done.status == 4 and "4 searches, 80 executions" in done.out, done)
campaign = Campaign(case, "wrong", "local:2")
campaign.arguments[4] = "--order depth-first --reduction happens-before --executions 300"
done = campaign.run()
case.expect("the bug that drawn schedules find", done.status == 1 and "assert" in done.out and "2 searches" in done.out, done)

for waiting, workers, seconds, children_left in [(1, 100, 1, 64), (50, 100, 15, 64), (100, 100, 30, 3), (401, 100, 30, 1), (0, 0, 1, 64)]:
    plan = policy.plan(waiting, workers, 30000)
    case.expect(f"{waiting} waiting, {workers} workers: {seconds} s, {children_left} children",
                (plan.slice_ms, plan.children) == (1000 * seconds, children_left), Done([str(plan)], 0, "", ""))

if everything:  # a machine that is busy makes them take longer, and nothing else
    for test in (stopped_worker, workers_of_others, stopped_workers, deadly_piece, full_disk):
        test()

# ---- what users get wrong ----

(case.path / "full").mkdir()
(case.path / "full" / "something").touch()
program = campaign.program
for what, arguments, words in [
        ("no command", [], "COMMAND"),
        ("no such command", ["walk"], "invalid choice"),
        ("no directory", ["run", "--", program], "DIR"),
        ("no program", ["run", case.path / "none"], "holds no campaign"),
        ("no such program", ["run", case.path / "new", "--", case.path / "none"], "no such program"),
        ("no such option of heddle check", ["run", "--check=--ordr", case.path / "new", "--", program], "--order"),
        ("no such scheduler", ["run", "--scheduler", "moon", case.path / "new", "--", program], "is not local"),
        ("no workers", ["run", "--scheduler", "local:0", case.path / "new", "--", program], "is not local"),
        ("no time", ["run", "--time", "5", case.path / "new", "--", program], "no time"),
        ("no share", ["run", "--share", "3/2", case.path / "new", "--", program], "no share"),
        ("no heddle", ["run", "--heddle", case.path / "none", case.path / "new", "--", program], "there is no heddle"),
        ("a directory with other files", ["run", case.path / "full", "--", program], "not empty"),
        ("another program", ["run", cut.path, "--", case.path / "wrong"], "of another program"),
        ("a file", ["run", program, "--", program], "cannot use"),
        ("no campaign to work for", ["work", case.path / "full"], "holds no campaign"),
        ("no jobs", ["work", "--jobs", "0", cut.path], "at least 1")]:
    command = [sys.executable, "-S", case.build / "heddle-campaign", *arguments]
    ended = subprocess.run(list(map(str, command)), cwd=case.path, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    done = Done(list(map(str, command)), ended.returncode, ended.stdout, ended.stderr)
    said = [line for line in done.lines() if "and is cut then" not in line]
    case.expect(what, done.status == 2 and words in done.err and len(said) == 1, done)
case.finish()
