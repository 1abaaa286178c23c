"""The litmus tests of tests/model/litmus.csv as C programs: `heddle check --memory-model` finds the executions
and outcomes of the table, and `--bound stale=0` those of sc. All rows are one program, which takes the number of the row. Of the row with a data race
only that is asked: plain accesses see what memory holds, not what is left to them of the writes before.

Usage: litmus.py BUILD
"""

import csv
import json
import pathlib
import re
import subprocess
import sys
import tempfile

TABLE = pathlib.Path(__file__).resolve().parent.parent / 'model' / 'litmus.csv'
ORDERS = {'rlx': 'relaxed', 'acq': 'acquire', 'rel': 'release', 'ar': 'acq_rel', 'sc': 'seq_cst'}
COLUMNS = {  # of a model, or of none of it that is stale: the number of executions, the outcomes
    'sc': ('sc_executions', ('sc_outcomes',)),
    'tso': ('tso_executions', ('sc_outcomes', 'tso_extra')),
    'c11': ('rc11_executions', ('sc_outcomes', 'rc11_extra')),
    'c11 --bound stale=0': ('sc_executions', ('sc_outcomes',)),
}
ENUMERATED = {'SB+rlx', 'SB+sc', 'MP+rel+rlx', '2+2W+rlx', 'RELSEQ+po', 'RMW+2', 'SC-partial'}


def statement(line, name):
    """One instruction ('?a W x 1 rlx') in C; `name` gives letters the row's own names."""
    words = line.split()
    conditions = [word[1:] for word in words if word[0] == '?']
    kind, *words = [word for word in words if word[0] != '?']
    order = words[-1]
    last = 'memory_order_' + ORDERS.get(order, '')
    if kind == 'F':
        text = f'atomic_thread_fence({last});'
    elif kind == 'W':
        place, value = name(words[0]), words[1]
        text = f'{place} = {value};' if order == 'na' else f'atomic_store_explicit(&{place}, {value}, {last});'
    else:
        place, result = name(words[0]), name(words[1])
        text = f'{result} = ' + {
            'R': f'{place};' if order == 'na' else f'atomic_load_explicit(&{place}, {last});',
            'X': f'atomic_exchange_explicit(&{place}, {words[2]}, {last});',
            'U': f'atomic_fetch_add_explicit(&{place}, 1, {last});',
        }[kind]
    return ''.join(f'if ({name(condition)} != 0) ' for condition in conditions) + text


def program_of(rows):
    """Each row's threads, and a main that runs those of one row."""
    text = ['#include <heddle.h>', '#include <pthread.h>', '#include <stdatomic.h>', '#include <stdlib.h>']
    mains = []
    for number, row in enumerate(rows):
        name = f'r{number}_{{}}'.format
        threads = [thread.split(';') for thread in row['text'].split('#')[0].split('|')]
        plain = set(re.findall(r'[WR] (\w) \w na', row['text']))
        letters = set(re.findall(r'\b[a-z]\b', row['text']))
        places = set(re.findall(r'[A-Z] (\w) \w', row['text']))
        text += [f'{"atomic_int" if letter in places - plain else "int"} {name(letter)};' for letter in sorted(letters)]
        for i, lines in enumerate(threads):
            body = ' '.join(statement(line, name) for line in lines)
            text.append(f'static void* {name(f"t{i}")}(void* unused) {{ {body} return unused; }}')
        digits = row['digits'].split()
        mains.append(f'case {number}:')
        mains += [f'pthread_create(&ids[{i}], 0, {name(f"t{i}")}, 0);' for i in range(len(threads))]
        mains += [f'pthread_join(ids[{i}], 0);' for i in range(len(threads))]
        mains.append(f'heddle_outcome("{"%d" * len(digits)}", ' + ', '.join(map(name, digits)) + '); break;')
    text += ['int main(int argc, char** argv) {', 'pthread_t ids[4];', 'switch (argc > 1 ? atoi(argv[1]) : -1) {']
    return '\n'.join(text + mains + ['default: return 2;', '}', 'return 0;', '}', ''])


def check(heddle, directory, number, model, reduction, *bound):
    result = directory / 'result.json'
    command = [heddle, 'check', '--memory-model', model, '--reduction', reduction, '--order', 'depth-first', '--keep-going',
               '--release-sequences', 'c++20', *bound, '--json', result, '--out', directory / 'out', directory / 'litmus', str(number)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode in (0, 1), (command, done.stdout, done.stderr)
    return json.loads(result.read_text())


def main():
    build = pathlib.Path(sys.argv[1])
    rows = list(csv.DictReader(TABLE.open()))
    assert len(rows) == 40, len(rows)
    wrong = []
    with tempfile.TemporaryDirectory() as scratch:
        directory = pathlib.Path(scratch)
        (directory / 'litmus.c').write_text(program_of(rows))
        compiler = [build / 'heddle-cc', '-g', '-O1', '-pthread']
        subprocess.run([*compiler, directory / 'litmus.c', '-o', directory / 'litmus'], check=True)
        for number, row in enumerate(rows):
            for model, (executions, columns) in COLUMNS.items():
                outcomes = {outcome for column in columns for outcome in row[column].split()}
                for reduction in ['reads-from', 'none'] if row['test'] in ENUMERATED else ['reads-from']:
                    name, *bound = model.split()
                    found = check(build / 'heddle', directory, number, name, reduction, *bound)
                    bugs = sorted({bug['kind'] for bug in found['bugs']})
                    seen = set(found['outcomes'])
                    if row['rc11_race'] == 'yes':
                        if bugs != ['data-race']:
                            wrong.append((row['test'], model, reduction, bugs, 'expected a data race'))
                    elif bugs or seen != outcomes:
                        wrong.append((row['test'], model, reduction, bugs, seen, 'expected', outcomes))
                    elif reduction == 'reads-from' and found['executions'] != int(row[executions]):
                        wrong.append((row['test'], model, found['executions'], 'executions, expected', row[executions]))
    for line in wrong:
        print(*line)
    sys.exit(1 if wrong else 0)


if __name__ == '__main__':
    main()
