"""What is recorded of each match of a tournament: one line of JSON.

Nothing is missing that a report needs, so reports can be made again from the lines alone. Two runs of one match differ
in their times only.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from referee.bots.playing import PlayedMatch, play_match
from referee.bots.tournaments.pairing import Pairing, Plan, find_pairing
from referee.bots.tournaments.players import find_mind
from referee.engine.events import Event, Move
from referee.engine.game import Game, Setup
from referee.engine.seats import Seat
from referee.games import load_games

SLOW_MS = 1000.0  # a thought that takes longer counts as slow
HOW = ("drawn", "played")


class DamagedRecordsError(ValueError):
    """A line of a file of records cannot be read, and it is not the last one.

    `line` counts from 1.
    """

    def __init__(self, line: int) -> None:
        super().__init__(f"line {line} is no record of a match")
        self.line = line


@dataclass(frozen=True)
class MatchRecord:
    """One match.

    `seats`: the mind at each seat. `reason`: why it ended; empty if it took too long. `order`: the seats in the order
    of their first turns. `thoughts`, `cpu_ms`, `slowest_ms`, `slow`: by seat, how often the mind was asked, the
    processor time that it took, the longest thought, and how many took longer than `SLOW_MS`.
    `cards`: for each card that was used, how often each seat drew it, and how often each seat played it.
    """

    number: int
    round: int
    seed: str
    seats: tuple[str, ...]
    winners: tuple[int, ...]
    placement: tuple[tuple[int, ...], ...]
    reason: str
    moves: int
    turns: int
    order: tuple[int, ...]
    thoughts: tuple[int, ...]
    cpu_ms: tuple[float, ...]
    slowest_ms: tuple[float, ...]
    slow: tuple[int, ...]
    cards: dict[str, tuple[tuple[int, ...], tuple[int, ...]]]

    def to_line(self) -> str:
        """Return the record as one line of JSON, with its end of line."""
        return json.dumps(asdict(self), ensure_ascii=False, separators=(",", ":")) + "\n"

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> MatchRecord:
        """Return the record in a line.

        Raises KeyError if members are missing or unknown.
        """
        if set(data) != {each.name for each in fields(cls)}:
            raise KeyError(f"expected the members {', '.join(each.name for each in fields(cls))}")
        return cls(**{name: _freeze(value) for name, value in data.items()})

    def without_times(self) -> MatchRecord:
        """Return the record without what depends on the machine."""
        nothing = (0.0,) * len(self.seats)
        return replace(self, cpu_ms=nothing, slowest_ms=nothing, slow=(0,) * len(self.seats))


def _freeze(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(map(_freeze, value))
    return {name: _freeze(part) for name, part in value.items()} if isinstance(value, dict) else value


class CardCounter:
    """Counts which seat draws and plays which card."""

    def __init__(self, game: Game, seats: int) -> None:
        self.game, self.seats = game, seats
        self.found: dict[str, tuple[list[int], list[int]]] = {}

    def watch(self, state: Any, seat: Seat, move: Move, events: tuple[Event, ...]) -> None:
        """Count what the events of a move show."""
        for event in events:
            for use in self.game.tracking.collect_card_uses(event):
                counts = self.found.setdefault(use.card, ([0] * self.seats, [0] * self.seats))
                counts[HOW.index(use.how)][use.seat] += 1


def play_pairing(plan: Plan, pairing: Pairing, clock: Callable[[], float]) -> MatchRecord:
    """Play a match of a tournament and return its record.

    `clock` counts seconds of processor time. Raises UnknownMindError, MindStuckError, IllegalMove.
    """
    game = load_games()[plan.game]
    cards = CardCounter(game, plan.seats)
    minds = [find_mind(name, game) for name in pairing.seats]
    setup = Setup(plan.variant, plan.seats, edition=plan.edition)
    return build_record(pairing, play_match(plan.game, setup, minds, pairing.seed, cards.watch, clock), cards)


def build_record(pairing: Pairing, played: PlayedMatch, cards: CardCounter) -> MatchRecord:
    """Return the record of a match that was played."""
    outcome, times = played.outcome, [[1000 * time for time in times] for times in played.times]
    return MatchRecord(
        number=pairing.number,
        round=pairing.round,
        seed=pairing.seed,
        seats=pairing.seats,
        winners=tuple(outcome.winners) if outcome else (),
        placement=tuple(map(tuple, outcome.placement)) if outcome else (),
        reason=outcome.reason if outcome else "",
        moves=played.moves,
        turns=played.turns,
        order=played.order,
        thoughts=tuple(map(len, times)),
        cpu_ms=tuple(round(sum(each), 1) for each in times),
        slowest_ms=tuple(round(max(each, default=0.0), 1) for each in times),
        slow=tuple(sum(time > SLOW_MS for time in each) for each in times),
        cards={card: (tuple(drawn), tuple(played)) for card, (drawn, played) in sorted(cards.found.items())},
    )


def parse_records(data: bytes) -> tuple[dict[int, MatchRecord], int]:
    """Return the records in a file by number, and how many bytes are whole lines.

    A last line that was torn when the program was killed is left out. Raises DamagedRecordsError.
    """
    found, whole = dict[int, MatchRecord](), 0
    lines = data.split(b"\n")
    for at, line in enumerate(lines[:-1], 1):  # what follows the last end of line is torn, or empty
        try:
            record = MatchRecord.from_dict(json.loads(line))
        except (ValueError, TypeError, KeyError, AttributeError) as wrong:
            if at == len(lines) - 1:
                break  # the machine stopped while the line was written
            raise DamagedRecordsError(at) from wrong
        found[record.number] = record
        whole += len(line) + 1
    return found, whole


def select_whole_rounds(records: Iterable[MatchRecord], matches_per_round: int) -> list[MatchRecord]:
    """Return, in order, the records before the first round that lacks a match.

    Whatever is concluded from a tournament rests on them. A round in the middle of play would favour quick matches,
    and some seats.
    """
    by_number = {record.number: record for record in records}
    count = 0
    while count in by_number:
        count += 1
    return [by_number[number] for number in range(count - count % matches_per_round)]


def find_mismatch(records: Iterable[MatchRecord], plan: Plan) -> MatchRecord | None:
    """Return a record that is of another match than the plan says, or None."""
    for record in records:
        if record.number < 0 or find_pairing(plan, record.number) != Pairing(
            record.number, record.round, record.seed, record.seats
        ):
            return record
    return None
