"""What a generated program is made of, and how it is written in C or C++.

A program is a few shared pointers (`slots`), mutexes and flags, and bodies: one that runs before the threads, one of each thread, and one
that runs after them. The first and the last are threads, too, which main joins before it goes on: so nothing on main's own stack
points to a block.
"""

import dataclasses

POINTERS = 4  # variables of each thread
LINK = 8      # where in a block a pointer to another block is
LOCK = 24     # where in a block a mutex is
LOCK_BYTES = 40
BEFORE, AFTER = "before", "after"


@dataclasses.dataclass(frozen=True)
class Op:
    """What a thread does at once. `local` and `other` are variables of the thread; `r` is another one, for numbers.

    alloc     local = a new block of `size` bytes, zeros but for a string with `nul` letters (-2: no string; -1: without an end)
    free      gives local back by `how`
    realloc   local = realloc(local, size)
    access    reads or writes `length` bytes at `offset` of local
    memcpy    reads them by memcpy
    strlen    of local
    move      local = other + offset
    drop      local = null
    read, write, clear               slot `where` by plain accesses: local = slot, slot = local, slot = null
    load, store, exchange, cas       by atomic ones. exchange: local = slot, slot = other (or null where other is -1)
                                     cas: if slot is local it becomes other; r = 1 or 0
    lock, unlock                     mutex `where`
    lock_in, unlock_in, init_in, destroy_in    the mutex in the block
    set, test                        flag `where` is set; r = flag
    count                            the count in the block (its first 4 bytes) becomes `size`, by a plain access
    sub                              r = the count; count = count - 1, at once
    get, put                         r = the count; count = r - 1
    link, follow                     the pointer in local's block = other; local = the pointer in other's block
    own                              a thread-local variable = local
    if_set, if_is                    does `body` if local is not null; if r is `size`
    """
    kind: str
    local: int = 0
    other: int = 0
    where: str = ""
    order: str = "acq_rel"
    how: str = "malloc"
    size: int = 0
    offset: int = 0
    length: int = 1
    nul: int = -2
    write: bool = False
    body: tuple = ()


@dataclasses.dataclass
class Program:
    before: tuple
    threads: list  # of tuples of Op
    after: tuple
    cxx: bool = False
    kinds_of: str = ""  # how it was made
    sizes: list = dataclasses.field(default_factory=list)  # of the blocks of each pattern

    def bodies(self):
        return {BEFORE: self.before, **dict(enumerate(self.threads)), AFTER: self.after}

    def set_body(self, name, body):
        if isinstance(name, int):
            self.threads[name] = body
        else:
            setattr(self, name, body)


def flatten(body):
    """The code of a body: (op, where to go on if it is an `if` that does not hold). An op's number is its place."""
    code = []

    def add(ops):
        for op in ops:
            at = len(code)
            code.append(None)
            add(op.body)
            code[at] = (op, len(code))
    add(body)
    return code


def walk(body):
    for op in body:
        yield op
        yield from walk(op.body)


HEAD = """#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#ifdef __cplusplus
#include <new>
#endif
typedef void* (*Body)(void*);
struct Program {
  int threads;
  Body before, bodies[3], after;
};
static __thread char* volatile own;
// An optimised program may take what it has just written for what it reads.
#ifdef __OPTIMIZE__
#define SLOT(slot) (*(char* volatile*)&(slot))
#else
#define SLOT(slot) (slot)
#endif
"""
MAIN = """static void RunAlone(Body body) {
  pthread_t thread;
  pthread_create(&thread, 0, body, 0);
  pthread_join(thread, 0);
}
int main(int count, char** words) {
  const struct Program* program = &programs[count > 1 ? atoi(words[1]) : 0];
  pthread_t threads[3];
  RunAlone(program->before);
  for (int i = 0; i < program->threads; ++i) pthread_create(&threads[i], 0, program->bodies[i], 0);
  for (int i = 0; i < program->threads; ++i) pthread_join(threads[i], 0);
  RunAlone(program->after);
  return 0;
}
"""
TYPES = {1: "unsigned char", 2: "unsigned short", 4: "unsigned", 8: "unsigned long"}
ALLOCATE = {"malloc": "(char*)malloc({0})", "calloc": "(char*)calloc({0}, 1)", "memalign": "(char*)aligned_alloc(32, {0})",
            "new": "(char*)operator new({0})", "new[]": "new char[{0}]"}
GIVE_BACK = {"malloc": "free({0})", "new": "operator delete({0})", "new[]": "delete[] {0}"}


