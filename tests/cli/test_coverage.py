"""Coverage by preemptions and over executions: counted by real searches, and drawn by `heddle report --coverage`. What the
picture shows is read off its axes, as a person would, and compared with the JSON."""

import json
import math
import os
import re
import sys
import xml.etree.ElementTree as xml

from heddle_run import Case, read_json

SVG = "{http://www.w3.org/2000/svg}"
# Four threads, x = x + 1 as an atomic load and store: 2,520 schedules, 576 graphs (tests/programs/correct/increment.c).
INCREMENT = """
#include <stdatomic.h>
#include <stdlib.h>
#include "run_threads.h"
static atomic_int x;
static void *Increment(void *arg) { atomic_store(&x, atomic_load(&x) + 1); return arg; }
int main(int argc, char **argv) { (void)argc; RunSame(atoi(argv[1]), Increment); }
"""
# Every execution that loses an increment ends its process behind heddle's back.
DIES = """
#include <stdatomic.h>
#include "run_threads.h"
static atomic_int x;
static void *Increment(void *arg) { atomic_store(&x, atomic_load(&x) + 1); return arg; }
static void ExitGroup(void) {
#ifdef __aarch64__
  asm volatile("mov x0, #3; mov x8, #94; svc #0" : : : "x0", "x8", "memory");
#else
  asm volatile("syscall" : : "a"(231L), "D"(3L) : "rcx", "r11", "memory");
#endif
}
int main(void) { RunSame(2, Increment); if (x == 1) ExitGroup(); }
"""
RACY = """
#include "run_threads.h"
static int x;
static void *Increment(void *arg) { x++; return arg; }
int main(void) { RunSame(2, Increment); }
"""

case = Case(sys.argv[1])


def check(name, *arguments, statuses=(0,)):
    done = case.heddle("check", "--json", f"{name}.json", *arguments)
    case.expect(f"{name}: the search", done.status in statuses, done)
    return done, read_json(case.path / f"{name}.json")


def expect_curve(name, done, answer):
    """What holds of every search that ended."""
    points, graphs = answer["coverage"]["over_executions"], answer["coverage"]["happens_before"]
    case.expect(f"{name}: ends with all executions and graphs", points[-1] == [answer["executions"], graphs], done)
    case.expect(f"{name}: rises", all(a[0] < b[0] and a[1] <= b[1] for a, b in zip(points, points[1:])), done)
    case.expect(f"{name}: an execution adds one graph at most",
                all(b[1] - a[1] <= b[0] - a[0] for a, b in zip([[0, 0], *points], points)), done)
    case.expect(f"{name}: has few points", len(points) <= 32 + 16 * math.log2(max(points[-1][0], 2)), done)
    case.expect(f"{name}: no three in a row have as many graphs",
                not any(a[1] == b[1] == c[1] for a, b, c in zip(points, points[1:], points[2:])), done)


# ---- counting ----

program = case.compile("increment", INCREMENT)
searches = {"bounded": ["--order", "context-bounded"], "random": ["--order", "random", "--executions", "1000"],
            "deep": ["--order", "depth-first"], "short": ["--order", "depth-first", "--executions", "500"],
            "two": ["--bound", "preemptions=1"], "optimal": ["--reduction", "optimal"]}
answers = {}
for name, arguments in searches.items():
    done, answers[name] = check(name, *arguments, program, "4")
    expect_curve(name, done, answers[name])
for name in "bounded", "deep":
    coverage = answers[name]["coverage"]
    case.expect(f"{name}: every graph, and the share of each bound", coverage["all_graphs"]
                and coverage["share_by_preemptions"] == [n / 576 for n in (24, 168, 432, 576)], done)
for name in "random", "short", "two":
    coverage = answers[name]["coverage"]
    case.expect(f"{name}: no share is known", not coverage["all_graphs"] and coverage["share_by_preemptions"] == [], done)
coverage = answers["optimal"]["coverage"]
case.expect("optimal: every graph, but not at its least preemptions", coverage["all_graphs"]
            and coverage["share_by_preemptions"] == [] and coverage["happens_before"] == 576, done)
done = case.heddle("report", "bounded.json")
case.expect("the text has the shares", "168 (29 %) with at most 1, 432 (75 %) with at most 2, 576 with at most 3" in done.out, done)
done = case.heddle("report", "random.json")
case.expect("the text has none that is not known", "%" not in done.out, done)
done = case.heddle("report", "--format", "json", "bounded.json")
case.expect("read and written again it is the same", json.loads(done.out) == answers["bounded"], done)

