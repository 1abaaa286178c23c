"""Random programs with futexes, static variables of functions, pthread_once and read-write locks, or with a condition variable
and attempts on its mutex: under each memory model
`--reduction reads-from` runs each graph once, as many graphs as enumeration finds, with the same outcomes and bugs. So it does
within a bound on stale accesses. With a condition variable orders of operations that commute are graphs of their own, so only
outcomes and bugs are compared.

Usage: objects.py BUILD [FIRST COUNT]: seeds"""

import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

INCLUDE = pathlib.Path(__file__).resolve().parents[2] / 'include'
HEAD = '''#include <heddle.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <climits>
#include <cstdio>
#include <cstdlib>

@ORDERS@
static std::atomic<int> w, x, y;
static int r[16];
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int given;
static pthread_once_t control = PTHREAD_ONCE_INIT;
static int Futex(int operation, int number) { return syscall(SYS_futex, &w, operation, number, 0, 0, 0); }
static int Wait(int value) { return Futex(FUTEX_WAIT_PRIVATE, value) == 0; }
static int Wake(int most) { return Futex(FUTEX_WAKE_PRIVATE, most); }
struct Made {
  Made(int from) : value(from) {}
  int value;
};
static int Static() {
  static Made made(x.exchange(7, relaxed));
  return made.value;
}
static void Init() { y.store(5, relaxed); }
static int Once() {
  pthread_once(&control, Init);
  return y.load(relaxed);
}
'''
MAIN = '''  pthread_t t[4];
  for (int i = 0; i < n; ++i) pthread_create(&t[i], 0, body[i], 0);
  for (int i = 0; i < n; ++i) pthread_join(t[i], 0);
  char text[64] = {};
  for (int i = 0, at = 0; i < registers; ++i) at += snprintf(text + at, sizeof text - at, "%d", r[i]);
  heddle_outcome("%s %d%d%d", text, w.load(), x.load(), y.load());
}
'''
WITH_CONDITION = ('wait', 'signal', 'signal', 'try', 'try', 'section', 'access')
OBJECTS = ('futex', 'static', 'once', 'lock', 'access', 'access')


def access(draw, register):
    place, kind = draw.choice('wxyx'), draw.randrange(5)
    if kind < 2:
        order = draw.choice(('relaxed', 'relaxed', 'release', 'seq_cst'))
        return f'{place}.store({draw.choice((1, 2))}, {order});'
    if kind < 4:
        return f'r[{register}] = {place}.load({draw.choice(("relaxed", "relaxed", "acquire", "seq_cst"))});'
    order = draw.choice(('relaxed', 'acquire', 'release', 'acq_rel', 'seq_cst'))
    return f'r[{register}] = {place}.fetch_add(1, {order});'


def has_condition(seed):
    return seed % 4 == 3


def on_condition(draw, register, kind):
    inside = access(draw, register) if draw.random() < 0.5 else ''
    if kind == 'wait':
        return ('pthread_mutex_lock(&mutex); ' + draw.choice(('if (!given) ', 'while (!given) ', '')) +
                f'pthread_cond_wait(&condition, &mutex); given = 0; {inside} pthread_mutex_unlock(&mutex);')
    if kind == 'try':
        return (f'r[{register}] = 5; if (pthread_mutex_trylock(&mutex) == 0) {{ {inside} r[{register}] += 2; given = 1; '
                'pthread_mutex_unlock(&mutex); }')
    if kind == 'section':
        return f'pthread_mutex_lock(&mutex); {inside} given = 1; pthread_mutex_unlock(&mutex);'
    signal = f'pthread_cond_{draw.choice(("signal", "broadcast"))}(&condition);'
    return draw.choice((signal, f'pthread_mutex_lock(&mutex); given = 1; {signal} pthread_mutex_unlock(&mutex);'))


def operation(draw, register, kinds=OBJECTS):
    kind = draw.choice(kinds)
    if kinds is WITH_CONDITION and kind != 'access':
        return on_condition(draw, register, kind)
    if kind == 'futex':
        return f'r[{register}] = {draw.choice(("Wait(0)", "Wait(1)", "Wake(1)", "Wake(INT_MAX)"))};'
    if kind in ('static', 'once'):
        return f'r[{register}] = {kind.capitalize()}();'
    if kind == 'lock':
        inside = access(draw, register) if draw.random() < 0.5 else ''
        return f'pthread_rwlock_{draw.choice(("rd", "rd", "wr"))}lock(&lock); {inside} pthread_rwlock_unlock(&lock);'
    if draw.random() < 0.12:
        return 'std::atomic_thread_fence(seq_cst);'
    return access(draw, register)


