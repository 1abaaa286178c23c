"""What the tests of the command line share: build a program, run heddle, never wait for ever."""

import fcntl
import hashlib
import json
import os
import pathlib
import pty
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import processor_time  # noqa: E402

SECONDS = 300  # only so that a test ends at all: gdb under a load of 20 took more than 60
CATCH2_MAIN = "#define CATCH_CONFIG_MAIN\n#include <catch2/catch.hpp>\n"
DOCTEST_MAIN = "#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN\n#include <doctest/doctest.h>\n"


EVERYTHING = sys.argv[2:] == ["all"]  # the long test of the same name


def some(ways, count, turn):
    """So many of the ways, others in each turn; all of them in the long test."""
    ways = list(ways)
    return ways if EVERYTHING else [ways[(turn * count + i) % len(ways)] for i in range(min(count, len(ways)))]


class Case:
    """A temporary directory and the tools of one build directory."""

    def __init__(self, build):
        self.build = pathlib.Path(build).resolve()
        self.source = pathlib.Path(__file__).resolve().parents[2]
        self.folder = tempfile.TemporaryDirectory(prefix="heddle-cli-")
        self.path = pathlib.Path(self.folder.name)
        self.failures = 0

    def compile(self, name, text, *flags, compiler="heddle-cc", seconds=SECONDS):
        """The path of a program made of `text`."""
        source = self.path / (name + (".cpp" if compiler in ("heddle-c++", "g++") else ".c"))
        source.write_text(text)
        driver = str(self.build / compiler) if compiler.startswith("heddle") else compiler
        command = [driver, "-g", "-O1", "-pthread", f"-I{self.source / 'include'}",
                   f"-I{self.source / 'tests' / 'programs'}", "-o", str(self.path / name), str(source), *flags]
        subprocess.run(command, check=True, timeout=seconds, cwd=self.path)
        return self.path / name

    def framework(self, text, *flags):
        """The object that heddle-c++ makes of a framework's own code, `text`. It takes 2 to 11 s, so it is made once in a build
        tree."""
        compiler = self.build / "heddle-c++"
        command = [str(compiler), "-g", "-O0", "-pthread", *flags]
        listed = subprocess.run([*command, "-x", "c++", "-M", "-"], input=text, capture_output=True, text=True, check=True).stdout
        read = [compiler, *re.findall(r"/[^ \n]+", listed)]
        stands = "".join(f"{path} {os.stat(path).st_size} {os.stat(path).st_mtime_ns}\n" for path in read)
        folder = self.build / "tests" / "frameworks"
        folder.mkdir(parents=True, exist_ok=True)
        made = folder / (hashlib.sha256((text + str(command) + stands).encode()).hexdigest()[:16] + ".o")
        with open(made.with_suffix(".lock"), "w", encoding="ascii") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # another test may be at it
            if not made.exists():
                fresh = self.path / made.name
                subprocess.run([*command, "-x", "c++", "-c", "-o", str(fresh), "-"], input=text, text=True, check=True, timeout=800)
                shutil.copy(fresh, made)
        return made

    def install(self):
        """From now on heddle is the installed one: without debug information, of which gdb reads 4 s long at each start."""
        prefix = self.path / "installed"
        subprocess.run(["cmake", "--install", self.build, "--strip", "--prefix", prefix], check=True, capture_output=True)
        self.build = prefix / "bin"

    def heddle(self, *arguments, seconds=SECONDS, **options):
        """The finished `heddle ARGUMENTS`; status None when it gave no answer in time."""
        command = [str(self.build / "heddle"), *map(str, arguments)]
        options = {"cwd": self.path, "stdin": subprocess.DEVNULL, **options}
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   errors="replace", start_new_session=True, **options)
        try:
            out, err = process.communicate(timeout=seconds)
            return Done(command, process.returncode, out, err, leftover=end_group(process.pid))
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            out, err = process.communicate()
            return Done(command, None, out, err)

    def on_terminal(self, *arguments, columns=None, until=None, **options):
        """The finished `heddle ARGUMENTS`, with what it wrote to a terminal, of so many columns; and that in bytes. It gets Ctrl-C
        as soon as it has written something that the pattern `until` matches.
        """
        main, side = pty.openpty()
        if columns is not None:
            fcntl.ioctl(side, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        process = subprocess.Popen([str(self.build / "heddle"), *map(str, arguments)], cwd=self.path,
                                   stdin=subprocess.DEVNULL, stdout=side, stderr=side, **options)
        os.close(side)
        written = b""
        while True:
            try:
                part = os.read(main, 65536)
            except OSError:  # the other side is closed
                break
            if not part:
                break
            written += part
            if until and re.search(until, written):
                until = None
                process.send_signal(signal.SIGINT)
        process.wait(timeout=SECONDS)
        os.close(main)
        done = Done(["heddle", *map(str, arguments)], process.returncode, written.decode(errors="replace"), "")
        return done, written

    def expect(self, what, holds, done):
        print(f"{'ok    ' if holds else 'FAILED'} {what}")
        if not holds:
            self.failures += 1
            print(f"  $ {' '.join(done.command)}\n  status {done.status}\n{done.out[-3000:]}{done.err[-3000:]}")

    def finish(self):
        self.folder.cleanup()
        sys.exit(1 if self.failures else 0)


def let_work(process, seconds):
    """Waits until it and its children have had so much of a processor, however busy the machine is, or it has ended."""
    until = time.monotonic() + SECONDS
    while process.poll() is None and processor_time.of_tree(process.pid) < seconds and time.monotonic() < until:
        time.sleep(0.02)


def end_group(group):
    """Were there processes left in this group? Ends them."""
    try:
        os.killpg(group, 9)
        return True
    except ProcessLookupError:
        return False


class Done:
    def __init__(self, command, status, out, err, leftover=False):
        self.command, self.status, self.out, self.err = command, status, out, err
        self.leftover = leftover

    def lines(self):
        """What was printed, without empty lines."""
        return [line for line in (self.out + self.err).splitlines() if line.strip()]


def read_json(path):
    return json.loads(pathlib.Path(path).read_text())
