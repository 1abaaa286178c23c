"""heddle split, work and merge: a search that is cut at a random moment, explored in slices of random length in random
order, by workers that are killed, and with pieces that are run twice, finds what an undisturbed search finds: the same
graphs (their number and the sum of their hashes), outcomes and bugs, and with `optimal` as many executions. What lacks
a piece never says that every schedule was explored. And what can be wrong with the files.

    test_pieces.py BUILD [ROUNDS [SEED]]     so many cuts of each search
"""

import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import time

from heddle_run import Case, Done, SECONDS, end_group, processor_time, read_json, some
from piece_programs import ADDS, GROWS, LATE, ONE, WAITS, found

case = Case(sys.argv[1])
rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 1
seed = int(sys.argv[3]) if len(sys.argv) > 3 else 20261123
random.seed(seed)
print(f"seed {seed}")
MOST_PIECES = 9 if rounds > 1 else 4
adds = case.compile("adds", ADDS)
wrong = case.compile("wrong", ADDS, "-DWRONG")
late = case.compile("late", LATE)
grows = case.compile("grows", GROWS)
numbers = iter(range(10**6))
OPTIMAL = ["--order", "depth-first", "--reduction", "optimal"]
READS_FROM = ["--reduction", "reads-from"]
UNDER_C11 = "every execution under C11's memory model explored"
C11 = ["--memory-model", "c11", *READS_FROM]


def cut(options, program, executions, pieces):
    """A campaign's directory; the finished split."""
    number = next(numbers)
    saved, folder = case.path / f"{number}.saved", case.path / f"{number}.pieces"
    done = case.heddle("check", *options, "--executions", executions, "--save", saved, program)
    assert saved.exists(), done.err
    return saved, folder, case.heddle("split", saved, pieces, "-o", folder)


def work_killed(piece, folder):
    """A worker that is killed, unless it is faster."""
    process = subprocess.Popen([str(case.build / "heddle"), "work", str(piece), "-o", str(folder)], cwd=case.path,
                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               start_new_session=True)
    try:
        process.wait(timeout=random.uniform(0.001, 0.06))
    except subprocess.TimeoutExpired:
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    end_group(process.pid)


