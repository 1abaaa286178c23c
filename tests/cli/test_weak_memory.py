"""What heddle says of weak memory, against an enumeration that shares nothing with it: random programs of two or three threads,
whose atomic accesses have any order. Their outcomes are those of all interleavings; and where the report says that they
hold under C11's memory model, too, they are those of all consistent executions of RC11 (PLDI'17, section 3). Where it says
that the search went on under that model and is complete, the outcomes that it found there are all others.

Usage: test_weak_memory.py BUILD [PROGRAMS [FIRST-SEED]]"""

import itertools
import random
import sys

from heddle_run import Case, read_json

# A thread is a text: for each access its kind, variable, order, value, and what the last read must have been ('-': anything).
INTERPRETER = """
#include <heddle.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
enum { kMost = 8 };
static int variables[3], got[kMost][kMost];
static char *texts[kMost];

#define ORDERS(CASE) CASE('r', RELAXED) CASE('a', ACQUIRE) CASE('l', RELEASE) CASE('b', ACQ_REL) CASE('s', SEQ_CST)
static int Exchange(int *at, int value, char order) {
  switch (order) {
#define CASE(c, name) case c: return __atomic_exchange_n(at, value, __ATOMIC_##name);
    ORDERS(CASE)
  }
  return -1;
}
static int Load(int *at, char order) {
  return order == 's'   ? __atomic_load_n(at, __ATOMIC_SEQ_CST)
         : order == 'a' ? __atomic_load_n(at, __ATOMIC_ACQUIRE)
                        : __atomic_load_n(at, __ATOMIC_RELAXED);
}
static void Store(int *at, int value, char order) {
  if (order == 's') __atomic_store_n(at, value, __ATOMIC_SEQ_CST);
  else if (order == 'l') __atomic_store_n(at, value, __ATOMIC_RELEASE);
  else __atomic_store_n(at, value, __ATOMIC_RELAXED);
}
static void *Run(void *arg) {
  const int self = (int)(long)arg;
  int last = 0, count = 0;
  for (const char *i = texts[self]; *i; i += 5) {
    if (i[4] != '-' && i[4] - '0' != last) continue;
    int *at = &variables[i[1] - '0'];
    const int value = i[3] - '0';
    if (i[0] == 'S') Store(at, value, i[2]);
    else got[self][count++] = last = i[0] == 'L' ? Load(at, i[2]) : Exchange(at, value, i[2]);
  }
  return 0;
}
int main(int argc, char **argv) {
  pthread_t threads[kMost];
  for (int i = 1; i < argc; i++) texts[i - 1] = argv[i];
  memset(got, -1, sizeof got);
  for (long i = 0; i < argc - 1; i++) pthread_create(&threads[i], 0, Run, (void *)i);
  for (int i = 0; i < argc - 1; i++) pthread_join(threads[i], 0);
  char label[200];
  int length = 0;
  for (int i = 0; i < argc - 1; i++) {
    for (int k = 0; k < kMost && got[i][k] >= 0; k++) length += sprintf(label + length, "%d", got[i][k]);
    length += sprintf(label + length, ".");
  }
  for (int i = 0; i < 3; i++) length += sprintf(label + length, "%d", __atomic_load_n(&variables[i], __ATOMIC_RELAXED));
  heddle_outcome("%s", label);
}
"""
VARIABLES = 3
VALUES = (0, 1, 2)
MOST_ACCESSES = 7
ORDERS = {"L": "rras", "S": "rrls", "X": "ralbs"}


def generate(seed):
    """Some variables are only accessed by seq_cst, so that they may order accesses to others."""
    draw = random.Random(seed)
    strict = [draw.random() < 0.6 for _ in range(VARIABLES)]
    threads = []
    for _ in range(draw.choice((2, 2, 3))):
        text, has_read = [], False
        for _ in range(draw.randint(2, 4)):
            kind = draw.choice("LLSSX")
            variable = draw.randrange(VARIABLES)
            order = "s" if strict[variable] else draw.choice(ORDERS[kind])
            condition = str(draw.choice((1, 1, 2, 0))) if has_read and draw.random() < 0.6 else "-"
            text.append(f"{kind}{variable}{order}{draw.choice((1, 1, 2))}{condition}")
            has_read |= kind != "S"
        threads.append(text)
    return threads


def label(reads, final):
    return "".join("".join(map(str, thread)) + "." for thread in reads) + "".join(map(str, final))


def next_access(text, at, last):
    while at < len(text) and text[at][4] != "-" and int(text[at][4]) != last:
        at += 1
    return at


