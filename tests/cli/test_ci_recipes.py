"""The shell of examples/ci/github.yml and gitlab.yml, run here on examples/builds; the packages that they and the Dockerfile install.

What needs GitHub, GitLab, Docker or a network is not run: the steps that install, and those of others.

Usage: test_ci_recipes.py BUILD_DIR
"""

import json
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree

from heddle_run import Case, Done

INSTALLING = {"Install tools", "Build heddle", "Install heddle"}


def block(lines, start, indent):
    """The lines from START on that are indented by more than INDENT, or empty, without what they have in common."""
    end = start
    while end < len(lines) and (not lines[end].strip() or len(lines[end]) - len(lines[end].lstrip()) > indent):
        end += 1
    taken = lines[start:end]
    common = min((len(line) - len(line.lstrip()) for line in taken if line.strip()), default=0)
    return [line[common:] for line in taken]


def steps_of_github(text):
    """(name, script) of each step with a name and a `run`."""
    steps, lines, name = [], text.splitlines(), None
    for number, line in enumerate(lines):
        named = re.fullmatch(r" *- (?:name: (.*)|\w+:.*)", line)
        running = re.fullmatch(r"( *)run: (.*)", line)
        if named:
            name = named.group(1)
        elif running and name:
            script = block(lines, number + 1, len(running.group(1))) if running.group(2) == "|" else [running.group(2)]
            steps.append((name, "\n".join(script).strip() + "\n"))
    return steps


def list_of_gitlab(text, key):
    lines = text.splitlines()
    start = lines.index(f"  {key}:")
    return [line[2:] for line in block(lines, start + 1, 2)]


def same_as_yaml(case, github, gitlab):
    """Where Python can read YAML, it reads the same."""
    try:
        import yaml
    except ImportError:
        return
    steps = yaml.safe_load(github)["jobs"]["heddle"]["steps"]
    read = [(step["name"], step["run"].strip() + "\n") for step in steps if "run" in step]
    case.expect("the workflow is YAML with these steps", read == steps_of_github(github), Done([], 0, repr(read), ""))
    job = yaml.safe_load(gitlab)["heddle"]
    case.expect("GitLab's file is YAML with these scripts",
                all(job[key] == list_of_gitlab(gitlab, key) for key in ("script", "after_script")), Done([], 0, repr(job), ""))


def run(folder, script, environment):
    process = subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script], cwd=folder, env=environment,
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                             errors="replace", timeout=600)
    return Done([script], process.returncode, process.stdout, "")


def project(case, name, mistake):
    folder = case.path / name
    shutil.copytree(case.source / "examples" / "builds", folder)
    if mistake:
        lists = folder / "CMakeLists.txt"
        lists.write_text(lists.read_text().replace('queue.h" OFF', 'queue.h" ON'))
    return folder


def check_github(case, text, environment):
    for mistake in False, True:
        folder = project(case, f"github-{mistake}", mistake)
        of_run = {**environment, "GITHUB_WORKSPACE": str(folder)}
        done = {name: run(folder, script, of_run) for name, script in steps_of_github(text) if name not in INSTALLING}
        case.expect("GitHub: the steps that run here", list(done) == ["Build the tests", "Explore", "Report"], Done(list(done), 0, "", ""))
        case.expect("GitHub: the tests are built", done["Build the tests"].status == 0, done["Build the tests"])
        explored = done["Explore"]
        case.expect(f"GitHub: {'the bug fails the job' if mistake else 'no bug'}", (explored.status != 0) == mistake, explored)
        case.expect("GitHub: reports are written", done["Report"].status == 0, done["Report"])
        results = json.loads((folder / "heddle.sarif").read_text())["runs"][0]["results"]
        case.expect("GitHub: SARIF has the bug", len(results) == int(mistake), done["Report"])
        case.expect("GitHub: it names the source relative to the checkout", not mistake or "file://" not in json.dumps(results[0]["locations"]),
                    Done([], 0, json.dumps(results, indent=1), ""))
        failures = xml.etree.ElementTree.parse(folder / "heddle.xml").getroot().findall(".//failure")
        case.expect("GitHub: JUnit has the bug", len(failures) == int(mistake), done["Report"])
        schedules = list(folder.glob("build/heddle-out/**/*.heddle"))
        case.expect("GitHub: the schedule is where the artifact takes it from", len(schedules) == int(mistake), explored)
        for schedule in schedules:  # as somebody who took the artifact would
            moved = shutil.move(folder / "build" / "queue_test", case.path / "queue_test")
            replayed = run(folder, f"heddle replay --program '{moved}' '{schedule}'", environment)
            case.expect("GitHub: it replays with the program of the artifact", replayed.status == 1, replayed)


