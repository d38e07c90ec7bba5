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

from referee.arbitration.replay.divergence import is_play
from referee.engine.chance import Shuffle
from referee.engine.events import Event
from referee.engine.referee import awaited
from referee.engine.seats import BYSTANDER, CHANCE
from referee.engine.steps import Closed, Opened
from referee.engine.zones import is_back
from referee.match.aggregate import Ended, GoesBack, Match, OfTable, happened
from referee.match.entries import Logged, folded, rewinds
from referee.match.events.dispute_events import MadeAfterAll, MadeAgain, Voided
from referee.match.events.report_events import ReportCorrected
from referee.match.evidence import Evidence

TURN, OTHERS, REVEALED, RANDOM = "turn", "others", "revealed", "random"
RULES = (TURN, OTHERS, REVEALED, RANDOM)  # as the four information rules of takebacks name them


@dataclass(frozen=True)
class Crossing:
    """Which of the four rules going back would break, in their order.

    `learned`: the seats that have seen since what was hidden from them. `piles`: the places open to nobody from which
    cards have become known since.
    """

    rules: tuple[str, ...]
    learned: tuple[int, ...]
    piles: tuple[str, ...]


def crossed(evidence: Evidence, to: int, seat: int | None) -> Crossing:
    """What going back from now to just after entry `to` would cross, for a seat that asks for it.

    Without a seat, the one that moved first since then is not counted among the others. Every remedy of a ladder asks
    it of the same evidence, so what was found is kept there.
    """
    known: dict[tuple[int, int | None], Crossing] = evidence.crossings
    if (to, seat) not in known:
        known[to, seat] = _crossed(evidence, to, seat)
    return known[to, seat]


def _crossed(evidence: Evidence, to: int, seat: int | None) -> Crossing:
    there = evidence.at(to)
    found = _Found(seat)
    match = there
    for entry in evidence.since(to):
        found.take(match, entry)
        match = folded(match, [entry])
    if again := _shuffles_undone(evidence, to):
        found.rules.add(REVEALED)
        found.piles.update(dict.fromkeys(again))
    return found.crossing(evidence, there, to)


def crossed_to_restore(evidence: Evidence, entry: int, there: Match) -> Crossing:
    """What has come to pass from entry `entry` on, which carried a remedy out, in whatever course it was: what is
    crossed by making the match again what it was before that, which is `there`."""
    known: dict[tuple[str, int], Crossing] = evidence.crossings
    if ("restore", entry) not in known:
        found, match = _Found(None), evidence.then(entry - 1)
        for logged in evidence.entries[entry - 1 :]:
            back = rewinds([logged])
            found.take(match, logged, partial(evidence.then, logged.version) if back else None)
            match = evidence.then(logged.version) if back else folded(match, [logged])
        known["restore", entry] = found.crossing(evidence, there, entry - 1)
    return known["restore", entry]


@dataclass
class _Found:
    """What is found entry by entry. `seat`: the one that is not counted among the others; None: the first to move."""

    seat: int | None
    rules: set[str] = field(default_factory=set)
    learned: set[int] = field(default_factory=set)
    piles: dict[str, None] = field(default_factory=dict)

    def take(self, match: Match, entry: Logged, back: Callable[[int], Match] | None = None) -> None:
        """Looks at an entry made upon a match; `back` as for `learned`."""
        if self.seat is None and entry.seat >= 0:
            self.seat = entry.seat
        if _of_others(entry, self.seat):
            self.rules.add(OTHERS)
        who, where = learned(match, entry, back)
        if who:
            self.rules.add(REVEALED)
            self.learned |= who
            self.piles.update(dict.fromkeys(where))
        if entry.seat == CHANCE and _shown(match, entry):
            self.rules.add(RANDOM)

    def crossing(self, evidence: Evidence, there: Match, to: int) -> Crossing:
        """What leading the match from what it is back to what it was `there`, after entry `to`, crosses."""
        if _turn(there) != _turn(evidence.match):
            self.rules.add(TURN)
        if over_since(evidence, to):  # then all cards were shown to whoever asked
            self.rules.add(REVEALED)
            self.learned |= set(range(len(there.chairs)))
            self.piles.update(dict.fromkeys(hidden_piles(there)))
        seats = tuple(sorted(each for each in self.learned if each >= 0))
        return Crossing(tuple(rule for rule in RULES if rule in self.rules), seats, tuple(self.piles))


def over_since(evidence: Evidence, to: int) -> bool:
    """Whether the match was over at some time after entry `to`, be it that play went back behind that end since."""
    later = (fact for entry in evidence.entries if entry.version > to for fact in entry.facts)
    return evidence.match.end is not None or any(isinstance(fact, Ended | Voided) for fact in later)


