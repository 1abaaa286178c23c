"""heddle check --format: the lines that editors know, tried against the patterns of VS Code; the annotations of GitHub's runner,
read as it reads them; and that the report is there for people in any case."""

import json
import os
import re
import sys

from heddle_run import Case, read_json

# "$gcc" of Microsoft's extension C/C++, Extension/package.json.
VS_CODE_GCC = re.compile(r"^(.*?):(\d+):(\d*):?\s+(?:fatal\s+)?(warning|error):\s+(.*)$")
# compile.el's entry `gnu`, as far as it matters here: a file, a line, a column, and what it is.
EMACS_GNU = re.compile(r"^(?P<file>[^\n:]+):(?P<line>\d+):(?P<column>\d+): *(?P<kind>error|warning|note):")
RACE = """#include <pthread.h>
static int count;
static void *Add(void *arg) {
  count = count + 1;
  return arg;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, Add, 0);
  Add(0);
  pthread_join(thread, 0);
}
"""
# T2 waits for a lock, and its holder for a semaphore that only T2 would post.
WAITS = """#include <pthread.h>
#include <semaphore.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t begun, full;
static void *Get(void *arg) {
  pthread_mutex_lock(&lock);
  sem_post(&begun); sem_wait(&full);
  pthread_mutex_unlock(&lock);
  return arg;
}
static void *Put(void *arg) {
  sem_wait(&begun); pthread_mutex_lock(&lock);
  sem_post(&full);
  pthread_mutex_unlock(&lock);
  return arg;
}
int main(void) {
  pthread_t get, put;
  sem_init(&begun, 0, 0); sem_init(&full, 0, 0);
  pthread_create(&get, 0, Get, 0);
  pthread_create(&put, 0, Put, 0);
  pthread_join(put, 0);
  pthread_join(get, 0);
}
"""
# Words that a runner obeys, in the message of a bug.
COMMANDS = r"""#include <stdexcept>
int main() { throw std::runtime_error("a%0A, b:\n::error::not heddle's\n##[error]nor this"); }
"""


def task(case):
    """The pattern of the tasks.json in docs/editors.md."""
    text = (case.source / "docs" / "editors.md").read_text()
    tasks = json.loads(re.search(r"```json\n(.*?)```", text, re.S)[1])
    one = tasks["tasks"][0]
    return one["args"], one["problemMatcher"]


def annotations(text):
    """What GitHub's runner makes of an output: (command, properties, message). Runner.Common/ActionCommand.cs."""
    found, stopped = [], None
    for line in text.splitlines():
        line = line.lstrip()
        if stopped is not None:
            if line == f"::{stopped}::":
                stopped = None
            continue
        match = re.match(r"::([^: ]+)(?: ([^:]*))?::(.*)$", line)
        if match is None:
            continue
        command, properties, message = match[1], match[2] or "", match[3]
        if command == "stop-commands":
            stopped = message
            continue
        values = dict(one.split("=", 1) for one in properties.split(",") if one)
        for code, character in ("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%"):
            values = {name: value.replace(code, character) for name, value in values.items()}
            if code not in ("%3A", "%2C"):
                message = message.replace(code, character)
        found.append((command, values, message))
    return found


case = Case(sys.argv[1])
race = case.compile("race", RACE)
source = str(case.path / "race.c")

# Where a deadlock is: at the wait that is the reason for the others, whichever began last.
waits = case.compile("waits", WAITS)
for order in "depth-first", "context-bounded":
    done = case.heddle("check", "--format", "gcc", "--order", order, waits)
    lines = [(int(match["line"]), match["kind"]) for match in map(EMACS_GNU.match, done.out.splitlines()) if match]
    case.expect(f"a deadlock is at the semaphore, whose waiter has the lock that T2 waits for ({order})", done.status == 1
                and lines[0] == (7, "error") and (12, "note") in lines and (22, "note") in lines, done)

# By itself: lines for tools where nobody looks, the report wherever somebody may.
plain = case.heddle("check", "--json", "race.json", race)
errors = [match for match in map(VS_CODE_GCC.match, plain.out.splitlines()) if match]
case.expect("no terminal: one problem for VS Code's $gcc, at the racing line", plain.status == 1 and len(errors) == 1
            and errors[0][1] == source and errors[0][2] == "4" and "ata race" in errors[0][5], plain)
