"""examples/campaign, as far as one machine allows: the scripts for Slurm and SSH with stand-ins for srun and ssh, the commands of the
manifest for Kubernetes and of the GitHub workflow one after the other, and certificates with which Dask speaks TLS."""

import os
import re
import shutil
import subprocess
import sys

from campaign_run import PROGRAMS, Campaign, python_with_dask
from heddle_run import Case, Done, SECONDS
from piece_programs import RELAXED

case = Case(sys.argv[1])
examples = case.source / "examples" / "campaign"
folder = case.path / "bin"
folder.mkdir()
(folder / "heddle-campaign").write_text(f"#!/bin/sh\nexec '{sys.executable}' '{case.build}/heddle-campaign' \"$@\"\n")
(folder / "srun").write_text('#!/bin/sh\nn=${1#--ntasks=}; shift\nwhile [ $n -gt 0 ]; do "$@" & n=$((n - 1)); done\nwait\n')
# Another machine is another place where heddle is not in PATH.
(folder / "ssh").write_text('#!/bin/sh\n[ "$1 $2" = "-o BatchMode=yes" ] || exit 2\nshift 3\nPATH=/usr/bin:/bin exec sh -c "$*"\n')
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

campaign = Campaign(case, "late", "files")
done = shell("bash", examples / "ssh.sh", campaign.path, "one two", "2", campaign.program, HEDDLE_CAMPAIGN_CACHE=str(case.path / "cache"))
case.expect("the SSH script", done.status == 0 and "every schedule explored" in done.out, done)

# What the jobs run, with the program and the directory of this test: a search that goes on under C11's memory model, so that each
# share has a part of two searches.
PROGRAMS["relaxed"] = (RELAXED, [], "--memory-model c11", False)
campaign = Campaign(case, "relaxed", "files")
workflow = (examples / "github.yml").read_text()
steps = [line.replace("/opt/queue_test", str(campaign.program)) for line in re.findall(r"- run: ([^#\n]*)", workflow)]
cut, explore, merge = (step.split() for step in steps)
done = shell(*cut[:2], "--begin", "10m", "--check=--executions 5", *cut[2:])
case.expect("GitHub: cut", done.status == 0, done)
whole = case.path / "campaign"
case.expect("both searches are cut", all((whole / name / "root.result").exists() for name in ("results", "results-c11")), done)
for share in (1, 2):
    shutil.copytree(whole, case.path / f"share-{share}" / "campaign")
    command = " ".join(explore).replace("${{ matrix.share }}/8", f"{share}/2").split()
    command[-1] = f"share-{share}/campaign"
    done = shell(*command)
    case.expect(f"GitHub: share {share}", done.status == 0, done)
for result in case.path.glob("share-*/campaign/results*/*.result"):
    shutil.copy(result, whole / result.parent.name)
before = len(list(whole.glob("results*/*.result")))
done = shell(*merge)
campaign.path = whole
campaign.is_exact("GitHub: merge", done, "every execution under C11's memory model explored")
case.expect("GitHub: the shares have left nothing", len(list(whole.glob("results*/*.result"))) == before, done)

# Are they what their readers can read? As far as there are such programs here.
try:
    import yaml
except ImportError:
    yaml = None
if yaml is not None:
    kinds = [part["kind"] for part in yaml.safe_load_all((examples / "kubernetes.yaml").read_text())]
    case.expect("the manifest is YAML", kinds == ["PersistentVolumeClaim", "Job", "Job"], done)
    jobs = yaml.safe_load(workflow)["jobs"]
    case.expect("the workflow is YAML", all("runs-on" in job and job["steps"] for job in jobs.values()), done)
    needs = [job.get("needs") for job in jobs.values()]
    case.expect("a job needs the one before", needs == [None, *list(jobs)[:-1]], done)
for script in ("slurm.sh", "ssh.sh", "make_certificates"):
    case.expect(f"{script} is a script", (done := shell("bash", "-n", examples / script)).status == 0, done)
    if shutil.which("shellcheck"):
        case.expect(f"{script}: no warnings", (done := shell("shellcheck", examples / script)).status == 0, done)
if shutil.which("kubectl"):
    (case.path / "k8s").mkdir()
    shutil.copy(examples / "kubernetes.yaml", case.path / "k8s")
    (case.path / "k8s" / "kustomization.yaml").write_text("resources: [kubernetes.yaml]\n")
    done = shell("kubectl", "kustomize", case.path / "k8s")
    case.expect("kubectl reads the manifest", done.status == 0 and done.out.count("kind:") == 3, done)

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
