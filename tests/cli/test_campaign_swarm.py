"""Searches that have no pieces, on workers of others: plain files and Dask. Diverse searches run side by side; a worker that dies
costs nothing but time, and only the search that was asked for proves something."""

import json
import signal
import subprocess
import sys

from campaign_run import Campaign, children, python_with_dask
from campaign_cluster import Cluster
from heddle_run import Case, SECONDS

case = Case(sys.argv[1])
everything = sys.argv[2:] == ["all"]


def searched(name, scheduler, check, python=sys.executable):
    campaign = Campaign(case, name, scheduler, python)
    campaign.arguments[campaign.arguments.index("--check") + 1] = check
    at = campaign.arguments.index("--begin")
    del campaign.arguments[at : at + 4]  # and --slice: of the searches beside
    campaign.arguments += ["--begin", "1ms", "--slice", "1s"]
    return campaign


# Two workers of somebody else; the search that was asked for explores everything, which takes longer than those beside it.
campaign = searched("adds", "files", "--order depth-first --reduction happens-before")
process = campaign.start()
campaign.wait(process, campaign.path.joinpath("campaign.json").exists)
workers = subprocess.Popen([sys.executable, case.build / "heddle-campaign", "work", "--quiet", "--jobs", "2", "--heddle",
                            case.build / "heddle", campaign.path])
done = campaign.end(process)
case.expect("plain files: proved", done.status == 0 and "every schedule explored" in done.out.splitlines()[-1], done)
first = json.loads((campaign.path / "swarm" / "1.json").read_text())
case.expect("by the search that was asked for", first["complete"] and first["coverage"]["happens_before"] == 1680, done)
case.expect("others ran beside it", "searches" in done.out.splitlines()[-1] and (campaign.path / "swarm" / "2.json").exists(), done)
case.expect("the workers end with it", workers.wait(SECONDS) == 0, done)
case.expect("nothing stays", not list((campaign.path / "queue").iterdir()) and not list(campaign.results.iterdir()), done)

# A bug that drawn schedules find, with its schedule, although the search was far away.
campaign = searched("wrong", "local:2", "--order pct --executions 300")
done = campaign.run()
case.expect("a bug is found", done.status == 1 and "assert" in done.out, done)
schedules = list((campaign.path / "schedules").glob("*.heddle"))
case.expect("and replayed", schedules and case.heddle("replay", schedules[0]).status == 1, done)

if everything:
    # The worker of the search that was asked for dies twice.
    campaign = searched("adds", "local:2", "--order depth-first --reduction happens-before")
    process = campaign.start()
    campaign.wait(process, (campaign.path / "swarm").exists)
    killed = [campaign.kill_worker(process, lambda: children(process.pid), signal.SIGKILL) for _ in range(2)]
    done = campaign.end(process)
    case.expect("workers were killed", all(killed), done)
    case.expect("it is proved all the same", done.status == 0 and "every schedule explored" in done.out.splitlines()[-1], done)
    if (python := python_with_dask()) is not None:
        cluster = Cluster(case, python, 2)
        campaign = searched("adds", cluster.address, "--order depth-first --reduction happens-before", python)
        done = campaign.run()
        case.expect("Dask: proved", done.status == 0 and "every schedule explored" in done.out.splitlines()[-1], done)
        campaign = searched("wrong", cluster.address, "--order pct --executions 300", python)
        done = campaign.run()
        case.expect("Dask: a bug is found", done.status == 1 and "assert" in done.out, done)
        cluster.end()
case.finish()