kinds = [match["kind"] for match in map(EMACS_GNU.match, plain.out.splitlines()) if match]
case.expect("and a note for both accesses, for what they stand for, and the lines to paste", kinds == ["error"] + 5 * ["note"]
            and "note: first access: " in plain.out and "note: replay: heddle replay heddle-out/" in plain.out
            and "note: schedule: 'data-race:" in plain.out, plain)
case.expect("the report comes first", plain.out.startswith("heddle: data race") and "\nheddle: 1 bug found in " in plain.out, plain)
shown, _ = case.on_terminal("check", race)
case.expect("a terminal gets the report only", shown.status == 1 and not re.search(": (error|note): ", shown.out), shown)
text = case.heddle("check", "--format", "text", race)
without_time = [re.sub(r"\d+\.\d\d s .*", "", done.out) for done in (text, plain)]
case.expect("--format text likewise", text.out.startswith("heddle: data race") and without_time[1].startswith(without_time[0]), text)
quiet = case.heddle("check", "--quiet", race)
case.expect("--quiet: one line, as ever", quiet.out.count("\n") == 1 and quiet.out.startswith("heddle: data race"), quiet)

# Alone.
args, matcher = task(case)
done = case.heddle(*args[:-1], race)
pattern = re.compile(matcher["pattern"]["regexp"])
problems = [match for match in map(pattern.match, done.out.splitlines()) if match]
case.expect("the tasks.json of docs/editors.md: the pattern finds the error and all notes", done.status == 1
            and [match[matcher["pattern"]["severity"]] for match in problems] == ["error"] + 5 * ["note"]
            and all(match[matcher["pattern"]["file"]] == source for match in problems)
            and [int(match[matcher["pattern"]["line"]]) for match in problems] == [4] * 6, done)
columns = {int(match[matcher["pattern"]["column"]]) for match in problems}
case.expect("columns are those of the accesses", columns and columns <= {3, 9, 11, 17}, done)
case.expect("--format gcc has no table, and what was explored", "replay:" in done.out and "T1" in done.out
            and "\nheddle: 1 bug found in " in done.out and "heddle: data race" not in done.out, done)
on_terminal, _ = case.on_terminal("check", "--format", "gcc", race)
case.expect("on a terminal, too", len([1 for line in on_terminal.out.splitlines() if pattern.match(re.sub(r"^.*\x1b\[K", "", line))]) == 6,
            on_terminal)  # behind the line of the progress
kept = case.heddle("report", "--format", "gcc", "race.json")
case.expect("heddle report makes the same of a result", kept.status == 0 and kept.out.splitlines()
            == [line for line in plain.out.splitlines() if EMACS_GNU.match(line)], kept)
case.expect("JSON has the column", all(place["column"] in columns for place in read_json(case.path / "race.json")["bugs"][0]["locations"]),
            kept)

# GitHub.
environment = {**os.environ, "GITHUB_WORKSPACE": str(case.path)}
done = case.heddle("check", "--format", "github", race, env=environment)
found = annotations(done.out)
case.expect("--format github: one annotation, relative to the checkout", done.status == 1 and len(found) == 1
            and found[0][0] == "error" and found[0][1]["file"] == "race.c" and found[0][1]["line"] == "4"
            and found[0][1]["title"] == "heddle: data race" and "\nrace.c:4: first access: " in found[0][2], done)
case.expect("the report is in the log", "heddle: data race" in done.out and "heddle: 1 bug found in " in done.out, done)
commands = case.compile("commands", COMMANDS, compiler="heddle-c++")
done = case.heddle("check", "--format", "github", commands, env=environment)
found = annotations(done.out)
case.expect("a program's text is no command", done.status == 1 and len(found) == 1
            and "a%0A, b: ::error::not heddle's" in found[0][2], done)
done = case.heddle("check", "--format", "github", "--executions", "1", "--require-complete", "--no-races", race, env=environment)
found = annotations(done.out)
case.expect("a search that fails without a bug says why", done.status == 4 and len(found) == 1 and "not a proof" in found[0][2], done)
done = case.heddle("check", "--format", "html", race)
case.expect("another format is refused", done.status == 2 and done.out == "", done)
case.finish()