def hidden_piles(match: Match) -> tuple[str, ...]:
    """The places open to nobody where cards lie."""
    zones: dict[str, Any] = getattr(match.state, "zones", {})
    return tuple(place for place, cards in zones.items() if place.endswith(":") and cards)


def _shuffles_undone(evidence: Evidence, to: int) -> list[str]:
    """The piles that were shuffled since because they had become known, and would lie as they did before."""
    piles = list[str]()
    for entry in evidence.since(to):
        by_itself = any(isinstance(fact, GoesBack) for fact in entry.facts)
        for fact in entry.facts:
            if isinstance(fact, MadeAfterAll | ReportCorrected):
                by_itself = False  # what is shuffled from there on belongs to a move that is made
            elif isinstance(fact, MadeAgain):
                by_itself = not is_play(evidence.entries[fact.entry - 1])
            elif by_itself and isinstance(fact, Opened) and isinstance(fact.step, Shuffle):
                piles.append(fact.step.where)
        if not by_itself and not any(isinstance(fact, ReportCorrected) for fact in entry.facts):
            piles += _shuffled_last(entry)
    return piles


def _shuffled_last(entry: Logged) -> list[str]:
    """The piles that a ruling lays to shuffle after all moves that it makes again."""
    piles = list[str]()
    for fact in reversed([fact for fact in entry.facts if not isinstance(fact, OfTable)]):
        if isinstance(fact, Opened) and isinstance(fact.step, Shuffle):
            piles.append(fact.step.where)
        elif not isinstance(fact, Closed):
            break
    return piles


def _turn(match: Match) -> tuple[Any, ...]:
    """Who is to move, and in whose turn, as everybody sees it."""
    if match.state is None:
        return (match.status,)
    seen = match.state.seen_by(BYSTANDER)
    turn = getattr(seen, "turn", None)
    return (awaited(match.state), match.rules.turn(seen), turn, match.status)


def _of_others(entry: Logged, seat: int | None) -> bool:
    """Whether somebody else has moved: another seat, a bot, the clock, or a court that put the table right."""
    if entry.seat == CHANCE:
        return False
    if entry.seat < 0:
        return any(not isinstance(fact, OfTable | GoesBack) for fact in entry.facts)
    return entry.seat != seat or entry.actor.partition(":")[0] in ("bot", "clock")


def eyes_of(match: Match) -> tuple[int, ...]:
    """All that look at a match: its seats and the onlookers."""
    return (*range(len(match.chairs)), int(BYSTANDER))


# -- what has come to be known -----------------------------------------------------------------------------------------