# The process dies in some executions, and the search goes on in another one; what is visible grows, and it begins again.
for name, text, arguments in (("dies", DIES, ["--order", "depth-first"]), ("racy", RACY, ["--order", "context-bounded"])):
    done, answer = check(name, "--keep-going", *arguments, case.compile(name, text), statuses=(1,))
    expect_curve(name, done, answer)
    if name == "dies":
        case.expect("dies: in several processes", answer["restarts"] > 0, done)
    else:
        case.expect("racy: of the last search only", answer["coverage"]["all_graphs"] and answer["complete"], done)


# ---- drawing ----

class Picture:
    def __init__(self, text):
        self.root = xml.fromstring(text)
        self.text = text

    def texts(self, css):
        return ["".join(text.itertext()) for text in self.root.iter(f"{SVG}text") if text.get("class") == css]

    def curves(self, panel):
        """The points of each curve, by its number, in the numbers that stand at the axes."""
        group = next(g for g in self.root.iter(f"{SVG}g") if g.get("id") == panel)
        title = "".join("".join(text.itertext()) for text in group.iter(f"{SVG}text"))
        values = {}
        for axis in "xy":
            above = 4 if axis == "y" else 0  # the text's base line lies below what it is beside
            ticks = [(float(text.get(axis)) - above, float(re.sub("[,%]", "", text.text)))
                     for text in group.iter(f"{SVG}text") if text.get("class") == f"numbers {axis}"]
            logarithmic = ("executions, logarithmic" if axis == "x" else "graphs, logarithmic") in title
            values[axis] = self.scale(ticks, logarithmic)
        found = {}
        for curve in group.iter(f"{SVG}g"):
            if curve.get("data-curve") is not None:
                line = curve.find(f"{SVG}polyline").get("points").split()
                found[int(curve.get("data-curve"))] = [[values[axis](float(number)) for axis, number in
                                                        zip("xy", pair.split(","))] for pair in line]
        return found

    @staticmethod
    def scale(ticks, logarithmic):
        to = math.log if logarithmic else float
        back = math.exp if logarithmic else float
        (first_at, first), (last_at, last) = ticks[0], ticks[-1]
        return lambda at: back(to(first) + (at - first_at) / (last_at - first_at) * (to(last) - to(first)))


def draw(what, *names):
    done = case.heddle("report", "--coverage", "-o", "picture.svg", *[f"{name}.json" for name in names])
    case.expect(f"{what}: is drawn", done.status == 0 and done.out + done.err == "", done)
    return done, Picture((case.path / "picture.svg").read_text())


def near(found, wanted, share=0.0):
    """Are these the same points, as well as half a pixel can tell, which is a 400th of the axis, or such a share of each?"""
    ends = [max(point[axis] for point in wanted) for axis in (0, 1)]
    return len(found) == len(wanted) and all(
        abs(a - b) <= (share * b if share else max(end, 1) / 400)
        for point, other in zip(found, wanted) for a, b, end in zip(point, other, ends))


done, picture = draw("three searches", "bounded", "random", "deep")
case.expect("a title and a legend", picture.texts("title") == ["Coverage of increment 4"]
            and picture.texts("label") == ["context-bounded bounded", "random", "depth-first"], done)
by, over = picture.curves("by-preemptions"), picture.curves("over-executions")
for number, name in enumerate(["bounded", "random", "deep"]):
    coverage = answers[name]["coverage"]
    shares = [[i, 100 * graphs / 576] for i, graphs in enumerate(coverage["by_preemptions"])]
    case.expect(f"{name}: the share of each bound", near(by[number], shares), done)
    case.expect(f"{name}: graphs over executions", near(over[number], coverage["over_executions"]), done)

done, picture = draw("no search that was whole", "random", "short", "two")
by = picture.curves("by-preemptions")
for number, name in enumerate(["random", "short", "two"]):
    graphs = [[i, graphs] for i, graphs in enumerate(answers[name]["coverage"]["by_preemptions"])]
    case.expect(f"{name}: graphs in numbers, not in per cent", near(by[number], graphs), done)
case.expect("bounds are in the legend", "context-bounded bounded, at most 1 preemption" in picture.texts("label"), done)

