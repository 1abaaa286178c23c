#!/usr/bin/env python3
"""How far a campaign goes: the policy of heddle-campaign on a random tree of executions, on more workers than there are here.
Usage: campaign_simulation.py [BUILD]   (which is not used)

An event is the end of a piece. A piece is a stack of branches; its slice takes work from the top branch, which is either smaller
than what is left of the slice, or is opened into two to six of very unlike sizes (Pareto, 0.7). The rest is dealt out in turn to
new pieces, as `heddle work` does. The policy sees how many pieces wait, and nothing of sizes. Efficiency is work by workers times
time."""

import heapq
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "campaign"))
sys.dont_write_bytecode = True
from heddle_campaign import policy  # noqa: E402

START_S = 0.06  # for a piece: heddle work takes 0.04 s of processor time before its first execution
# Of the driver, for a piece, one after the other; processor time, measured.
DISPATCH_S = {"files": 0.001, "Dask": 0.01}
SLICE_S = 30
EXECUTIONS_S = 1000  # a second and worker: of a large program
LEAST = 1.0  # work of less than an execution is not cut


def opened(size, rng):
    """A branch as those below it."""
    shares = [rng.paretovariate(0.7) for _ in range(rng.randint(2, 6))]
    return [size * share / sum(shares) for share in shares]


def run_slice(branches, executions, rng):
    """What a slice does to a stack of branches; the work that it did."""
    left = executions
    while branches and left > 0:
        size = branches.pop()
        if size <= left:
            left -= size
        elif size <= 4 * LEAST:
            left = 0
            branches.append(size)
            break
        else:
            branches += opened(size, rng)
    return executions - left


def simulate(executions, workers, slice_s, dispatch_s, seed):
    rng = random.Random(seed)
    first = [executions]
    while len(first) < 4 * policy.ENOUGH * workers:  # heddle split
        first.sort()
        first += opened(first.pop(), rng)
    waiting = [first[number :: 4 * workers] for number in range(4 * workers)]
    events, free, now, driver, pieces = [], workers, 0.0, 0.0, 0
    while waiting or events:
        while waiting and free:
            plan = policy.plan(len(waiting), workers, int(1000 * slice_s))
            piece = waiting.pop(0)
            driver = max(driver, now) + dispatch_s
            did = run_slice(piece, plan.slice_ms / 1000 * EXECUTIONS_S, rng)
            heapq.heappush(events, (driver + START_S + did / EXECUTIONS_S, pieces, piece, plan.children))
            free, pieces = free - 1, pieces + 1
        now, _, rest, children = heapq.heappop(events)
        free += 1
        dealt = [rest[number::children] for number in range(children)]
        waiting += [piece for piece in dealt if piece]
    return executions / EXECUTIONS_S / workers / now, pieces


def main():
    print("executions   workers   slice   engine   pieces   efficiency")
    for executions, workers in ((1e7, 100), (1e8, 100), (1e8, 1000), (1e9, 1000)):
        for engine, dispatch_s in DISPATCH_S.items():
            found = [simulate(executions, workers, SLICE_S, dispatch_s, seed) for seed in (1, 2)]
            efficiency = sum(one for one, _ in found) / len(found)
            print(f"{executions:10.0e} {workers:9} {SLICE_S:5} s   {engine:6} {found[0][1]:8}   {efficiency:.2f}", flush=True)


if __name__ == "__main__":
    main()