def interleavings(threads):
    """The outcomes of sequential consistency."""
    outcomes, seen = set(), set()
    todo = [(tuple((0, 0, ()) for _ in threads), (0,) * VARIABLES)]
    while todo:
        state = todo.pop()
        if state in seen:
            continue
        seen.add(state)
        places, memory = state
        over = True
        for t, (at, last, reads) in enumerate(places):
            at = next_access(threads[t], at, last)
            if at == len(threads[t]):
                continue
            over = False
            kind, variable, _, value, _ = threads[t][at]
            variable, after = int(variable), list(memory)
            if kind != "S":
                last, reads = memory[variable], reads + (memory[variable],)
            if kind != "L":
                after[variable] = int(value)
            todo.append((places[:t] + ((at + 1, last, reads),) + places[t + 1:], tuple(after)))
        if over:
            outcomes.add(label([reads for _, _, reads in places], memory))
    return outcomes


class Event:
    def __init__(self, thread, text, read):
        self.thread, self.kind, self.variable, self.order = thread, text[0], int(text[1]), text[2]
        self.read = read
        self.writes = self.kind != "L"
        self.written = int(text[3]) if self.writes else None
        self.acquires = self.kind != "S" and self.order in "abs"
        self.releases = self.writes and self.order in "lbs"


def runs(thread, text):
    """All that a thread may do, whatever it reads."""
    def go(at, last, events):
        at = next_access(text, at, last)
        if at == len(text):
            yield events
        elif text[at][0] == "S":
            yield from go(at + 1, last, events + [Event(thread, text[at], None)])
        else:
            for value in VALUES:
                yield from go(at + 1, value, events + [Event(thread, text[at], value)])
    return list(go(0, 0, []))


def closure(pairs, count):
    """Row i: whom i comes before, as bits."""
    rows = [0] * count
    for a, b in pairs:
        rows[a] |= 1 << b
    for k in range(count):
        for i in range(count):
            if rows[i] >> k & 1:
                rows[i] |= rows[k]
    return rows


def has_cycle(pairs, count):
    return any(row >> i & 1 for i, row in enumerate(closure(pairs, count)))


def is_consistent(events, program_order, source, order_of):
    """RC11. `source`: whom each reads from (None: the initial value); `order_of`: each variable's writes in mo. What is
    initial comes before everything, so that it is in no cycle: no event."""
    count = len(events)
    place = {w: i for writes in order_of for i, w in enumerate(writes)}
    mo = [(a, b) for writes in order_of for i, a in enumerate(writes) for b in writes[i + 1:]]
    rf = [(w, r) for r, w in source.items() if w is not None]
    rb = [(r, w) for r, s in source.items() for w in order_of[events[r].variable]
          if w != r and (s is None or place[w] > place[s])]
    # Atomicity: an update comes directly after what it reads.
    if any(events[r].writes and place[r] != (0 if s is None else place[s] + 1) for r, s in source.items()):
        return False
    if has_cycle(program_order + rf, count):  # nothing out of thin air
        return False
    same = [(a, b) for a, b in program_order if events[a].variable == events[b].variable]
    # Release sequences: later stores of the thread to the variable, and updates that read from any of them.
    synchronises = []
    for head, event in enumerate(events):
        if not event.releases:
            continue
        sequence = {head} | {b for a, b in same if a == head and events[b].writes}
        grown = True
        while grown:
            more = {r for w, r in rf if w in sequence and events[r].writes} - sequence
            sequence |= more
            grown = bool(more)
        synchronises += [(head, r) for w, r in rf if w in sequence and events[r].acquires]
    before = closure(program_order + synchronises, count)
    extended = closure(rf + mo + rb, count)
    if any(row >> i & 1 for i, row in enumerate(before)) or any(row >> i & 1 for i, row in enumerate(extended)):
        return False
    if any(before[a] >> b & 1 and extended[b] >> a & 1 for a in range(count) for b in range(count)):
        return False
    elsewhere = [pair for pair in program_order if events[pair[0]].variable != events[pair[1]].variable]
    scb = set(program_order + mo + rb)
    scb |= {(a, d) for a, b in elsewhere for c, d in elsewhere if before[b] >> c & 1}
    scb |= {(a, b) for a in range(count) for b in range(count)
            if before[a] >> b & 1 and events[a].variable == events[b].variable}
    return not has_cycle([(a, b) for a, b in scb if events[a].order == events[b].order == "s"], count)


