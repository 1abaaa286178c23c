#!/usr/bin/env python3
"""How soon strategies of search find the bugs of the bug suite (tests/bugs, docs/bug-suite.md).

For each program of the suite and each strategy it runs `heddle check --no-minimise --jobs 1` until the first bug, and prints how many
executions and how much processor time that took. The limit is one of processor time. After two seconds that pass heddle runs some
random executions beside a search, for its estimate (docs/algorithms/estimating.md), and they may find the bug: so a limit above 2, or a
machine so busy that two seconds of processor time take much longer, finds bugs that the strategy does not.
`-`: not found within the limit; `none`: the search ended and claims that there is none; `n/a`: heddle refuses the options; `broken`: it
gave no result. A strategy that draws is run with several seeds and the means are printed; `*` is after those that found the bug with
some of the seeds only, and the means are then over these. A row of the table is a `// bug:` line of a program:

  // bug: preemptions=2 threads=3                      the facts that docs/bug-suite.md shows
  // bug: name=reorder_20 args=20 preemptions=1 ...    another row of the same program, with an argument
  // bug: search="--no-races" ...                      options of every search of it, whatever the strategy

Finished cells are kept in the cache and not run again, so the bench can be interrupted and continued. A cell belongs to its
program's text but for its comments, its options and its limit; after a change of heddle give another cache.
Compiled programs are kept beside it, in a folder of its name.

Usage: bugs_bench.py BUILD-DIRECTORY [--seconds 2] [--seeds 3] [--strategies 'icb;dpor'] [--programs lock_,ring_]
                     [--cache FILE] [--json FILE] [--csv FILE]
"""

import argparse
import hashlib
import json
import os
import pathlib
import re
import shlex
import statistics
import subprocess
import sys
import typing

from measure import Bench, number, run

SUITE = pathlib.Path(__file__).resolve().parent.parent / "tests" / "bugs"
INCLUDES = [SUITE.parent.parent / "include", SUITE.parent / "programs"]
DEAD_AFTER = 600  # seconds that pass, after which a search counts as hung


class Strategy(typing.NamedTuple):
    name: str
    options: str
    draws: bool = False  # does what it runs depend on --seed?


STRATEGIES = [
    Strategy("depth-first", "--order depth-first --reduction none"),
    Strategy("icb", "--order context-bounded --reduction none"),
    Strategy("cb-por", "--preset cb-por"),
    Strategy("bounded", "--order context-bounded --reduction bounded"),
    Strategy("dpor", "--order depth-first --reduction dpor"),
    Strategy("optimal", "--order depth-first --reduction optimal"),
    Strategy("bf(pb)", "--order best-first --priority pb"),
    Strategy("bf(mdpor,pb)", "--order best-first --priority mdpor,pb"),
    Strategy("bf(rand)", "--order random --reduction optimal", draws=True),
    Strategy("random", "--order random", draws=True),
    Strategy("pct", "--order pct", draws=True),
    Strategy("pos", "--order pos", draws=True),
    Strategy("surw", "--order surw", draws=True),
    Strategy("rff", "--order rff", draws=True),
    Strategy("default", "", draws=True),
]


class Row(typing.NamedTuple):
    """A program of the suite with its arguments: one `// bug:` line."""
    name: str
    source: pathlib.Path
    arguments: list
    search: list
    facts: dict


def rows_of(source):
    for line in re.findall(r"^// bug: (.*)$", source.read_text(), re.M):
        facts = dict(word.split("=", 1) for word in shlex.split(line))
        yield Row(facts.pop("name", source.stem), source, shlex.split(facts.pop("args", "")),
                  shlex.split(facts.pop("search", "")), facts)


def code_of(source):
    return [line for line in source.read_text().splitlines() if not line.startswith("//")]


def suite():
    sources = sorted([*SUITE.glob("*.c"), *SUITE.glob("*.cpp")])
    return [row for source in sources for row in rows_of(source)]


def compile_program(bench, source, folder):
    """The program, compiled in FOLDER unless it is there from an earlier run of the bench."""
    program = folder / f"{source.stem}-{hashlib.sha256(source.read_bytes()).hexdigest()[:12]}"
    if not program.exists():
        folder.mkdir(exist_ok=True)
        fresh = folder / f"{program.name}.{os.getpid()}"
        driver = bench.build / ("heddle-c++" if source.suffix == ".cpp" else "heddle-cc")
        standard = "gnu++17" if source.suffix == ".cpp" else "gnu17"
        subprocess.run([driver, f"-std={standard}", "-O2", "-g", "-pthread", *(f"-I{include}" for include in INCLUDES), source,
                        "-o", fresh], check=True)
        fresh.rename(program)
    return program


