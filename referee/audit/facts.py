"""Facts that a reader of a report should know, from the public part of a match.

They say who had a share in its chance, and where it moved.
None of them is wrong. But each says what signatures and secrets cannot show: a server that chooses its secret when it
knows all seeds can choose the dice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

SHOWN_MOVES = 5  # the most moves to another server that are named


@dataclass(frozen=True, slots=True)
class MatchFacts:
    """What the public part of a match says.

    `seeded` are the seats whose seeds the draws rest on. `renewed` is the first entry that renewed the server's secret
    (0: none). `moves` are the entries by which the match came to other servers, with their names. `server_draws` and
    `real_devices` say whether the server draws, and whether dice or cards are real.
    """

    seeded: tuple[int, ...] = ()
    renewed: int = 0
    moves: tuple[tuple[int, str], ...] = ()
    server_draws: bool = False
    real_devices: bool = False

    @property
    def is_chance_shared(self) -> bool:
        """Whether no server alone chose what is drawn.

        A seat's seed is in each draw, or nothing is drawn.
        """
        return not self.server_draws or (bool(self.seeded) and not self.renewed)


NO_FACTS = MatchFacts()


def collect_facts(entries: Iterable[Mapping[str, Any]]) -> MatchFacts:
    """Return the facts of a match from its envelopes, sound or not."""
    seeded, started = set[int](), False
    renewed, moves, chance = 0, list[tuple[int, str]](), dict[str, Any]()
    for version, event in _iterate_events(entries):
        kind, seat = event.get("type"), event.get("seat")
        if kind in ("table.MatchOpened", "table.SettingsChanged") and isinstance(event.get("chance"), dict):
            chance = event["chance"]
        elif kind == "table.Started":
            started = True
        elif kind == "table.SeedRevealed" and type(seat) is int and not started:
            seeded.add(seat)
        elif kind in ("table.SeatLeft", "table.SeedCommitted") and type(seat) is int and not started:
            seeded.discard(seat)
        elif kind == "table.ChanceRenewed" and not renewed:
            renewed = version
        elif kind == "table.MatchArrived":
            moves.append((version, str(event.get("store"))[:100]))
    sources = list(chance.values())
    return MatchFacts(tuple(sorted(seeded)), renewed, tuple(moves), "server" in sources, "table" in sources)


def list_notices(facts: MatchFacts) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield what a reader should know of a match, as keys and parameters of texts."""
    for version, store in facts.moves[:SHOWN_MOVES]:
        yield "fact.moved", {"at": version, "store": store}
    if not facts.server_draws:
        return
    if facts.seeded:
        yield "fact.seeds", {"players": ", ".join(str(seat + 1) for seat in facts.seeded)}
    else:
        yield "fact.no_seeds", {}
    if facts.renewed:
        yield "fact.renewed", {"at": facts.renewed}


def _iterate_events(entries: Iterable[Mapping[str, Any]]) -> Iterator[tuple[int, Mapping[str, Any]]]:
    for entry in entries:
        for event in entry["events"]:
            if isinstance(event, dict):
                yield entry["version"], event
