#!/usr/bin/env python3
"""Shows that the tests of src/model notice errors in it.

One error at a time is planted in a copy of a source file, and the tests are built with the copy: against the axioms
(agree_test.cpp), against the litmus table, and by hand (unit/model_*_test.cpp). One of them must fail.

Usage: planted_errors.py [--programs N] [NAME ...]      (all errors without a NAME)
       planted_errors.py --check      only: does each error find its place in the sources?
"""

import argparse
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent))
from planted import SRC, add_arguments, check_places, plant, require_known  # noqa: E402

MODEL = SRC / "model"
TESTS = pathlib.Path(__file__).resolve().parent
UNIT = TESTS.parent.parent / "unit"
TIME_LIMIT_S = 300
MEMORY_LIMIT = 1 << 30  # some errors make a search that does not end

# A name, a file, what stands there once, and what is to stand there.
PLANTED = [
    # Happens-before.
    ("plain-store-after-fence-releases", "happens_before.cpp", r"if \(!IsAtomic\(e.order\)\) return;",
     ""),
    ("release-fence-forgotten", "happens_before.cpp", r"!IsRelease\(fence.order\)\) continue;", "true) continue;"),
    ("update-ends-release-sequence", "happens_before.cpp", r"if \(source >= 0\) Join", "if (false) Join"),
    ("own-store-ends-release-sequence", "happens_before.cpp", r"if \(!e.label.continues_own_sequences\)", "if (true)"),
    ("acquire-fence-after-plain-load", "happens_before.cpp", r"earlier.IsLoad\(\) && IsAtomic\(earlier.order\)",
     "earlier.IsLoad()"),
    ("acquire-fence-learns-of-last-load", "happens_before.cpp", r"(stride_\);)(\n  }\n}\n\nvoid ExecutionGraph::SetJoin)",
     r"stride_), i = 0;\2"),
    ("join-learns-nothing", "happens_before.cpp", r"last == kNoEvent", "true"),
    ("failed-exchange-has-order-of-success", "graph.cpp", r"failed \? e.label.failure", "failed ? e.label.order"),
    # Coherence.
    ("floor-without-reads", "graph.h", r"if \(IsIn\(view, r\)\) return p;", ""),
    ("floor-by-porf", "c11.cpp", r"graph.HappensBefore\(before\)", "graph.Porf(before)"),
    ("always-sequential", "c11.cpp", r"if \(graph.WeakAccesses\(\) == 0\) return sequential_", "return sequential_"),
    ("failure-order-is-not-weak", "graph.cpp", r"return e.label.order != Order::kSeqCst \|\|[^;]*;",
     "return e.order != Order::kSeqCst;"),
    # psc.
    ("psc-without-eco-of-fences", "partial_sc.cpp", r"\.lowest_after != kNone &&\n", ".lowest_after == kNone + 1 &&\n"),
    ("psc-with-mo-for-eco", "partial_sc.cpp", r"LevelsOf\(to, l\).highest_before", "LevelsOf(to, l).highest_store_before"),
    ("psc-fence-to-store", "partial_sc.cpp", r"return e.IsStore\(\) &&", "return false &&"),
    ("psc-fence-to-load-by-eco", "partial_sc.cpp", r"return e.IsStore\(\) &&", "return"),
    ("psc-access-to-fence-by-mo", "partial_sc.cpp", r"return LevelOf\(from\) \+ 1 <", "return uint32_t(-1) <"),
    ("psc-access-to-fence-by-eco", "partial_sc.cpp",
     r"LevelsOf\(to, location\).highest_store_before", "LevelsOf(to, location).highest_before"),
    ("psc-without-mo-and-fr", "partial_sc.cpp", r"one_location && b.IsStore\(\)", "false"),
    ("psc-with-rf", "partial_sc.cpp", r"one_location && b.IsStore\(\)", "one_location"),
    ("psc-without-hb-of-one-location", "partial_sc.cpp", r"return one_location \|\| a.thread", "return a.thread"),
    ("psc-without-other-locations", "partial_sc.cpp", r" \|\| ByOtherLocations\(from, to\);", ";"),
    ("psc-with-all-of-hb", "partial_sc.cpp", r"ByOtherLocations\(from, to\);", "true;"),
    ("psc-of-no-fence-before", "partial_sc.cpp", r"return graph_->HappensBefore\(event, access\);", "return event == access;"),
    ("psc-only-of-new-stores", "partial_sc.cpp", r"if \(position == newest\)", "if (position == newest || e.IsLoad())"),
    # TSO and SC.
    ("tso-load-before-load", "tso.cpp", r"earlier.IsLoad\(\) && !load_visited", "false"),
    ("tso-store-before-load", "tso.cpp", r"after_stores \|\| \(", "true || ("),
    ("tso-own-stores-unseen", "tso.cpp", r"before < own \? own : before", "before"),
    ("tso-sees-own-stores-in-memory", "tso.cpp", r"SeesOwnStores\(\) { return false; }", "SeesOwnStores() { return true; }"),
    ("tso-seq-cst-accesses-unordered", "tso.cpp", r"e.IsLoad\(\) && e.order == Order::kSeqCst;", "false;"),
    ("tso-updates-wait", "tso.cpp", r"return e.label.action == Action::kUpdate;", "return false;"),
    ("tso-every-fence-counts", "tso.cpp", r"return e.order == Order::kSeqCst \|\|", "return true ||"),
    ("sc-without-from-reads", "global_order.h", r"next_reader\)\n        push\(r\);", "next_reader) {}"),
    ("sc-without-mo", "global_order.h", r"      push\(before\);\n", ""),
    # TruSt.
    ("revisits-twice-at-the-end", "trust.cpp", r"event == next \|\| ", ""),
    ("revisits-only-of-new-stores", "trust.cpp",
     r"(model_->Allows\(graph, store\)\) return Refuse\(\);)\n  NoteRevisits\(store, store\);\n  return true;\n}\n\n// ---- backward",
     r"\1\n  return true;\n}\n\n// ---- backward"),
    ("update-that-was-revisited-revisits-nothing", "trust.cpp", r"  NoteRevisits\(update, update\);\n", ""),
    ("no-pending-updates", "trust.cpp", r"return !graph.At\(other\).revisitable \|\|", "return true ||"),
    ("pending-update-revisits-all", "trust.cpp", r" && event <= not_newer", ""),
    ("update-stays-between", "trust.cpp", r"a.of_update \|\| a.position ==", "a.position =="),
    ("maximal-although-it-revisited", "trust.cpp", r"    if \(r < event\) return false;.*\n", "    {}\n"),
    ("maximal-although-not-newest", "trust.cpp", r"newer != store && is_previous\(newer\)", "false"),
    ("newest-of-all", "trust.cpp", r"newer != store && is_previous\(newer\)", "newer != store"),
    ("previous-without-prefix", "trust.cpp", r"other <= event \|\| graph.IsIn\(prefix, other\)", "other <= event"),
    ("revisit-below-the-floor", "trust.cpp", r"graph.At\(a\).position < model_->Floor\(graph, r\)", "false"),
    ("revisit-against-psc", "trust.cpp", r"if \(!model_->Allows\(graph, r\)\) return Refuse\(\);", ""),
    ("replay-by-stamps", "graph.cpp", r"LinkCopied\(other, new_load\);\n  replay_.push_back\(new_load\);",
     "LinkCopied(other, new_load), replay_.clear();\n"
     "  for (EventId event = 0; event < Size(); ++event) replay_.push_back(event);"),
    # Uses.
    ("use-that-came-before-is-maximal", "trust.cpp", r"return !e.IsUse\(\) \|\| e.revisitable;", "return true;"),
    ("use-that-came-before-is-left-again", "graph.cpp", r"(AppendUse\(thread, instead\))\].revisitable = false",
     r"\1].revisitable = true"),
    ("blocked-thread-forgotten", "trust.cpp", r"  NoteUses\(thread, label, Alternative::Kind::kBlockedUse, index\);\n", ""),
    ("use-without-maximality", "trust.cpp", r"if \(!IsMaximal\(graph, other, prefix, kNoEvent\)\) return;", ""),
    ("use-does-not-skip-what-is-kept", "trust.cpp", r"if \(graph.IsIn\(prefix, other\)\) continue;", ""),
    ("use-with-its-chain", "trust.cpp", r"is_there \? graph.Before\(event\)", "is_there ? event"),
    ("use-only-before-the-last", "trust.cpp",
     r"(if \(IsEnabled\(label, graph.At\(use\).label.level\)\)) oldest = use;", r"\1 return use;"),
    ("use-enabled-where-it-is-not", "trust.cpp", r" && IsEnabled\(label, v.label.level\)", ""),
    ("use-keeps-its-level", "trust.cpp", r"label.level = Graph\(\).At\(use\).label.level;", ""),
    ("only-mutexes", "label.h", r"return level != kWriter;", "return level == 0;"),
    ("other-use-stays", "graph.cpp", r"CopyKept\(other, use, prefix\)", "CopyKept(other, use + 1, prefix)"),
    ("chain-synchronises-always", "happens_before.cpp", r"if \(!e.label.shared && IsAcquire\(e.order\)\) (Join)",
     r"if (!e.label.shared) \1"),
    ("readers-learn-from-readers", "happens_before.cpp", r" && e.label.level == kWriter", ""),
    ("readers-learn-nothing", "happens_before.cpp", r"if \(e.label.shared && IsAcquire\(e.order\)\)", "if (false)"),
    ("readers-learn-without-acquire", "happens_before.cpp", r"if \(e.label.shared && IsAcquire\(e.order\)\)",
     "if (e.label.shared)"),
    ("sc-readers-learn-from-readers", "sequential.cpp", r"\(!e.label.shared \|\| label.level == kWriter\)", "true"),
    ("sc-readers-know-of-readers", "sequential.cpp", r" && !label.shared\) return", ") return"),
    ("chain-releases-always", "happens_before.cpp", r"if \(IsRelease\(e.order\)\) (Join\(released)", r"\1"),
    ("chain-forgets", "happens_before.cpp", r"Assign\(released, ViewOf\(before, kReleased\), stride_\);", ""),
    ("chain-is-not-kept", "happens_before.cpp", r"Join\(ViewOf\(use, kPorf\).*\n", ""),
    ("failed-try-has-order-of-success", "graph.cpp", r"e.order = label.failure", "e.order = label.order"),
    ("sc-without-chains", "sequential.cpp", r"if \(!e.IsUse\(\) \|\|", "if (true ||"),
    ("c11-with-whole-chains", "c11.cpp", r"Chains::kSynchronising", "Chains::kWhole"),
    ("c11-with-next-in-chain", "sequential.cpp", r"learns && IsAcquire\(order\) && !label.shared", "true"),
    ("tso-without-chains", "tso.cpp", r"if \(e.IsUse\(\) && ", "if (false && "),
    ("tso-uses-wait", "tso.cpp", r"case EventKind::kUse:\n      return true;", "case EventKind::kUse:\n      return false;"),
    ("store-within-an-update", "trust.cpp", r"if \(graph.UpdateThatReads\(graph.WriteAt\(label.location, p\)\) == kNoEvent\)",
     ""),
]


