"""A scheduler and workers of Dask on loopback, for the tests of heddle-campaign."""

import json
import os
import subprocess

from campaign_run import NUMBERS, Campaign
from heddle_run import SECONDS


class Cluster:
    """Processes of Dask as its documentation starts them: nothing of heddle-campaign is in their path."""

    def __init__(self, case, python, workers, host="127.0.0.1", **settings):
        """`settings`: of Dask's scheduler, in its environment."""
        self._case, self._python = case, python
        self._file = case.path / f"scheduler-{next(NUMBERS)}.json"
        settings = {"ALLOWED_FAILURES": "0", **settings}
        self._environment = {**os.environ, **{f"DASK_DISTRIBUTED__SCHEDULER__{name}": value for name, value in settings.items()}}
        self.scheduler = self._start("dask_scheduler", "--host", host, "--port", "0", "--no-dashboard", "--scheduler-file", self._file)
        until_written = Campaign.wait
        until_written(None, self.scheduler, lambda: self._file.exists() and self._file.stat().st_size > 0)
        self.address = json.loads(self._file.read_text())["address"]
        self.workers = [self.start_worker() for _ in range(workers)]

    def _start(self, module, *arguments, hides=None):
        command = [self._python, "-m", f"distributed.cli.{module}", *map(str, arguments)]
        if hides:  # a machine of its own, as far as that folder goes
            command = ["unshare", "-m", "sh", "-c", f'mount -t tmpfs none "{hides}" && exec "$@"', "sh", *command]
        return subprocess.Popen(command, cwd=self._case.path, env=self._environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL)

    def start_worker(self, hides=None):
        return self._start("dask_worker", self.address, "--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1",
                           "--local-directory", self._case.path / "workers", hides=hides)

    def pids(self):
        return [worker.pid for worker in self.workers if worker.poll() is None]

    def replace_dead(self):
        self.workers = [worker if worker.poll() is None else self.start_worker() for worker in self.workers]

    def end(self):
        for process in [*self.workers, self.scheduler]:
            process.kill()
            process.wait(SECONDS)
