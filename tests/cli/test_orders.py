"""`heddle orders`: of programs whose orders are known to be needed or not, what it says of each line, in text and JSON; what it
refuses; and in the report of `heddle check` what came of searches with what would forbid a bug."""

import sys

from heddle_run import Case, read_json

HEAD = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#define SC memory_order_seq_cst
#define ACQ memory_order_acquire
#define REL memory_order_release
#define RLX memory_order_relaxed
#define load atomic_load_explicit
#define store atomic_store_explicit
#define fence atomic_thread_fence
"""
MAIN = """
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, A, 0);
  pthread_create(&b, 0, B, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  END
  return 0;
}
"""

# What is judged stands on a line that ends with `// NAME`.
MESSAGE = """
static atomic_int data, flag;
static void *A(void *arg) {
  store(&data, 1, RLX);
  store(&flag, 1, SC);   // send
  return arg;
}
static void *B(void *arg) {
  if (load(&flag, SC))   // receive
    assert(load(&data, RLX) == 1);
  return arg;
}
"""
# Of an ordinary variable: a weaker order is a data race.
PLAIN_MESSAGE = MESSAGE.replace("atomic_int data, flag;", "atomic_int flag; static int data;").replace(
    "store(&data, 1, RLX)", "data = 1").replace("load(&data, RLX)", "data")
BUFFERS = """
static atomic_int x, y;
static int got[2];
static void *A(void *arg) {
  store(&x, 1, SC);       // x
  got[0] = load(&y, SC);  // seen y
  return arg;
}
static void *B(void *arg) {
  store(&y, 1, SC);       // y
  got[1] = load(&x, SC);  // seen x
  return arg;
}
"""
FORBIDS_BUFFERS = "assert(got[0] + got[1] != 0);"
# Fences and accesses forbid it twice.
TWICE = BUFFERS.replace("  got[0]", "  fence(SC); // fence A\n  got[0]").replace("  got[1]", "  fence(SC); // fence B\n  got[1]")
SPIN_LOCK = """
static atomic_int taken;
static int counter;
static void *A(void *arg) {
  while (atomic_exchange_explicit(&taken, 1, SC)) {}  // lock
  counter++;
  store(&taken, 0, SC);  // unlock
  return arg;
}
#define B A
"""
DEKKER = """
static atomic_int wants[2];
static int counter;
static void *A(void *arg) {
  store(&wants[0], 1, SC);       // A wants
  if (!load(&wants[1], SC))      // A looks
    counter++;
  store(&wants[0], 0, SC);       // A leaves
  return arg;
}
static void *B(void *arg) {
  store(&wants[1], 1, SC);       // B wants
  if (!load(&wants[0], SC))      // B looks
    counter++;
  store(&wants[1], 0, SC);       // B leaves
  return arg;
}
"""
PETERSON = """
static atomic_int wants[2], turn;
static int counter;
static void Enter(int me) {
  store(&wants[me], 1, SC);                                   // wants
  store(&turn, 1 - me, SC);                                   // turn
  while (load(&wants[1 - me], SC) &&                          // looks
         load(&turn, SC) != me) {}                            // waits
  counter++;
  store(&wants[me], 0, SC);                                   // leaves
}
static void *A(void *arg) { Enter(0); return arg; }
static void *B(void *arg) { Enter(1); return arg; }
"""
SEQLOCK = """
static atomic_uint version;
static atomic_int one, two;
static void *A(void *arg) {
  store(&version, 1, SC);                     // begins
  fence(SC);                                  // writer's fence
  store(&one, 1, RLX);
  store(&two, 1, RLX);
  store(&version, 2, SC);                     // ends
  return arg;
}
static void *B(void *arg) {
  unsigned before = load(&version, SC);       // before
  int a = load(&one, RLX), b = load(&two, RLX);
  fence(SC);                                  // reader's fence
  unsigned after = load(&version, SC);        // after
  if (before == after && before % 2 == 0) assert(a == b);
  return arg;
}
"""
STACK = """
struct node { struct node *next; int value; };
static _Atomic(struct node *) head;
static void *A(void *arg) {
  for (int i = 0; i < 2; i++) {
    struct node *mine = malloc(sizeof *mine);
    mine->value = 7;
    mine->next = load(&head, SC);                                                              // push looks
    while (!atomic_compare_exchange_strong_explicit(&head, &mine->next, mine, SC, SC)) {}      // push
  }
  return arg;
}
static void *B(void *arg) {
  struct node *top = load(&head, SC);                                                        // pop looks
  while (top && !atomic_compare_exchange_strong_explicit(&head, &top, top->next, SC, SC)) {} // pop
  if (top) assert(top->value == 7);
  return arg;
}
"""
# The functions of std::atomic are one piece of code for both stores where nothing is optimised.
UNOPTIMISED = """
#include <atomic>
#include <cassert>
#include <thread>
static std::atomic<int> data, flag, last;
int main() {
  std::thread sender([] {
    data.store(1, std::memory_order_relaxed);
    flag.store(1, std::memory_order_release);  // send
    last.store(1, std::memory_order_release);  // needless
    last = 2;                                  // needless too
  });
  if (flag.load(std::memory_order_acquire))    // receive
    assert(data.load(std::memory_order_relaxed) == 1);
  sender.join();
}
"""
# One line, several pieces of code, of which the second is only reached with another order than the program says.
COPIES = """
static atomic_int data, flag, seen;
static inline __attribute__((always_inline)) void Set(atomic_int *to, int value) {
  store(to, value, REL);  // set
}
static void *A(void *arg) {
  store(&data, 1, RLX);
  Set(&flag, 1);
  if (load(&seen, RLX) == 2) Set(&flag, 2);
  return arg;
}
static void *B(void *arg) {
  if (load(&flag, ACQ)) {  // receive
    if (load(&data, RLX) == 0) store(&seen, 2, RLX);
  }
  return arg;
}
"""

case = Case(sys.argv[1])


def program(name, text, end="", *flags, **options):
    if not options:
        text = HEAD + text + MAIN.replace("END", end)
    path = case.compile(name, text, *flags, **options)
    lines = {number: line.split("// ", 1)[1].strip() for number, line in enumerate(text.splitlines(), 1) if "// " in line}
    return path, lines


def orders(path, lines, *options):
    done = case.heddle("orders", "--json", "orders.json", *options, path)
    json = read_json(case.path / "orders.json") if done.status in (0, 4) and (case.path / "orders.json").exists() else {"orders": []}
    said = {}
    for one in json["orders"]:
        name = lines.get(one["location"]["line"], "?") + (" failing" if one["of_failure"] else "")
        said[name] = one["enough"] if one["verdict"] == "stronger" else one["verdict"]
    (case.path / "orders.json").unlink(missing_ok=True)
    return done, json, said


def expect(what, made, expected, together, *options):
    """`together`: all at once, or the names of those that hold together."""
    path, lines = made
    done, json, said = orders(path, lines, *options)
    case.expect(f"{what}: each alone", done.status == 0 and said == expected and json["all_known"], done)
    if said != expected:
        print(f"  {said}")
    if together is None:
        case.expect(f"{what}: nothing together", "together" not in json, done)
        return done, json
    names = [lines[one["location"]["line"]] + (" failing" if one["of_failure"] else "") for one in json["orders"]]
    holds = {names[one["index"]]: one["order"] for one in json["together"]["hold_together"]}
    case.expect(f"{what}: together", (json["together"]["result"] == "holds") == (together is True)
                and (together is True or holds == together), done)
    if together is not True and holds != together:
        print(f"  {holds}")
    return done, json


RELAXED, ACQUIRE, RELEASE = ["relaxed"], ["acquire"], ["release"]

message = program("message", MESSAGE)
done, json = expect("message passing", message, {"send": RELEASE, "receive": ACQUIRE}, True)
line = {name: number for number, name in message[1].items()}
case.expect("message passing: the text",
            f"message.c:{line['send']} store memory_order_seq_cst: memory_order_release is enough for this test "
            "(memory_order_relaxed: assertion" in done.out
            and f"message.c:{line['receive']} load memory_order_seq_cst: memory_order_acquire is enough for this test" in done.out
            and "together, too: every execution" in done.out and "for this test only" in done.out
            and done.out.startswith("2 memory orders stronger than relaxed"), done)
case.expect("message passing: what was tried", json["relaxed"] == 2 and json["memory_model"] == "c11" and
            [(one["order"], one["result"]) for one in json["orders"][0]["trials"]] == [("relaxed", "breaks"), ("release", "holds")]
            and "assertion" in json["orders"][0]["trials"][0]["why"], done)
done, json = expect("message passing of a plain variable", program("plain", PLAIN_MESSAGE),
                    {"send": RELEASE, "receive": ACQUIRE}, True)
case.expect("a data race is a bug, too", "data race" in json["orders"][0]["trials"][0]["why"], done)
done, json = expect("store buffering", program("buffers", BUFFERS, FORBIDS_BUFFERS),
                    {"x": "needed", "y": "needed", "seen x": "needed", "seen y": "needed"}, None)
case.expect("store buffering: the nearest order is named", "store memory_order_seq_cst: needed (memory_order_release: assertion" in done.out,
            done)
expect("store buffering of which nothing is asked", program("any", BUFFERS),
       {"x": RELAXED, "y": RELAXED, "seen x": RELAXED, "seen y": RELAXED}, True)
done, json = expect("fences and accesses", program("twice", TWICE, FORBIDS_BUFFERS), dict.fromkeys(
    ["x", "fence A", "seen y", "y", "fence B", "seen x"], RELAXED),
    {"x": "relaxed", "seen y": "relaxed", "y": "relaxed", "seen x": "relaxed"})
case.expect("fences and accesses: the text", "fence memory_order_seq_cst: no fence is enough for this test" in done.out
            and "not all together (assertion" in done.out and "these hold together" in done.out, done)
expect("a spin lock", program("spin", SPIN_LOCK), {"lock": ACQUIRE, "unlock": RELEASE}, True)
expect("Dekker", program("dekker", DEKKER), {
    "A wants": "needed", "A looks": "needed", "A leaves": RELEASE, "B wants": "needed", "B looks": "needed", "B leaves": RELEASE}, True)
expect("Peterson", program("peterson", PETERSON), {
    "wants": "needed", "turn": "needed", "looks": "needed", "waits": RELAXED, "leaves": RELEASE}, True)
expect("a seqlock", program("seqlock", SEQLOCK), {
    "begins": RELAXED, "writer's fence": RELEASE, "ends": RELEASE, "before": ACQUIRE, "reader's fence": ACQUIRE, "after": RELAXED}, True)
expect("a stack", program("stack", STACK), {
    "push looks": RELAXED, "push": RELEASE, "push failing": RELAXED, "pop looks": ACQUIRE, "pop": RELAXED, "pop failing": ACQUIRE}, True)
expect("without optimisation", program("unoptimised", UNOPTIMISED, "", "-O0", compiler="heddle-c++"), {
    "send": "needed", "needless": RELAXED, "needless too": RELAXED, "receive": "needed"}, True)
expect("copies of a line", program("copies", COPIES), {"set": RELAXED, "receive": RELAXED}, True)

# What it refuses, and what is not known.
for what, arguments, words in (
        ("no program", [], "which program?"), ("an unknown option", ["--no-such", "./message"], "no-such"),
        ("no such program", ["./nothing"], "nothing"), ("a bad time", ["--time", "soon", "./message"], "soon"),
        ("a place that cannot be written", ["--json", "/nowhere/x.json", "./message"], "/nowhere/x.json")):
    done = case.heddle("orders", *arguments)
    case.expect(f"{what}: one line, status 2", done.status == 2 and not done.out and len(done.lines()) == 1 and words in done.err, done)
plain = case.compile("without", "int main(void) { return 0; }\n", compiler="gcc")
done = case.heddle("orders", plain)
case.expect("a program of another compiler", done.status == 2 and len(done.lines()) == 1 and "heddle-cc" in done.err, done)
bare = case.compile("bare", HEAD + MESSAGE + MAIN.replace("END", ""), "-g0")
done = case.heddle("orders", bare)
case.expect("a program without -g: nothing is advised that it refuses", done.status == 2 and len(done.lines()) == 1
            and "compile it with -g" in done.err and "--no" not in done.err, done)
broken = program("broken", MESSAGE.replace("SC", "RLX"))
done = case.heddle("orders", broken[0])
case.expect("a program with a bug: status 1", done.status == 1 and not done.out and len(done.lines()) == 1
            and "has a bug with the orders that it says: assertion" in done.err, done)
mixed = program("mixed", MESSAGE, "__atomic_load_n((char *)&data, __ATOMIC_RELAXED);")
done = case.heddle("orders", mixed[0])
case.expect("a search that is not complete: status 4", done.status == 4 and not done.out and len(done.lines()) == 1
            and "is not complete" in done.err, done)
none = program("none", MESSAGE.replace("SC", "RLX").replace("assert(", "(void)("))
done, json, said = orders(*none)
case.expect("nothing that is stronger than relaxed", done.status == 0 and said == {} and done.out.startswith("0 memory orders"), done)
# With a weaker order it accesses a part of a word.
unknown = program("unknown", MESSAGE.replace("assert(load(&data, RLX) == 1)",
                                             "if (load(&data, RLX) == 0) __atomic_load_n((char *)&data, __ATOMIC_RELAXED)"))
done, json, said = orders(*unknown)
case.expect("what is not known is said so", done.status == 0 and not json["all_known"] and said == {"send": RELEASE, "receive": ACQUIRE}
            and "(memory_order_relaxed: not known, " in done.out, done)
done, json, said = orders(*unknown, "--require-complete")
case.expect("--require-complete: status 4", done.status == 4, done)

# What would forbid a bug is confirmed.
TWO_BUGS = MESSAGE.replace("SC", "RLX").replace("static void *B", BUFFERS.split("static void *A")[0].replace("x, y", "z, y") + "static void *B").replace(
    "  return arg;\n}\n", "  got[0] = (store(&z, 1, RLX), load(&y, RLX));\n  return arg;\n}\n", 1)[:-len("  return arg;\n}\n")] + (
        "  got[1] = (store(&y, 1, RLX), load(&z, RLX));\n  return arg;\n}\n")
TWO_BUGS = TWO_BUGS.replace("static atomic_int z, y;\nstatic int got[2];\n", "").replace(
    "static atomic_int data, flag;", "static atomic_int data, flag, z, y;\nstatic int got[2];")


def confirmed(path, *options):
    done = case.heddle("check", "--json", "check.json", *options, path)
    json = read_json(case.path / "check.json")
    weak = [bug["weak"] for bug in json["bugs"] if "weak" in bug]
    return done, [one for each in weak for one in each.get("confirmed", [])], weak


done, all_of, weak = confirmed(broken[0])
case.expect("a bug that is gone", done.status == 1 and [one["result"] for one in all_of] == ["no-bug"] * len(weak[0]["forbidden_by"])
            and len(all_of) >= 2 and "with these, every execution explored (2): no bug" in done.out, done)
report = case.heddle("report", "check.json")
page = case.heddle("report", "--html", "check.json")
case.expect("the file says the same", "with these, every execution explored (2): no bug" in report.out
            and "with these, every execution explored (2): no bug" in page.out, report)
done, all_of, weak = confirmed(broken[0], "--memory-model", "c11", "--order", "depth-first")
case.expect("whichever search has found it", all_of and all(one["result"] == "no-bug" for one in all_of), done)
done, all_of, weak = confirmed(program("broken_O0", UNOPTIMISED.replace("release", "relaxed").replace("acquire", "relaxed"), "", "-O0",
                                       compiler="heddle-c++")[0])
case.expect("without optimisation, too", all_of and all(one["result"] == "no-bug" for one in all_of), done)
done, all_of, weak = confirmed(program("two", TWO_BUGS, "assert(got[0] + got[1] != 0);")[0])
case.expect("another bug", done.status == 1 and "other-bug" in [one["result"] for one in all_of] and "there is another bug: assertion" in done.out,
            done)
done, all_of, weak = confirmed(program("buffers_tso", BUFFERS.replace("SC", "RLX"), FORBIDS_BUFFERS)[0], "--memory-model", "tso")
case.expect("under tso", done.status == 1 and all_of and all(one["result"] == "no-bug" for one in all_of), done)
# Two ways to the same assertion, of which an execution takes one.
SAME = MESSAGE.replace("SC", "RLX").replace("static atomic_int data, flag;", "static atomic_int data, flag, other;").replace(
    "  return arg;", "  store(&other, 1, RLX);\n  return arg;", 1).replace("if (load(&flag, RLX))", "if (load(&flag, RLX) ||\n      load(&other, RLX))")
done, all_of, weak = confirmed(program("same", SAME)[0])
case.expect("the same bug on another way", done.status == 1 and "same-bug" in [one["result"] for one in all_of]
            and "other executions have this bug still" in done.out, done)
done, all_of, weak = confirmed(program("mixed_broken", MESSAGE.replace("SC", "RLX"), "__atomic_load_n((char *)&flag, __ATOMIC_RELAXED);")[0])
case.expect("a search that is no proof", done.status == 1 and [one["result"] for one in all_of] == ["not-known"] * len(all_of) and all_of
            and "not confirmed: " in done.out, done)
for _ in range(100):  # on a busy machine the time may be up before there is a bug
    done, all_of, weak = confirmed(broken[0], "--time", "900ms")
    if weak:
        break
case.expect("--time leaves nothing for it", done.status == 1 and not all_of and weak and weak[0]["forbidden_by"], done)

case.finish()
