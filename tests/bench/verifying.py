"""How long it takes to verify a long match, with both verifiers: `python -m tests.bench.verifying [entries]`.

The match is an honest one (tests/audit/sitting.py), played on until it has so many entries. The times are the best of
three, by the wall; `alone` is the one file as a command, with the time that Python takes to start.
"""

from __future__ import annotations

import os
import platform
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

from referee.audit import standalone
from referee.audit.bundles import format as form
from referee.audit.checks.verifier import check_bundle
from referee.engine.game import Setup
from referee.games import load_games
from tests.audit.sitting import House, Played, Table, begun, over

TIMES = 3


def long(entries: int) -> Played:
    """A match of so many entries, or a few more: one of Munchkin, which takes its time where all is left to chance."""
    house, box = House(), load_games()["munchkin"]
    match = begun(house, "munchkin", box.complete_setup(Setup(box.variants[0], 4)), f"long-{entries}")
    table = Table(house, match, random.Random(entries))
    while house.service.load_match(match).version < entries - 1:
        assert table.turn(), "it ended before it was long enough"
    return over(house, match, "of Munchkin, 4 seats")


def best(what: Callable[[], Any]) -> float:
    """Seconds, the best of some."""
    took = []
    for _ in range(TIMES):
        began = perf_counter()
        what()
        took.append(perf_counter() - began)
    return min(took)


def measured(match: Played, viewer: str, folder: Path) -> None:
    """The lines of one pair of eyes."""
    lines = match.house.bundle(match.match, viewer)
    bundle, notes = form.decode_bundle(lines), match.receipts
    size = sum(map(len, lines))
    print(f"{viewer}: {len(bundle.entries)} entries, {len(bundle.draws)} draws, {len(notes)} receipts, {size:,} bytes")
    path, receipts = folder / "match.bundle", folder / "receipts"
    path.write_bytes(b"".join(lines))
    receipts.write_text("\n".join(notes), "utf-8")
    command = [sys.executable, standalone.__file__, str(path)]
    with_receipts = [*command, "--receipts", str(receipts)]
    ways: dict[str, Callable[[], Any]] = {
        "making it": lambda: match.house.bundle(match.match, viewer),
        "reading it": lambda: form.decode_bundle(lines),
        "whole": lambda: check_bundle(bundle),
        "whole, with all receipts": lambda: check_bundle(bundle, (), notes),
        "alone": lambda: subprocess.run(command, check=True, capture_output=True),
        "alone, with all receipts": lambda: subprocess.run(with_receipts, check=True, capture_output=True),
    }
    for name, way in ways.items():
        print(f"  {name:<26}{best(way):7.2f} s", flush=True)


def main() -> None:
    """Plays one match, and verifies it."""
    match = long(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores; a match {match.name}")
    with tempfile.TemporaryDirectory() as folder:
        for viewer in ("full", "public"):
            measured(match, viewer, Path(folder))


if __name__ == "__main__":
    main()