def check_gitlab(case, text, environment):
    folder = project(case, "gitlab", True)
    done = run(folder, "\n".join(list_of_gitlab(text, "script")), environment)
    case.expect("GitLab: the bug fails the job", done.status != 0 and "deadlock" in done.out, done)
    done = run(folder, "\n".join(list_of_gitlab(text, "after_script")), environment)
    case.expect("GitLab: reports are written", done.status == 0 and (folder / "heddle.html").exists()
                and "<failure" in (folder / "heddle.xml").read_text(), done)


def check_kept(case, environment):
    """The test of docs/ci.md that replays a kept schedule with the kept program; another build is refused."""
    text = (case.source / "docs" / "ci.md").read_text()
    snippet = re.search(r"^```cmake\n(add_test\(NAME known.*?)^```", text, re.MULTILINE | re.DOTALL).group(1)
    folder = project(case, "kept", True)
    compiled = "heddle-c++ -std=c++17 -O1 -pthread -o {} {} queue_test.cpp"
    done = run(folder, f"{compiled.format('queue_test', '-DNOTIFY_ONE')} && {compiled.format('fixed', '')}", environment)
    case.expect("kept: built", done.status == 0, done)
    done = run(folder, "heddle check ./queue_test || mv heddle-out/*.heddle lost_wake_up.heddle", environment)
    (folder / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.18)\nproject(kept NONE)\nenable_testing()\n"
                                           f"set(dir {folder})\n{snippet}")
    done = run(folder, "cmake -S . -B build && ctest --test-dir build --output-on-failure", environment)
    case.expect("kept: the bug shows", done.status == 0 and "100% tests passed" in done.out, done)
    done = run(folder, "mv fixed queue_test && ctest --test-dir build --output-on-failure", environment)
    case.expect("kept: another build is refused", done.status != 0 and "another build" in done.out, done)


def check_packages(case, texts):
    """What heddle is built with stands in ./dev; a recipe that misses one of them fails at others' places only."""
    dev = (case.source / "dev").read_text()
    needed = set()
    for name in "BUILD_PACKAGES", "PAGES_PACKAGES":
        needed.update(re.search(rf"^readonly {name}=\((.*?)\)", dev, re.MULTILINE).group(1).split())
    for name, text in texts.items():
        installed = " ".join(text.replace("\\\n", " ").split())
        missing = [package for package in sorted(needed) if f" {package} " not in installed + " "]
        case.expect(f"{name} installs what heddle is built with", not missing, Done(missing, 0, "", ""))


def main():
    case = Case(sys.argv[1])
    if not shutil.which("ninja"):
        sys.exit(77)
    recipes = case.source / "examples" / "ci"
    texts = {name: (recipes / name).read_text() for name in ("github.yml", "gitlab.yml", "Dockerfile")}
    prefix = case.path / "prefix"
    subprocess.run(["cmake", "--install", case.build, "--prefix", prefix], check=True, stdout=subprocess.DEVNULL)
    environment = {**os.environ, "PATH": f"{prefix}/bin:{os.environ['PATH']}", "CMAKE_PREFIX_PATH": str(prefix), "HEDDLE_TIME": "60s"}
    same_as_yaml(case, texts["github.yml"], texts["gitlab.yml"])
    check_github(case, texts["github.yml"], environment)
    check_gitlab(case, texts["gitlab.yml"], environment)
    check_kept(case, environment)
    check_packages(case, {name: texts[name] for name in ("github.yml", "Dockerfile")})
    case.finish()


if __name__ == "__main__":
    main()
