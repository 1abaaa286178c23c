"""heddle runs where its users run: no capabilities, no ptrace, no perf events, no permission to switch off address
randomisation (as in Docker's default seccomp profile). The same programs as elsewhere, the same answers."""

import ctypes
import os
import pathlib
import struct
import subprocess
import sys

PROGRAMS = ["correct/increment.c", "correct/rewind_globals.c", "correct/rewind_thread_local.cpp",
            "correct/std_atomic_wait.cpp", "correct/threads_create_threads.cpp", "wrong/deadlock_abba.c",
            "wrong/race_counter.c", "wrong/segfault_null.c", "wrong/uncaught_exception.cpp"]

PERSONALITY, PTRACE, PERF_EVENT_OPEN, PERSONALITY_QUERY = 135, 101, 298, 0xFFFFFFFF
NO_NEW_PRIVILEGES, SET_SECCOMP, FILTER, DROP_FROM_BOUNDING_SET = 38, 22, 2, 24
DENY, ALLOW = 0x00050000 | 1, 0x7FFF0000  # with EPERM


def seccomp_filter():
    """BPF: refuse the three system calls, except asking for the present personality."""
    load, equal, answer = 0x20, 0x15, 0x06
    rows = [(load, 0, 0, 0),  # the system call's number
            (equal, 4, 0, PTRACE), (equal, 3, 0, PERF_EVENT_OPEN), (equal, 0, 3, PERSONALITY),
            (load, 0, 0, 16), (equal, 1, 0, PERSONALITY_QUERY),  # its first argument, low half
            (answer, 0, 0, DENY), (answer, 0, 0, ALLOW)]
    return b"".join(struct.pack("HBBI", *row) for row in rows), len(rows)


def give_up_privileges():
    libc = ctypes.CDLL(None, use_errno=True)
    for capability in range(64):
        libc.prctl(DROP_FROM_BOUNDING_SET, capability, 0, 0, 0)
    code, count = seccomp_filter()
    buffer = ctypes.create_string_buffer(code)
    program = struct.pack("HxxxxxxP", count, ctypes.addressof(buffer))
    if libc.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0) or libc.prctl(SET_SECCOMP, FILTER, program, 0, 0):
        raise OSError(ctypes.get_errno(), "seccomp")
    if libc.personality(0x0040000) != -1:
        raise RuntimeError("the filter does not filter")


build = sys.argv[1]
tests = pathlib.Path(__file__).resolve().parents[1]
try:
    give_up_privileges()
except OSError as error:
    print(f"skipped: {error}")
    sys.exit(77)
failed = 0
for name in PROGRAMS:
    command = [sys.executable, str(tests / "run_program.py"), "--build", build, str(tests / "programs" / name)]
    failed += subprocess.run(command, timeout=300).returncode != 0
sys.exit(1 if failed else 0)
