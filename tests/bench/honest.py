"""Honest matches by the hundred, checked by both verifiers: nothing may be found in any. By hand; a sample is a test.

    python -m tests.bench.honest [N matches] [--from K] [--moves M]

All five games take turns, with dice and cards of the server, of the table, and of both; played at random, by bots, with
takebacks and disputes, also behind the end. Each is checked with all receipts that were given; for all eyes, for
onlookers and for a seat. To go on, begin `--from` the number printed last.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any

from referee.audit import standalone
from referee.audit.bundles import format as form
from referee.audit.checks.verifier import check_bundle
from tests.audit.sitting import MOST, Played, played


@dataclass
class Tally:
    """What was checked so far, and what was found, which is to be nothing."""

    matches: int = 0
    entries: int = 0
    receipts: int = 0
    games: Counter[str] = field(default_factory=Counter)
    seen: Counter[str] = field(default_factory=Counter)  # how many matches have what makes them hard
    wrong: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        games = ", ".join(f"{count} {game}" for game, count in sorted(self.games.items()))
        seen = ", ".join(f"{count} with {what}" for what, count in sorted(self.seen.items()))
        return (
            f"{self.matches} matches ({games}; {seen}), {self.entries:,} entries, {self.receipts:,} receipts, "
            f"{len(self.wrong)} reported"
        )


MARKS = {
    "takebacks": '\\"type\\":\\"table.TakebackGranted\\"',
    "disputes": '\\"type\\":\\"table.DisputeOpened\\"',
    "going back": '\\"type\\":\\"table.Rewound\\"',
    "a new secret": '\\"type\\":\\"table.ChanceRenewed\\"',
    "seeds": '\\"type\\":\\"table.SeedRevealed\\"',
    "draws of the server": '"kind":"draw"',
    "reports of the table": '\\"actor\\":\\"reporter',
    "bots": '\\"actor\\":\\"bot',
}


def check(match: Played, number: int, tally: Tally, folder: Path) -> None:
    """Checks a match with both verifiers, for several eyes."""
    seats = len(match.house.service.load_match(match.match).match.chairs)
    for viewer in ("full", "public", str(number % seats)):
        lines = match.house.bundle(match.match, viewer)
        path = folder / "match.bundle"
        path.write_bytes(b"".join(lines))
        whole = check_bundle(form.decode_bundle(lines), (match.house.signer.public,), match.receipts)
        alone = standalone.check_file(str(path), [match.house.signer.public], match.receipts, True)
        found = [finding.key for finding in whole.findings], [each["why"] for each in alone["findings"]]
        skipped = {each.name: each.reason for each in whole.checks if each.state == "skipped"}
        if any(found) or (viewer == "full" and skipped.keys() - {"book", "devices", "published", "census"}):
            tally.wrong.append(f"{match.name}, {viewer}: {found} {skipped}")
        if viewer == "full":
            tally.entries += len(form.decode_bundle(lines).entries)
            text = path.read_text("utf-8")
            tally.seen.update(what for what, mark in MARKS.items() if mark in text)
    tally.matches, tally.receipts = tally.matches + 1, tally.receipts + len(match.receipts)
    tally.games[match.name.split()[1]] += 1


def main() -> int:
    """Plays and checks so many; 1 if anything was found."""
    given = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    given.add_argument("count", type=int, nargs="?", default=100)
    given.add_argument("--from", dest="first", type=int, default=0)
    given.add_argument("--moves", type=int, default=MOST)
    asked: Any = given.parse_args()
    tally, start = Tally(), perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        for number in range(asked.first, asked.first + asked.count):
            before = len(tally.wrong)
            check(played(number, most=asked.moves), number, tally, Path(folder))
            for line in tally.wrong[before:]:
                print(line, flush=True)
            if tally.matches % 20 == 0 or tally.matches == asked.count:
                print(f"to number {number}, {perf_counter() - start:,.0f} s: {tally}", flush=True)
    return 1 if tally.wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
