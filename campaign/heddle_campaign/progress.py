"""What a user sees of a campaign while it runs: a line on the terminal, and a page."""

import os
import shutil
import subprocess
import sys
import time

from heddle_campaign.directory import Directory

LINE_S = 1.0
PAGE_S = 60.0  # and at least fifty times as long as the last one took


class Progress:
    def __init__(self, directory: Directory, heddle: str, quiet: bool):
        self._directory, self._heddle = directory, heddle
        self._quiet = quiet
        self._terminal = sys.stderr.isatty() and not quiet
        self._shown = False
        self._line_at = 0.0
        self._page_at = time.monotonic() + PAGE_S
        self._page: subprocess.Popen | None = None
        self._page_begun = 0.0

    def say(self, line: str) -> None:
        self.clear()
        if not self._quiet:
            print(f"heddle-campaign: {line}", file=sys.stderr, flush=True)

    def clear(self) -> None:
        if self._shown:
            sys.stderr.write("\r\033[K")
        self._shown = False

    def show(self, driver) -> None:
        now = time.monotonic()
        self._draw_page(now)
        if not self._terminal or now < self._line_at:
            return
        self._line_at = now + LINE_S
        line = line_of(driver, now)[: shutil.get_terminal_size().columns - 1]
        sys.stderr.write(f"\r\033[K{line}")
        sys.stderr.flush()
        self._shown = True

    def _draw_page(self, now: float) -> None:
        """`heddle merge` reads all results, which may take long, so it runs beside."""
        if self._page is not None and self._page.poll() is not None:
            self._page = None
            self._page_at = now + max(PAGE_S, 50 * (now - self._page_begun))
        if self._page is None and now >= self._page_at:
            self._page_begun = now
            self._page = subprocess.Popen(["sh", "-c", PAGE, "sh", self._heddle, self._directory.path, self._directory.results], **SILENT)

    def last_page(self) -> None:
        if self._page is not None:
            self._page.wait()
        subprocess.run(["sh", "-c", DRAW, "sh", self._heddle, self._directory.path], **SILENT)


DRAW = 'cd "$2" && "$1" report --html found.json -o .report.new && mv .report.new report.html'
PAGE = 'cd "$2" && "$1" merge "$3" --quiet --out schedules --json found.json; ' + DRAW
SILENT = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


def line_of(driver, now: float) -> str:
    frontier = driver.frontier
    elapsed = now - driver.begun
    rate = driver.executions_here / elapsed if elapsed > 0 else 0
    text = f"heddle-campaign: {frontier.executions:,} executions  {rate:,.0f}/s"
    text += f"  pieces: {frontier.done} done, {frontier.running} running, {frontier.waiting} waiting"
    text += f"  {driver.workers} worker{'' if driver.workers == 1 else 's'}"
    if driver.workers == 0:
        text += f" (start heddle-campaign work {os.path.relpath(driver.path)})"
    return text + f"  {frontier.bugs} findings  {elapsed:.0f} s"