def threads_of(seed):
    """Of each thread its operations, each with a register of its own."""
    draw = random.Random(seed)
    threads, register = [], 0
    for _ in range(draw.choice((2, 2, 3))):
        threads.append([])
        for _ in range(draw.choice((2, 3, 3, 4))):
            threads[-1].append(operation(draw, register, WITH_CONDITION if has_condition(seed) else OBJECTS))
            register += 1
    return [thread[:2] for thread in threads] if len(threads) == 3 else threads


def program_of(seeds):
    orders = ('relaxed', 'acquire', 'release', 'acq_rel', 'seq_cst')
    names = '\n'.join(f'constexpr auto {order} = std::memory_order_{order};' for order in orders)
    text, mains = [HEAD.replace('@ORDERS@', names)], []
    for seed in seeds:
        threads = threads_of(seed)
        for i, lines in enumerate(threads):
            text.append(f'static void* T{seed}_{i}(void* unused) {{ {" ".join(lines)} return unused; }}')
        bodies = ' '.join(f'body[{i}] = T{seed}_{i};' for i in range(len(threads)))
        mains.append(f'    case {seed}: n = {len(threads)}; registers = 12; {bodies} break;')
    text += ['int main(int argc, char** argv) {', '  int n = 0, registers = 0;', '  void* (*body[4])(void*) = {};',
             '  switch (argc > 1 ? atoi(argv[1]) : -1) {', *mains, '    default: return 2;', '  }']
    return '\n'.join(text) + '\n' + MAIN


def check(heddle, directory, seed, model, reduction, *bound):
    result = directory / 'result.json'
    result.unlink(missing_ok=True)
    command = [heddle, 'check', '--memory-model', model, '--reduction', reduction, '--order', 'depth-first', '--keep-going',
               '--no-minimise', *bound, '--executions', '8000', '--json', result, '--out', directory / 'out', directory / 'program', str(seed)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, env=dict(os.environ, HEDDLE_EVERY_CONFIGURATION='1'))
    assert result.exists(), (command, done.stdout, done.stderr)
    return json.loads(result.read_text())


def difference(model, found, all_of_them, counts):
    """What is wrong; '' if nothing. An enumeration that was too long has some of what there is; under sc it counts happens-before
    graphs, of operations that may commute."""
    graphs = found['coverage']['happens_before']
    if found['stop'] != 'exhausted':
        return 'not exhausted'
    if not counts and not found['complete'] and not found['bugs']:
        return 'not complete'
    if counts and found['executions'] != graphs:
        return 'a graph twice'
    outcomes, known = set(found['outcomes']), set(all_of_them['outcomes'])
    if all_of_them['stop'] != 'exhausted':
        return '' if known <= outcomes else f'missing outcomes {known - outcomes}'
    if outcomes != known:
        return f'outcomes {outcomes ^ known}'
    if {bug['kind'] for bug in found['bugs']} != {bug['kind'] for bug in all_of_them['bugs']}:
        return 'bugs'
    others = all_of_them['coverage']['happens_before']
    return '' if not counts or model == 'sc' or graphs == others else f'{graphs} graphs, {others} by enumeration'


def main():
    build = pathlib.Path(sys.argv[1])
    first, count = map(int, sys.argv[2:4]) if len(sys.argv) > 2 else (1, 8)
    seeds = range(first, first + count)
    wrong, exhausted = [], 0
    with tempfile.TemporaryDirectory() as scratch:
        directory = pathlib.Path(scratch)
        (directory / 'program.cpp').write_text(program_of(seeds))
        subprocess.run([build / 'heddle-c++', '-g', '-O1', '-std=c++17', '-I', INCLUDE, '-pthread', directory / 'program.cpp',
                        '-o', directory / 'program'], check=True)
        for seed in seeds:
            for model, *bound in (['sc'], ['tso'], ['c11'], ['c11', '--bound', f'stale={seed % 2}']):
                found, known = (check(build / 'heddle', directory, seed, model, reduction, *bound)
                                for reduction in ('reads-from', 'none'))
                exhausted += known['stop'] == 'exhausted' and not bound
                if text := difference(model, found, known, not has_condition(seed)):
                    wrong.append((seed, model, *bound, text, threads_of(seed)))
    for line in wrong:
        print(*line)
    print(f'{exhausted} of {3 * count} enumerations without a bound were complete')
    sys.exit(1 if wrong or exhausted < 2 * count else 0)


if __name__ == '__main__':
    main()
