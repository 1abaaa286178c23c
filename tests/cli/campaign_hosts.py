"""By hand, as it has not been seen to end on a quiet machine: campaign_hosts.py BUILD [plain|dask]. heddle-campaign on several hosts,
as far as one kernel goes: each has a host name, process numbers, mounts and a network of its own, sees the campaign's directory in
another place, and has neither the program nor heddle. Two know the C library of the driver's machine, the third has another one.
Hosts die as a whole, their network is cut, and what they have in their caches is damaged."""

import contextlib
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile

NAMESPACES = ["unshare", "--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc"]
if os.environ.get("CAMPAIGN_HOSTS") is None:  # nothing is done to the network of this machine
    if subprocess.run([*NAMESPACES, "true"], stderr=subprocess.DEVNULL).returncode != 0:
        print("no namespaces here")
        sys.exit(77)
    sys.exit(subprocess.run([*NAMESPACES, sys.executable, *sys.argv], env={**os.environ, "CAMPAIGN_HOSTS": "1"}).returncode)

from campaign_cluster import Cluster  # noqa: E402
from campaign_run import Campaign, children, descendants, python_with_dask  # noqa: E402
from heddle_run import Case, SECONDS, Done  # noqa: E402

case = Case(sys.argv[1])
HEDDLE = pathlib.Path(os.path.realpath(case.build / "heddle"))
CACHE = "/mnt/cache"
EMPTY = case.path / "empty"
EMPTY.mkdir()
LIBC = os.path.realpath("/lib/x86_64-linux-gnu/libc.so.6")


def shell(command):
    subprocess.run(["sh", "-ec", command], check=True)


class Host:
    """A machine. `shared`: a directory of the driver's machine, which it sees as /mnt/shared. `libc`: it has that one."""

    numbers = iter(range(1, 250))

    def __init__(self, name, shared=None, libc=None):
        self.name, number = name, next(Host.numbers)
        self.address, self.driver = f"10.77.{number}.2", f"10.77.{number}.1"
        prepare = [f"hostname {name}", "mount -t tmpfs none /mnt", "mkdir /mnt/shared /mnt/cache"]
        prepare += [f"mount --bind '{shared}' /mnt/shared"] if shared else []
        for folder in (case.source / "campaign", HEDDLE.parent, case.path):
            # A folder of the same disk: on another file system large libraries may have other addresses (docs/campaigns.md).
            empty = EMPTY if folder == case.source / "campaign" else pathlib.Path(tempfile.mkdtemp(prefix=".host-", dir=folder))
            prepare.append(f"mount --bind '{empty}' '{folder}'")
        prepare += ["ip link set lo up", "echo ready", "read linked", *([f"mount --bind {libc} {LIBC}"] if libc else []), "echo ready"]
        if libc:
            shell(f"cp {libc} /dev/shm/libc-{number}")
            prepare[-2] = f"mount --bind /dev/shm/libc-{number} {LIBC}"
        command = [*NAMESPACES, "--uts", "sh", "-ec", "; ".join(prepare) + "; exec sleep infinity"]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout.readline() == "ready\n"
        [self._pid] = children(self._process.pid)
        self.link = f"host{number}"
        shell(f"ip link add {self.link} type veth peer name eth0 netns {self._pid}; ip addr add {self.driver}/30 dev {self.link}; "
              f"ip link set {self.link} up")
        self.end_of(self.start("ip", "addr", "add", f"{self.address}/30", "dev", "eth0"))
        self.end_of(self.start("ip", "link", "set", "eth0", "up"))
        self.end_of(self.start("ip", "route", "add", "default", "via", self.driver))
        self._process.stdin.write("linked\n")
        self._process.stdin.flush()
        assert self._process.stdout.readline() == "ready\n"

    def start(self, *command):
        enter = ["nsenter", "-t", str(self._pid), "--mount", "--uts", "--net", "--pid", "--wd=/"]
        return subprocess.Popen([*enter, *map(str, command)], env={**os.environ, "HEDDLE_CAMPAIGN_CACHE": CACHE}, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace")

    def end_of(self, process):
        out, err = process.communicate(timeout=4 * SECONDS)
        return Done(process.args, process.returncode, out, err)

    def shell(self, command):
        return self.end_of(self.start("sh", "-ec", command))

    def work(self, *arguments):
        return self.start(sys.executable, "/mnt/shared/worker/heddle-campaign", "work", *arguments, "/mnt/shared")

    def die(self):
        """As without power: all its processes at once."""
        os.kill(self._pid, 9)
        self._process.wait(SECONDS)


def far_campaign(name, scheduler, slice_executions, python=sys.executable):
    campaign = Campaign(case, name, scheduler, python, slice_executions)
    campaign.arguments += ["--heddle", str(HEDDLE), "--ship"]
    campaign.path.mkdir()
    return campaign


def another_libc():
    """The same library, of another build as far as its digest goes."""
    path = case.path / "libc.so.6"
    path.write_bytes(pathlib.Path(LIBC).read_bytes() + b"another")
    return path


def plain_files():
    campaign = far_campaign("adds", "files", 300)
    hosts = [Host(name, campaign.path) for name in ("alpha", "beta")]
    other = Host("gamma", campaign.path, another_libc())
    driver = campaign.start()
    campaign.wait(driver, lambda: (campaign.path / "ship.json").exists())
    workers = [hosts[0].work("--jobs", "2")]
    campaign.wait(driver, lambda: campaign.done() > 1)
    alpha = descendants(workers[0].pid)
    for pid in alpha:  # the piece that it has is not done meanwhile, so that gamma gets others
        os.kill(pid, signal.SIGSTOP)
    before = campaign.done()
    done = other.end_of(other.work())
    case.expect("another libc: the worker says so, and ends", done.status == 2 and "libc.so.6" in done.err, done)
    case.expect("and ran nothing", campaign.done() == before, done)
    for pid in alpha:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGCONT)
    workers.append(hosts[1].work("--jobs", "2"))
    campaign.wait(driver, lambda: campaign.done() > 4)
    hosts[1].die()
    workers[1].communicate()
    campaign.is_exact("three hosts, one with another libc, one that dies", campaign.end(driver))
    done = hosts[0].end_of(workers[0])
    case.expect("the other one ends with the campaign", done.status == 0, done)
    placed = hosts[0].shell(f"ls {CACHE}/files | wc -l; test -x {campaign.program}; test -x {HEDDLE}")
    case.expect("program and heddle are where they have to be", placed.status == 0 and int(placed.out) >= 3, placed)

    # What is in the cache is damaged, and what was placed is gone: it is noticed, and fetched again.
    campaign = far_campaign("adds", "files", 300)
    host = Host("delta", campaign.path)
    driver = campaign.start()
    campaign.wait(driver, lambda: (campaign.path / "ship.json").exists() and (campaign.results / "root.result").exists())
    damage = "mkdir -p {0}/files; for f in /mnt/shared/files/*; do echo damaged >{0}/files/$(basename $f); done".format(CACHE)
    case.expect("the cache is damaged", (done := host.shell(damage)).status == 0, done)
    worker = host.work("--jobs", "3")  # three at once, of which each wants to mend it
    campaign.is_exact("a damaged cache", campaign.end(driver))
    case.expect("its worker ended in order", (done := host.end_of(worker)).status == 0, done)
    for one in (host, other, hosts[0]):
        one.die()


