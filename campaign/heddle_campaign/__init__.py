"""heddle-campaign: a search that was cut into pieces, on many machines.

The state of a campaign is its directory of results, and nothing else: a piece that some result names and that has no result is
still to be run. Everything here may be killed at any time.

    cli.py          options
    directory.py    the files of a campaign; how it begins
    under_c11.py    whether a search under C11's memory model follows
    result_file.py  reads what `heddle work` writes
    frontier.py     which pieces are still to be run
    policy.py       how long a piece runs, and into how many it is cut
    driver.py       the loop: hands out pieces, keeps results
    engines/        who runs a piece: plain files, Dask
    worker.py       `heddle-campaign work`
    swarm.py        searches that cannot be cut, side by side
    progress.py     the line on the terminal, the page
"""
