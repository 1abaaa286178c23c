"""Lets heddle check Python threads, a line being a statement.

    import heddle_threads, threading
    heddle_threads.watch()
    ... threading.Thread(...) ...

    heddle check --preset one-page --uninstrumented python3 PROGRAM.py

Without heddle all of this does nothing, but for up and down, which work. The library is libheddle-calls.so, found as
the system finds libraries, or where HEDDLE_CALLS says.
"""

import ctypes
import os
import sys
import threading

_calls = ctypes.CDLL(os.environ.get("HEDDLE_CALLS", "libheddle-calls.so"))
_calls.heddle_shared.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
_calls.heddle_shared.restype = None


# What Python's library does, to begin and to end a thread for example, is none of the program's statements: how many
# lines that takes depends on who comes first.
_LIBRARY = os.path.dirname(os.__file__) + os.sep


def _before_statement(frame, event, argument):
    file = frame.f_code.co_filename
    if file == __file__ or file.startswith((_LIBRARY, "<")):
        return None
    # ctypes gives the interpreter's lock away for the call: there, and nowhere else, others may run.
    if event == "line":
        _calls.heddle_hook()
    return _before_statement


def watch():
    """From here on, every line of every thread that is begun is a statement."""
    sys.setswitchinterval(1e6)  # seconds: nobody takes the lock away from a thread within a statement
    threading.settrace(_before_statement)


class Shared(ctypes.Structure):
    """A base for what threads share: numbers that heddle compares.

    class Account(heddle_threads.Shared):
        _fields_ = [("balance", ctypes.c_int64)]
    """

    def __init__(self, *values):
        super().__init__(*values)
        _calls.heddle_shared(ctypes.addressof(self), ctypes.sizeof(self))


def up(semaphore):
    _calls.heddle_up(semaphore)


def down(semaphore):
    _calls.heddle_down(semaphore)


def outcome(text):
    _calls.heddle_outcome(b"%s", str(text).encode())