def dask(python):
    campaign = far_campaign("adds", "files", 300, python)
    hosts = [Host(name) for name in ("alpha", "beta", "gamma")]
    cluster = Cluster(case, python, 0, host="0.0.0.0", WORKER_TTL="20 s")
    port = cluster.address.rpartition(":")[2]

    def start(host):
        command = f"DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT=20s exec {python} -m distributed.cli.dask_worker tcp://{host.driver}:{port} "
        return host.start("sh", "-c", command + f"--host {host.address} --nthreads 2 --no-nanny --no-dashboard --local-directory /mnt/dask")

    workers = [start(host) for host in hosts]
    at = campaign.arguments.index("--scheduler") + 1
    campaign.arguments[at] = f"tcp://127.0.0.1:{port}"
    driver = campaign.start()
    cut = campaign.wait(driver, lambda: campaign.done() > 2)
    shell(f"ip link set {hosts[1].link} down")
    campaign.wait(driver, lambda: campaign.done() > 4)
    hosts[2].die()
    campaign.wait(driver, lambda: campaign.done() > 6)
    shell(f"ip link set {hosts[1].link} up")
    done = campaign.end(driver)
    case.expect("pieces were under way", cut, done)
    campaign.is_exact("Dask on three hosts, of which one dies and one is cut off for a while", done)
    cluster.end()
    for host in hosts[:2]:
        host.die()
    for worker in workers:
        worker.communicate()


shell("ip link set lo up")
if "dask" not in sys.argv:
    plain_files()
if "plain" not in sys.argv and (python := python_with_dask()) is not None:
    dask(python)
for folder in HEDDLE.parent.glob(".host-*"):
    shutil.rmtree(folder, ignore_errors=True)
case.finish()
