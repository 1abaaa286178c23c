"""What the benchmarks of whole searches share: compile a program, search it, print a table.

Wall-clock times on a shared machine drift by a factor of two within a minute. So everything runs on one processor, what
is counted is the processor time of all processes involved (on an idle machine the same as the time that passes),
whatever is compared is measured in turn, A B A B, within one run, and the median of the rounds is printed. A rate is
also given as a multiple of the rate at which a small process forks on this machine.
"""

import json
import os
import pathlib
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import typing

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tools"))
import processor_time  # noqa: E402

PROGRAMS = pathlib.Path(__file__).resolve().parent / "programs"


class Bench:
    """A temporary directory, and the tools of one build directory."""

    def __init__(self, build, pinned=True):
        self.build = pathlib.Path(build).resolve()
        self._folder = tempfile.TemporaryDirectory(prefix="heddle-bench-")
        self.path = pathlib.Path(self._folder.name)
        if pinned:
            os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})

    def compile(self, source, *flags, name=None):
        """The path of bench/programs/SOURCE, compiled by heddle at -O2."""
        driver = self.build / ("heddle-c++" if source.endswith(".cpp") else "heddle-cc")
        return self._compile(driver, source, *flags, name=name)

    def compile_plain(self, source):
        return self._compile("cc", source)

    def _compile(self, driver, source, *flags, name=None):
        program = self.path / (name or pathlib.Path(source).stem)
        subprocess.run([driver, "-O2", "-g", "-pthread", *flags, PROGRAMS / source, "-o", program], check=True)
        return program

    def search(self, program, *arguments, executions, order="random", reduction="none"):
        """One search with all checks on: its JSON result, and the processor time that it took as `cpu_s`. Stops the
        benchmark if the program has a bug."""
        result = self.path / "result.json"
        command = [self.build / "heddle", "check", "--order", order, "--reduction", reduction, "--executions",
                   str(executions), "--max-events", "1000000", "--out", self.path / "out", "--json", result, "--",
                   program, *map(str, arguments)]
        done = run(command)
        if done.status != 0:
            sys.exit(f"{pathlib.Path(program).name}: heddle check ended with status {done.status}\n{done.output}")
        return json.loads(result.read_text()) | {"cpu_s": done.cpu_s}

    def cost(self, program, *arguments, order="random", seconds=0.2):
        """Nanoseconds and events of one execution; starting and ending the search is not counted."""
        few = self.search(program, *arguments, executions=10, order=order)
        some = self.search(program, *arguments, executions=200, order=order)
        each = max((some["cpu_s"] - few["cpu_s"]) / 190, 1e-7)
        many = self.search(program, *arguments, executions=max(210, int(seconds / each)), order=order)
        executions = many["executions"] - few["executions"]
        if executions < 100:
            sys.exit(f"{pathlib.Path(program).name}: the search ran out of schedules after {many['executions']}")
        return (many["cpu_s"] - few["cpu_s"]) / executions * 1e9, many["events"] / many["executions"]


class Finished(typing.NamedTuple):
    """A command that ended. The processor time is of all processes that it waited for, the memory of the largest."""
    output: str
    status: int
    cpu_s: float
    wall_s: float
    peak_bytes: int


def run(command, cpu_limit=None, dead_after=None):
    """CPU_LIMIT in seconds of processor time, of the command and all that it started; then it gets SIGTERM. DEAD_AFTER in
    seconds that pass; then it gets SIGKILL."""
    with tempfile.TemporaryFile() as output:
        begin = time.perf_counter()
        child = subprocess.Popen([str(word) for word in command], stdout=output, stderr=subprocess.STDOUT)
        if cpu_limit or dead_after:
            _watch(child.pid, cpu_limit or float("inf"), begin + (dead_after or float("inf")))
        _, status, usage = os.wait4(child.pid, 0)
        wall = time.perf_counter() - begin
        child.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        return Finished(output.read().decode(errors="replace"), child.returncode, usage.ru_utime + usage.ru_stime, wall,
                        usage.ru_maxrss * 1024)


def _watch(pid, cpu_limit, dead_at):
    """Returns when the child has ended, or was killed."""
    pause, ended = 0.002, False
    while os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
        if time.perf_counter() > dead_at:
            return os.kill(pid, signal.SIGKILL)
        if not ended and processor_time.of_tree(pid) > cpu_limit:
            os.kill(pid, signal.SIGTERM)
            ended = True
        time.sleep(pause)
        pause = min(pause * 2, 0.05)
    return None


def forks_per_second(program):
    """Of processor time: the parent's and the children's."""
    forks = 2000
    return forks / (run([program, forks]).cpu_s - run([program, 0]).cpu_s)


def median_of_rounds(rounds, measurements):
    """Calls each measurement once per round; the median of each one's answers."""
    answers = [[] for _ in measurements]
    for _ in range(rounds):
        for answer, measurement in zip(answers, measurements):
            answer.append(measurement())
    return [statistics.median(answer) for answer in answers]


def print_table(title, columns, rows):
    cells = [columns] + [[cell if isinstance(cell, str) else number(cell) for cell in row] for row in rows]
    widths = [max(len(row[i]) for row in cells) for i in range(len(columns))]
    print(f"\n{title}")
    for row in cells:
        print("  " + "  ".join(cell.ljust(width) if i == 0 else cell.rjust(width)
                               for i, (cell, width) in enumerate(zip(row, widths))))
    sys.stdout.flush()


def number(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.2f}" if value < 10 else f"{value:.1f}"


def processor():
    for line in open("/proc/cpuinfo", encoding="ascii", errors="replace"):
        if line.startswith("model name"):
            return f"{line.split(':')[1].strip()}, {os.cpu_count()} processors"
    return "unknown processor"
