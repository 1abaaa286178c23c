#!/usr/bin/env python3
"""Shows that the tests notice errors in the dependence relation.

One error at a time is planted in a copy of a source file; explorers, fake target and tests are built with that copy in
front. Then agree/reductions_agree_test.cpp must fail, but for a few errors that are told apart below, and
unit/dependence_test.cpp, too. Built with the sources as they are, both must pass. What the fake target itself leaves
out, a step or a choice, plain enumeration leaves out, too: there agree/every_step_test.cpp must fail, whose
interpreter shares nothing with it.

An explorer reads two things: the table (op.def, dependence.h), for what an operation would be in another place and
whether it is enabled there, and the accesses of the events. Those the fake target states by itself, so errors in its
statements stand for errors of the runtime, which takes them from the table.

Usage: planted_errors.py [--compiler CXX] [--jobs N] [--programs N] [NAME ...]      (all errors without a NAME)
       planted_errors.py --check      only: does each error find its place in the sources?
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests"))
from planted import SRC, add_arguments, check_places, plant, require_known  # noqa: E402
TABLE = "op/op.def"
LEVELS = "op/dependence.h"
EVENTS = "target/fake_instructions.cpp"
LIVES = "target/fake_lifetimes.cpp"
TARGET = "target/fake_target.cpp"
LABELS = "explore/order/step_label.cpp"
GRAPH = "explore/order/step_graph.h"
LOOKS_UP = re.compile(r"\b(Info|SucceedsAt|IsEnabledAt|AccessAt)\(")
TIME_LIMIT_S = 300

TESTS = {"reductions": "ReductionsAgree.*", "orders": "Dependence.*", "every step": "EveryStepAgrees.*",
         "split": "SplitAgrees.*", "bounds": "BoundsAgree.*", "bounded": "BoundedDporAgrees.*",
         "pieces": "PiecesAgree.*", "jobs": "JobsAgree.*"}
BOTH = {"reductions", "orders"}
STEPS = {"every step"}
SPLIT = {"split"}  # run for these only
BOUNDS = {"bounds"}  # likewise
BOUNDED = {"bounded"}  # likewise
PIECES = {"pieces"}  # likewise
JOBS = {"jobs"}  # likewise
FOLLOW = "session/follow.h"


def row(kind, column, wrong):
    """An error in a row of the table: `wrong` in place of what stands in `column`."""
    return TABLE, rf"(OP\({kind}, .*){column}", rf"\g<1>{wrong}"


def event(before, right, wrong):
    """An error in an event of the fake target: `wrong` in place of the access `right`, which stands after `before`."""
    return EVENTS, rf"({before})Access::{right}", rf"\g<1>Access::{wrong}"


def variable(right, code, wrong):
    """The same in the event of an operation on variables: `wrong`, where the instruction is `code`."""
    before, after = ("reads \\? ", " : ") if right == "kRead" else ("reads \\? Access::kRead : ", ", instruction.object")
    return EVENTS, rf"({before})(Access::{right})(?={after})", \
        rf"\g<1>(instruction.code == Code::{code} ? Access::{wrong} : \g<2>)"


def locking(tries):
    """The same in the event of taking a mutex: a read, where the operation is (==) or is not (!=) a try."""
    return EVENTS, r"(free \? )(Access::kWrite)(?= : Access::kRead, MutexObject)", \
        rf"\g<1>kind {tries} Kind::kMutexTryLock ? Access::kRead : \g<2>"


def no_step(where):
    """An error of the fake target: where a thread stands so, it goes on within the step before."""
    wrong = where.replace("NextCode", "program_.threads[id][threads_[id].next].code")
    running = "execution_.ending.kind == EndKind::kRunning"
    begin = r"(bool FakeTarget::GoesOn\(ThreadId id\) const \{)"
    return TARGET, begin, rf"\g<1> if ({running} && {wrong}) return true;"


# name, (file below src/, what stands there, once, as a regular expression, what stands there instead), who must fail
PLANTED = [
    ("store-reads", row("AtomicStore", "kWrite", "kRead"), BOTH),
    ("fetch-reads", row("AtomicFetch", "kWrite", "kRead"), BOTH),
    ("compare-exchange-reads", row("AtomicCompareExchange", "kWrite", "kRead"), BOTH),
    ("load-commutes", row("AtomicLoad", "kRead", "kNone"), BOTH),
    ("lock-commutes", row("MutexLock", "kWrite", "kNone"), BOTH),
    ("lock-needs-nothing", row("MutexLock", "kFree", "kNothing"), BOTH),
    ("lock-never-waits", row("MutexLock", r"kBlocks \| kLocks", "kLocks"), BOTH),
    ("unlock-reads", row("MutexUnlock", "kWrite", "kRead"), BOTH),
    ("wait-commutes", row("CondWait", "kWrite", "kNone"), BOTH),
    ("relock-commutes", row("CondReacquire", "kWrite", "kNone"), BOTH),
    ("relock-needs-nothing", row("CondReacquire", "kFree", "kNothing"), BOTH),
    ("reader-needs-nothing", row("RwReadLock", "kNoWriter", "kNothing"), BOTH),
    ("writer-is-shared", row("RwWriteLock", "kWrite", "kShared"), BOTH),
    ("writer-bears-readers", row("RwWriteLock", "kFree", "kNoWriter"), BOTH),
    ("semaphore-needs-nothing", row("SemWait", "kPositive", "kNothing"), BOTH),
    ("semaphore-needs-none", row("SemWait", "kPositive", "kFree"), BOTH),
    ("writes-commute", (LEVELS, r" && a != Access::kWrite", ""), BOTH),
    ("readers-never-leave", (LEVELS, r"\? -1 : 1", "? -1 : 0"), BOTH),
    ("time-limits-disregarded", (LEVELS, r"return timed \|\| ", "(void)timed;\n  return "), BOTH),
    ("event-store-reads", (EVENTS, r"const bool reads = (?=instruction.code == Code::kLoad)", r"\g<0>instruction.code == Code::kStore || "), BOTH),
    ("event-load-commutes", variable("kRead", "kLoad", "kNone"), BOTH),
    ("event-fetch-is-shared", variable("kWrite", "kFetchAdd", "kShared"), BOTH),
    ("event-compare-exchange-reads", (EVENTS, r"const bool reads = (?=instruction.code == Code::kLoad)", r"\g<0>compares || "), BOTH),
    ("event-lock-reads", locking("!="), BOTH),
    ("event-trylock-reads", locking("=="), BOTH),
    ("event-lock-timeout-commutes", event("kMutexTimedLock, ", "kRead", "kNone"), BOTH),
    ("event-unlock-commutes", event("kMutexUnlock, ", "kWrite", "kNone"), BOTH),
    ("event-wait-keeps-mutex", (EVENTS, r"0,\s+Further\{MutexObject\(instruction.object2\), 1\}\);", "0);"), BOTH),
    ("event-lost-signal-commutes", event("kCondSignal, ", "kRead", "kNone"), BOTH),
    ("event-signal-reads", event("kCondSignal, ", "kWrite", "kRead"), BOTH),
    ("event-semaphore-is-shared", event("kSemWait, ", "kWrite", "kShared"), BOTH),
    ("event-semaphore-timeout-commutes", event("kSemWait, ", "kRead", "kNone"), BOTH),
    ("event-post-commutes", event("kSemPost, ", "kShared", "kNone"), BOTH),
    ("event-writer-is-shared", event(r"writing \? ", "kWrite", "kShared"), BOTH),
    ("event-reader-reads", event(r"Access::kWrite : ", "kShared", "kRead"), BOTH),
    ("event-failed-reader-commutes", event(r"free \? taken : ", "kRead", "kNone"), BOTH),
    ("event-unlocks-are-shared", event(r"reads \? Access::kShared : ", "kWrite", "kShared"), BOTH),
    ("event-arrival-commutes", event("kBarrierArrive, ", "kWrite", "kNone"), BOTH),
    ("event-addition-reads", event("Kind::kAtomicFetch, ", "kShared", "kRead"), BOTH),
    ("event-addition-commutes", event("Kind::kAtomicFetch, ", "kShared", "kNone"), BOTH),
    ("additions-add-one", (GRAPH, r"return expected;", "return 1;"), {"reductions"}),
    # These the reductions do not show with some thousand programs. On a free mutex nothing else is a read that a lock
    # taken for one could commute with, and to take an operation for more than it is loses a schedule rarely, if ever.
    ("lock-reads", row("MutexLock", "kWrite", "kRead"), {"orders"}),
    ("trylock-needs-nothing", row("MutexTryLock", "kFree", "kNothing"), {"orders"}),
    ("load-writes", row("AtomicLoad", "kRead", "kWrite"), {"orders"}),
    # What begins and ends.
    ("event-init-commutes", (LIVES, r"(Kind::kInitialise : Kind::kDestroy, Access::)kWrite", r"\g<1>kNone"),
     {"reductions", "every step"}),
    ("event-thread-end-commutes", (LIVES, r"(Kind::kThreadExit, Access::)kWrite(, ThreadObject)", r"\g<1>kNone\g<2>"),
     {"reductions", "every step"}),
    ("event-joining-try-commutes", (LIVES, r"(KindOf\(instruction.code\), Access::)kRead", r"\g<1>kNone"),
     {"reductions", "every step"}),
    ("event-ends-commute", (TARGET, r"(Kind::kProgramExit, Access::)kWrite", r"\g<1>kNone"), {"every step"}),
    # A misuse: the access that its operation would have been, and the level of the mutex that a wait has not got.
    ("event-misuse-commutes", (EVENTS, r"const bool succeeds = .*;\n.*succeeds \? op::Info\(kind\)\.access : Access::kRead", "Emit(id, kind, Access::kNone"), {"reductions"}),
    ("misused-wait-keeps-mutex", (EVENTS, r"0,\s+Further\{MutexObject\(instruction\.object2\), held\}", "held - held"), {"reductions"}),
    ("misused-mutex-is-held", (EVENTS, r"(Further\{MutexObject\(instruction\.object2\)), held\}", r"\g<1>, held | 1}"), {"reductions"}),
    ("misuse-ends-at-once", (TARGET, r"if \(!program_\.ends_yield\)", "if (kind == EndKind::kMisuse)"), {"reductions"}),
    ("options-are-alike", (LABELS, r"if \(a.thread != options\[k\].thread [^;]*;", "(void)a;"),
     {"reductions", "every step"}),
    # Not of the dependence relation: where a sequence goes down a tree because of what the execution did later, that was
    # not asked again.
    ("paths-are-fixed", ("explore/por/optimal_dpor.cpp", r"fixed &= holds\(found\);", ""), {"reductions"}),
    # What a reversal puts last comes before nothing in it.
    ("last-comes-first", ("explore/order/step_graph.cpp", r"if \(HappensAfterAny\(without, access\.step\)\) continue;", "(void)without;"), {"reductions"}),
    # Operations on several variables: that they access more than the first, and that a later step may have to come before
    # one that writes more there than here.
    ("event-parts-commute", (TARGET, r"touches_\.push_back\(\{index, object \+ k[^;]*;", "(void)expected;"), {"reductions"}),
    ("reversals-do-not-grow", ("explore/por/reversals.cpp", r"reversal_\.grows \|= ", r"\g<0>false && "), {"reductions"}),
    # Steps of several operations: that one may do more where it is moved to, that options sleep apart from each other, and
    # that what a step finds is not what stands in the middle of another one.
    ("sections-do-not-grow", ("explore/por/reversals.cpp", r"if \(last\.unknown\) (reversal_\.grows)", r"if (false) \g<1>"), {"reductions"}),
    ("options-wake-alone", ("explore/por/reduction.cpp", r"return label\.alone && (?=std::ranges::count)", r"\g<0>false && "), {"reductions"}),
    ("options-begin-alike", ("explore/por/source_dpor.cpp", r"!s_\.graph\.IsOption\(f\)", "true"), STEPS),
    ("levels-within-steps", ("explore/order/races.cpp", r"return \*first;", "return access;"), {"reductions"}),
    # Parting with branches: that all that is open is run from closed nodes, with the options of several threads; that what
    # sleeps there sleeps on, and need not be part of what begins with a sequence that it is independent of.
    ("closes-with-what-is-there", ("explore/por/split.cpp", r"  AddAllOpen\(node\);", ""), SPLIT),
    ("closes-without-options", ("explore/por/split.cpp", r"if \(other\.node > node", "if (true || other.node > node"), SPLIT),
    ("forgets-options-asleep", ("explore/por/split.cpp", r"!SleepsSince\(node, other\)", "true"), SPLIT),
    ("sleeps-with-options-open", ("explore/por/reduction.cpp", r"if \(IsClosed\(node\) && AnyNext\(node, same\)\) return true;", "(void)same;"), SPLIT),
    ("sleeper-begins-it", ("explore/por/optimal_dpor.cpp", r"found\.match == Match::kIndependent && SleepsOn\(index\)", "false"), SPLIT),
    ("sequences-wake-others", ("explore/por/reduction.cpp", r"s_\.wakes_all && !sleeps_on\)", "s_.wakes_all)"), SPLIT),
    # Context bounds of states, and the table of them.
    ("blocking-costs", ("explore/hb/context_bounds.cpp", r"\(preempts \? 1 : 0\)", "1"), BOUNDS),
    ("preempting-is-free", ("explore/hb/context_bounds.cpp", r"\(preempts \? 1 : 0\)", "0"), BOUNDS),
    ("staying-costs", ("explore/hb/context_bounds.cpp", r"bounds\.less \|= FreeAfter", "FreeAfter"), BOUNDS),
    ("early-is-free", ("explore/hb/context_bounds.cpp", r"\(enabled\.enabled != 0 \? 1 : 0\)", "0"), BOUNDS),
    ("last-was-preempted-too", ("explore/hb/prefixes.cpp", r"left == 0 \? 0 : left - 1", "left"), BOUNDS),
    ("goes-on-after-the-end", ("explore/hb/prefixes.cpp", r"if \(last_ != kNoStep && Holds", "if (false && Holds"), BOUNDS),
    ("no-timeout-is-left", ("explore/hb/cb_por_table.cpp", r"all = enabled\.may \| enabled\.timeouts", "all = enabled.may"), BOUNDS),
    ("known-for-ever", ("explore/hb/cb_por_table.cpp", r"if \(forever\) entry\.forever", "entry.forever"), BOUNDS),
    ("one-option-is-all", ("explore/hb/cb_por_table.cpp", r"if \(\(all & ~entry\.Closed\(\)\) != 0\) return std::nullopt;", ""), BOUNDS),
    ("join-is-in-the-state", (LEVELS, r"kind == Kind::kThreadJoin \|\|", ""), BOUNDS),
    # The same without a table: lines B2 to B5, which pairs are races, and when to leave nothing out.
    ("not-from-the-block", ("explore/por/bounded_dpor.cpp", r"if \(begin != j\) AddOrAll", "if (false) AddOrAll"), BOUNDED),
    ("blocked-is-enough", ("explore/por/bounded_dpor.cpp", r"    AddAll\(node\);  // B3", ""), BOUNDED),
    ("free-ones-may-wait", ("explore/por/bounded_dpor.cpp", r"!Costs\(node, other\)\) Add", "false) Add"), BOUNDED),
    ("yields-have-no-turn", ("explore/por/bounded_dpor.cpp", r"return Costs\(begin, p\) &&", "return false && Costs(begin, p) &&"), BOUNDED),
    ("races-as-without-bound", ("explore/order/step_graph.h", r"finds_all_ = true", "finds_all_ = false"), BOUNDED),
    ("limits-are-reduced", ("explore/por/bounded_dpor.cpp", r"std::ranges::any_of\(execution\.events, timed\) \|\|", "(static_cast<void>(timed), false) ||"), BOUNDED),
    ("ends-are-reduced", ("explore/por/bounded_dpor.cpp", r"EnderOf\(execution\) != op::kNoThread \|\|", ""), BOUNDED),
    # Pieces of a search, and which of their results count.
    ("piece-is-dropped", (FOLLOW, r"if \(seen\.insert\(left\)\.second\)", "if (seen.insert(left).second && next.size() % 7 != 6)"), PIECES),
    ("piece-counts-twice", (FOLLOW, r"followed\.counted\.push_back\(result->second\);",
                            "for (size_t i = 0; i < results.size(); ++i) if (results[i].piece == next[at]) followed.counted.push_back(i);"), PIECES),
    ("rest-is-of-another-run", (FOLLOW, r"results\[result->second\]\.left\)", "results.back().left)"), PIECES),
    # Several searches with one table of states.
    ("begins-beyond-the-bound", ("explore/hb/cb_por_shared.cpp", r"if \(IsWithin\(state, last\)\) BeginStep", "BeginStep"), JOBS),
    ("beyond-is-closed-for-ever", ("explore/hb/cb_por_shared.cpp", r"entry\.forever \|= ~node\.open;", "entry.forever |= ~node.open | beyond;"), JOBS),
    ("branch-is-from-the-beginning", ("explore/hb/cb_por_shared.cpp", r"s_\.base = branch\.node;", "s_.base = 0;"), JOBS),
    # Steps that the target does not have.
    ("init-is-no-step", no_step("StandOf(id) == Stand::kInstruction && NextCode == Code::kInit"), STEPS),
    ("destroy-is-no-step", no_step("StandOf(id) == Stand::kInstruction && NextCode == Code::kDestroy"), STEPS),
    ("try-join-is-no-step", no_step("StandOf(id) == Stand::kInstruction && NextCode == Code::kTryJoin"), STEPS),
    ("thread-end-is-no-step", no_step("StandOf(id) == Stand::kThreadEnd"), STEPS),
    ("end-is-no-step", ("target/fake_program.h", "ends_yield = true", "ends_yield = false"), STEPS),
    # These they show after some hundred to some thousand.
    ("semaphore-is-shared", row("SemWait", "kWrite", "kShared"), {"orders"}),
    ("trying-writer-is-shared", row("RwTryWriteLock", "kWrite", "kShared"), {"orders"}),
]


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compiler", default=os.environ.get("CXX", "c++"))
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--programs", type=int, default=500, help="of each vocabulary")
    add_arguments(parser)
    arguments = parser.parse_args()
    require_known(parser, arguments.names, [name for name, *_ in PLANTED])
    return arguments


def sources():
    src = ROOT / "src"
    for folder in ("base", "explore", "space", "target"):
        yield from sorted((src / folder).glob("**/*.cpp"))
    tests = ROOT / "tests"
    for name in ("reductions_agree_test.cpp", "split_agree_test.cpp", "pieces_agree_test.cpp", "jobs_agree_test.cpp", "bounds_agree_test.cpp", "bounded_dpor_agree_test.cpp",
                 "every_step_test.cpp", "every_step.cpp"):
        yield tests / "agree" / name
    yield from (tests / "unit" / name for name in ("both_orders.cpp", "dependence_test.cpp", "probed_target.cpp"))


def readers_of(file):
    """The sources that an error in `file` changes: of the table, those that look things up in it."""
    if file != TABLE:
        return list(sources())
    headers = [header for folder in ("explore", "target") for header in (ROOT / "src" / folder).glob("**/*.h")]
    if any(LOOKS_UP.search(header.read_text()) for header in headers):
        return list(sources())
    return [source for source in sources() if LOOKS_UP.search(source.read_text())]


def object_of(source, folder):
    return folder / (str(source.relative_to(ROOT)).replace("/", "_") + ".o")


class Build:
    """The test program with at most one file of src/ replaced."""

    def __init__(self, arguments, folder):
        self.arguments, self.folder = arguments, folder

    def compile(self, source, out, planted=None):
        includes = [f"-I{planted}"] if planted else []
        includes += [f"-I{ROOT / 'src'}", f"-I{ROOT / 'tests'}", f"-I{ROOT / 'tests/agree'}"]
        subprocess.run([self.arguments.compiler, "-std=gnu++20", "-O1", *includes, "-c", str(source), "-o", str(out)],
                       check=True)

    def compile_all(self, files, folder, planted=None):
        with concurrent.futures.ThreadPoolExecutor(self.arguments.jobs) as pool:
            list(pool.map(lambda source: self.compile(source, object_of(source, folder), planted), files))

    def link(self, objects, out):
        subprocess.run([self.arguments.compiler, *map(str, objects), "-lgtest", "-lgtest_main", "-pthread", "-o",
                        str(out)], check=True)
        return out

    def unchanged(self):
        self.compile_all(sources(), self.folder)
        return self.link([object_of(source, self.folder) for source in sources()], self.folder / "unchanged")

    def with_error(self, name, file, pattern, replacement):
        text, wrong = plant(SRC, name, file, pattern, replacement)
        if wrong:
            sys.exit(wrong)
        folder = self.folder / name
        copy = folder / file
        copy.parent.mkdir(parents=True)
        copy.write_text(text)
        objects = {source: object_of(source, self.folder) for source in sources()}
        if file.endswith(".cpp"):
            objects[ROOT / "src" / file] = folder / "planted.o"
            self.compile(copy, folder / "planted.o")
        else:
            readers = readers_of(file)
            self.compile_all(readers, folder, folder)
            objects.update((source, object_of(source, folder)) for source in readers)
        return self.link(objects.values(), folder / "test")


# From which seed on, if not 1: what seldom shows.
SEEDS = {"sections-do-not-grow": 7011264, "levels-within-steps": 32340, "options-begin-alike": 78065901,
         "sleeps-with-options-open": 1200, "forgets-options-asleep": 3400, "races-as-without-bound": 687}


def passes(program, test, programs, seed=1):
    environment = dict(os.environ, HEDDLE_AGREE_PROGRAMS=str(programs), HEDDLE_AGREE_SEED=str(seed))
    command = [program, f"--gtest_filter={TESTS[test]}"]
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=TIME_LIMIT_S)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def main():
    arguments = read_arguments()
    if arguments.check:
        return check_places(SRC, [(name, *error) for name, error, _ in PLANTED])
    missed = []
    with tempfile.TemporaryDirectory(prefix="heddle-planted-") as folder:
        build = Build(arguments, pathlib.Path(folder))
        unchanged = build.unchanged()
        for test in TESTS:
            if not passes(unchanged, test, arguments.programs):
                print(f"{TESTS[test]} fails without a planted error", file=sys.stderr)
                return 1
        for name, error, must_fail in PLANTED:
            if arguments.names and name not in arguments.names:
                continue
            program = build.with_error(name, *error)
            tests = must_fail if must_fail in (SPLIT, BOUNDS, PIECES, JOBS) else TESTS.keys() - SPLIT - BOUNDS - PIECES - JOBS
            failed = {test for test in tests if not passes(program, test, arguments.programs, SEEDS.get(name, 1))}
            print(f"{name:34} caught by: {', '.join(sorted(failed)) or 'none'}", flush=True)
            missed += [f"{name} by {test}" for test in sorted(must_fail - failed)]
    if missed:
        print(f"not caught, with {arguments.programs} programs of each vocabulary: {'; '.join(missed)}",
              file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
