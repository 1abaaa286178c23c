"""Options of heddle-campaign."""

import argparse
import contextlib
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import time
import traceback
from typing import Optional

from heddle_piece import die_with_parent
from heddle_campaign import shipping, under_c11, worker
from heddle_campaign.directory import Beginning, Directory, Finished, Uncuttable
from heddle_campaign.driver import Driver, Options
from heddle_campaign.engines import Engine
from heddle_campaign.engines.files import FilesEngine
from heddle_campaign.errors import CampaignError
from heddle_campaign.progress import Progress
from heddle_campaign.result_file import Needs, needs_of
from heddle_campaign.swarm import Swarm

COLOR = ["--color", "always"]
MOST_ROUNDS = 4  # a search that grows once more is reported as it is
EPILOG = """Exit status: as `heddle merge`: 0 nothing found, 1 bug found, 2 bad option, file or program, or nothing runs,
3 the program could not be kept under control, 4 pieces are missing (with --require-complete)."""


class Parser(argparse.ArgumentParser):
    """Errors in one line."""

    def error(self, message: str):
        print(f"heddle-campaign: {message}; see {self.prog} --help", file=sys.stderr)
        sys.exit(2)


def duration(text: str) -> float:
    """Seconds of "500ms", "60s", "5m" or "2h"."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)(ms|s|m|h|d)", text)
    if not found or float(found[1]) == 0:
        raise argparse.ArgumentTypeError(f"{text} is no time: 500ms, 60s, 5m, 2h")
    return float(found[1]) * {"ms": 0.001, "s": 1, "m": 60, "h": 3600, "d": 86400}[found[2]]


def share(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"(\d+)/(\d+)", text)
    if not found or not 1 <= int(found[1]) <= int(found[2]):
        raise argparse.ArgumentTypeError(f"{text} is no share: 3/10")
    return int(found[1]), int(found[2])


def scheduler(text: str) -> tuple[str, int, str]:
    """Kind, how many workers to start, address."""
    found = re.fullmatch(r"(local|dask)(?::([1-9]\d{0,3}))?", text)
    if found:
        return found[1], int(found[2] or len(os.sched_getaffinity(0))), ""
    if text == "files":
        return "files", 0, ""
    if re.fullmatch(r"(tcp|tls)://.+:\d+", text):
        return "dask", 0, text
    raise argparse.ArgumentTypeError(f"{text} is not local, local:N, files, dask, dask:N, tcp://HOST:PORT or tls://HOST:PORT")


def parser() -> Parser:
    whole = Parser(prog="heddle-campaign", description="Runs one search of heddle on many machines.", epilog=EPILOG)
    commands = whole.add_subparsers(dest="verb", required=True, metavar="COMMAND", parser_class=Parser)

    run = commands.add_parser(
        "run", help="begin a search, or go on with it", epilog=EPILOG,
        usage="heddle-campaign run [options] DIR [-- PROG [ARGS...]]",
        description="Begins a search of PROG, cuts it, and has the pieces explored. Killed, it goes on when it is called again.",
    )  # fmt: skip
    run.add_argument("directory", metavar="DIR", type=pathlib.Path, help="where the campaign is")
    run.add_argument(
        "--scheduler", type=scheduler, default="local", metavar="WHO",
        help="local[:N]: N workers on this machine (default: one for each processor); files: those that `heddle-campaign work DIR` "
        "starts; dask[:N]: N Dask workers on this machine; tcp://HOST:PORT or tls://HOST:PORT: a Dask scheduler",
    )  # fmt: skip
    run.add_argument("--check", default="", metavar="OPTIONS", help="options of heddle check, in one word")
    run.add_argument("--time", type=duration, metavar="TIME", help="end after this long: 60s, 5m, 2h; the same command goes on")
    run.add_argument("--keep-going", action="store_true", help="do not stop at the first bug")
    run.add_argument("--require-complete", action="store_true", help="status 4 if pieces are missing at the end")
    run.add_argument("--begin", type=duration, default=5.0, metavar="TIME", help="search so long before it is cut (5s)")
    run.add_argument("--slice", type=duration, default=30.0, metavar="TIME", help="the longest that a piece runs (30s)")
    run.add_argument("--slice-executions", type=int, default=0, metavar="N", help="the most executions that a piece runs")
    run.add_argument("--cut", action="store_true", help="begin and cut it only: --share explores it, on machines that share nothing")
    run.add_argument("--share", type=share, default=(1, 1), metavar="K/N", help="only these of the pieces that are left now")
    run.add_argument("--tls", type=pathlib.Path, metavar="DIR", help="certificates for Dask, of examples/campaign/make_certificates")
    run.add_argument("--ship", action="store_true", help="send the program, its libraries and heddle to workers that lack them")
    run.add_argument("--input", action="append", default=[], metavar="FILE", help="the program reads this file (again and again)")
    run.add_argument("--quiet", action="store_true", help="print bugs only")

    work = commands.add_parser(
        "work", help="run pieces of a campaign on this machine",
        epilog="Exit status: 0, 2 when nothing can be run here, 4 when the driver was interrupted or ended with an error.",
        description="A worker for `heddle-campaign run --scheduler files DIR`, which may run on another machine that has DIR.",
    )  # fmt: skip
    work.add_argument("directory", metavar="DIR", type=pathlib.Path, help="where the campaign is")
    work.add_argument("--quiet", action="store_true", help="print errors only")
    work.add_argument("--jobs", type=int, default=1, metavar="N", help="so many pieces at the same time (1)")
    work.add_argument("--idle", type=duration, metavar="TIME", help="end when there was nothing to do for so long")
    work.add_argument("--time", type=duration, metavar="TIME", help="begin no piece after so long")
    for command in (run, work):
        command.add_argument("--heddle", metavar="FILE", help="the heddle to run (default: beside this, or in PATH)")
    return whole


def find_heddle(given: Optional[str]) -> str:
    beside = os.path.join(os.path.dirname(os.path.abspath(sys.argv[0])), "heddle")
    found = shutil.which(given or beside) or (None if given else shutil.which("heddle"))
    if found is None:
        raise CampaignError(f"there is no heddle{f' at {given}' if given else ' here, nor in PATH'}: --heddle FILE")
    return os.path.realpath(found)  # as it knows itself


def open_engine(arguments: argparse.Namespace, directory: Directory, heddle: str) -> Engine:
    kind, workers, address = arguments.scheduler
    if kind in ("files", "local"):
        return FilesEngine(directory, heddle, workers)
    from heddle_campaign.engines.dask_cluster import DaskEngine

    inputs = [(path, digest) for path, digest in directory.about().get("inputs", [])]
    return DaskEngine(heddle, inputs, address, workers, arguments.tls, arguments.ship)


def merge(arguments: argparse.Namespace, directory: Directory, heddle: str) -> Finished:
    """What is found, as a report, and its status."""
    command = [heddle, "merge", directory.results, "--out", directory.schedules, "--json", directory.found]
    command += ["--quiet"] if arguments.quiet else []
    command += ["--require-complete"] if arguments.require_complete else []
    command += COLOR if sys.stdout.isatty() else []
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, errors="replace", preexec_fn=die_with_parent)
    if done.returncode < 0:
        raise CampaignError("heddle merge was killed; nothing is lost: the same command goes on")
    return Finished(done.stdout, done.returncode)


class Run:
    """`heddle-campaign run`: one search, or two (under_c11.py)."""

    def __init__(self, arguments: argparse.Namespace, command: list[str]):
        self._arguments = arguments
        self._heddle = find_heddle(arguments.heddle)
        self._directory = Directory(arguments.directory.absolute())
        inputs = shipping.with_digests([os.path.abspath(path) for path in arguments.input])
        self._directory.open(command, shlex.split(arguments.check), inputs)
        self._check = self._directory.about()["check"]
        self._inputs = [(path, digest) for path, digest in self._directory.about().get("inputs", [])]
        self._publish(Needs(os.getcwd(), []))
        self._progress = Progress(self._directory, self._heddle, arguments.quiet)
        self._beginning = Beginning(self._heddle, self._directory, arguments.begin, arguments.keep_going)
        self._engine = open_engine(arguments, self._directory, self._heddle)
        self._until = time.monotonic() + arguments.time if arguments.time else None
        self._goes_on = False  # the time was over
        self._why = ""  # the last driver ended

    def __call__(self) -> int:
        progress, arguments = self._progress, self._arguments
        over = False
        try:
            end = self._cut() if arguments.cut else self._explore()
            if end.status in (0, 4) and not self._directory.is_under_c11() and self._goes_on_under_c11():
                progress.say(f"{self._sc_explored()}; goes on under C11's memory model")
                os.replace(self._directory.found, self._directory.found_sc)
                self._directory.go_under_c11()
                end = self._cut() if arguments.cut else self._explore()
            over = self._why != "interrupted"
        except Uncuttable as why:
            progress.say(f"{why}: so diverse searches run side by side")
            status = self._swarm()
            over = True
            return status
        finally:
            progress.clear()
            try:
                self._directory.end("now" if over else "again")
            finally:
                self._engine.close()
        print(end.report, end="")
        if self._directory.is_under_c11() and not arguments.quiet:
            print(f"  before that, {self._sc_explored()}")
        sys.stdout.flush()
        progress.last_page()
        if self._goes_on:
            progress.say(f"go on: heddle-campaign run {os.path.relpath(self._directory.path)}")
        return end.status

    def _swarm(self) -> int:
        arguments = self._arguments
        needs = Needs(os.getcwd(), [])
        if arguments.ship:
            program = shutil.which(self._directory.about()["command"][0]) or self._directory.about()["command"][0]
            program = os.path.abspath(program)
            needs = Needs(os.getcwd(), shipping.with_digests([program, *shipping.libraries_of(program)]))
            self._publish(needs)
        swarm = Swarm(self._heddle, self._directory, self._engine, needs, arguments.keep_going, arguments.slice, self._progress.say)
        swarm.run(max(self._until - time.monotonic(), 0.0) if self._until is not None else None)
        return swarm.merge(arguments.require_complete)

    def _found(self) -> dict:
        return json.loads(self._directory.found.read_text())

    def _sc_explored(self) -> str:
        before = self._directory.found_sc
        found = json.loads(before.read_text()) if before.exists() else self._found()
        if found["complete"]:
            return f"every sequentially consistent execution was explored ({found['executions']:,})"
        return f"{found['executions']:,} sequentially consistent executions were explored, which may not be all"

    def _goes_on_under_c11(self) -> bool:
        if self._arguments.share == (1, 1):
            return under_c11.follows(self._check, self._found()) and not (self._arguments.cut and self._directory.is_cut())
        # The others have the same cut of the second search; whether the first one is explored only all shares together show.
        return self._why == "explored" and self._directory.has_c11()

    def _cut(self) -> Finished:
        """Both searches, if there will be two: all shares have to have the same pieces."""
        directory, workers, say = self._directory, self._engine.workers(), self._progress.say
        try:
            if not directory.is_cut():
                self._beginning(workers, say)
            if not directory.is_under_c11() and under_c11.may_follow(self._check, self._found()) and not directory.has_c11():
                with directory.as_under_c11(), contextlib.suppress(Finished):
                    self._beginning(workers, say)
        except Finished as early:
            return early
        return Finished("", 0)

    def _explore(self) -> Finished:
        """One search, until it ends or the time is over."""
        try:
            if not self._directory.is_cut():
                self._beginning(self._engine.workers(), self._progress.say)
            driver = self._drive()
            for _ in range(MOST_ROUNDS - 1):
                if driver.why != "grew":
                    break
                driver.leave()
                self._beginning.again(driver.workers, self._progress.say)
                driver = self._drive()
        except Finished as early:
            return early
        self._goes_on, self._why = driver.why in ("time", "interrupted"), driver.why
        return merge(self._arguments, self._directory, self._heddle)

    def _publish(self, needs: Needs) -> None:
        """Also before it is known what pieces need: workers come early."""
        if self._arguments.ship and self._arguments.scheduler[0] in ("files", "local"):
            shipping.publish(self._directory, self._heddle, needs, self._inputs)

    def _drive(self) -> Driver:
        arguments = self._arguments
        left_s = max(self._until - time.monotonic(), 0.0) if self._until is not None else None
        slice_ms = max(round(1000 * arguments.slice), 1)
        options = Options(slice_ms, arguments.slice_executions, arguments.keep_going, left_s, arguments.share)
        driver = Driver(self._directory, self._engine, self._heddle, options, self._progress.show)
        if piece := driver.frontier.any_piece():
            self._publish(needs_of(piece))
        driver.run()
        return driver


def main(words: list[str]) -> int:
    end = words.index("--") if "--" in words else len(words)
    arguments, command = parser().parse_args(words[:end]), words[end + 1 :]
    try:
        if arguments.verb == "run":
            return Run(arguments, command)()
        directory = Directory(arguments.directory.absolute())
        if arguments.jobs < 1:
            raise CampaignError("--jobs is at least 1")
        heddle = None if shipping.shipped(directory) and not arguments.heddle else find_heddle(arguments.heddle)
        return worker.work(directory, heddle, arguments.jobs, arguments.idle, arguments.time, arguments.quiet)
    except CampaignError as error:
        print(f"heddle-campaign: {error}", file=sys.stderr)
        return error.status
    except BrokenPipeError:
        return 2
    except OSError as error:
        print(f"heddle-campaign: {error.filename or ''}: {error.strerror}; nothing is lost: the same command goes on", file=sys.stderr)
        return 2
    except Exception:  # Python's own status would be 1, which is "a bug was found"
        traceback.print_exc()
        return 2