def explore(folder, options, executions):
    """Runs pieces until none is missing; answers the last merge, and how often a piece was run. Each run is two processes or more,
    so in one round a slice is a sixth of all `executions`."""
    runs = 0
    while True:
        live, answer = folder / "live", folder / "merged.json"
        shutil.rmtree(live, ignore_errors=True)
        done = case.heddle("merge", folder, "--pieces", live, "--json", answer, "--out", folder / "schedules")
        pieces = sorted(live.iterdir())
        if not pieces:
            return done, runs
        if read_json(answer)["complete"] or "every schedule explored" in done.out:
            case.expect("a merge that lacks pieces claims nothing", False, done)
        random.shuffle(pieces)
        for piece in pieces[:random.randint(1, len(pieces))]:
            runs += 1
            slices = [["--executions", random.choice([1, 7, 50, 400] if rounds > 1 else [max(executions // 6, 7)])],
                      ["--slice", "20ms" if rounds > 1 else "200ms"], []]
            how = [*random.choice(slices), "--pieces", random.choice([1, 2, 5])]
            if random.random() < 0.2:
                work_killed(piece, folder)
            if random.random() < 0.2:  # by two workers, which cut it in different ways; one is counted
                case.heddle("work", *options, piece, *how, "-o", folder / f"{next(numbers)}.result")
            done = case.heddle("work", *options, piece, *how, "-o", folder)
            if done.status not in (0, 1):
                case.expect("a piece is run", False, done)
                return done, runs


def compare(name, options, program, exact=False, keep=()):
    whole = case.path / "whole.json"
    done = case.heddle("check", *options, *keep, "--json", whole, program)
    expected, json = found(whole), read_json(whole)
    if not expected["complete"]:
        return case.expect(f"{name}: the whole search is complete", False, done)
    for _ in range(rounds):
        executions = random.choice([1, 2, 10, max(json["executions"] // 2, 1)])
        _, folder, done = cut([*options, *keep], program, executions, random.randint(1, MOST_PIECES))
        if done.status != 0:
            case.expect(f"{name}: cut after {executions}", False, done)
            continue
        done, runs = explore(folder, keep, json["executions"])
        got = found(folder / "merged.json")
        case.expect(f"{name}: cut after {executions}, {runs} runs", got == expected, done)
        if got != expected:
            print(expected, got)
        if exact:
            merged = read_json(folder / "merged.json")
            case.expect(f"{name}: each trace once", merged["executions"] == json["executions"], done)
        says = "every execution under" if "c11" in options else "every schedule explored"
        case.expect(f"{name}: says so", says in done.out, done)


def replays(folder):
    for bug in read_json(folder / "merged.json")["bugs"]:
        done = case.heddle("replay", bug["schedule"])
        case.expect("the merged schedule replays", done.status == 1, done)


compare("optimal", OPTIMAL, adds, exact=True)
compare("source", ["--order", "depth-first", "--reduction", "source"], adds)
compare("none", ["--order", "depth-first", "--reduction", "none"], adds, exact=True)
compare("reads-from", READS_FROM, adds, exact=True)
compare("C11", C11, adds, exact=True)
compare("C11, few stale accesses", [*C11, "--bound", "stale=1"], adds, exact=True)
compare("late threads, C11", C11, late, exact=True)
compare("a bug, C11", C11, wrong, exact=True, keep=["--keep-going"])
compare("by default", [], adds)
compare("bound by bound", ["--order", "context-bounded", "--reduction", "none"], adds, exact=True)
compare("best first, source", ["--order", "best-first", "--reduction", "source"], adds)
compare("random, sleep sets", ["--order", "random", "--reduction", "sleep-sets"], adds)
compare("late threads, optimal", OPTIMAL, late, exact=True)
if rounds > 1:  # 312,486 schedules
    compare("late threads, none", ["--order", "depth-first", "--reduction", "none"], late, exact=True)
compare("a bug", OPTIMAL, wrong, exact=True, keep=["--keep-going"])

# ---- every search that meets all traces has the same sum ----

for turn, program in enumerate((adds, late, case.compile("waits", WAITS))):
    searches = [[], *(["--order", "depth-first", "--reduction", name] for name in ("sleep-sets", "dpor", "source")),
                ["--order", "best-first", "--reduction", "optimal"]]
    if program == adds or (program == late and rounds > 1):  # where loops wait, it meets more
        searches += [["--order", "depth-first", "--reduction", "none"]]
    if program == adds:
        searches += [["--order", "context-bounded", "--reduction", "none"]]
    sums = {}
    for options in [OPTIMAL, *(searches if rounds > 1 else some(searches, 3, turn))]:
        done = case.heddle("check", *options, "--json", case.path / "sum.json", program)
        sums[" ".join(options)] = found(case.path / "sum.json")["sum"]
    case.expect(f"{program.name}: one sum", len(set(sums.values())) == 1, Done([str(sums)], 0, "", ""))

# ---- a bug ends its piece ----

_, folder, _ = cut(OPTIMAL, wrong, 1, 4)
bugs = [done for piece in folder.glob("*.piece") for done in [case.heddle("work", piece, "-o", folder)] if done.status == 1]
case.expect("a bug is status 1", bugs and "bug" in bugs[0].out, bugs[0] if bugs else case.heddle("merge", folder))
done = case.heddle("merge", folder, "--json", folder / "merged.json")
case.expect("and of the whole search", done.status == 1 and not read_json(folder / "merged.json")["complete"], done)
replays(folder)

# ---- more becomes visible ----

_, folder, done = cut([*OPTIMAL, "--keep-going"], grows, 2, 3)
for piece in folder.glob("*.piece"):
    case.heddle("work", piece, "-o", folder)
done = case.heddle("merge", folder, "--json", folder / "merged.json", "--require-complete")
case.expect("what grew has to begin again", "begin it again" in done.out and not read_json(folder / "merged.json")["complete"]
            and "every schedule explored" not in done.out, done)

# ---- shards ----


def shards(name, count, options, program):
    """Results of all shards, and whether each says what it may."""
    results = []
    for number in range(1, count + 1):
        results.append(case.path / f"{next(numbers)}.result")
        done = case.heddle("check", *options, "--shard", f"{number}/{count}", "--result", results[-1],
                           "--require-complete", program)
        case.expect(f"{name}: shard {number} of {count}",
                    done.status == 0 and f"shard {number} of {count}: complete" in done.out
                    and "every schedule explored" not in done.out, done)
    return results


for name, options, program in [("optimal", OPTIMAL, adds), ("by default", [], adds), ("C11", C11, adds),
                               ("late threads", OPTIMAL, late),
                               ("what becomes visible", [], case.path / "waits"),
                               ("more shards than branches", OPTIMAL, case.compile("one", ONE))]:
    case.heddle("check", *options, "--json", case.path / "whole.json", program)
    count = 5 if rounds > 1 else 3
    results = shards(name, count, options, program)
    done = case.heddle("merge", *results, "--json", case.path / "merged.json")
    case.expect(f"{name}: together they are the search",
                found(case.path / "merged.json") == found(case.path / "whole.json")
                and (UNDER_C11 if name == "C11" else "every schedule explored") in done.out, done)
    done = case.heddle("merge", results[0], *results[2:], "--require-complete")
    case.expect(f"{name}: one is missing", done.status == 4 and f"shard 2/{count}" in done.out, done)
for environment, says in [({"TEST_SHARD_INDEX": "2", "TEST_TOTAL_SHARDS": "4", "CI_NODE_INDEX": "1"}, "shard 3 of 4"),
                          ({"GTEST_SHARD_INDEX": "0", "GTEST_TOTAL_SHARDS": "2"}, "shard 1 of 2"),
                          ({"SLURM_ARRAY_TASK_ID": "12", "SLURM_ARRAY_TASK_MIN": "10", "SLURM_ARRAY_TASK_COUNT": "3"}, "shard 3 of 3"),
                          ({"CI_NODE_INDEX": "2", "CI_NODE_TOTAL": "2"}, "shard 2 of 2")]:
    touched = case.path / f"{next(numbers)}.touched"
    done = case.heddle("check", "--shard", "auto", adds, env={**os.environ, **environment, "TEST_SHARD_STATUS_FILE": str(touched)})
    case.expect(f"auto: {says}", done.status == 0 and says in done.out and touched.exists(), done)
done = case.heddle("check", "--shard", "auto/3", adds, env={**os.environ, "JOB_COMPLETION_INDEX": "1"})
case.expect("auto/3", done.status == 0 and "shard 2 of 3" in done.out, done)
for options in [["--shard", "4/3"], ["--shard", "0/3"], ["--shard", "x"], ["--shard", "auto"], ["--shard", "1/2", "--save", "x"],
                ["--result", "x"], ["--shard", "1/2", "--order", "pct"], ["--shard", "1/2", "--result", "/no/where"]]:
    done = case.heddle("check", *options, adds)
    case.expect(" ".join(options), done.status == 2 and len(done.lines()) == 1, done)
done = case.heddle("check", *OPTIMAL, "--shard", "2/2", "--json", case.path / "bug.json", wrong)
case.expect("a bug in a shard", done.status == 1, done)
done = case.heddle("replay", read_json(case.path / "bug.json")["bugs"][0]["schedule"])
case.expect("and its schedule", done.status == 1, done)

# ---- files ----

saved, folder, done = cut(OPTIMAL, adds, 5, 4)
pieces = sorted(folder.glob("*.piece"))
piece, result = pieces[0], folder / (pieces[0].stem + ".result")
done = case.heddle("split", saved, 4, "-o", folder)
case.expect("cut twice: says so", done.status == 0 and "already" in done.out, done)
done = case.heddle("merge", folder, "--require-complete")
case.expect("missing pieces: status 4", done.status == 4 and "4 pieces not explored yet" in done.out, done)
case.heddle("work", piece, "-o", folder)
before = result.read_bytes()
done = case.heddle("work", piece, "-o", folder)
case.expect("run twice: the first stays", done.status == 0 and "already" in done.out and result.read_bytes() == before, done)
done = case.heddle("work", pieces[1], "-o", result)
case.expect("the result of another piece", done.status == 2 and "another piece" in done.err, done)
done = case.heddle("merge", folder, "--require-complete")
case.expect("three are missing", done.status == 4 and "3 pieces not explored yet" in done.out, done)
done = case.heddle("merge", result)
case.expect("without the root", done.status == 2 and "before it was cut is missing" in done.err, done)


def damaged(what, path, command):
    """Each of some bytes flipped, and the file cut short."""
    whole = path.read_bytes()
    at = [0, 9, len(whole) // 3, len(whole) // 2, len(whole) - 1, *random.sample(range(len(whole)), 3)]
    broken = [whole[:i] + bytes([whole[i] ^ 1]) + whole[i + 1:] for i in at] + [whole[:20], whole[:-1], b""]
    for contents in broken:
        path.write_bytes(contents)
        done = case.heddle(*command)
        if done.status != 2 or len(done.lines()) != 1:
            case.expect(f"a damaged {what}", False, done)
    path.write_bytes(whole)
    case.expect(f"a damaged {what}", True, done)


damaged("piece", pieces[1], ["work", pieces[1], "-o", case.path / "new.result"])
damaged("result", result, ["merge", folder / "root.result", result])
case.expect("a damaged piece leaves nothing", not (case.path / "new.result").exists(), done)

for what, command, words in [
        ("a saved search is no piece", ["work", saved, "-o", case.path / "x"], "no piece"),
        ("a piece is no result", ["merge", pieces[1]], "no result of a piece"),
        ("a piece is no saved search", ["split", pieces[1], 2, "-o", case.path / "d"], "no search"),
        ("no such piece", ["work", case.path / "none", "-o", case.path / "x"], "cannot read"),
        ("a directory without results", ["merge", case.path / "d2"], "no results"),
        ("no output", ["work", pieces[1]], "--output"),
        ("no number", ["split", saved, "-o", case.path / "d"], "N"),
        ("no pieces", ["split", saved, 0, "-o", case.path / "d"], "between"),
        ("a directory that is not there", ["work", pieces[1], "-o", case.path / "no" / "x"], "cannot write"),
        ("a full disk", ["work", pieces[1], "-o", "/dev/full"], "no result of a piece")]:
    (case.path / "d2").mkdir(exist_ok=True)
    done = case.heddle(*command)
    case.expect(what, done.status == 2 and words in done.err and len(done.lines()) == 1, done)

for options, why in [(["--order", "pct"], "cannot be cut"), (["--order", "context-bounded"], "cannot be cut"),
                     (["--order", "best-first", "--reduction", "optimal"], "cannot be cut")]:
    saved2 = case.path / f"{next(numbers)}.saved"
    case.heddle("check", *options, "--executions", 3, "--save", saved2, adds)
    done = case.heddle("split", saved2, 2, "-o", case.path / "d")
    case.expect(f"{' '.join(options)} {why}", done.status == 2 and why in done.err, done)
done = case.heddle("check", "--save", case.path / "all.saved", *OPTIMAL, adds)
done = case.heddle("split", case.path / "all.saved", 2, "-o", case.path / "d")
case.expect("a finished search", done.status == 2 and "finished" in done.err, done)
other = cut(OPTIMAL, adds, 50, 2)[1]
done = case.heddle("merge", folder, other)
case.expect("two searches", done.status == 2 and "another search" in done.err, done)

text = adds.read_bytes()
adds.unlink()
adds.write_bytes(wrong.read_bytes())
adds.chmod(0o755)
done = case.heddle("work", pieces[1], "-o", folder)
case.expect("another program", done.status == 2 and "was changed since" in done.err, done)
adds.write_bytes(text)

# ---- workers that die ----


def worker(piece, folder, until):
    """A worker that goes on by itself, once `until` holds."""
    process = subprocess.Popen([str(case.build / "heddle"), "work", str(piece), "-o", str(folder)], cwd=case.path,
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
    begun = time.monotonic()
    while not until(process) and process.poll() is None and time.monotonic() < begun + SECONDS:
        time.sleep(0.005)
    return process


def die(process, how):
    how(process)
    out, err = process.communicate(timeout=SECONDS)
    end_group(process.pid)
    return Done(["heddle", "work"], process.returncode, out, err)


def children(process):
    try:
        return [int(pid) for pid in pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()]
    except OSError:
        return []


def kill_program(process):
    for pid in children(process):
        os.kill(pid, signal.SIGKILL)


endless = case.compile("endless", ADDS.replace("i < 3", "i < 9"))
_, folder, done = cut(OPTIMAL, endless, 1, 2)
piece, other = sorted(folder.glob("*.piece"))
marks = lambda: sorted(folder.glob(piece.stem + ".result.worker-*"))
lives = worker(piece, folder, lambda _: len(marks()) == 1 and children(_))  # it is not counted, whatever becomes of others
die(worker(piece, folder, lambda one: len(marks()) == 2 and children(one)), lambda one: os.kill(one.pid, signal.SIGKILL))
for _ in range(20):
    done = die(worker(piece, folder, lambda one: len(marks()) == 3 and processor_time.of_tree(one.pid) > 0.5), kill_program)
    if "main" not in done.err:  # else it was killed before that, on which it may spend more
        break
case.expect("the program is killed: the piece can be run again", done.status == 2 and "can be run again" in done.err, done)
die(worker(piece, folder, lambda one: len(marks()) == 4 and children(one)), lambda one: one.send_signal(signal.SIGINT))
case.expect("an interrupted worker is not dead", len(marks()) == 3, done)
done = case.heddle("merge", folder)
case.expect("two deaths: nothing is said", done.status == 0 and "given up" not in done.out, done)
die(worker(piece, folder, lambda one: len(marks()) == 4 and children(one)), lambda one: os.kill(one.pid, signal.SIGKILL))
done = case.heddle("work", piece, "-o", folder)
case.expect("three workers died: it is given up", done.status == 3 and "three workers" in done.out, done)
die(lives, lambda one: one.send_signal(signal.SIGINT))
case.expect("... and no mark stays", not marks(), Done([str(marks())], 0, "", ""))
case.heddle("work", other, "--executions", 10, "-o", folder)
done = case.heddle("merge", folder, "--json", folder / "merged.json", "--require-complete")
merged = read_json(folder / "merged.json")
case.expect("... and reported by merge", done.status == 3 and f"piece {piece.stem} was given up: three workers" in done.out
            and not merged["complete"] and "every schedule explored" not in done.out, done)
(folder / (piece.stem + ".result")).unlink()
unnamed = folder / f".{piece.stem}.result.worker-host-1.new"  # killed before its mark had a name
unnamed.touch()
done = case.heddle("work", piece, "--executions", 10, "-o", folder)
case.expect("... nor what was to be one", not unnamed.exists(), done)
case.expect("without that result it is run again", done.status == 0 and "left: " in done.out, done)

# A disk that is full: nothing is written, and nothing lost.
small = case.path / "small"
small.mkdir()
mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8k", "none", small], stderr=subprocess.DEVNULL)
if mounted.returncode == 0:
    done = case.heddle("work", pieces[1], "-o", small)
    case.expect("no room for the result", done.status == 2 and "cannot write" in done.err and not list(small.iterdir()), done)
    subprocess.run(["umount", small], check=True)

# Ctrl-C.
process = subprocess.Popen([str(case.build / "heddle"), "work", str(pieces[1]), "-o", str(folder)], cwd=case.path,
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
process.send_signal(signal.SIGINT)
out, err = process.communicate(timeout=SECONDS)
there = (folder / (pieces[1].stem + ".result")).exists()
case.expect("interrupted: no half result", process.returncode != 0 and not there or process.returncode == 0 and there, done)
case.finish()
