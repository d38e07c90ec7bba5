"""What going back would cross: a turn, others' moves, shown cards, shown chance.

What a viewer learns from an entry, it learns from the move and the events as it sees them, because its view follows
from nothing else. So these are checked one by one, on the table as it was just before each.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from functools import cache, partial
from typing import Any

from referee.arbitration.replay.divergence import is_game_entry
from referee.engine.chance import Shuffle
from referee.engine.events import Event
from referee.engine.referee import seats_that_must_act
from referee.engine.seats import BYSTANDER, CHANCE
from referee.engine.steps import StepPopped, StepPushed
from referee.engine.zones import is_back
from referee.match.aggregate import LastingTableEvent, Match, MatchEnded, RewindEvent, apply_event
from referee.match.entries import LogEntry, has_rewind, replay_entries
from referee.match.events.dispute_events import MatchVoided, MoveRemade, RefusedMoveMade
from referee.match.events.report_events import ReportCorrected
from referee.match.evidence import Evidence

TURN, OTHERS, REVEALED, RANDOM = "turn", "others", "revealed", "random"
REWIND_RULES = (TURN, OTHERS, REVEALED, RANDOM)  # the four takeback rules (TABLE-TAKEBACK-1)


@dataclass(frozen=True)
class RewindImpact:
    """Which of the four takeback rules going back would break, in their order."""

    rules: tuple[str, ...]
    learned: tuple[int, ...]  # the seats that have seen since what was hidden from them
    piles: tuple[str, ...]  # places open to nobody from which cards have become known


def compute_rewind_impact(evidence: Evidence, to: int, seat: int | None) -> RewindImpact:
    """Return what going back from now to just after entry `to` crosses, for a seat.

    Without a seat, the one that moved first since then is not counted among the others. Every remedy asks for it on the
    same evidence, so the result is cached there.
    """
    cache: dict[tuple[int, int | None], RewindImpact] = evidence.cache
    if (to, seat) not in cache:
        cache[to, seat] = _compute_rewind_impact(evidence, to, seat)
    return cache[to, seat]


def _compute_rewind_impact(evidence: Evidence, to: int, seat: int | None) -> RewindImpact:
    there = evidence.replay_to(to)
    found = _ImpactCollector(seat)
    match = there
    for entry in evidence.list_entries_since(to):
        found.add_entry(match, entry)
        match = replay_entries(match, [entry])
    if again := _find_undone_shuffles(evidence, to):
        found.rules.add(REVEALED)
        found.piles.update(dict.fromkeys(again))
    return found.build_impact(evidence, there, to)


def compute_restore_impact(evidence: Evidence, entry: int, there: Match) -> RewindImpact:
    """Return what undoing the remedy of entry `entry` crosses.

    That is all that has happened from that entry on, in whatever history. `there` is the match to be restored.
    """
    cache: dict[tuple[str, int], RewindImpact] = evidence.cache
    if ("restore", entry) not in cache:
        found, match = _ImpactCollector(None), evidence.replay_as_written(entry - 1)
        for logged in evidence.entries[entry - 1 :]:
            back = has_rewind([logged])
            found.add_entry(match, logged, partial(evidence.replay_as_written, logged.version) if back else None)
            match = evidence.replay_as_written(logged.version) if back else replay_entries(match, [logged])
        cache["restore", entry] = found.build_impact(evidence, there, entry - 1)
    return cache["restore", entry]


@dataclass
class _ImpactCollector:
    """What going back crosses, collected entry by entry.

    `seat` is not counted among the others; None: the first seat to move.
    """

    seat: int | None
    rules: set[str] = field(default_factory=set)
    learned: set[int] = field(default_factory=set)
    piles: dict[str, None] = field(default_factory=dict)

    def add_entry(self, match: Match, entry: LogEntry, back: Callable[[int], Match] | None = None) -> None:
        """Add what an entry upon a match crosses; `back` as for `find_learners`."""
        if self.seat is None and entry.seat >= 0:
            self.seat = entry.seat
        if _is_by_others(entry, self.seat):
            self.rules.add(OTHERS)
        who, where = find_learners(match, entry, back)
        if who:
            self.rules.add(REVEALED)
            self.learned |= who
            self.piles.update(dict.fromkeys(where))
        if entry.seat == CHANCE and _was_result_seen(match, entry):
            self.rules.add(RANDOM)

    def build_impact(self, evidence: Evidence, there: Match, to: int) -> RewindImpact:
        """Return the impact of going back to the match `there`, after entry `to`."""
        if _build_turn_key(there) != _build_turn_key(evidence.match):
            self.rules.add(TURN)
        if was_over_since(evidence, to):  # after an end everybody may look at all cards
            self.rules.add(REVEALED)
            self.learned |= set(range(len(there.chairs)))
            self.piles.update(dict.fromkeys(find_hidden_piles(there)))
        seats = tuple(sorted(each for each in self.learned if each >= 0))
        return RewindImpact(tuple(rule for rule in REWIND_RULES if rule in self.rules), seats, tuple(self.piles))


def was_over_since(evidence: Evidence, to: int) -> bool:
    """Tell whether the match was over at some time after entry `to`.

    It may be that play went back behind that end since.
    """
    later = (event for entry in evidence.entries if entry.version > to for event in entry.events)
    return evidence.match.end is not None or any(isinstance(event, MatchEnded | MatchVoided) for event in later)


def find_hidden_piles(match: Match) -> tuple[str, ...]:
    """Return the places open to nobody where cards lie."""
    zones: dict[str, Any] = getattr(match.state, "zones", {})
    return tuple(place for place, cards in zones.items() if place.endswith(":") and cards)


def _find_undone_shuffles(evidence: Evidence, to: int) -> list[str]:
    """Return the piles that were reshuffled since, and would lie as they did before.

    They were shuffled because cards in them had become known.
    """
    piles = list[str]()
    for entry in evidence.list_entries_since(to):
        by_itself = any(isinstance(event, RewindEvent) for event in entry.events)
        for event in entry.events:
            if isinstance(event, RefusedMoveMade | ReportCorrected):
                by_itself = False  # later shuffles belong to the move that is made
            elif isinstance(event, MoveRemade):
                by_itself = not is_game_entry(evidence.entries[event.entry - 1])
            elif by_itself and isinstance(event, StepPushed) and isinstance(event.step, Shuffle):
                piles.append(event.step.where)
        if not by_itself and not any(isinstance(event, ReportCorrected) for event in entry.events):
            piles += _find_final_shuffles(entry)
    return piles


def _find_final_shuffles(entry: LogEntry) -> list[str]:
    """Return the piles that a ruling shuffles after all moves that it makes again."""
    piles = list[str]()
    for event in reversed([event for event in entry.events if not isinstance(event, LastingTableEvent)]):
        if isinstance(event, StepPushed) and isinstance(event.step, Shuffle):
            piles.append(event.step.where)
        elif not isinstance(event, StepPopped):
            break
    return piles


def _build_turn_key(match: Match) -> tuple[Any, ...]:
    """Return who is to move and in whose turn, by the public view."""
    if match.state is None:
        return (match.status,)
    seen = match.state.view_for(BYSTANDER)
    turn = (match.rules.turn_number(seen), match.rules.seat_on_turn(seen))
    return (seats_that_must_act(match.state), *turn, match.status)


def _is_by_others(entry: LogEntry, seat: int | None) -> bool:
    """Tell whether another seat, a bot, the clock or a court's correction acted."""
    if entry.seat == CHANCE:
        return False
    if entry.seat < 0:
        return any(not isinstance(event, LastingTableEvent | RewindEvent) for event in entry.events)
    return entry.seat != seat or entry.actor.partition(":")[0] in ("bot", "clock")


