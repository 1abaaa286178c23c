"""Threads that open, copy, use and close descriptors, and get each other's numbers: programs, a model of the kernel's table, C.

A program is `setup`, what main opens before there are threads, and for each thread its calls. main is thread 0. A descriptor is named by
("number", n), the n-th number that was free when main began; by ("local", i), a variable of the thread; calls that answer a number put it
into one. What each call answers is the outcome.

Calls: open, dup D, dup2 D E, pipe, close D, write D, read D, look D (is it open?), put D (into a variable that all threads have), get.

What POSIX leaves open is as in Linux: a read that waits keeps what it reads from, whatever becomes of the number.
"""

import dataclasses

NUMBERS = 12  # more than a program can have open
LETTERS = "wxyz"  # what a thread writes
FILE = "ab"
# Faults of the model, each of which the comparison with heddle must notice.
LANGUAGE = "c"
WRONG = ["highest-number", "close-leaves-number", "copy-has-own-position", "end-of-file-unseen", "write-without-reader", "dup2-keeps-target",
         "pipe-ends-swapped"]


@dataclasses.dataclass
class Program:
    setup: list  # of "null", "file", "pipe", "nonblocking"
    threads: list  # of lists of calls

    def size(self):
        return len(self.setup) + sum(map(len, self.threads))


# ---- programs ----


def generate(rng):
    setup = [rng.choice(["null", "file", "pipe", "pipe", "nonblocking"]) for _ in range(rng.choice([0, 1, 1, 1, 2]))]
    opened = sum(2 if kind in ("pipe", "nonblocking") else 1 for kind in setup)
    count = rng.choice([2, 2, 2, 3])
    threads = []
    for _ in range(count):
        calls, locals_ = [], 0

        def descriptor():
            if locals_ and rng.random() < 0.5:
                return ("local", rng.randrange(locals_))
            return ("number", rng.randrange(opened + 1 + (rng.random() < 0.2)))

        for _ in range(rng.randint(1, 3) if count == 3 else rng.randint(1, 4)):
            word = rng.choice(["open", "open", "dup", "dup2", "pipe", "close", "close", "close", "write", "write", "read", "read", "look",
                               "put", "get"])
            operands = [descriptor() for _ in range({"open": 0, "pipe": 0, "get": 0, "dup2": 2}.get(word, 1))]
            calls.append((word, *operands))
            locals_ += {"open": 1, "dup": 1, "pipe": 2, "get": 1}.get(word, 0)
        threads.append(calls)
    return Program(setup, threads)


# ---- the model ----
# State: (threads, table, files, contents, shared). A thread: (position, locals, answers, what its read waits for or None). `table`: for
# each number a file or None. A file, as the kernel has it for each open(): [kind, content, position], by a number that is never used
# again. `contents`: of pipes and files, as text.


