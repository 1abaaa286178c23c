"""Programs in Lua and in Python, checked by their statements (examples/languages, docs/languages.md): what is found, that it
replays, and that they run without heddle."""

import os
import pathlib
import shutil
import subprocess
import sys

from heddle_run import Case, read_json

case = Case(sys.argv[1])
examples = case.source / "examples" / "languages"
calls = case.build / "libheddle-calls.so"
environment = {**os.environ, "HEDDLE_CALLS": str(calls), "PYTHONDONTWRITEBYTECODE": "1"}
skipped = []


def check(what, options, program, verdict, kind=None, says=""):
    """`heddle check OPTIONS PROGRAM` comes to that verdict; both schedules of what it finds show it again."""
    done = case.heddle("check", *options, "--json", case.path / "result.json", "--", *program, env=environment, seconds=300)
    answer = read_json(case.path / "result.json") if done.status in (0, 1) else {}
    kinds = [bug["kind"] for bug in answer.get("bugs", [])]
    case.expect(f"{what}: {verdict} {kind or ''}", answer.get("verdict") == verdict and kinds == ([kind] if kind else [])
                and says in done.out and answer.get("complete") == (verdict == "clean"), done)
    for bug in answer.get("bugs", []):
        for schedule in [bug, *([bug["other"]] if "other" in bug else [])]:
            again = case.heddle("replay", schedule["schedule"], env=environment, seconds=120)
            case.expect(f"{what}: its schedule shows it again", again.status == 1, again)
        if kind == "race-condition":
            case.expect(f"{what}: both orders are there", "other" in bug and "the other order" in done.out, done)
    return answer


ONE_PAGE = ["--preset", "one-page"]
ALL_ORDERS = ["--order", "depth-first", "--points", "hooks"]

# ---- Lua ----
if not pathlib.Path("/usr/include/lua5.4/lua.h").exists():
    skipped.append("liblua5.4-dev is not installed")
else:
    runner = case.compile("lua_threads", (examples / "lua_threads.c").read_text(), "-I/usr/include/lua5.4", "-llua5.4")
    check("Lua, race", ONE_PAGE, [str(runner), examples / "account_race.lua"], "bug", "race-condition")
    check("Lua, race, all orders", ALL_ORDERS, [str(runner), examples / "account_race.lua"], "bug", "abort")
    check("Lua, lock", ONE_PAGE, [str(runner), examples / "account_clean.lua"], "clean")
    check("Lua, lock, all orders", ALL_ORDERS, [str(runner), examples / "account_clean.lua"], "clean")
    check("Lua, deadlock", ALL_ORDERS, [str(runner), examples / "philosophers.lua"], "bug", "deadlock")
    alone = subprocess.run([str(runner), examples / "account_clean.lua"], env=environment, timeout=60)
    case.expect("Lua without heddle", alone.returncode == 0, case.heddle("--version"))

# ---- Python ----
python = shutil.which("python3", path="/usr/bin:/usr/local/bin")
if python is None:
    skipped.append("there is no /usr/bin/python3")
else:
    uninstrumented = ["--uninstrumented"]
    # What the failed assert tells, status 1, comes before any counter is met with another balance: main has other lines then.
    check("Python, race", [*ONE_PAGE, *uninstrumented], [python, examples / "account_race.py"], "bug", "exit-status")
    check("Python, lock", [*ONE_PAGE, *uninstrumented], [python, examples / "account_clean.py"], "clean")
    alone = subprocess.run([python, examples / "account_clean.py"], env=environment, timeout=60)
    case.expect("Python without heddle", alone.returncode == 0, case.heddle("--version"))

for reason in skipped:
    print(f"skipped: {reason}")
if skipped and case.failures == 0:
    case.folder.cleanup()
    sys.exit(77)
case.finish()
