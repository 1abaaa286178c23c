"""examples/campaign, as far as one machine allows: the Slurm script with a stand-in for srun, the commands of the manifest for
Kubernetes and of the GitHub workflow one after the other, and certificates with which Dask speaks TLS."""

import os
import re
import shutil
import subprocess
import sys

from campaign_run import Campaign, python_with_dask
from heddle_run import Case, Done, SECONDS

case = Case(sys.argv[1])
examples = case.source / "examples" / "campaign"
folder = case.path / "bin"
folder.mkdir()
(folder / "heddle-campaign").write_text(f"#!/bin/sh\nexec '{sys.executable}' '{case.build}/heddle-campaign' \"$@\"\n")
(folder / "srun").write_text('#!/bin/sh\nn=${1#--ntasks=}; shift\nwhile [ $n -gt 0 ]; do "$@" & n=$((n - 1)); done\nwait\n')
for tool in folder.iterdir():
    tool.chmod(0o700)
(folder / "heddle").symlink_to(case.build / "heddle")
environment = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}


def shell(*command, **more):
    ended = subprocess.run(list(map(str, command)), cwd=case.path, env={**environment, **more}, stdin=subprocess.DEVNULL,
                           capture_output=True, text=True, timeout=SECONDS)
    return Done(list(map(str, command)), ended.returncode, ended.stdout, ended.stderr)


campaign = Campaign(case, "late", "files")
done = shell("bash", examples / "slurm.sh", campaign.path, campaign.program, SLURM_NTASKS="2")
case.expect("the Slurm script", done.status == 0 and "every schedule explored" in done.out, done)

# What the jobs run, with the program and the directory of this test.
campaign = Campaign(case, "adds", "files")
workflow = (examples / "github.yml").read_text()
steps = [line.replace("/opt/queue_test", str(campaign.program)) for line in re.findall(r"- run: ([^#\n]*)", workflow)]
cut, explore, merge = (step.split() for step in steps)
cut[cut.index("--time") + 1] = "1ms"
done = shell(*cut[:2], "--begin", "1ms", *cut[2:])
case.expect("GitHub: cut", done.status == 0, done)
results = case.path / "results"
results.mkdir()
for share in (1, 2):
    shutil.copytree(case.path / "campaign", case.path / "share" / "campaign")
    command = " ".join(explore).replace("${{ matrix.share }}/8", f"{share}/2").split()
    command[-1] = "share/campaign"
    done = shell(*command)
    case.expect(f"GitHub: share {share}", done.status == 0, done)
    for result in (case.path / "share" / "campaign" / "results").glob("*.result"):
        shutil.copy(result, results)
    shutil.rmtree(case.path / "share")
done = shell(*merge)
case.expect("GitHub: merge", done.status == 0 and "every schedule explored (1,680" in done.out, done)

manifest = (examples / "kubernetes.yaml").read_text()
driver, worker = (words.replace(",", "").split() for words in re.findall(r"command: \[(.*)\]", manifest))
replace = {"/campaign/queue": str(case.path / "kubernetes"), "/opt/queue_test": str(case.path / "late")}
driver, worker = ([replace.get(word, word) for word in words] for words in (driver, worker))
process = subprocess.Popen(driver, cwd=case.path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
case.expect("Kubernetes: the search is short", campaign.end(process).status == 0, Done(driver, process.returncode, "", ""))
done = shell(*worker)
case.expect("Kubernetes: a worker that comes late", done.status == 0, done)

keys = case.path / "keys"
done = shell(examples / "make_certificates", keys)
case.expect("certificates", done.status == 0 and (keys / "campaign.pem").exists(), done)
done = shell(examples / "make_certificates", keys)
case.expect("they are not replaced", done.status == 2 and len(done.lines()) == 1, done)
python = python_with_dask()
if python is not None:
    encrypted = Campaign(case, "late", "dask:1", python)
    done = encrypted.run("--tls", case.path)
    case.expect("no keys there", done.status == 2 and "make_certificates" in done.err, done)
    encrypted.is_exact("by TLS", encrypted.run("--tls", keys))
case.finish()
