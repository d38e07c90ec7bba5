"""What going back would cross: a turn, what others did, what has come to be known, what chance has shown.

What a pair of eyes learns of an entry, it learns from the move and the facts as it sees them, for its view follows from
nothing else (architecture, section 3). So these are looked at one by one, on the table as it was just before each.
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
REWIND_RULES = (TURN, OTHERS, REVEALED, RANDOM)  # as the four information rules of takebacks name them


@dataclass(frozen=True)
class RewindImpact:
    """Which of the four rules going back would break, in their order.

    `find_learners`: the seats that have seen since what was hidden from them. `piles`: the places open to nobody from
      which
    cards have become known since.
    """

    rules: tuple[str, ...]
    learned: tuple[int, ...]
    piles: tuple[str, ...]


def compute_rewind_impact(evidence: Evidence, to: int, seat: int | None) -> RewindImpact:
    """What going back from now to just after entry `to` would cross, for a seat that asks for it.

    Without a seat, the one that moved first since then is not counted among the others. Every remedy of a ladder asks
    it of the same evidence, so what was found is kept there.
    """
    known: dict[tuple[int, int | None], RewindImpact] = evidence.cache
    if (to, seat) not in known:
        known[to, seat] = _compute_rewind_impact(evidence, to, seat)
    return known[to, seat]


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
    """What has come to pass from entry `entry` on, which carried a remedy out, in whatever course it was: what is
    crossed by making the match again what it was before that, which is `there`."""
    known: dict[tuple[str, int], RewindImpact] = evidence.cache
    if ("restore", entry) not in known:
        found, match = _ImpactCollector(None), evidence.replay_as_written(entry - 1)
        for logged in evidence.entries[entry - 1 :]:
            back = has_rewind([logged])
            found.add_entry(match, logged, partial(evidence.replay_as_written, logged.version) if back else None)
            match = evidence.replay_as_written(logged.version) if back else replay_entries(match, [logged])
        known["restore", entry] = found.build_impact(evidence, there, entry - 1)
    return known["restore", entry]


@dataclass
class _ImpactCollector:
    """What is found entry by entry. `seat`: the one that is not counted among the others; None: the first to move."""

    seat: int | None
    rules: set[str] = field(default_factory=set)
    learned: set[int] = field(default_factory=set)
    piles: dict[str, None] = field(default_factory=dict)

    def add_entry(self, match: Match, entry: LogEntry, back: Callable[[int], Match] | None = None) -> None:
        """Looks at an entry made upon a match; `back` as for `find_learners`."""
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
        """What leading the match from what it is back to what it was `there`, after entry `to`, crosses."""
        if _build_turn_key(there) != _build_turn_key(evidence.match):
            self.rules.add(TURN)
        if was_over_since(evidence, to):  # then all cards were shown to whoever asked
            self.rules.add(REVEALED)
            self.learned |= set(range(len(there.chairs)))
            self.piles.update(dict.fromkeys(find_hidden_piles(there)))
        seats = tuple(sorted(each for each in self.learned if each >= 0))
        return RewindImpact(tuple(rule for rule in REWIND_RULES if rule in self.rules), seats, tuple(self.piles))


def was_over_since(evidence: Evidence, to: int) -> bool:
    """Whether the match was over at some time after entry `to`, be it that play went back behind that end since."""
    later = (event for entry in evidence.entries if entry.version > to for event in entry.events)
    return evidence.match.end is not None or any(isinstance(event, MatchEnded | MatchVoided) for event in later)


def find_hidden_piles(match: Match) -> tuple[str, ...]:
    """The places open to nobody where cards lie."""
    zones: dict[str, Any] = getattr(match.state, "zones", {})
    return tuple(place for place, cards in zones.items() if place.endswith(":") and cards)


def _find_undone_shuffles(evidence: Evidence, to: int) -> list[str]:
    """The piles that were shuffled since because they had become known, and would lie as they did before."""
    piles = list[str]()
    for entry in evidence.list_entries_since(to):
        by_itself = any(isinstance(event, RewindEvent) for event in entry.events)
        for event in entry.events:
            if isinstance(event, RefusedMoveMade | ReportCorrected):
                by_itself = False  # what is shuffled from there on belongs to a move that is made
            elif isinstance(event, MoveRemade):
                by_itself = not is_game_entry(evidence.entries[event.entry - 1])
            elif by_itself and isinstance(event, StepPushed) and isinstance(event.step, Shuffle):
                piles.append(event.step.where)
        if not by_itself and not any(isinstance(event, ReportCorrected) for event in entry.events):
            piles += _find_final_shuffles(entry)
    return piles


def _find_final_shuffles(entry: LogEntry) -> list[str]:
    """The piles that a ruling lays to shuffle after all moves that it makes again."""
    piles = list[str]()
    for event in reversed([event for event in entry.events if not isinstance(event, LastingTableEvent)]):
        if isinstance(event, StepPushed) and isinstance(event.step, Shuffle):
            piles.append(event.step.where)
        elif not isinstance(event, StepPopped):
            break
    return piles


def _build_turn_key(match: Match) -> tuple[Any, ...]:
    """Who is to move, and in whose turn, as everybody sees it."""
    if match.state is None:
        return (match.status,)
    seen = match.state.view_for(BYSTANDER)
    turn = getattr(seen, "turn", None)
    return (seats_that_must_act(match.state), match.rules.turn_number(seen), turn, match.status)


def _is_by_others(entry: LogEntry, seat: int | None) -> bool:
    """Whether somebody else has moved: another seat, a bot, the clock, or a court that put the table right."""
    if entry.seat == CHANCE:
        return False
    if entry.seat < 0:
        return any(not isinstance(event, LastingTableEvent | RewindEvent) for event in entry.events)
    return entry.seat != seat or entry.actor.partition(":")[0] in ("bot", "clock")


def list_viewers(match: Match) -> tuple[int, ...]:
    """All that look at a match: its seats and the onlookers."""
    return (*range(len(match.chairs)), int(BYSTANDER))


# -- what has come to be known -----------------------------------------------------------------------------------------


class _TableMoment:
    """A table between two facts, and what there is on it for whom: found once, for every fact next to it asks."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self._faces = dict[int, Counter[str]]()
        self._names = dict[int | None, set[str]]()

    def apply_event(self, event: Event, place: str) -> _TableMoment:
        """The table after a fact, with what was found on this one where the fact changed nothing that lies on it."""
        later = _TableMoment(apply_event(self.match, event, place))
        if later.match.state is self.match.state:
            later._faces, later._names = self._faces, self._names
        return later

    def count_visible_cards(self, eye: int) -> Counter[str]:
        """What lies open to these eyes, copies of a card alike."""
        if eye not in self._faces:
            open_to_it = self.match.rules.visible_cards(self.match.state, eye)
            self._faces[eye] = Counter(card.partition("#")[0] for card in open_to_it)
        return self._faces[eye]

    def collect_names(self, eye: int | None = None) -> set[str]:
        """Every text in what these eyes see of it, or in all of it."""
        if eye not in self._names:
            assert self.match.state is not None
            self._names[eye] = collect_names(self.match.state if eye is None else self.match.state.view_for(eye))
        return self._names[eye]

    @property
    def has_real_cards(self) -> bool:
        """Whether real cards are moved, of which the referee knows only some: those of bots, and those told to it."""
        return self.match.rules.has_hidden_real_cards(self.match.setup)

    def find_named_cards(self, thing: Any) -> set[str]:
        """The cards that a fact or a move names. Of real ones the box tells what is a card: which of them the referee
        knows depends on what bots hold."""
        told = set[str]() if thing is None else {name for name in collect_names(thing) if not is_back(name)}
        if told and self.has_real_cards:
            return told & {str(card["id"]) for card in self.match.rules.cards}
        return told and told & self.collect_names()


