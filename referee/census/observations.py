"""What a viewer was shown of the cards: where each was named, by whom, what moved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from referee.engine.cardtracking.consistency import CardTracker
from referee.engine.cardtracking.ranges import OutOfRange
from referee.engine.cardtracking.transfers import Piles, Transfer, compute_transfer
from referee.engine.game import Game
from referee.engine.zones import Cards, backs_of, is_back
from referee.match.aggregate import Match, MatchStarted, TableEvent
from referee.match.entries import LogEntry
from referee.match.events.as_it_lies_events import TableTakenAsItLies
from referee.match.events.dispute_events import TableCorrected

IN_TRANSIT = "~"  # where the cards of one place lie while those of another take their place
HEAP = "*"  # where all cards lie before a correction by hand lays them out
START = "+"  # where all cards lie before the census starts from what lies there; no place of the game, so never named


@dataclass(frozen=True)
class Sighting:
    """A card was named at a place, in an entry that a seat made.

    Seats below 0 are chance, the clock and the table. `reporter` is a seat's number or `host` if it was a report, else
    empty.
    """

    version: int
    seat: int
    reporter: str
    card: str
    place: str


@dataclass
class Observations:
    """What a viewer was shown: how cards moved, where each was named, wrong numbers."""

    game: Game | None = None
    start: Piles = field(default_factory=dict)
    box: Counter[str] = field(default_factory=Counter)  # all its cards, once the search no longer starts from the box
    passages: list[Transfer] = field(default_factory=list)
    sightings: list[Sighting] = field(default_factory=list)
    # By card: where each copy that now lies named was named first, oldest first.
    namings: dict[str, list[Sighting]] = field(default_factory=dict)
    miscounts: dict[OutOfRange, int] = field(default_factory=dict)  # numbers out of range, with the entry
    accepted: frozenset[OutOfRange] = frozenset()  # those with which the table plays on
    unfit: int | None = None  # the entry whose events do not fit the table before it; later ones are not looked at
    state: Any = None  # the table as it was seen last
    last: int = 0

    @cached_property
    def whereabouts(self) -> CardTracker:
        """Where the cards can be by all that was shown; asked once all is collected."""
        return CardTracker(self.start, tuple(self.passages))

    def find_sightings(self, card: str, upto: int) -> tuple[Sighting, ...]:
        """Return where a card was named, up to an entry."""
        return tuple(each for each in self.sightings if each.card == card and each.version <= upto)

    def list_cards_by_place(self) -> dict[str, tuple[str, ...]]:
        """Return the cards of each place as they were seen last."""
        return {} if self.game is None or self.state is None else dict(self.game.tracking.cards_by_zone(self.state))


def collect_observations(history: Iterable[LogEntry], viewer: int) -> Observations:
    """Return what the viewer was shown of the entries that count, and nothing else."""
    found, match = Observations(), Match()
    for entry in history:
        _, events = entry.view_for(viewer)
        for event in events:
            if isinstance(event, MatchStarted):
                match = event.apply(match)
                _start_observation(found, match, entry)
            elif isinstance(event, TableCorrected):
                _restart_observation(found, event.apply(match).state, entry, HEAP)
            elif isinstance(event, TableTakenAsItLies):
                found.sightings = []  # they are not held against what lies there
                match = replace(match, state=found.state)
                _restart_observation(found, event.apply(match).state, entry, START)
                found.accepted = frozenset(match.rules.tracking.find_out_of_range(found.state))
            elif isinstance(event, TableEvent):
                match = event.apply(match) if found.game is None else match  # only the setup matters
            elif found.state is not None and not _observe_event(found, event, entry):
                return found
        found.last = entry.version
        if found.game is not None and found.state is not None:
            now = frozenset(found.game.tracking.find_out_of_range(found.state))
            for each in now - found.accepted:
                found.miscounts.setdefault(each, entry.version)
    return found


def _start_observation(found: Observations, match: Match, entry: LogEntry) -> None:
    """Start with what the box says lies where, whatever is shown of it."""
    found.game, found.state = match.rules, match.state
    found.start = {place: Counter(cards) for place, cards in match.rules.initial_cards(match.setup).items()}
    laid = compute_transfer(
        entry.version, match.rules.initial_cards(match.setup), match.rules.tracking.cards_by_zone(match.state)
    )
    found.passages += [] if laid is None else [laid]  # nobody has named the first layout


def _restart_observation(found: Observations, state: Any, entry: LogEntry, heap: str) -> None:
    """Start again from what lies there, after a correction by hand or by agreement.

    What was shown before says nothing of where the cards lie now. The cards are those of the box and the surplus ones.
    """
    assert found.game is not None
    moved = compute_transfer(
        entry.version, found.game.tracking.cards_by_zone(found.state), found.game.tracking.cards_by_zone(state)
    )
    if moved is not None:
        _follow_namings(found, moved, entry)
    if not found.box:
        found.box = sum(found.start.values(), Counter[str]())
    whole = found.box + Counter(getattr(state, "surplus", {}))
    found.start, found.passages, found.state, found.miscounts = {heap: whole}, [], state, {}
    put = {place: Counter(cards) for place, cards in found.game.tracking.cards_by_zone(state).items() if cards}
    _add_passage(found, Transfer(entry.version, {heap: sum(put.values(), Counter[str]())}, put), entry)


def _follow_namings(found: Observations, moved: Transfer, entry: LogEntry) -> None:
    """Note the cards that came to lie by name, and forget those that were covered."""
    took, put = (sum(side.values(), Counter[str]()) for side in (moved.took, moved.put))
    for card in took | put:
        if is_back(card):
            continue
        place = next((place for place, cards in moved.put.items() if cards[card]), "")
        kept = found.namings.setdefault(card, [])
        kept += [Sighting(entry.version, entry.seat, entry.reporter, card, place)] * max(0, put[card] - took[card])
        del kept[: max(0, took[card] - put[card])]


def _observe_event(found: Observations, event: Any, entry: LogEntry) -> bool:
    """Record the table after an event; return False if it does not fit the one before."""
    assert found.game is not None
    before = found.game.tracking.cards_by_zone(found.state)
    try:
        found.state = event.apply(found.state)
    except (LookupError, ValueError):  # as raised by `remove_cards`: a card to be taken is not there
        found.unfit = found.last = entry.version
        return False
    after, exchanged = found.game.tracking.cards_by_zone(found.state), found.game.tracking.exchanged_zones(event)
    if exchanged is not None:
        _observe_swap(found, exchanged, before, after, entry)
    else:
        _add_passage(found, compute_transfer(entry.version, before, after), entry)
    for place, cards in found.game.tracking.revealed_cards(event):
        names = Counter(card for card in cards if not is_back(card))
        if names:
            _add_passage(found, Transfer(entry.version, {place: names}, {place: names}), entry)
    return True


def _observe_swap(
    found: Observations,
    places: tuple[str, str],
    before: Mapping[str, Cards],
    after: Mapping[str, Cards],
    entry: LogEntry,
) -> None:
    """Record that two places exchange all their cards.

    If all are backs nobody sees a difference, and yet other cards lie there.
    """
    one, other = places
    carried = Counter(backs_of(before.get(one, ())))
    for took, put in (
        ({one: Counter(before.get(one, ()))}, {IN_TRANSIT: carried}),
        ({other: Counter(before.get(other, ()))}, {one: Counter(after.get(one, ()))}),
        ({IN_TRANSIT: carried}, {other: Counter(after.get(other, ()))}),
    ):
        _add_passage(found, Transfer(entry.version, took, put), entry)


def _add_passage(found: Observations, each: Transfer | None, entry: LogEntry) -> None:
    if each is None:
        return
    found.passages.append(each)
    _follow_namings(found, each, entry)
    for place, cards in (*each.put.items(), *each.took.items()):
        for card in cards if place != START else ():
            seen = Sighting(entry.version, entry.seat, entry.reporter, card, place)
            if not is_back(card) and not (found.sightings and _is_same_sighting(found.sightings[-1], seen)):
                found.sightings.append(seen)


def _is_same_sighting(one: Sighting, other: Sighting) -> bool:
    return (one.version, one.card) == (other.version, other.card)