class _Table:
    """A table between two facts, and what there is on it for whom: found once, for every fact next to it asks."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self._faces = dict[int, Counter[str]]()
        self._names = dict[int | None, set[str]]()

    def after(self, fact: Event, place: str) -> _Table:
        """The table after a fact, with what was found on this one where the fact changed nothing that lies on it."""
        later = _Table(happened(self.match, fact, place))
        if later.match.state is self.match.state:
            later._faces, later._names = self._faces, self._names
        return later

    def faces(self, eye: int) -> Counter[str]:
        """What lies open to these eyes, copies of a card alike."""
        if eye not in self._faces:
            open_to_it = self.match.rules.lying_open(self.match.state, eye)
            self._faces[eye] = Counter(card.partition("#")[0] for card in open_to_it)
        return self._faces[eye]

    def names(self, eye: int | None = None) -> set[str]:
        """Every text in what these eyes see of it, or in all of it."""
        if eye not in self._names:
            assert self.match.state is not None
            self._names[eye] = names(self.match.state if eye is None else self.match.state.seen_by(eye))
        return self._names[eye]

    @property
    def by_hand(self) -> bool:
        """Whether real cards are moved, of which the referee knows only some: those of bots, and those told to it."""
        return self.match.rules.holds_real_cards(self.match.setup)

    def cards(self, thing: Any) -> set[str]:
        """The cards that a fact or a move names. Of real ones the box tells what is a card: which of them the referee
        knows depends on what bots hold."""
        told = set[str]() if thing is None else {name for name in names(thing) if not is_back(name)}
        if told and self.by_hand:
            return told & {str(card["id"]) for card in self.match.rules.cards}
        return told and told & self.names()


def learned(match: Match, entry: Logged, back: Callable[[int], Match] | None = None) -> tuple[set[int], list[str]]:
    """Which eyes have learned something of an entry, and from which places open to nobody it came.

    `back(at)` is the match after fact `at`, which goes back, where that changes it: in the valid course it does not.
    """
    who_did, piles = set[int](), list[str]()
    if entry.seat >= 0 and match.state is not None and match.state.agenda and match.state.agenda[-1].tells:
        who_did |= set(eyes_of(match)) - {entry.seat}
    after = _Table(match)
    for at, fact in enumerate(entry.facts):
        before = after
        if back is not None and isinstance(fact, GoesBack):
            after = _Table(back(at))
        else:
            after = before.after(fact, f"{entry.version}.{at}")
        if before.match.state is None or after.match.state is None or isinstance(fact, OfTable | GoesBack):
            continue
        who = _learns(before, fact, after, entry.seat)
        if at == 0 and entry.move is not None:
            move = {eye: entry.move.seen_by(eye, entry.seat) for eye in eyes_of(before.match)}
            who |= _named_to(before, move, entry.seat) - {entry.seat}
        if who:
            who_did |= who
            piles += [place for place in _drawn_from(before.match, fact, after.match) if place not in piles]
    return who_did, piles


def _learns(before: _Table, fact: Event, after: _Table, mover: int) -> set[int]:
    """The eyes that have learned something of a fact: to which cards have come to lie open that did not, or which it
    shows or names one that lies hidden from them."""
    shown = set(fact.shown_to())
    if int(BYSTANDER) in shown:
        shown = set(eyes_of(before.match)) - {_owner(fact)}
    told = {eye: fact.seen_by(eye) for eye in eyes_of(before.match)}
    return shown | _named_to(before, told, mover) | {eye for eye in told if _lies_open_now(before, after, eye)}


def _owner(fact: Event) -> int | None:
    return getattr(fact, "seat", None)


def _lies_open_now(before: _Table, after: _Table, eye: int) -> bool:
    """Whether more lies open to these eyes than before. A card that they held as a back, as real cards are held, and
    that is named now, is none that they have learned."""
    if before.match.state is after.match.state:
        return False
    had, has = before.faces(eye), after.faces(eye)
    if had == has:
        return False
    named, backs = Counter[str](), Counter[str]()
    for card, count in (has - had).items():
        (backs if is_back(card) else named)[card] = count
    turned = sum(count for card, count in (had - has).items() if is_back(card))
    return bool(backs) or sum(named.values()) > turned


def _named_to(table: _Table, told: Mapping[int, Any], mover: int) -> set[int]:
    """The eyes to which a fact or a move, as each of them sees it, names a card that lies hidden from them.

    Who has learned is told to everybody. So where everybody is told a name, it is looked at once, for all but whoever
    moved, on what everybody sees: whether one of them holds such a card himself is nobody else's business, nor is it
    whether the referee knows of one in the hand of a bot. Real cards lay as backs before those who see them already.
    """
    openly = table.cards(told[int(BYSTANDER)])
    found = {eye for eye in told if eye != mover} if openly - table.names(int(BYSTANDER)) else set[int]()
    if table.by_hand:
        return found
    return found | {eye for eye, seen in told.items() if (table.cards(seen) - openly) - table.names(eye)}


def names(thing: Any) -> set[str]:
    """Every text in a table, a move or a fact, copies of a card alike; the names of fields and of types apart."""
    return {text.partition("#")[0] for text in set(texts(thing))}


def texts(thing: Any) -> list[str]:
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
            left += [getattr(each, name) for name in _parts(kind)]
    return found


@cache
def _parts(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


def _drawn_from(before: Match, fact: Event, after: Match) -> Iterable[str]:
    """The places open to nobody that cards have left, or of which a fact shows some that lie there."""
    was, now = getattr(before.state, "zones", {}), getattr(after.state, "zones", {})
    shown = names(fact) if fact.shown_to() else set[str]()
    for place, cards in was.items():
        if place.endswith(":") and (Counter(cards) - Counter(now.get(place, ())) or shown & set(cards)):
            yield place


# -- what chance has shown ---------------------------------------------------------------------------------------------


def _shown(match: Match, entry: Logged) -> bool:
    """Whether somebody saw what chance brought: a roll, a card turned up, a card picked; not the order of a pile."""
    result = _values(entry.move) if entry.move is not None else set[str]()
    for eye in eyes_of(match):
        move, facts = entry.seen_by(eye)
        told = set().union(*(_values(fact) for fact in facts))
        if move is not None or result & told:
            return True
    return False


def _values(thing: Any) -> set[str]:
    """Every value in a move or a fact that is no back; names of places and whole numbers do not tell cards."""
    return {name for name in texts(thing) if not is_back(name)}
