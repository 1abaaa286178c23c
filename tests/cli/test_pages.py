"""Man pages and completions say what `heddle --help` says: every option of every command, and no other."""

import gzip
import pathlib
import re
import shutil
import subprocess
import sys

from heddle_run import Case, Done

case = Case(sys.argv[1])
pages = case.build / "pages"
if not pages.exists():
    sys.exit(77)  # built without Python, or with a sanitizer


def options_of(command):
    """By a reader of its own, not by that which made the pages."""
    text = case.heddle(command, "--help-all" if command == "check" else "--help").out
    return set(re.findall(r"^  (?:-\w,)?(--[\w-]+)", text, re.MULTILINE))


def same(what, found, wanted):
    case.expect(what, set(found) == wanted, Done([what], 0, f"missing: {sorted(wanted - set(found))}\n",
                                                 f"not in --help: {sorted(set(found) - wanted)}\n"))


def shell(*command, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60, cwd=case.path,
                          **options)
    return Done([command[0]], done.returncode, done.stdout, done.stderr)


def bash(*words):
    """What bash offers for the last of these words."""
    script = f". {pages}/completions/heddle.bash; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); _heddle; echo \"${{COMPREPLY[@]}}\""
    return set(shell("bash", "-c", script, "bash", *words).out.split())


def fish(line):
    script = f"source {pages}/completions/heddle.fish; complete -C {line!r}"
    return [offer.split("\t")[0] for offer in shell("fish", "--no-config", "-c", script, env={
        "HOME": str(case.path), "PATH": "/usr/bin:/bin"}).out.splitlines()]


commands = re.findall(r"^  heddle (\w+) ", case.heddle("--help").out, re.MULTILINE)
case.expect("there are commands", {"check", "replay", "report"} <= set(commands), case.heddle("--help"))
short = case.heddle("check", "--help").out
listed = set(re.findall(r"^  (?:-\w,)?(--[\w-]+)", short, re.MULTILINE))
case.expect("check --help lists what most need", {"--time", "--json", "--case", "--leaks"} < listed < options_of("check") and
            len(listed) < 20 and "heddle check --help-all" in short, case.heddle("check", "--help"))
case.expect("lines of the help are no longer than 100", max(map(len, case.heddle("check", "--help-all").out.splitlines())) <= 100,
            case.heddle("check", "--help-all"))
shells = {name for name in ("zsh", "fish") if shutil.which(name)}
for name in {"zsh", "fish"} - shells:
    print(f"skipped: {name} is not installed")

for command in commands:
    wanted = options_of(command)
    manual = gzip.decompress((pages / "man" / f"heddle-{command}.1.gz").read_bytes()).decode()
    section = manual.replace("\\-", "-").split(".SH OPTIONS")[1].split(".SH ")[0]
    same(f"man page of {command}", re.findall(r"^\\fB(?:-\w\\fR, \\fB)?(--[\w-]+)", section, re.MULTILINE), wanted)
    statuses = re.findall(r"^\\fB(\d)", manual.split(".SH EXIT STATUS")[1], re.MULTILINE)
    footer = case.heddle(command, "--help").out.split("Exit status: ")[1]
    same(f"exit statuses of {command}", statuses, set(re.findall(r"(?:^|[,\s])(\d)(?=[ ,])", footer)))
    same(f"bash: options of {command}", {word for word in bash("heddle", command, "--") if word.startswith("--")}, wanted)
    if "fish" in shells:
        same(f"fish: options of {command}", {word for word in fish(f"heddle {command} --") if word.startswith("--")}, wanted)
    if "zsh" in shells:
        # What the function tells zsh's _arguments, which zsh alone could turn into a list.
        script = (f"_arguments() {{ print -l -- \"$@\"; }}; service=heddle words=(heddle {command} --) CURRENT=3; "
                  f"source {pages}/completions/_heddle")
        same(f"zsh: options of {command}", re.findall(r"^(--[\w-]+)[=\[]", shell("zsh", "-fc", script).out, re.MULTILINE), wanted)

same("bash: the commands", bash("heddle", ""), {*commands, "--help", "--version"})
ORDERS = {"depth-first", "context-bounded", "random", "pct", "pos", "surw", "rff", "best-first", "escalating"}
same("bash: values", bash("heddle", "check", "--order", ""), ORDERS)
same("bash: values after =", bash("heddle", "check", "--order", "=", "r"), {"random", "rff"})
same("bash: nothing of ours after the program", bash("heddle", "check", "--order", "random", "./prog", "--"), set())
same("bash: files for --out", bash("heddle", "check", "--out", ""), set())
same("bash: the compilers", bash("heddle-cc", "--h"), {"--heddle-compiler=", "--heddle-keep-asserts", "--help"})
if "fish" in shells:
    same("fish: values", fish("heddle check --order "), ORDERS)
# heddle takes every value that is offered: no "no such value", but only that there is no such program.
for option in ("--preset", "--order", "--reduction", "--rewind", "--points", "--timeouts", "--volatile", "--release-sequences",
               "--color"):
    offered = bash("heddle", "check", option, "")
    for value in sorted(offered):
        done = case.heddle("check", option, value, "./none")
        case.expect(f"{option} {value} is a value", "no such program" in done.err, done)
    case.expect(f"{option} has values", len(offered) > 1, Done([option], 0, "", ""))

manual = gzip.decompress((pages / "man" / "heddle-campaign.1.gz").read_bytes()).decode()
case.expect("man page of heddle-campaign", all(f"\\fB\\-\\-{name}\\fR" in manual for name in ("scheduler", "share", "jobs", "idle")),
            Done(["heddle-campaign.1"], 0, "", ""))
manual = gzip.decompress((pages / "man" / "heddle-cc.1.gz").read_bytes()).decode()
case.expect("man page of heddle-cc", "heddle\\-compiler" in manual and "heddle\\-keep\\-asserts" in manual, Done(["heddle-cc.1"], 0, "", ""))
if shutil.which("man"):
    for page in sorted((pages / "man").glob("*.gz")):
        done = shell("man", "--warnings", "-l", str(page), env={"PATH": "/usr/bin:/bin", "MANWIDTH": "80", "LC_ALL": "C.UTF-8"})
        case.expect(f"{page.name} is well-formed", done.status == 0 and not done.err.strip() and len(done.out) > 300, done)
case.finish()