class Model:
    def __init__(self, program, wrong=None):
        self.program, self.wrong = program, wrong

    def first(self):
        table, files, contents = [None] * NUMBERS, [], []
        for kind in self.program.setup:
            if kind in ("pipe", "nonblocking"):
                self.make_pipe(table, files, contents, "n" if kind == "nonblocking" else "")
            else:
                if kind == "file":
                    contents.append(FILE)
                files.append((kind, len(contents) - 1, 0))
                self.take(table, len(files) - 1)
        threads = tuple((0, (), (), None) for _ in self.program.threads)
        return threads, tuple(table), tuple(files), tuple(contents), -1

    def take(self, table, file):
        free = [number for number in range(NUMBERS) if table[number] is None]
        number = free[-1] if self.wrong == "highest-number" else free[0]
        table[number] = file
        return number

    def make_pipe(self, table, files, contents, blocks=""):
        contents.append("")
        for end in "wr" if self.wrong == "pipe-ends-swapped" else "rw":
            files.append((end + blocks, len(contents) - 1, 0))
        read, write = self.take(table, len(files) - 2), self.take(table, len(files) - 1)
        return (write, read) if self.wrong == "pipe-ends-swapped" else (read, write)

    def steps(self, state):
        for t, (at, _, _, _) in enumerate(state[0]):
            if at < len(self.program.threads[t]):
                after = self.step(state, t)
                if after is not None:
                    yield after

    def label(self, state):
        if any(at < len(calls) for (at, *_), calls in zip(state[0], self.program.threads)):
            return None
        return "|".join(",".join(answers) for _, _, answers, _ in state[0])

    def step(self, state, t):
        threads, table, files, contents, shared = state
        at, locals_, answers, waits = threads[t]
        word, *operands = self.program.threads[t][at]
        table, files, contents = list(table), list(files), list(contents)
        numbers = [n if how == "number" else locals_[n] for how, n in operands]
        file = table[numbers[0]] if numbers and numbers[0] >= 0 else None
        new = ()
        if word == "open":
            files.append(("null", -1, 0))
            new = (self.take(table, len(files) - 1),)
            answer = str(new[0])
        elif word == "pipe":
            new = self.make_pipe(table, files, contents)
            answer = f"{new[0]}-{new[1]}"
        elif word == "put":
            shared, answer = numbers[0], "-"
        elif word == "get":
            new, answer = (shared,), str(shared)
        elif word == "read" and waits is not None:
            answer = self.read(state, files, contents, waits)
            if answer is None:
                return None
        elif file is None:
            new, answer = (-1,) if word == "dup" else (), "B"
        elif word == "dup":
            if self.wrong == "copy-has-own-position":
                files.append(files[file])
                file = len(files) - 1
            new = (self.take(table, file),)
            answer = str(new[0])
        elif word == "dup2":
            if numbers[1] < 0:
                answer = "B"
            else:
                if self.wrong != "dup2-keeps-target" or table[numbers[1]] is None:
                    table[numbers[1]] = file
                answer = str(numbers[1])
        elif word == "close":
            if self.wrong != "close-leaves-number":
                table[numbers[0]] = None
            answer = "0"
        elif word == "look":
            answer = "0"
        elif word == "write":
            answer = self.write(state, files, contents, file, LETTERS[t])
        elif word == "read":
            answer = self.read(state, files, contents, file)
            if answer is None:  # it begins to wait
                changed = (at, locals_, answers, file)
                return threads[:t] + (changed,) + threads[t + 1:], *state[1:]
        changed = (at + 1, locals_ + new, answers + (answer,), None)
        return threads[:t] + (changed,) + threads[t + 1:], tuple(table), tuple(files), tuple(contents), shared

    def is_open(self, state, end, content):
        """Has some number, or a read that waits, this end of the pipe?"""
        threads, table, files, _, _ = state
        held = set(table) | {waits for *_, waits in threads}
        return any(file is not None and files[file][0][0] == end and files[file][1] == content for file in held)

    def write(self, state, files, contents, file, letter):
        kind, content, position = files[file]
        if kind == "null":
            return "1"
        if kind[0] == "r":
            return "B"
        if kind[0] == "w":
            if not self.is_open(state, "r", content) and self.wrong != "write-without-reader":
                return "P"
            contents[content] += letter
            return "1"
        text = contents[content]
        contents[content] = text[:position] + letter + text[position + 1:]
        files[file] = (kind, content, position + 1)
        return "1"

    def read(self, state, files, contents, file):
        """The answer, or None where it has to wait."""
        kind, content, position = files[file]
        if kind == "null":
            return "0"
        if kind[0] == "w":
            return "B"
        text = contents[content]
        if kind == "file":
            if position == len(text):
                return "0"
            files[file] = (kind, content, position + 1)
            return text[position]
        if text:
            contents[content] = text[1:]
            return text[0]
        if not self.is_open(state, "w", content) or self.wrong == "end-of-file-unseen":
            return "0"
        return "A" if kind == "rn" else None


# ---- C ----

