#!/usr/bin/env python3
"""Generated programs that free, allocate again and compare addresses: with either --reuse, every search has to see what plain
enumeration sees, the outcomes and the kinds of bugs. With `late` no address comes back; with `now` some do, or the test tests nothing.

  reuse.py HEDDLE [--programs N] [--seed S] [--keep FOLDER] [--verbose]
"""

import argparse
import json
import pathlib
import random
import subprocess
import sys
import tempfile

ENUMERATION = ["--reduction", "none", "--order", "depth-first", "--executions", "4000"]
SEARCHES = {
    "default": [],
    "optimal": ["--reduction", "optimal"],
    "source": ["--reduction", "source"],
    "sleep-sets": ["--reduction", "sleep-sets"],
    "bounded": ["--reduction", "bounded", "--order", "context-bounded"],
    "states": ["--visited", "states"],
    "fork": ["--reduction", "optimal", "--rewind", "fork"],
    "points": ["--points", "all", "--reduction", "optimal"],
}
SLOTS = 2
HEAD = """#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
struct node { int value; };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct node *slots[2];
static struct node *_Atomic words[2];
static char told[3][16];
static struct node *Make(size_t size, int value) {
  struct node *made = malloc(size);
  made->value = value;
  return made;
}
"""


def op(source, thread, number):
    """A statement of a thread: it has `seen`, the value `was` that lay there, and `word`, what it saw last in a word."""
    slot, size = int(source.random() < 0.2), 48 if source.random() < 0.1 else 16
    value = 10 * (thread + 1) + number
    told = f"told[{thread}][{number}]"
    # The first thread mostly looks, the others mostly change.
    looks, changes = (6, 1) if thread == 0 else (1, 6)
    kind = source.choices(["replace", "drop", "see", "compare", "exchange", "load", "cas", "stale"],
                          [changes, changes / 3, looks, looks, changes, looks, looks, 0.2])[0]
    return {
        "replace": f"pthread_mutex_lock(&lock); free(slots[{slot}]); slots[{slot}] = Make({size}, {value}); pthread_mutex_unlock(&lock);",
        "drop": f"pthread_mutex_lock(&lock); free(slots[{slot}]); slots[{slot}] = 0; pthread_mutex_unlock(&lock);",
        "see": f"pthread_mutex_lock(&lock); seen = slots[{slot}]; was = seen ? seen->value : 0; pthread_mutex_unlock(&lock);",
        "compare": f"pthread_mutex_lock(&lock); {told} = !seen ? 'n' : slots[{slot}] != seen ? 'd' : seen->value != was ? 'A' : 's'; "
                   "pthread_mutex_unlock(&lock);",
        "exchange": f"free(atomic_exchange(&words[{slot}], Make({size}, {value})));",
        "load": f"word = words[{slot}];",
        "cas": f"{{ struct node *old = word, *made = Make({size}, {value}); int is = atomic_compare_exchange_strong(&words[{slot}], &old, made); "
               f"{told} = is ? 'y' : 'n'; free(is ? word : made); word = 0; }}",
        "stale": "if (seen) was = seen->value;",
    }[kind]


def make(seed):
    source = random.Random(seed)
    threads = 2 if source.random() < 0.75 else 3
    lines = [HEAD]
    for thread in range(threads):
        lines.append(f"static void *Thread{thread}(void *arg) {{\n  struct node *seen = 0, *word = 0;\n  int was = 0;")
        lines += ["  " + op(source, thread, n) for n in range(source.randint(3, 4) if threads == 2 else 2)]
        lines.append("  (void)seen; (void)word; (void)was;\n  return arg;\n}")
    lines.append("int main(void) {\n  pthread_t threads[3];\n  for (int i = 0; i < 2; i++) slots[i] = Make(16, i), words[i] = Make(16, i);")
    lines += [f"  pthread_create(&threads[{t}], 0, Thread{t}, 0);" for t in range(threads)]
    lines += [f"  pthread_join(threads[{t}], 0);" for t in range(threads)]
    lines.append("""  char text[64];
  int at = 0;
  for (int t = 0; t < 3; t++)
    for (int i = 0; i < 4; i++) text[at++] = told[t][i] ? told[t][i] : '-';
  for (int i = 0; i < 2; i++) at += sprintf(text + at, " %d %d", slots[i] ? slots[i]->value : -1, words[i] ? ((struct node *)words[i])->value : -1);
  heddle_outcome(text);
}""")
    return "\n".join(lines) + "\n"


def ask(heddle, folder, binary, options):
    path = folder / "result.json"
    path.unlink(missing_ok=True)
    done = subprocess.run([str(heddle), "check", "--quiet", "--keep-going", "--no-minimise", "--out", str(folder / "out"), "--json", str(path),
                           *options, "--", str(binary)], capture_output=True, timeout=300, stdin=subprocess.DEVNULL)
    if not path.exists() or done.returncode not in (0, 1):
        return {"failed": (done.stdout + done.stderr).decode(errors="replace")[-600:], "complete": True}
    return json.loads(path.read_text())


def seen(result):
    if "failed" in result:
        return result["failed"]
    return sorted(result["outcomes"]), sorted({bug["kind"] for bug in result["bugs"]})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("heddle", type=lambda name: pathlib.Path(name).resolve())
    parser.add_argument("--programs", type=int, default=30)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    failed = compared = more = left_out = 0
    with tempfile.TemporaryDirectory(prefix="heddle-reuse-") as name:
        folder = pathlib.Path(name)
        for seed in range(arguments.seed, arguments.seed + arguments.programs):
            text, source, binary = make(seed), folder / "program.c", folder / "program"
            source.write_text(text)
            subprocess.run([str(arguments.heddle.parent / "heddle-cc"), "-g", "-O1", "-pthread", str(source), "-o", str(binary)], check=True)
            expected = {}
            for reuse in ("late", "now"):
                enumerated = ask(arguments.heddle, folder, binary, [*ENUMERATION, "--reuse", reuse])
                if not enumerated["complete"]:
                    left_out += 1
                    continue
                expected[reuse] = seen(enumerated)
                for search, options in SEARCHES.items():
                    found = seen(ask(arguments.heddle, folder, binary, [*options, "--reuse", reuse]))
                    compared += 1
                    if found == expected[reuse]:
                        continue
                    failed += 1
                    print(f"seed {seed} --reuse {reuse} {search}: {found}, but enumeration: {expected[reuse]}")
                    if arguments.keep:
                        arguments.keep.mkdir(parents=True, exist_ok=True)
                        (arguments.keep / f"{seed}.c").write_text(text)
            if len(expected) == 2:
                more += expected["late"] != expected["now"]
                if arguments.verbose:
                    print(seed, expected)
    print(f"{arguments.programs} programs, {compared} searches compared, {left_out} enumerations left out, {more} programs "
          f"with other outcomes by --reuse now; {failed} failed")
    return 1 if failed or more == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
