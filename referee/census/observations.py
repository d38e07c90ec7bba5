"""What a pair of eyes was shown of a course: where each card was named, by whom, and what went where."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from referee.engine.cardtracking.consistency import Whereabouts
from referee.engine.cardtracking.ranges import Miscount
from referee.engine.cardtracking.transfers import Passage, Piles, passage
from referee.engine.game import Game
from referee.engine.zones import Cards, backs, is_back
from referee.match.aggregate import Match, Started, TableFact
from referee.match.entries import Logged
from referee.match.events.dispute_events import Corrected

CARRIED = "~"  # where one lot of cards is while another takes its place
HEAP = "*"  # where all cards lie from which a table was laid anew by hand


@dataclass(frozen=True)
class Sighting:
    """A card was named at a place, in an entry that a seat (below 0: chance, the clock, the table) made.

    `reporter`: who reported it, a seat's number or `host`; empty where nobody did.
    """

    version: int
    seat: int
    reporter: str
    card: str
    place: str


@dataclass
class Observed:
    """What was shown: the passages, where each card was named, which numbers were out of their range and since when.

    `unfit` is the entry whose facts do not fit the table before it; what came after was not looked at. `state` is the
    table as it was seen last.
    """

    game: Game | None = None
    start: Piles = field(default_factory=dict)
    passages: list[Passage] = field(default_factory=list)
    sightings: list[Sighting] = field(default_factory=list)
    miscounts: dict[Miscount, int] = field(default_factory=dict)
    unfit: int | None = None
    state: Any = None
    last: int = 0

    @cached_property
    def whereabouts(self) -> Whereabouts:
        """Where the cards can be, by what was shown in all: asked for once everything was looked at."""
        return Whereabouts(self.start, tuple(self.passages))

    def of(self, card: str, upto: int) -> tuple[Sighting, ...]:
        """Where a card was named, up to an entry."""
        return tuple(each for each in self.sightings if each.card == card and each.version <= upto)

    def lying(self) -> dict[str, tuple[str, ...]]:
        """What lies where, as it was seen last."""
        return {} if self.game is None or self.state is None else dict(self.game.lying(self.state))


def observed(course: Iterable[Logged], eyes: int) -> Observed:
    """What these eyes were shown of the entries that count, and nothing else."""
    found, match = Observed(), Match()
    for entry in course:
        _, facts = entry.seen_by(eyes)
        for fact in facts:
            if isinstance(fact, Started):
                match = fact.apply(match)
                _begun(found, match, entry)
            elif isinstance(fact, Corrected):
                _laid_anew(found, fact.apply(match).state, entry)
            elif isinstance(fact, TableFact):
                match = fact.apply(match) if found.game is None else match  # how it is set up, and no more
            elif found.state is not None and not _followed(found, fact, entry):
                return found
        found.last = entry.version
        if found.game is not None and found.state is not None:
            now = frozenset(found.game.miscounted(found.state))
            for each in now:
                found.miscounts.setdefault(each, entry.version)
    return found


def _begun(found: Observed, match: Match, entry: Logged) -> None:
    """Play began: the box says what lies where, whatever is shown of it."""
    found.game, found.state = match.rules, match.state
    found.start = {place: Counter(cards) for place, cards in match.rules.unpacked(match.setup).items()}
    laid = passage(entry.version, match.rules.unpacked(match.setup), match.rules.lying(match.state))
    found.passages += [] if laid is None else [laid]  # what lies there from the beginning nobody has named


def _laid_anew(found: Observed, state: Any, entry: Logged) -> None:
    """The table was put right by hand: what was shown before tells nothing of where cards lie now."""
    assert found.game is not None
    whole = sum(found.start.values(), Counter[str]())
    found.start, found.passages, found.state, found.miscounts = {HEAP: whole}, [], state, {}
    put = {place: Counter(cards) for place, cards in found.game.lying(state).items() if cards}
    _note(found, Passage(entry.version, {HEAP: sum(put.values(), Counter[str]())}, put), entry)


def _followed(found: Observed, fact: Any, entry: Logged) -> bool:
    """The table after a fact; False where it does not fit the table before it."""
    assert found.game is not None
    before = found.game.lying(found.state)
    try:
        found.state = fact.apply(found.state)
    except (LookupError, ValueError):  # `without` and its like: what is to go from there is not there
        found.unfit = found.last = entry.version
        return False
    after, exchanged = found.game.lying(found.state), found.game.exchanged(fact)
    if exchanged is not None:
        _swapped(found, exchanged, before, after, entry)
    else:
        _note(found, passage(entry.version, before, after), entry)
    for place, cards in found.game.revealed(fact):
        names = Counter(card for card in cards if not is_back(card))
        if names:
            _note(found, Passage(entry.version, {place: names}, {place: names}), entry)
    return True


def _swapped(
    found: Observed, places: tuple[str, str], before: Mapping[str, Cards], after: Mapping[str, Cards], entry: Logged
) -> None:
    """Two places change all their cards: of backs alone nobody would see it, and yet other cards lie there."""
    one, other = places
    carried = Counter(backs(before.get(one, ())))
    for took, put in (
        ({one: Counter(before.get(one, ()))}, {CARRIED: carried}),
        ({other: Counter(before.get(other, ()))}, {one: Counter(after.get(one, ()))}),
        ({CARRIED: carried}, {other: Counter(after.get(other, ()))}),
    ):
        _note(found, Passage(entry.version, took, put), entry)


def _note(found: Observed, each: Passage | None, entry: Logged) -> None:
    if each is None:
        return
    found.passages.append(each)
    for place, cards in (*each.put.items(), *each.took.items()):
        for card in cards:
            seen = Sighting(entry.version, entry.seat, entry.reporter, card, place)
            if not is_back(card) and not (found.sightings and _same(found.sightings[-1], seen)):
                found.sightings.append(seen)


def _same(one: Sighting, other: Sighting) -> bool:
    return (one.version, one.card) == (other.version, other.card)
