"""Campaigns under attack, at random moments, by a seed: drivers, workers, heddle, and Dask's scheduler are killed, or stopped and
continued; the disk is full; results cannot be written, are delivered twice, or are seen late; clocks differ; two drivers want one
directory. Never is a search called complete that is not, and afterwards it finds what one run finds.

    test_campaign_attack.py BUILD            a round on plain files
    test_campaign_attack.py BUILD all        60 rounds, on five programs, on plain files and Dask
    test_campaign_attack.py BUILD SEED [N]   N rounds, of which the first has that seed
"""

import contextlib
import fcntl
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import time

from campaign_cluster import Cluster
from campaign_run import PROGRAMS, Campaign, children, descendants, python_with_dask
from heddle_run import Case, Done, SECONDS

case = Case(sys.argv[1])
FAR = pathlib.Path(__file__).with_name("campaign_far.py")
MOST_RUNS = 6  # a run that was attacked may end with an error, and a piece may have been given up
OVERDUE_S = 45
STALE_S = 3
SLICES = {"adds": 60, "wrong": 60, "late": 20, "waits": 40, "locks": 40}  # executions: some 30 pieces
ENGINES = ("local", "files", "dask")


def mounted(*arguments):
    return subprocess.run(["mount", *map(str, arguments)], stderr=subprocess.DEVNULL).returncode == 0


def send(pid, number):
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, number)


class Workers:
    """Those that somebody has started for `--scheduler files`, each with a clock of its own, where the kernel allows that."""

    def __init__(self, round, count):
        self._round, self._processes = round, []
        self._count = count
        self.keep_up()

    def keep_up(self):
        self._processes = [process for process in self._processes if process.poll() is None]
        while len(self._processes) < self._count:
            command = [sys.executable, FAR, "work", "--quiet", "--heddle", case.build / "heddle", self._round.campaign.path]
            skew = ["unshare", "--time", "--monotonic", str(self._round.random.randint(0, 10**6)), "--fork", "--kill-child"]
            if subprocess.run([*skew, "true"], stderr=subprocess.DEVNULL).returncode == 0:
                command = [*skew, *command]
            self._processes.append(subprocess.Popen(list(map(str, command)), cwd=case.path, env=self._round.environment,
                                                    stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))

    def pids(self):
        return [child for process in self._processes for child in children(process.pid)]

    def end(self):
        for process in self._processes:
            for pid in [process.pid, *descendants(process.pid)]:
                send(pid, signal.SIGKILL)
            process.wait(SECONDS)


class DaskCluster:
    def __init__(self, round, count):
        self._round, self._count = round, count
        self._start()

    def _start(self):
        self._cluster = Cluster(case, python, self._count, WORKER_TTL="15 s")
        arguments = self._round.campaign.arguments
        arguments[arguments.index("--scheduler") + 1] = self._cluster.address

    def keep_up(self):
        if self._cluster.scheduler.poll() is not None:
            self._cluster.end()
            self._start()
        self._cluster.replace_dead()

    def pids(self):
        return self._cluster.pids()

    def kill_scheduler(self):
        self._cluster.scheduler.kill()
        self._cluster.scheduler.wait(SECONDS)

    def end(self):
        self._cluster.end()