def statement(op, prefix):
    """`op` in C, but for its body."""
    local, other, slot = f"l{op.local}", f"l{op.other}" if op.other >= 0 else "(char*)0", prefix + op.where
    order = f"__ATOMIC_{op.order.upper()}"
    mutex = f"(pthread_mutex_t*)({local} + {LOCK})"
    access = f"*(volatile {TYPES.get(op.length, 'char')}*)({local} + {op.offset})"
    count = f"(int*){local}"
    fill = f"memset({local}, 0, {op.size});"
    if op.nul != -2:
        fill = f"memset({local}, 'x', {op.size});" + (f" {local}[{op.nul}] = 0;" if op.nul >= 0 else "")
    return {
        "alloc": f"{local} = {ALLOCATE.get(op.how, '{0}').format(op.size)}; {fill}",
        "free": GIVE_BACK.get(op.how, "").format(local) + ";",
        "realloc": f"{local} = (char*)realloc({local}, {op.size});",
        "access": f"{access} = 1;" if op.write else f"number += {access};",
        # All of it is used: Clang copies no more than is.
        "memcpy": f"memcpy(buffer, {local} + {op.offset}, {op.length}); __asm__ volatile(\"\" : : \"r\"(buffer) : \"memory\");",
        "strlen": f"number += strlen({local});",
        "move": f"{local} = {other} + {op.offset};",
        "drop": f"{local} = 0;",
        "read": f"{local} = SLOT({slot});",
        "write": f"SLOT({slot}) = {local};",
        "clear": f"SLOT({slot}) = 0;",
        "load": f"{local} = __atomic_load_n(&{slot}, {order});",
        "store": f"__atomic_store_n(&{slot}, {other}, {order});",
        "exchange": f"{local} = __atomic_exchange_n(&{slot}, {other}, {order});",
        "cas": f"expected = {local}; r = __atomic_compare_exchange_n(&{slot}, &expected, {other}, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);",
        "lock": f"pthread_mutex_lock(&{slot});",
        "unlock": f"pthread_mutex_unlock(&{slot});",
        "lock_in": f"pthread_mutex_lock({mutex});",
        "unlock_in": f"pthread_mutex_unlock({mutex});",
        "init_in": f"pthread_mutex_init({mutex}, 0);",
        "destroy_in": f"pthread_mutex_destroy({mutex});",
        "set": f"__atomic_store_n(&{slot}, 1, {order});",
        "test": f"r = __atomic_load_n(&{slot}, {order});",
        "count": f"*({count}) = {op.size};",
        "sub": f"r = __atomic_fetch_sub({count}, 1, {order});",
        "get": f"r = __atomic_load_n({count}, __ATOMIC_ACQUIRE);",
        "put": f"__atomic_store_n({count}, r - 1, __ATOMIC_RELEASE);",
        "link": f"*(char**)({local} + {LINK}) = {other};",
        "follow": f"{local} = *(char**)({other} + {LINK});",
        "own": f"own = {local};",
        "if_set": f"if ({local}) {{",
        "if_is": f"if (r == {op.size}) {{",
    }[op.kind]


class Source:
    """Several programs in one source file; the first argument of its main says which runs."""

    def __init__(self):
        self.lines = HEAD.splitlines()
        self.table = []
        self.places = []  # of each program: line -> (body, number of the op)

    def add(self, program):
        prefix, places = f"p{len(self.table)}_", {}
        self.lines.append(f"// {len(self.table)}: {program.kinds_of}")
        names = {op.where: op.kind for body in program.bodies().values() for op in walk(body) if op.where}
        for name in sorted(names):
            kind = {"m": "pthread_mutex_t {} = PTHREAD_MUTEX_INITIALIZER;", "f": "int {};", "s": "char* {};"}[name[0]]
            self.lines.append(kind.format(prefix + name))
        for name, body in program.bodies().items():
            self.lines.append(f"static void* {prefix}{name}(void* nothing) {{")
            self.lines.append("  " + " ".join(f"char* volatile l{i} = 0;" for i in range(POINTERS))
                              + " char* expected = 0; int r = 0; volatile unsigned long number = 0; char buffer[256];")
            self.lines.append("  (void)expected; (void)r; (void)number; (void)buffer;")
            self.number = 0
            self.write(body, prefix, name, places, "  ")
            self.lines.append("  return nothing;\n}".split("\n")[0])
            self.lines.append("}")
        bodies = ", ".join(f"{prefix}{i}" for i in range(len(program.threads)))
        self.table.append(f"    {{{len(program.threads)}, {prefix}{BEFORE}, {{{bodies}}}, {prefix}{AFTER}}},")
        self.places.append(places)

    def write(self, body, prefix, name, places, indent):
        for op in body:
            self.lines.append(indent + statement(op, prefix))
            places[len(self.lines)] = (name, self.number)
            self.number += 1
            if op.body:
                self.write(op.body, prefix, name, places, indent + "  ")
            if op.kind.startswith("if_"):
                self.lines.append(indent + "}")

    def text(self):
        return "\n".join(self.lines + ["static const struct Program programs[] = {"] + self.table + ["};"]) + "\n" + MAIN