HEAD = """\
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <heddle.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int base;
static atomic_int shared = -1;
static char told[3][64];
static void Tell(int t, const char *text) {
  if (told[t][0]) strcat(told[t], ",");
  strcat(told[t], text);
}
static void TellNumber(int t, int number) {
  char text[8];
  snprintf(text, sizeof text, "%d", number);
  Tell(t, text);
}
static int Failed(int t, int answer) {
  if (answer >= 0) return 0;
  Tell(t, errno == EBADF ? "B" : errno == EPIPE ? "P" : errno == EAGAIN ? "A" : strerrorname_np(errno));
  return 1;
}
static int Opened(int t, int number) {
  if (Failed(t, number)) return -1;
  TellNumber(t, number - base);
  return number;
}
static void Answered(int t, int answer) {
  if (!Failed(t, answer)) TellNumber(t, answer);
}
static void Read(int t, int descriptor) {
  char byte[2] = "";
  const int count = (int)read(descriptor, byte, 1);
  if (!Failed(t, count)) Tell(t, count ? byte : "0");
}
static void Pipe(int t, int *ends) {
  if (Failed(t, pipe(ends))) return;
  char text[16];
  snprintf(text, sizeof text, "%d-%d", ends[0] - base, ends[1] - base);
  Tell(t, text);
}
"""


def print_call(t, call, local):
    """A line of C, and how many locals it sets, from the one with number `local` on."""
    word, *operands = call
    names = [f"base + {n}" if how == "number" else f"l[{n}]" for how, n in operands]
    if word == "open":
        return f'l[{local}] = Opened({t}, open("/dev/null", O_RDWR));', 1
    if word == "dup":
        return f"l[{local}] = Opened({t}, dup({names[0]}));", 1
    if word == "dup2":
        return f"Opened({t}, dup2({names[0]}, {names[1]}));", 0
    if word == "pipe":
        return f"Pipe({t}, &l[{local}]);", 2
    if word == "get":
        return f"l[{local}] = shared; TellNumber({t}, l[{local}] < 0 ? -1 : l[{local}] - base);", 1
    if word == "put":
        return f'shared = {names[0]}; Tell({t}, "-");', 0
    if word == "read":
        return f"Read({t}, {names[0]});", 0
    text = {"close": f"close({names[0]})", "write": f'(int)write({names[0]}, "{LETTERS[t]}", 1)', "look": f"fcntl({names[0]}, F_GETFD)"}
    return f"Answered({t}, {text[word]} < 0 ? -1 : {1 if word == 'write' else 0});", 0


SETUP = {"null": 'open("/dev/null", O_RDWR);', "pipe": "pipe(ends);", "nonblocking": "pipe2(ends, O_NONBLOCK);",
         "file": f'ends[0] = memfd_create("file", 0); write(ends[0], "{FILE}", {len(FILE)}); lseek(ends[0], 0, SEEK_SET);'}


def print_program(program, name):
    lines = []
    for t, calls in enumerate(program.threads):
        lines += [f"static void *{name}_{t}(void *a) {{", "  int l[12];"]
        local = 0
        for call in calls:
            line, more = print_call(t, call, local)
            lines.append("  " + line)
            local += more
        lines += ["  (void)l;", "  return a;", "}"]
    others = range(1, len(program.threads))
    lines += [f"static void {name}(void) {{", "  int ends[2];", "  (void)ends;", "  signal(SIGPIPE, SIG_IGN);", "  base = dup(0);",
              "  close(base);", f"  for (int i = 0; i < {NUMBERS}; i++) assert(fcntl(base + i, F_GETFD) < 0);"]
    lines += ["  " + SETUP[kind] for kind in program.setup]
    lines += [f"  pthread_t threads[{len(program.threads)}];"]
    lines += [f"  pthread_create(&threads[{t}], 0, {name}_{t}, 0);" for t in others] + [f"  {name}_0(0);"]
    lines += [f"  pthread_join(threads[{t}], 0);" for t in others]
    told = ", ".join(f"told[{t}]" for t in range(len(program.threads)))
    lines += [f'  heddle_outcome("{"|".join(["%s"] * len(program.threads))}", {told});', "}"]
    return "\n".join(lines) + "\n"
