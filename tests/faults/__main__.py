"""Kills by hand, with figures: `python -m tests.faults --kills 1000 [--seed N] [--run 200] [--keep FILE]`.

The kills are done in runs, each over a new data directory with a seed of its own, which is printed before it begins:
`--seed` with that number and `--kills` and `--run` with that many repeat a run. With `--keep` the figures are written
after each run, and a later call adds to them until there are as many kills as asked for.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from tests.faults.campaign import Campaign, Figures
from tests.faults.shim import NO_COMPILER, compiler, short_folder


def spread(seconds: Iterable[float]) -> str:
    """The middle and the longest of some times."""
    found = sorted(seconds)
    return f"p50 {statistics.median(found):.2f} s, max {found[-1]:.2f} s ({len(found)})" if found else "none"


def told(figures: Figures) -> str:
    """The figures for people to read."""
    kinds = ", ".join(f"{kind} {count}" for kind, count in figures.kills.most_common())
    every = [each for back in figures.back.values() for each in back]
    lines = [
        f"kills: {figures.kills.total()} in {figures.seconds:,.0f} s ({kinds})",
        f"besides: {figures.replies_lost} replies lost after the write, {figures.full_disks} full disks, "
        f"{figures.power_cuts} power cuts ({figures.torn_bytes} bytes torn), {figures.skews} jumps of the clocks",
        f"matches: {figures.finished} begun, all came to their end; the longest that one stood still was "
        f"{max(figures.stood, default=0.0):.1f} s; {figures.timed_out} deadlines passed, none early or twice",
        f"writes: {figures.acknowledged} acknowledged, {figures.lost} lost, 0 doubled; asked again {figures.resent} "
        f"times without an answer, {figures.repeated} times after one, which was the same",
        f"first write asked after a kill and answered: {spread(every)}",
        *(f"  {kind}: {spread(back)}" for kind, back in sorted(figures.back.items())),
        "a process of the kind is there again:",
        *(f"  {kind}: {spread(again)}" for kind, again in sorted(figures.again.items())),
        f"views led to the end after the last kill: {spread(figures.led)}; all equal to a rebuild",
    ]
    return "\n".join(lines)


def kept(path: Path | None) -> Figures:
    """The figures of earlier calls."""
    if path is None or not path.exists():
        return Figures()
    found = json.loads(path.read_text())
    return Figures(**{**found, "kills": Counter(found["kills"])})


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


if __name__ == "__main__":
    main()
