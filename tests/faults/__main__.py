"""Kills by hand, with figures: `python -m tests.faults --kills 1000 [--seed N] [--run 200] [--keep FILE]`.

The kills are done in runs, each over a new data directory with a seed of its own, which is printed before it begins:
`--seed` with that number and `--kills` and `--run` with that many repeat a run. With `--keep` the figures are written
after each run, and a later call adds to them until there are as many kills as asked for. It ends with an error where in
200 kills or more one kind of remedy did not happen at all.
"""

from __future__ import annotations

import argparse
import json
import shutil
import time
from collections import Counter
from pathlib import Path

from tests.faults.campaign import Campaign
from tests.faults.checks import untried
from tests.faults.figures import Figures, told
from tests.faults.shim import NO_COMPILER, compiler, short_folder

ENOUGH = 200  # kills, amid which something of every kind has to happen


def kept(path: Path | None) -> Figures:
    """The figures of earlier calls."""
    if path is None or not path.exists():
        return Figures()
    found = json.loads(path.read_text())
    return Figures(**found | {name: Counter(found[name]) for name in ("kills", "courts", "had", "amid")})


def main() -> None:
    """Runs until there are as many kills as asked for. Raises AssertionError at the first thing that breaks."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--run", type=int, default=200, help="kills over one data directory")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--keep", type=Path, default=None, metavar="FILE")
    given = parser.parse_args()
    figures, seed = kept(given.keep), given.seed
    if compiler() is None:
        print(NO_COMPILER)
    while (left := given.kills - figures.kills.total()) > 0:
        folder, many = short_folder(), min(given.run, left)
        print(f"seed {seed}: {many} kills", flush=True)
        figures = figures.plus(Campaign(folder, seed, many).run())
        shutil.rmtree(folder)  # what broke stays, to be looked at
        if given.keep is not None:
            given.keep.write_text(json.dumps(vars(figures)))
        print(f"{told(figures)}\n", flush=True)
        seed += 1
    lacking = untried(figures.courts)
    if lacking and given.kills >= ENOUGH:
        raise SystemExit(f"in {figures.kills.total()} kills none of these happened: {', '.join(lacking)}")


if __name__ == "__main__":
    main()