def consistent_executions(threads):
    """The outcomes of RC11."""
    outcomes = set()
    for chosen in itertools.product(*[runs(t, text) for t, text in enumerate(threads)]):
        events = [event for thread in chosen for event in thread]
        writes = [[i for i, e in enumerate(events) if e.writes and e.variable == v] for v in range(VARIABLES)]
        readers = [i for i, e in enumerate(events) if e.read is not None]
        sources = [([None] if events[r].read == 0 else []) +
                   [w for w in writes[events[r].variable] if w != r and events[w].written == events[r].read] for r in readers]
        if not all(sources):
            continue
        program_order = [(a, b) for a in range(len(events)) for b in range(a + 1, len(events))
                         if events[a].thread == events[b].thread]
        reads = [[e.read for e in thread if e.read is not None] for thread in chosen]
        for orders in itertools.product(*[list(itertools.permutations(w)) for w in writes]):
            text = label(reads, [events[w[-1]].written if w else 0 for w in orders])
            if text not in outcomes and any(is_consistent(events, program_order, dict(zip(readers, s)), orders)
                                            for s in itertools.product(*sources)):
                outcomes.add(text)
    return outcomes


# What everybody knows (each thread's accesses; does RC11 have more outcomes?): store buffering, message passing, load
# buffering, two writes each, independent reads of independent writes, coherence.
KNOWN = [
    ("S0s1-L1s1- S1s1-L0s1-", False), ("S0r1-L1r1- S1r1-L0r1-", True), ("S0l1-L1a1- S1l1-L0a1-", True),
    ("S0r1-S1r1- L1r1-L0r1-", True), ("S0r1-S1l1- L1a1-L0r1-", False), ("S0r1-X1l1- L1a1-L0r1-", False),
    ("S0r1-S1l1-S1r2- L1a1-L0r1-", False), ("S0r1-S1l1- L1r1-L0r1-", True),
    ("L0r1-S1r1- L1r1-S0r1-", False),
    ("S0r1-S1r2- S1r1-S0r2-", True), ("S0s1-S1s2- S1s1-S0s2-", False),
    ("S0s1- S1s1- L0s1-L1s1- L1s1-L0s1-", False), ("S0l1- S1l1- L0a1-L1a1- L1a1-L0a1-", True),
    ("S0r1-S0r2- L0r1-L0r1-", False), ("X0r1- X0r2- L0r1-L0r1-", False),
]


def main():
    case = Case(sys.argv[1])
    programs = int(sys.argv[2]) if len(sys.argv) > 2 else 200
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    binary = case.compile("interpreter", INTERPRETER, "-w")
    for text, weaker in KNOWN:
        threads = [[thread[i:i + 5] for i in range(0, len(thread), 5)] for thread in text.split()]
        assert (consistent_executions(threads) != interleavings(threads)) == weaker, text
    holds = weak = mixed = went_on = done = 0
    while done < programs:
        threads = generate(seed)
        seed += 1
        if sum(map(len, threads)) > MOST_ACCESSES:
            continue
        done += 1
        answer = case.heddle("check", "--keep-going", "--json", "result.json", "--", binary, *map("".join, threads))
        result = read_json(case.path / "result.json")
        told, told_weak = (
            {text for text, outcome in result["outcomes"].items() if outcome.get("c11_only", False) == weak_only}
            for weak_only in (False, True))
        here, there = interleavings(threads), consistent_executions(threads)
        search = result["weak_memory"].get("search")
        claimed = result["weak_memory"]["holds"] and not search
        what = f"seed {seed - 1}: {' | '.join(' '.join(thread) for thread in threads)}"
        if not ((search["sc_complete"] if search else result["complete"]) and told == here):
            case.expect(f"{what}: all interleavings: {sorted(here)}", False, answer)
        if told_weak - (there - here):
            case.expect(f"{what}: RC11 has no {sorted(told_weak - there)}", False, answer)
        if result["complete"] and search and told_weak != there - here:
            case.expect(f"{what}: RC11 has {sorted(there - here - told_weak)}, too", False, answer)
        if search and not result["complete"] and "stores of others" not in str(result["notes"]):
            case.expect(f"{what}: the search under C11's memory model is complete", False, answer)
        went_on += search is not None and search["complete"]
        if not here <= there:
            case.expect(f"{what}: RC11 has all interleavings: {sorted(here - there)}", False, answer)
        if claimed and here != there:
            case.expect(f"{what}: RC11 has more outcomes: {sorted(there - here)}", False, answer)
        holds += claimed
        weak += here != there
        mixed += claimed and any(access[2] != "s" for thread in threads for access in thread)
    case.expect(f"{programs} programs: {holds} hold under C11, {mixed} of them with accesses that are not seq_cst; {weak} have "
                f"more outcomes there; {went_on} searches went on there to the end",
                holds > 0 and mixed > 0 and weak > 0 and went_on > 0, answer)
    case.finish()


if __name__ == "__main__":
    main()
