"""What reaches a terminal: nothing of a program's text that a terminal would obey, whatever its width and kind."""

import os
import re
import subprocess
import sys

from heddle_run import SECONDS, Case

case = Case(sys.argv[1])
COLOR = re.compile(rb"\x1b\[[0-9;]*m")
ERASE = b"\r\x1b[K"


def on_terminal(*arguments, columns=40, **variables):
    """What heddle writes to a terminal of so many columns, in bytes."""
    environment = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "NO_COLOR")}
    done, written = case.on_terminal(*arguments, columns=columns, env={**environment, "TERM": "xterm", **variables})
    return written, done


def is_clean(written):
    """Nothing but text, once heddle's own colours and its progress line are gone."""
    text = COLOR.sub(b"", written).replace(ERASE, b"").replace(b"\r\n", b"\n")
    try:
        text = text.decode()
    except UnicodeDecodeError:
        return False
    return not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", text)


# An escape sequence, bytes that are not UTF-8, a control character of two bytes, a turn of direction, a false last line.
HOSTILE = r'"\033[2J\033]0;owned\007 \377\300 \302\233" "31m \342\200\256 \n" "heddle: no bug found\n"'
RACE = """
#include <pthread.h>
#include <stdio.h>
#include "heddle.h"
static int counter_with_a_rather_long_name;
static void *Add(void *arg) {
  counter_with_a_rather_long_name = counter_with_a_rather_long_name + 1;  // a line of more than forty columns
  return arg;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, Add, 0);
  Add(0);
  pthread_join(thread, 0);
}
"""
THROWS = f"""
#include <stdexcept>
#include "heddle.h"
int main() {{
  heddle_outcome({HOSTILE});
  if (heddle_choose(2)) throw std::runtime_error({HOSTILE});
}}
"""
# Test programs list what they like.
LISTS = r"""
#include <stdio.h>
const char *volatile mark = "gtest_break_on_failure";
int main(void) { puts("A.\n  b\033[2J\377"); }
"""
lists = case.compile("lists", LISTS)
written, done = on_terminal("check", "--list-cases", lists)
case.expect("--list-cases: names of cases are written out", done.status == 0 and is_clean(written) and b"A.b\\x1b[2J\\xff" in written, done)
done = case.heddle("check", "--list-cases", lists)
case.expect("but as they are where something else reads them", done.out == "A.b\x1b[2J\ufffd\n", done)
throws = case.compile("throws", THROWS, compiler="heddle-c++")
for options in [], ["--quiet"], ["--full"]:
    written, done = on_terminal("check", *options, "--json", "throws.json", throws)
    case.expect(f"check {' '.join(options)}: an exception's text and a label are written out", done.status == 1
                and is_clean(written) and b"\\x1b[2J" in written, done)
for options in [], ["--quiet"]:
    schedule = next((case.path / "heddle-out").glob("*.heddle"))
    written, done = on_terminal("replay", *options, schedule)
    # What the program prints comes first, as it is; std::terminate prints the exception's text.
    output, end, told = written.partition(b"\r\n")
    case.expect(f"replay {' '.join(options)}: likewise", done.status == 1 and b"terminate called" in output
                and b"heddle: " in told and is_clean(told), done)
written, done = on_terminal("report", "throws.json")
case.expect("report: likewise", is_clean(written) and b"\\x1b[2J" in written, done)

# The names of a file and of a directory, which the command to paste has to name.
folder = os.fsencode(case.path) + b"/\x1b[2J\xff\xc2\x9b"
os.mkdir(folder)
with open(folder + b"/race\x1b[31m\xff.c", "w") as source:
    source.write(RACE)
subprocess.run([case.build / "heddle-cc", "-g", f"-I{case.source / 'include'}", "-pthread", "-o", case.path / "named",
                folder + b"/race\x1b[31m\xff.c"], check=True, timeout=SECONDS)
written, done = on_terminal("check", "--out", folder + b"/out", case.path / "named")
case.expect("names of files are written out", done.status == 1 and is_clean(written), done)

# 40 columns.
race = case.compile("race", RACE)
written, done = on_terminal("check", race)
lines = COLOR.sub(b"", written).replace(ERASE, b"").decode().replace("\r", "").split("\n")
table = [line for line in lines[lines.index("") + 1:lines.index("", lines.index("") + 1)]]
joined = "".join(line.strip() + " " for line in table)
case.expect("in 40 columns the table is a list", table and all(len(line) <= 40 for line in table), done)
case.expect("in which nothing is cut", "..." not in joined and "^ first access" in joined and "^ second access" in joined
            and "counter_with_a_rather_long_name = counter_with_a_rather_long_name + 1;" in joined.replace("  ", " "), done)
case.expect("colours by default", COLOR.search(written) is not None, done)
for variables in {"TERM": "dumb"}, {"NO_COLOR": "1"}:
    written, done = on_terminal("check", race, **variables)
    case.expect(f"{variables}: no colours", done.status == 1 and COLOR.search(written) is None, done)
written, done = on_terminal("check", "--time", "1s", "--order", "random", "--no-races", race, TERM="dumb")
case.expect("a terminal that obeys nothing has no progress line", b"\x1b" not in written and b"\r\x1b" not in written, done)
written, done = on_terminal("check", "--time", "1500ms", "--order", "random", "--no-races", race)
shown = [line for line in written.split(ERASE)[1:-1]]
case.expect("the progress line fits", done.status in (0, 1) and all(len(line) < 40 for line in shown), done)
case.finish()