def find_learners(
    match: Match, entry: LogEntry, back: Callable[[int], Match] | None = None
) -> tuple[set[int], list[str]]:
    """Which eyes have learned something of an entry, and from which places open to nobody it came.

    `back(at)` is the match after fact `at`, which goes back, where that changes it: in the valid course it does not.
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
            move = {eye: entry.move.view_for(eye, entry.seat) for eye in list_viewers(before.match)}
            who |= _find_newly_informed(before, move, entry.seat) - {entry.seat}
        if who:
            who_did |= who
            piles += [place for place in _find_source_piles(before.match, event, after.match) if place not in piles]
    return who_did, piles


def _find_event_learners(before: _TableMoment, event: Event, after: _TableMoment, mover: int) -> set[int]:
    """The eyes that have learned something of a fact: to which cards have come to lie open that did not, or which it
    shows or names one that lies hidden from them."""
    shown = set(event.seats_shown_cards())
    if int(BYSTANDER) in shown:
        shown = set(list_viewers(before.match)) - {_get_event_seat(event)}
    told = {eye: event.view_for(eye) for eye in list_viewers(before.match)}
    return (
        shown
        | _find_newly_informed(before, told, mover)
        | {eye for eye in told if _sees_more_cards(before, after, eye)}
    )


def _get_event_seat(event: Event) -> int | None:
    return getattr(event, "seat", None)


def _sees_more_cards(before: _TableMoment, after: _TableMoment, eye: int) -> bool:
    """Whether more lies open to these eyes than before. A card that they held as a back, as real cards are held, and
    that is named now, is none that they have learned."""
    if before.match.state is after.match.state:
        return False
    had, has = before.count_visible_cards(eye), after.count_visible_cards(eye)
    if had == has:
        return False
    named, backs = Counter[str](), Counter[str]()
    for card, count in (has - had).items():
        (backs if is_back(card) else named)[card] = count
    turned = sum(count for card, count in (had - has).items() if is_back(card))
    return bool(backs) or sum(named.values()) > turned


def _find_newly_informed(table: _TableMoment, told: Mapping[int, Any], mover: int) -> set[int]:
    """The eyes to which a fact or a move, as each of them sees it, names a card that lies hidden from them.

    Who has learned is told to everybody. So where everybody is told a name, it is looked at once, for all but whoever
    moved, on what everybody sees: whether one of them holds such a card himself is nobody else's business, nor is it
    whether the referee knows of one in the hand of a bot. Real cards lay as backs before those who see them already.
    """
    openly = table.find_named_cards(told[int(BYSTANDER)])
    found = {eye for eye in told if eye != mover} if openly - table.collect_names(int(BYSTANDER)) else set[int]()
    if table.has_real_cards:
        return found
    return found | {
        eye for eye, seen in told.items() if (table.find_named_cards(seen) - openly) - table.collect_names(eye)
    }


def collect_names(thing: Any) -> set[str]:
    """Every text in a table, a move or a fact, copies of a card alike; the names of fields and of types apart."""
    return {text.partition("#")[0] for text in set(collect_texts(thing))}


def collect_texts(thing: Any) -> list[str]:
    """Every text in a table, a move, a fact or their JSON data, the names of fields and of types apart; in no order.

    It is asked of whole tables, for every fact and everybody who looks on: hence no JSON is made for it.
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
    """The places open to nobody that cards have left, or of which a fact shows some that lie there."""
    was, now = getattr(before.state, "zones", {}), getattr(after.state, "zones", {})
    shown = collect_names(event) if event.seats_shown_cards() else set[str]()
    for place, cards in was.items():
        if place.endswith(":") and (Counter(cards) - Counter(now.get(place, ())) or shown & set(cards)):
            yield place


# -- what chance has shown ---------------------------------------------------------------------------------------------


def _was_result_seen(match: Match, entry: LogEntry) -> bool:
    """Whether somebody saw what chance brought: a roll, a card turned up, a card picked; not the order of a pile."""
    result = _collect_values(entry.move) if entry.move is not None else set[str]()
    for eye in list_viewers(match):
        move, events = entry.view_for(eye)
        told = set().union(*(_collect_values(event) for event in events))
        if move is not None or result & told:
            return True
    return False


def _collect_values(thing: Any) -> set[str]:
    """Every value in a move or a fact that is no back; names of places and whole numbers do not tell cards."""
    return {name for name in collect_texts(thing) if not is_back(name)}