def list_viewers(match: Match) -> tuple[int, ...]:
    """Return all viewers of a match: its seats and the public."""
    return (*range(len(match.chairs)), int(BYSTANDER))


# -- what became known -------------------------------------------------------------------------------------------------


class _TableMoment:
    """A table between two events; caches what each viewer sees of it."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self._faces = dict[int, Counter[str]]()
        self._names = dict[int | None, set[str]]()

    def apply_event(self, event: Event, place: str) -> _TableMoment:
        """Return the table after an event, with the caches if the state is the same."""
        later = _TableMoment(apply_event(self.match, event, place))
        if later.match.state is self.match.state:
            later._faces, later._names = self._faces, self._names
        return later

    def count_visible_cards(self, viewer: int) -> Counter[str]:
        """Return the cards that lie open to a viewer, without telling copies apart."""
        if viewer not in self._faces:
            visible = self.match.rules.tracking.visible_cards(self.match.state, viewer)
            self._faces[viewer] = Counter(card.partition("#")[0] for card in visible)
        return self._faces[viewer]

    def collect_names(self, viewer: int | None = None) -> set[str]:
        """Return every text in what a viewer sees of the state; None: in all of it."""
        if viewer not in self._names:
            assert self.match.state is not None
            self._names[viewer] = collect_names(
                self.match.state if viewer is None else self.match.state.view_for(viewer)
            )
        return self._names[viewer]

    @property
    def has_real_cards(self) -> bool:
        """Whether real cards are moved, of which the referee knows only those named to it."""
        return self.match.rules.has_hidden_real_cards(self.match.setup)

    def find_named_cards(self, thing: Any) -> set[str]:
        """Return the cards that an event or a move names.

        Of real cards the box says what is a card, because which of them the referee knows depends on what bots hold.
        """
        names = set[str]() if thing is None else {name for name in collect_names(thing) if not is_back(name)}
        if names and self.has_real_cards:
            return names & self.match.rules.own_card_ids
        return names and names & self.collect_names()


def find_learners(
    match: Match, entry: LogEntry, back: Callable[[int], Match] | None = None
) -> tuple[set[int], list[str]]:
    """Return which viewers learned something from an entry, and from which places.

    The places are those open to nobody from which cards came. `back(at)` is the match after event `at`, if that goes
    back and changes the match. In the effective history no event does.
    """
    who_did, piles = set[int](), list[str]()
    if (
        entry.seat >= 0
        and match.state is not None
        and match.state.agenda
        and match.state.agenda[-1].answers_tell_hidden_cards
    ):
        who_did |= set(list_viewers(match)) - {entry.seat}
    after = _TableMoment(match)
    for at, event in enumerate(entry.events):
        before = after
        if back is not None and isinstance(event, RewindEvent):
            after = _TableMoment(back(at))
        else:
            after = before.apply_event(event, f"{entry.version}.{at}")
        if (
            before.match.state is None
            or after.match.state is None
            or isinstance(event, LastingTableEvent | RewindEvent)
        ):
            continue
        who = _find_event_learners(before, event, after, entry.seat)
        if at == 0 and entry.move is not None:
            move = {viewer: entry.move.view_for(viewer, entry.seat) for viewer in list_viewers(before.match)}
            who |= _find_newly_informed(before, move, entry.seat) - {entry.seat}
        if who:
            who_did |= who
            piles += [place for place in _find_source_piles(before.match, event, after.match) if place not in piles]
    return who_did, piles


def _find_event_learners(before: _TableMoment, event: Event, after: _TableMoment, mover: int) -> set[int]:
    """Return the viewers that learned something from an event.

    They are those to whom further cards lie open, to whom it shows cards, or to whom it names a card hidden from them.
    """
    shown = set(event.seats_shown_cards())
    if int(BYSTANDER) in shown:
        shown = set(list_viewers(before.match)) - {_get_event_seat(event)}
    views = {viewer: event.view_for(viewer) for viewer in list_viewers(before.match)}
    return (
        shown
        | _find_newly_informed(before, views, mover)
        | {viewer for viewer in views if _sees_more_cards(before, after, viewer)}
    )


def _get_event_seat(event: Event) -> int | None:
    return getattr(event, "seat", None)


def _sees_more_cards(before: _TableMoment, after: _TableMoment, viewer: int) -> bool:
    """Tell whether more cards lie open to a viewer than before.

    A card that the viewer held as a back, as real cards are held, and that is named now, is not news.
    """
    if before.match.state is after.match.state:
        return False
    had, has = before.count_visible_cards(viewer), after.count_visible_cards(viewer)
    if had == has:
        return False
    named, backs = Counter[str](), Counter[str]()
    for card, count in (has - had).items():
        (backs if is_back(card) else named)[card] = count
    turned = sum(count for card, count in (had - has).items() if is_back(card))
    return bool(backs) or sum(named.values()) > turned


def _find_newly_informed(table: _TableMoment, views: Mapping[int, Any], mover: int) -> set[int]:
    """Return the viewers to which an event or a move names a card hidden from them.

    `views` holds the event or move by viewer. Everybody learns the result. So a name that everybody is shown is checked
    once, on the public view, for all but the mover: whether one viewer holds such a card, or the referee knows of one
    in a bot's hand, must not show. Real cards lay as backs before those who see them already.
    """
    openly = table.find_named_cards(views[int(BYSTANDER)])
    news = openly - table.collect_names(int(BYSTANDER))
    found = {viewer for viewer in views if viewer != mover} if news else set[int]()
    if table.has_real_cards:
        return found
    return found | {
        viewer
        for viewer, seen in views.items()
        if (table.find_named_cards(seen) - openly) - table.collect_names(viewer)
    }


def collect_names(thing: Any) -> set[str]:
    """Return every text in a state, move or event; copies of a card count as one.

    Names of fields and types do not count.
    """
    return {text.partition("#")[0] for text in set(collect_texts(thing))}


def collect_texts(thing: Any) -> list[str]:
    """Return every text in a state, move, event or JSON data, in no order.

    Names of fields and types do not count. It runs on whole states, for every event and viewer, so it makes no JSON of
    them.
    """
    found, left = list[str](), [thing]
    while left:
        each = left.pop()
        kind = type(each)
        if kind is str:
            found.append(each)
        elif kind is tuple or kind is list:
            left += each
        elif kind is dict:
            left += [below for key, below in each.items() if key != "type"]
        elif is_dataclass(kind):
            left += [getattr(each, name) for name in _list_field_names(kind)]
    return found


@cache
def _list_field_names(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


def _find_source_piles(before: Match, event: Event, after: Match) -> Iterable[str]:
    """Yield the hidden places that cards have left, or of which an event shows cards."""
    was, now = getattr(before.state, "zones", {}), getattr(after.state, "zones", {})
    shown = collect_names(event) if event.seats_shown_cards() else set[str]()
    for place, cards in was.items():
        if place.endswith(":") and (Counter(cards) - Counter(now.get(place, ())) or shown & set(cards)):
            yield place


# -- what chance showed ------------------------------------------------------------------------------------------------


def _was_result_seen(match: Match, entry: LogEntry) -> bool:
    """Tell whether somebody saw what chance brought, other than the order of a pile.

    It may be a roll, a card turned up, or a card picked.
    """
    result = _collect_values(entry.move) if entry.move is not None else set[str]()
    for viewer in list_viewers(match):
        move, events = entry.view_for(viewer)
        shown = set().union(*(_collect_values(event) for event in events))
        if move is not None or result & shown:
            return True
    return False


def _collect_values(thing: Any) -> set[str]:
    """Return every value in a move or an event that is no back.

    Names of places and whole numbers do not name cards.
    """
    return {name for name in collect_texts(thing) if not is_back(name)}