# Of a header: who compiles what is planted in it.
READERS = {"global_order.h": ("sequential.cpp", "tso.cpp", "c11.cpp"), "label.h": ("trust.cpp",)}


def compile_tests(folder, compiler="c++"):
    """The objects of the tests and of the library, by source."""
    sources = sorted(MODEL.glob("*.cpp")) + sorted(TESTS.glob("*.cpp")) + sorted(UNIT.glob("model_*_test.cpp")) + [SRC / "base/check.cpp"]
    sources += [path for path in sorted(TESTS.parent.glob("*.cpp")) if not path.stem.endswith("_test")]
    objects = {source: folder / f"{i}_{source.stem}.o" for i, source in enumerate(sources)}
    for source, made in objects.items():
        compile_one(source, made, compiler)
    return objects


def compile_one(source, made, compiler="c++", first=()):
    command = [os.environ.get("CXX", compiler), "-std=gnu++20", "-O2", *first, f"-I{SRC}", f"-I{TESTS}", f"-I{TESTS.parent}",
               f'-DHEDDLE_SOURCE_DIR="{SRC.parent}"', "-c", source, "-o", made]
    subprocess.run(command, check=True)


def link(objects, program):
    subprocess.run([os.environ.get("CXX", "c++"), *objects, "-lgtest", "-lgtest_main", "-lpthread", "-o", program], check=True)
    return program


