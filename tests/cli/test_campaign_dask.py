"""heddle-campaign on Dask: a scheduler and workers on loopback, of which workers are killed and stopped, and the driver and the
scheduler die; and a piece that kills its worker.

    test_campaign_dask.py BUILD [all]     four workers and five programs; else two and one
"""

import os
import pathlib
import shutil
import signal
import subprocess
import sys

from campaign_cluster import Cluster
from campaign_run import OPTIMAL, PROGRAMS, Campaign, poison, python_with_dask
from heddle_run import Case, Done, SECONDS, read_json

python = python_with_dask()
if python is None:
    print("no Python here has Dask (python3-distributed)")
    sys.exit(77)
case = Case(sys.argv[1])
everything = sys.argv[2:] == ["all"]


def reap(cluster, pid):
    for worker in cluster.workers:
        if worker.pid == pid:
            worker.wait(SECONDS)
    cluster.replace_dead()


def killed(cluster, name, slice_executions):
    campaign = Campaign(case, name, cluster.address, python, slice_executions)
    campaign.hold(3)
    process = campaign.start()
    campaign.wait(process, lambda: campaign.done() >= 3)
    worker = campaign.kill_worker(process, cluster.pids)
    reap(cluster, worker)
    campaign.hold(9)
    campaign.wait(process, lambda: campaign.done() >= 9)
    driver = campaign.kill_driver(process)
    campaign.hold(None)
    done = campaign.run()
    case.expect(f"{name}: a worker and the driver were killed", worker and driver, done)
    campaign.is_exact("killed", done)


def shipped(cluster):
    """A worker on whose machine there is no program, and no heddle for the test."""
    campaign = Campaign(case, "late", cluster.address, python, 30)
    folder = case.path / "far"
    folder.mkdir()
    campaign.program = pathlib.Path(shutil.copy(campaign.program, folder))
    for worker in cluster.workers:
        worker.kill()
        worker.wait(SECONDS)
    cluster.workers = [cluster.start_worker(folder)]
    process = campaign.start()
    done = campaign.end(process)
    case.expect("no program there", done.status == 2 and "has no" in done.err and "--ship" in done.err, done)
    cluster.workers[0].kill()
    cluster.workers[0].wait(SECONDS)
    cluster.workers = [cluster.start_worker(folder)]
    campaign.is_exact("the program travels", campaign.run("--ship"))


cluster = Cluster(case, python, 4 if everything else 2)
killed(cluster, "adds", 120)
if everything:
    for name in PROGRAMS:
        killed(cluster, name, 15)

    # A worker that is stopped, and goes on when others have done the rest or are at it.
    campaign = Campaign(case, "adds", cluster.address, python, 100)
    campaign.hold(8)
    process = campaign.start()
    stopped = campaign.kill_worker(process, cluster.pids, signal.SIGSTOP)
    rest = campaign.wait(process, lambda: campaign.done() > 4)
    os.kill(stopped, signal.SIGCONT)
    campaign.hold(None)
    done = campaign.end(process)
    case.expect("the others went on", rest, done)
    campaign.is_exact("stopped and continued", done)

    if subprocess.run(["unshare", "-m", "true"], stderr=subprocess.DEVNULL).returncode == 0:
        shipped(cluster)

    # The scheduler dies.
    campaign = Campaign(case, "adds", cluster.address, python, 60)
    campaign.hold(4)
    process = campaign.start()
    campaign.wait(process, lambda: campaign.done() > 3)
    cluster.end()
    campaign.hold(None)
    done = campaign.end(process)
    case.expect("the scheduler is gone", done.status == 2 and "the same command goes on" in done.err, done)
    cluster = Cluster(case, python, 2)
    campaign.arguments[campaign.arguments.index("--scheduler") + 1] = cluster.address
    campaign.is_exact("with another scheduler", campaign.run())

    # A piece that kills heddle, and one that kills the worker with it.
    for whom in ("heddle", "worker"):
        poison(case, cluster.address, python, whom, meanwhile=cluster.replace_dead)
        cluster.replace_dead()

    campaign = Campaign(case, "late", "dask:2", python, 30)
    campaign.is_exact("workers that the driver starts", campaign.run())
cluster.end()
done = Campaign(case, "late", "tcp://127.0.0.1:1", python).run() if everything else None
if done:
    case.expect("no scheduler", done.status == 2 and "no Dask scheduler" in done.err, done)
case.finish()
