"""The transcripts in README.md, docs/debugging.md and docs/editors.md are what heddle prints: their commands are run on the
programs that they show, and the output is compared. With `write` as second argument the documents get what is printed instead.

A transcript is a block of code whose lines `$ COMMAND`, and in gdb `(gdb) COMMAND`, are followed by output: its beginning, up
to the next command or the end of the block; where the document shows nothing, nothing is compared. Not compared are the hashes
in the names of schedules, addresses, times, and the numbers of gdb's frames, which count those within heddle. The folder of the
programs is /src there."""

import re
import shutil
import subprocess
import sys

from heddle_run import Case

case = Case(sys.argv[1])
write = sys.argv[2:] == ["write"]
WAITS = re.compile(r"\n\(gdb\) ")
has_gdb = shutil.which("gdb") and subprocess.run(["gdb", "-nx", "-batch", "-ex", "python print(1)"], capture_output=True,
                                                 text=True).stdout.strip() == "1"
case.install()  # without debug information of heddle's own, of which gdb reads for seconds
(case.path / ".gdbinit").write_text("set width 0\n")
home = {"HOME": str(case.path), "COLUMNS": "100", "TERM": "dumb", "HEDDLE_FORMAT": "text", "PATH": f"{case.build}:/usr/bin:/bin"}


def plain(text):
    text = text.replace(str(case.path), "/src")
    text = re.sub(r"-[0-9a-f]{8}\.heddle", "-HASH.heddle", text)
    text = re.sub(r"0x[0-9a-f]{8,}", "0xADDRESS", text)
    text = re.sub(r"^#\d+ +", "#N ", text, flags=re.M)
    text = re.sub(r"[\d.]+ s \([\d,]+/s\)", "TIME", text)
    return "\n".join(line.rstrip() for line in text.strip("\n").splitlines())


def run(command, typed):
    """What the command prints; in a session of gdb, a part for each command typed, the arrival first."""
    command = re.sub(r"heddle-out/(\S+)-[0-9a-f]{8}\.heddle", r"heddle-out/\1-????????.heddle", command)
    done = subprocess.run(["sh", "-c", command], cwd=case.path, env=home, text=True, input="".join(f"{t}\n" for t in typed),
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300, check=False)
    return WAITS.split(re.sub(r"^\(gdb\) ", "\n(gdb) ", "\n" + done.stdout, flags=re.M)) if typed else [done.stdout]


def parts_of(block):
    """Of each command of a transcript: the command, what is typed in gdb, and what is printed, as parts as of `run`."""
    for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
        command, _, shown = part.partition("\n")
        pieces = re.split(r"^\(gdb\) (.*)\n", shown, flags=re.M)
        yield command, pieces[1::2], pieces[::2]


def beginning(printed, shown):
    """As much of what is printed as the document shows, by the line that it ends with."""
    if not shown.strip():
        return shown
    lines, last = printed.strip("\n").splitlines(), plain(shown).splitlines()[-1:]
    ends = [i for i, line in enumerate(lines, 1) if plain(line).splitlines()[-1:] == last]
    return "".join(f"{line.rstrip()}\n" for line in (lines[:ends[0]] if ends else lines))


def check_block(name, block):
    """The block as it has to be."""
    made = []
    for command, typed, shown in parts_of(block):
        if typed and not has_gdb:
            print(f"left out {name}: {command}: no gdb")
            return block
        printed = run(command, [*typed, "kill", "quit"] if typed else [])
        made.append(f"$ {command}\n")
        for number, text in enumerate(shown):
            now = beginning(printed[number], text) if number < len(printed) else "(nothing)\n"
            holds = plain(now) == plain(text)
            what = f"{name}: {typed[number - 1] if number else command}"
            print(f"{'ok    ' if holds else 'FAILED'} {what}")
            if not holds:
                case.failures += 1
                print(f"  the document has\n{text}  printed is\n{now}")
            made.append(f"(gdb) {typed[number - 1]}\n" if number else "")
            made.append(text if holds else now)
    return "".join(made)


def check_document(name):
    path = case.source / name
    text = path.read_text()
    changed = re.sub(r"(?<=^```\n)\$ .*?(?=^```$)", lambda block: check_block(name, block[0]), text, flags=re.M | re.S)
    case.expect(f"{name} has transcripts", changed.count("\n$ "), case.heddle("--version"))
    if write and changed != text:
        path.write_text(changed)


readme = (case.source / "README.md").read_text()
(case.path / "counter.cpp").write_text(re.search(r"^```cpp\n(.*?)^```$", readme, re.M | re.S)[1])
shutil.copy(case.source / "examples" / "03_transfer_deadlock.cpp", case.path / "deadlock.cpp")
check_document("README.md")
check_document("docs/debugging.md")
check_document("docs/editors.md")
case.finish()