# Much longer than another one: logarithmic. By hand, with numbers that no test has time for.
longer = json.loads(json.dumps(answers["random"]))
longer["executions"], longer["coverage"]["happens_before"] = 10**9, 200_000
longer["coverage"]["by_preemptions"] = [100, 1000, 200_000]
longer["coverage"]["over_executions"] = [[1, 1], [10**5, 10**4], [10**9, 200_000]]
(case.path / "longer.json").write_text(json.dumps(longer))
done, picture = draw("a thousand million executions", "two", "longer")
over = picture.curves("over-executions")
case.expect("both axes are logarithmic", "executions, logarithmic" in picture.text
            and near(over[1], longer["coverage"]["over_executions"], share=0.02), done)
case.expect("thousands are separated", "1,000,000" in picture.texts("numbers x"), done)

# Several programs, and names that could be taken for others.
check("three", "--order", "context-bounded", program, "3")
done, picture = draw("two programs", "bounded", "three")
case.expect("each search has its program's name", picture.texts("label") ==
            ["increment 4: context-bounded bounded", "increment 3: context-bounded bounded"], done)
case.expect("in per cent of its own graphs", all(abs(curve[-1][1] - 100) < 0.5 for curve in
                                                 picture.curves("by-preemptions").values()), done)
done, picture = draw("the same twice", "random", "random")
case.expect("the files' names tell them apart", picture.texts("label") == ["random (random.json)"] * 2, done)
cases = [{"name": name, "result": answers["random"]} for name in ("Queue.Push", "Queue.Pop")]
(case.path / "cases.json").write_text(json.dumps({"cases": cases, "program": "/x/tests"}))
done, picture = draw("two test cases", "cases")
case.expect("each search has its case's name", picture.texts("label") == ["Queue.Push: random", "Queue.Pop: random"], done)
odd = json.loads(json.dumps(answers["random"]))
odd["program"], odd["args"] = "/x/</svg><script>", ["&\x1b[31m", "\u202e", "n" * 300]
(case.path / "odd.json").write_text(json.dumps(odd))
done, picture = draw("a hostile name", "odd")
case.expect("nothing of it is markup", picture.root.find(f".//{SVG}script") is None and "\x1b" not in picture.text
            and "\u202e" not in picture.text, done)
done = case.heddle("report", "--format", "coverage", "random.json")
case.expect("to standard output", done.status == 0 and done.out.startswith("<svg ") and done.out.endswith("</svg>\n"), done)

# ---- what users get wrong ----

def refused(what, words, *arguments):
    (case.path / "old.svg").write_text("old")
    before = set(os.listdir(case.path))
    done = case.heddle("report", "--coverage", "-o", "old.svg", *arguments)
    case.expect(what, done.status == 2 and len(done.lines()) == 1 and all(w in done.err for w in words), done)
    case.expect(f"{what}: the file is left alone", (case.path / "old.svg").read_text() == "old"
                and set(os.listdir(case.path)) == before, done)


def damaged(name, change):
    answer = json.loads(json.dumps(answers["random"]))
    change(answer)
    (case.path / name).write_text(json.dumps(answer))
    return name


refused("no file", ["FILE"])
refused("a file that is not there", ["none.json"], "none.json")
(case.path / "cut.json").write_text((case.path / "random.json").read_text()[:1000])
refused("a file that is cut short", ["cut.json", "cut short"], "random.json", "cut.json")
refused("no coverage", ["coverage", "bare.json"], damaged("bare.json", lambda answer: answer.pop("coverage")))
refused("coverage of an older heddle", ["old.json", "over executions"],
        damaged("old.json", lambda answer: answer["coverage"].pop("over_executions")))
refused("a curve that falls", ["falls.json", "over_executions"],
        damaged("falls.json", lambda answer: answer["coverage"]["over_executions"].append([2000, 1])))
refused("a schedule", ["replay"], next((case.path / "heddle-out").glob("*.heddle")))
(case.path / "none_begun.json").write_text(json.dumps({"cases": [], "program": "/x/tests"}))
refused("no test case was begun", ["no test case"], "none_begun.json")
refused("another format as well", ["--html"], "--html", "random.json")
done = case.heddle("report", "--coverage", "-o", "random.json", "random.json")
case.expect("not over an input", done.status == 2 and read_json(case.path / "random.json") == answers["random"], done)
case.finish()