def search(bench, row, program, strategy, seed, seconds):
    """One search: how it ended (found, none, limit, broken), executions, processor time, kind of bug."""
    result = bench.path / "result.json"
    result.unlink(missing_ok=True)
    command = [bench.build / "heddle", "check", *shlex.split(strategy.options), *row.search, "--no-minimise", "--quiet", "--jobs", 1,
               "--seed", seed, "--out", bench.path / "out", "--json", result, "--", program, *row.arguments]
    done = run(command, cpu_limit=seconds, dead_after=DEAD_AFTER)
    if done.status == 2:  # a preset that stands for other options than the program's `search`
        return {"ended": "refused", "why": done.output[-500:]}
    if not result.exists():
        return {"ended": "broken", "why": f"status {done.status}: {done.output[-500:]}"}
    answer = json.loads(result.read_text())
    ended = {"bug": "found", "clean": "none" if answer["complete"] else "limit", "incomplete": "limit"}
    return {"ended": ended.get(answer["verdict"], "broken"), "why": answer["guarantee"],
            "executions": answer["executions"] + answer["redundant"], "events": answer["events"], "cpu_s": round(done.cpu_s, 3),
            "kind": answer["bugs"][0]["kind"] if answer["bugs"] else "",
            "found_by": answer["bugs"][0]["found_by"] if answer["bugs"] else ""}


class Cache:
    """The finished searches, in a file that is written after each."""

    def __init__(self, path):
        self._path = pathlib.Path(path)
        self._cells = json.loads(self._path.read_text()) if self._path.exists() else {}

    def search(self, bench, row, strategy, seed, seconds):
        key = hashlib.sha256(repr((code_of(row.source), row.arguments, row.search, strategy.options, seed,
                                   seconds)).encode()).hexdigest()[:24]
        if key not in self._cells:
            program = compile_program(bench, row.source, self._path.with_suffix(".programs"))
            self._cells[key] = search(bench, row, program, strategy, seed, seconds)
            fresh = self._path.with_suffix(".new")
            fresh.write_text(json.dumps(self._cells))
            fresh.rename(self._path)
        return self._cells[key]


def cell(searches):
    """What the searches of one program by one strategy, a seed each, come to."""
    found = [s for s in searches if s["ended"] == "found"]
    broken = [s for s in searches if s["ended"] == "broken"]
    summary = {"seeds": len(searches), "found": len(found), "why": broken[0]["why"] if broken else ""}
    if broken:
        return summary | {"ended": "broken"}
    if not found:
        return summary | {"ended": next((s["ended"] for s in searches if s["ended"] != "limit"), "limit")}
    return summary | {"ended": "found", "kind": found[0]["kind"],
                      "executions": statistics.mean(s["executions"] for s in found),
                      "cpu_s": statistics.mean(s["cpu_s"] for s in found)}


def text_of(summary):
    if summary["ended"] != "found":
        return {"limit": "-", "refused": "n/a"}.get(summary["ended"], summary["ended"])
    some = "*" if summary["found"] < summary["seeds"] else ""
    executions = summary["executions"]
    return f"{executions:,.0f}{some} / {number(summary['cpu_s'])}"


def as_csv(table, strategies):
    """Of each program a line, of each strategy a cell, executions/seconds."""
    lines = [",".join(["program", *(f'"{s.name}"' if "," in s.name else s.name for s in strategies)])]
    for name, cells in table.items():
        lines.append(",".join([name, *(text_of(cells[s.name]).replace(",", "").replace(" / ", "/") for s in strategies)]))
    return "\n".join(lines) + "\n"


def totals(table, strategies):
    lines = [f"| strategy | found, of {len(table)} | with some seeds only | executions, of the found | seconds, of the found |",
             "|---|--:|--:|--:|--:|"]
    for strategy in strategies:
        cells = [row[strategy.name] for row in table.values()]
        found = [c for c in cells if c["ended"] == "found"]
        always = sum(c["found"] == c["seeds"] for c in found)
        lines.append(f"| {strategy.name} | {always} | {len(found) - always} | {sum(c['executions'] for c in found):,.0f} | "
                     f"{number(sum(c['cpu_s'] for c in found))} |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build")
    parser.add_argument("--seconds", type=float, default=2, help="of processor time, the limit of one search")
    parser.add_argument("--seeds", type=int, default=3, help="searches of a strategy that draws")
    parser.add_argument("--strategies", help="names, separated by semicolons (some have commas); all if not given")
    parser.add_argument("--programs", help="what begins so, separated by commas", default="")
    parser.add_argument("--cache", default="bugs_bench_cache.json")
    parser.add_argument("--json", help="writes all cells here")
    parser.add_argument("--csv", help="writes a table of all cells here, as docs/bug-suite.csv; the totals are printed")
    options = parser.parse_args()
    wanted = options.strategies.split(";") if options.strategies else [s.name for s in STRATEGIES]
    if unknown := set(wanted) - {s.name for s in STRATEGIES}:
        sys.exit(f"no such strategy: {', '.join(sorted(unknown))}")
    strategies = [s for s in STRATEGIES if s.name in wanted]
    bench, cache, table = Bench(options.build, pinned=False), Cache(options.cache), {}
    for row in suite():
        if not row.name.startswith(tuple(options.programs.split(","))):
            continue
        table[row.name] = {}
        for strategy in strategies:
            seeds = range(1, (options.seeds if strategy.draws else 1) + 1)
            summary = cell([cache.search(bench, row, strategy, seed, options.seconds) for seed in seeds])
            table[row.name][strategy.name] = summary
            print(f"{row.name:32} {strategy.name:12} {text_of(summary)}", file=sys.stderr, flush=True)
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(table, indent=1))
    if options.csv:
        pathlib.Path(options.csv).write_text(as_csv(table, strategies))
    print(totals(table, strategies), end="")


if __name__ == "__main__":
    main()