def with_error(folder, objects, name, file, pattern, replacement):
    text, wrong = plant(MODEL, name, file, pattern, replacement)
    if wrong:
        sys.exit(wrong)
    copy = folder / "model" / file
    copy.parent.mkdir(parents=True)
    copy.write_text(text)
    changed = dict(objects)
    readers = [MODEL / file] if file.endswith(".cpp") else [
        source for source in objects if source.parent == MODEL and source.name in READERS[file]]
    for source in readers:
        changed[source] = folder / f"{source.stem}.o"
        # A copy beside the header: quoted includes look there first, then in -I.
        compile_one(copy if file.endswith(".cpp") else source, changed[source], first=[f"-I{folder}"])
    return link(changed.values(), folder / "tests")


def passes(program, programs):
    environment = dict(os.environ, HEDDLE_AGREE_PROGRAMS=str(programs))
    try:
        done = subprocess.run([program, "--gtest_fail_fast"], env=environment, capture_output=True, text=True,
                              timeout=TIME_LIMIT_S,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT, MEMORY_LIMIT)))
    except subprocess.TimeoutExpired:
        return False, "no end"
    failed = [line.split()[-1] for line in done.stdout.splitlines() if line.startswith("[  FAILED  ]") and "." in line]
    return done.returncode == 0, failed[-1] if failed else f"status {done.returncode}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--programs", type=int, default=3000)
    add_arguments(parser)
    arguments = parser.parse_args()
    require_known(parser, arguments.names, [error[0] for error in PLANTED])
    if arguments.check:
        return check_places(MODEL, PLANTED)
    missed = []
    with tempfile.TemporaryDirectory(prefix="heddle-planted-") as folder:
        folder = pathlib.Path(folder)
        objects = compile_tests(folder)
        if not passes(link(objects.values(), folder / "unchanged"), arguments.programs)[0]:
            sys.exit("the tests fail without a planted error")
        for error in PLANTED:
            if arguments.names and error[0] not in arguments.names:
                continue
            passed, how = passes(with_error(folder / error[0], objects, *error), arguments.programs)
            print(f"{error[0]:42} {'NOT CAUGHT' if passed else how}", flush=True)
            missed += [error[0]] if passed else []
    if missed:
        print(f"not caught with {arguments.programs} programs: {', '.join(missed)}", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
