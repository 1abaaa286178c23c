"""A generated program as C, or as C++ where it uses std::atomic's wait or std::condition_variable."""

import re

from .program import locals_of

HEAD = """\
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <assert.h>
#include <errno.h>
#include <heddle.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#ifdef __cplusplus
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
using namespace std;
#else
#include <stdatomic.h>
#endif

static const struct timespec deadline = {4000000000, 0}, millisecond = {0, 1000000};
"""


def operands_of(statements):
    """All operands that are text."""
    found = set()
    for s in statements:
        for part in s[1:]:
            found |= operands_of(part) if isinstance(part, list) else {part} if isinstance(part, str) else set()
    return found


class Printer:
    def __init__(self, program, prefix, cpp):
        self.program, self.prefix, self.cpp = program, prefix, cpp
        self.lines, self.local_prefix = [], ""

    def shared(self, name):
        return f"{self.prefix}{name}"

    def put(self, depth, text):
        self.lines.append("  " * depth + text)

    def print_program(self):
        p = self.program
        # Not static: a compiler that sees all writes of a variable may know its value.
        for name, value in p.atomics.items():
            self.put(0, f"atomic_int {self.shared(name)}{'{' + str(value) + '}' if self.cpp else f' = {value}'};")
        for name, value in p.plain.items():
            self.put(0, f"int {self.shared(name)} = {value};")
        for name in p.semaphores:
            self.put(0, f"static sem_t {self.shared(name)};")
        used = operands_of([s for thread in p.threads for s in thread])
        for m in sorted(used & {f"m{m}" for m in range(p.mutexes)}):
            self.put(0, f"static {'mutex' if self.cpp else 'pthread_mutex_t'} {self.shared(m)}"
                        f"{'' if self.cpp else ' = PTHREAD_MUTEX_INITIALIZER'};")
        for c in sorted(used & {f"c{c}" for c in range(p.conditions)}):
            self.put(0, f"static {'condition_variable' if self.cpp else 'pthread_cond_t'} {self.shared(c)}"
                        f"{'' if self.cpp else ' = PTHREAD_COND_INITIALIZER'};")
        for t, statements in enumerate(p.threads):
            self.print_thread(t, statements)
        self.print_main()
        return "\n".join(self.lines) + "\n"

    def print_thread(self, t, statements):
        names, ghosts = locals_of(statements)
        results = self.program.results[t]
        if results:
            self.put(0, f"static int {self.shared(f'r{t}')}[{len(results)}];")
        self.local_prefix = self.shared(f"t{t}_") if t in self.program.in_memory else ""
        declared = [f"int {self.local_prefix}{name} = 0;" for name in sorted(names | ghosts | set(results))]
        if self.local_prefix:
            self.lines += [f"static {declaration}" for declaration in declared]
        self.put(0, f"static void *{self.shared(f't{t}')}(void *argument) {{")
        if not self.local_prefix:
            self.lines += [f"  {declaration}" for declaration in declared]
        self.print_block(1, statements)
        for at, name in enumerate(results):
            self.put(1, f"{self.shared(f'r{t}')}[{at}] = {self.local_prefix}{name};")
        for name in sorted((names | ghosts) - set(results)):
            self.put(1, f"(void){self.local_prefix}{name};")
        self.put(1, "return argument;")
        self.put(0, "}")

    def print_main(self):
        p, threads = self.program, range(1, len(self.program.threads))
        # heddle reads the function that a loop is in, which is not to be one of 100 programs
        self.put(0, f"__attribute__((noinline)) static int {self.shared('main')}(void) {{")
        for name, value in p.semaphores.items():
            self.put(1, f"sem_init(&{self.shared(name)}, 0, {value});")
        if threads:
            self.put(1, f"pthread_t thread[{len(p.threads)}];")
        for t in threads:
            self.put(1, f"pthread_create(&thread[{t}], NULL, {self.shared(f't{t}')}, NULL);")
        self.put(1, f"{self.shared('t0')}(NULL);")
        for t in threads:
            self.put(1, f"pthread_join(thread[{t}], NULL);")
        shown = [*p.atomics, *p.plain]
        format_ = " ".join(f"{name}=%d" for name in shown)
        values = [f"atomic_load(&{self.shared(n)})" if n in p.atomics else self.shared(n) for n in shown]
        for t, results in enumerate(p.results):
            format_ += "|" + ",".join("%d" for _ in results)
            values += [f"{self.shared(f'r{t}')}[{at}]" for at in range(len(results))]
        self.put(1, f"heddle_outcome(\"{format_}\"{''.join(', ' + v for v in values)});")
        self.put(1, "return 0;")
        self.put(0, "}")

    def expression(self, text):
        return re.sub(r"\$(\w+)", lambda m: self.local_prefix + m[1], str(text))

    def print_block(self, depth, statements):
        for s in statements:
            if s[0] == "if":
                self.put(depth, f"if ({self.expression(s[1])}) {{")
                self.print_block(depth + 1, s[2])
                if s[3]:
                    self.put(depth, "} else {")
                    self.print_block(depth + 1, s[3])
                self.put(depth, "}")
            elif s[0] == "loop":
                self.put(depth, "for (;;) {")
                self.print_block(depth + 1, s[1])
                self.put(depth, "}")
            elif s[0] == "break":
                self.put(depth, "break;")
            else:
                for line in self.statement(s):
                    self.put(depth, line)

    def statement(self, s):
        word, operands = s[0], s[1:]
        e = self.expression
        o = lambda at: self.shared(operands[at])
        result = f"{e(operands[0])} = " if operands and isinstance(operands[0], str) and operands[0].startswith("$") else ""
        simple = {
            "load": lambda: f"{result}atomic_load(&{o(1)});",
            "store": lambda: f"atomic_store(&{o(0)}, {e(operands[1])});",
            "add": lambda: f"{result}atomic_fetch_add(&{o(1)}, {e(operands[2])});",
            "xchg": lambda: f"{result}atomic_exchange(&{o(1)}, {e(operands[2])});",
            "pload": lambda: f"{result}{o(1)};",
            "pstore": lambda: f"{o(0)} = {e(operands[1])};",
            "set": lambda: f"{result}{e(operands[1])};",
            "ghost": lambda: f"{result}{e(operands[1])};",
            "semwait": lambda: f"sem_wait(&{o(0)});",
            "semtry": lambda: f"{result}sem_trywait(&{o(1)}) == 0;",
            "semtimed": lambda: f"{result}sem_timedwait(&{o(1)}, &deadline) == 0;",
            "sempost": lambda: f"sem_post(&{o(0)});",
            "yield": lambda: "sched_yield();",
            "pause": lambda: "__builtin_ia32_pause();",
            "sleep": lambda: {"usleep": "usleep(1000);", "nanosleep": "nanosleep(&millisecond, NULL);"}[operands[0]],
            "fwait": lambda: self.futex(o(0), "FUTEX_WAIT_PRIVATE", e(operands[1]), "NULL") + ";",
            "ftimed": lambda: f"{result}" + self.futex(o(1), "FUTEX_WAIT_PRIVATE", e(operands[2]), "&millisecond") + " == 0;",
            "fwake": lambda: self.futex(o(0), "FUTEX_WAKE_PRIVATE", "INT_MAX" if operands[1] > 1 else 1, "NULL") + ";",
            "await": lambda: f"{o(0)}.wait({e(operands[1])});",
            "notify": lambda: f"{o(0)}.notify_{'all' if operands[1] > 1 else 'one'}();",
        }
        if word in simple:
            return [simple[word]()]
        if word == "cas":
            equal = f"atomic_compare_exchange_strong(&{o(1)}, &expected, {e(operands[3])})"
            return [f"{{ int expected = {e(operands[2])}; {result}{equal}; }}"]
        if word == "assert":  # on a line of its own: heddle tells them apart by that
            return [f"assert(({e(operands[1])}) && \"number {operands[0]}\");"]
        return [self.cpp_lock(word, o, result) if self.cpp else self.c_lock(word, o, result)]

    def futex(self, atomic, what, value, limit):
        return f"syscall(SYS_futex, (int *)&{atomic}, {what}, {value}, {limit}, NULL, 0)"

    def c_lock(self, word, o, result):
        return {
            "lock": lambda: f"pthread_mutex_lock(&{o(0)});",
            "unlock": lambda: f"pthread_mutex_unlock(&{o(0)});",
            "trylock": lambda: f"{result}pthread_mutex_trylock(&{o(1)}) == 0;",
            "timedlock": lambda: f"{result}pthread_mutex_timedlock(&{o(1)}, &deadline) == 0;",
            "cwait": lambda: f"pthread_cond_wait(&{o(0)}, &{o(1)});",
            "ctimed": lambda: f"{result}pthread_cond_timedwait(&{o(1)}, &{o(2)}, &deadline) == 0;",
            "signal": lambda: f"pthread_cond_signal(&{o(0)});",
            "broadcast": lambda: f"pthread_cond_broadcast(&{o(0)});",
        }[word]()

    def cpp_lock(self, word, o, result):
        hold = lambda at: f"unique_lock<mutex> held({o(at)}, adopt_lock);"
        return {
            "lock": lambda: f"{o(0)}.lock();",
            "unlock": lambda: f"{o(0)}.unlock();",
            "trylock": lambda: f"{result}{o(1)}.try_lock();",
            "timedlock": lambda: f"{result}pthread_mutex_timedlock({o(1)}.native_handle(), &deadline) == 0;",
            "cwait": lambda: f"{{ {hold(1)} {o(0)}.wait(held); held.release(); }}",
            "ctimed": lambda: f"{{ {hold(2)} {result}{o(1)}.wait_for(held, chrono::milliseconds(1)) == cv_status::no_timeout;"
                              " held.release(); }",
            "signal": lambda: f"{o(0)}.notify_one();",
            "broadcast": lambda: f"{o(0)}.notify_all();",
        }[word]()


def print_alone(program, cpp):
    """The text of a file with this program alone."""
    return HEAD + "\n" + Printer(program, "", cpp).print_program().replace(
        "__attribute__((noinline)) static int main(void)", "int main(void)")


def print_batch(programs, cpp):
    """The text of a file whose first argument says which of the programs runs."""
    text = HEAD
    for number, program in enumerate(programs):
        text += f"\n// ---- {number} ----\n" + Printer(program, f"p{number}_", cpp).print_program()
    text += "\nint main(int argc, char **argv) {\n  switch (argc > 1 ? atoi(argv[1]) : -1) {\n"
    for number in range(len(programs)):
        text += f"    case {number}: return p{number}_main();\n"
    return text + "  }\n  return 2;\n}\n"