class Round:
    def __init__(self, seed, name, engine):
        self.random = random.Random(seed)
        self.what = f"seed {seed}, {engine}"
        self.campaign = Campaign(case, name, "local:3" if engine == "local" else "files", python if engine == "dask" else sys.executable,
                                 SLICES[name])
        self.environment = {**os.environ, "FAR_OVERDUE": str(OVERDUE_S)}
        if engine != "dask" and self.random.random() < 0.5:
            self.environment.update(FAR_STALE=str(STALE_S), FAR_ROOT=str(self.campaign.path))
            self.what += ", stale directories"
        self.campaign.arguments += ["--heddle", str(case.build / "heddle")]
        self.disk = self.campaign.path
        self.disk.mkdir()
        self.has_disk = mounted("-t", "tmpfs", "-o", "size=64m", "none", self.disk)
        self.workers = {"local": None, "files": Workers, "dask": DaskCluster}[engine]
        self.driver, self.stopped, self.said = None, [], []
        self.attacks = [self.kill_worker, self.kill_driver, self.stop_worker, self.stop_driver, self.kill_heddle, self.second_driver,
                        self.skew, self.twice, self.result_twice]
        self.attacks += [self.full_disk, self.read_only] if self.has_disk else []

    def __call__(self):
        try:
            if self.workers:
                self.campaign.path.chmod(0o700)
                self._begin_directory()
                self.workers = self.workers(self, 3)
                if isinstance(self.workers, DaskCluster):
                    self.attacks.append(self.kill_scheduler)
            self.driver = self._start()
            for _ in range(self.random.randint(4, 9) if sys.argv[2:] else 2):
                if not self._go_on():
                    break
                attack = self.random.choice(self.attacks)
                self.said.append(attack.__name__)
                attack()
            self._finish()
        finally:
            if self.driver is not None and self.driver.poll() is None:
                send(self.driver.pid, signal.SIGCONT)
                self.driver.kill()
                self.driver.communicate()
            self._continue()
            if isinstance(self.workers, (Workers, DaskCluster)):
                self.workers.end()
            if self.has_disk:
                subprocess.run(["umount", "-l", self.disk], stderr=subprocess.DEVNULL)

    def _begin_directory(self):
        """Workers want one that holds a campaign: the search until it is cut is nobody's concern but the driver's."""
        arguments = self.campaign.arguments
        at = arguments.index("--scheduler") + 1
        done = self._end(self._start(*arguments[:at], "local:1", *arguments[at + 1 :], "--time", "1ms"))
        case.expect(f"{self.campaign.name}: {self.what}: it begins", done.status in (0, 1), done)

    def _start(self, *arguments):
        campaign = self.campaign
        command = [campaign.python, str(FAR), *(arguments or campaign.arguments), str(campaign.path), "--", str(campaign.program)]
        return subprocess.Popen(command, cwd=case.path, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, errors="replace")

    def _end(self, process):
        out, err = process.communicate(timeout=2 * SECONDS)
        done = Done(process.args, process.returncode, out, err)
        if "Traceback" in err or (process.returncode < 0 and process.returncode != -signal.SIGKILL):
            case.expect(f"{self.campaign.name}: {self.what}: {self.said}: ends in order", False, done)
        return done

    def _is_complete(self, done):
        return "every schedule explored" in done.out or (done.status == 1 and "pieces are missing" not in done.out)

    def _go_on(self):
        """Waits for a random moment. False: the campaign is finished, and has to be right."""
        target = self.campaign.done() + self.random.randint(0, 5)
        self.campaign.wait(self.driver, lambda: self._lets_work() or self.campaign.done() >= target)
        time.sleep(self.random.random() * 0.2)
        if self.driver.poll() is None:
            return True
        done = self._end(self.driver)
        if self._is_complete(done):
            return False
        self.driver = self._start()
        return True

    def _continue(self):
        for pid in self.stopped:
            send(pid, signal.SIGCONT)
        self.stopped = []

    def _finish(self):
        """Nobody attacks any more, but what was stopped may stay so, for a while."""
        if self.random.random() < 0.5:
            self._continue()
        for _ in range(MOST_RUNS):
            if self.driver.poll() is not None and self.driver.stdout.closed:
                self.driver = self._start()
            self.campaign.wait(self.driver, self._lets_work)
            done = self._end(self.driver)
            if self._is_complete(done):
                break
            self._continue()
            for result in self.campaign.results.glob("*.result"):
                if b"three workers" in result.read_bytes():
                    result.unlink()
        self.campaign.is_exact(f"{self.what}: {' '.join(self.said)}", done)

    def _lets_work(self):
        """Those who were killed, or have ended with a driver, are replaced."""
        if self.workers:
            self.workers.keep_up()
        return False

    # ---- attacks ----

    def _workers(self):
        return self.workers.pids() if self.workers else [pid for pid in children(self.driver.pid) if is_worker(pid)]

    def _one_worker(self):
        pids = self._workers()
        return self.random.choice(pids) if pids else None

    def kill_worker(self):
        if pid := self._one_worker():
            send(pid, signal.SIGKILL)

    def stop_worker(self):
        if pid := self._one_worker():
            send(pid, signal.SIGSTOP)
            self.stopped.append(pid)
            if self.random.random() < 0.5:
                time.sleep(self.random.random())
                self._continue()

    def kill_heddle(self):
        """Or the program that it runs."""
        pids = [below for pid in self._workers() for below in descendants(pid)]
        if pids:
            send(self.random.choice(pids), signal.SIGKILL)

    def kill_driver(self):
        self.driver.kill()
        self._continue()  # a stopped worker of the driver's would keep its pipes
        self._end(self.driver)
        self.driver = self._start()

    def stop_driver(self):
        send(self.driver.pid, signal.SIGSTOP)
        time.sleep(self.random.random() * 3)
        send(self.driver.pid, signal.SIGCONT)

    def second_driver(self):
        """The first one is stopped, which nobody can know."""
        send(self.driver.pid, signal.SIGSTOP)
        locked = is_locked(self.campaign.path / "lock")
        done = self._end(self._start())
        if locked and not (done.status == 2 and "another heddle-campaign" in done.err):
            case.expect(f"{self.what}: a second driver", False, done)
        if self.random.random() < 0.5:
            self.kill_driver()
        send(self.driver.pid, signal.SIGCONT)

    def kill_scheduler(self):
        self.workers.kill_scheduler()

    def skew(self):
        """Files of machines whose clocks are wrong by days."""
        for path in list(self.campaign.path.glob("*")) + list(self.campaign.path.glob("*/*")):
            with contextlib.suppress(OSError):
                at = time.time() + self.random.uniform(-1e6, 1e6)
                os.utime(path, (at, at))

    def twice(self):
        """A task that is there once more, so that its piece is run twice."""
        for task in list((self.campaign.path / "queue").glob("*.task"))[:2]:
            with contextlib.suppress(OSError):
                shutil.copy(task, task.with_name(f"{self.random.randint(1, 10**8):09}-{task.name.partition('-')[2]}"))

    def result_twice(self):
        for result in list(self.campaign.results.glob("[0-9a-f]*.result"))[:2]:
            with contextlib.suppress(OSError):
                shutil.copy(result, result.with_name(f"again-{result.name}"))

    def full_disk(self):
        disk = os.statvfs(self.disk)
        used = (disk.f_blocks - disk.f_bfree) * disk.f_frsize
        mounted("-o", f"remount,size={used + 4096 * self.random.randint(0, 20)}", self.disk)
        self._suffer()
        mounted("-o", "remount,size=64m", self.disk)

    def read_only(self):
        results = self.campaign.results
        if not results.exists() or not mounted("--bind", results, results):
            return
        mounted("-o", "remount,ro,bind", results)
        self._suffer()
        subprocess.run(["umount", "-l", results], check=True)

    def _suffer(self):
        until = time.monotonic() + 3 * self.random.random()
        self.campaign.wait(self.driver, lambda: time.monotonic() > until)


def is_locked(path):
    try:
        with open(path, "rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except FileNotFoundError:  # the driver has not come so far
        return False
    except BlockingIOError:
        return True
    return False


def is_worker(pid):
    try:
        return b"\0work\0" in pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False


python = python_with_dask()
everything = sys.argv[2:] == ["all"]
if everything:
    seeds = range(1, 61)
elif sys.argv[2:]:
    seeds = range(int(sys.argv[2]), int(sys.argv[2]) + int((sys.argv[3:] or ["1"])[0]))
else:
    seeds = [2]
for seed in seeds:
    engine = ENGINES[seed // 5 % 3]
    if engine != "dask" or python is not None:
        Round(seed, list(PROGRAMS)[seed % 5], engine)()
case.finish()
