"""Processor time of processes that run, for tests and benchmarks."""

import os


def of_tree(pid):
    """Seconds of the process, of the children that it has waited for, and of those that live."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
            words = file.read().rpartition(")")[2].split()
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
            children = file.read().split()
    except OSError:
        return 0.0  # it ended meanwhile
    return sum(map(int, words[11:15])) / os.sysconf("SC_CLK_TCK") + sum(map(of_tree, children))
