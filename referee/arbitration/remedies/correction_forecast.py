"""What a pair of eyes can tell of a correction before anybody has chosen it: which later moves stay, which cannot.

Whoever disputes an entry names what would be right in its place, and may name whatever he likes; so what the whole
table would answer to it would tell of cards that he is not to see. Each pair of eyes is therefore told what follows
from the log as it was shown to them, and from nothing else: in two worlds that they cannot tell apart it is the same.
Where a later move needs a card that they do not see, they learn only that what becomes of it shows once the table has
chosen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

from referee.arbitration.remedies.manual_corrections import BROKEN
from referee.arbitration.remedies.rejudging import Again, askable, judged_again, of_game, to_do
from referee.arbitration.replay.divergence import is_play
from referee.engine.codec import encode
from referee.engine.events import Event, Move
from referee.engine.referee import awaited
from referee.engine.rulings import Refused, Unknown
from referee.engine.seats import CHANCE, FULL, Seat
from referee.engine.zones import is_back, open_to
from referee.match.aggregate import OVER, Ended, Match
from referee.match.entries import Logged, folded
from referee.match.events.dispute_events import Corrected, MadeAfterAll, MadeAgain
from referee.match.evidence import Evidence
from referee.match.game_moves import after_all, moved

Facts = tuple[Event, ...]
Piles = dict[str, tuple[str, ...]]
ASKED_OTHERWISE = frozenset({"KERNEL-TURN-1", "KERNEL-MOVE-1", "KERNEL-OVER-1"})  # refused whatever is held


@dataclass(frozen=True)
class Correction:
    """What is right in place of what is disputed: entry `skip` is left out (0: none is), and `seat` makes `move`, or
    once more the move of that entry (`same`), or nothing at all.

    `knowing`: the seats that may know what it is; None: everybody.
    """

    skip: int
    seat: int | None = None
    move: Move | None = None
    same: bool = False
    knowing: tuple[int, ...] | None = None

    def made(self, entry: Logged | None) -> tuple[Seat, Move] | None:
        """What is made, and by whom; `entry` is the one that is left out."""
        move = entry.move if self.same and entry is not None else self.move
        return None if self.seat is None or move is None else (Seat(self.seat), move)


@dataclass(frozen=True)
class Outlook:
    """What is known of a correction: the later moves that stay, those that cannot, and those of which these eyes cannot
    tell (`unsure`). `illegal`: what is said to be right is itself against the rules. `blind`: not even what would be
    put right may be known. `no_move`: the first that cannot be made again was no move. `piles_stay`: what is hidden
    from all lies as it did. `after`: the match then, as these eyes would see it; None where that cannot be told.
    """

    keeps: tuple[int, ...] = ()
    drops: tuple[int, ...] = ()
    unsure: tuple[int, ...] = ()
    illegal: bool = False
    blind: bool = False
    no_move: bool = False
    piles_stay: bool = False
    after: Match | None = None


def outlook(evidence: Evidence, correction: Correction, to: int, eyes: int) -> Outlook:
    """What these eyes can tell of a correction made upon the table as it was after entry `to`."""
    if eyes == FULL:
        return _whole(evidence, correction, to)
    entries = [entry for entry in evidence.since(to) if entry.version != correction.skip and of_game(entry)]
    later = tuple(entry.version for entry in entries if is_play(entry) or to_do(entry.facts))
    if correction.knowing is not None and eyes not in correction.knowing:
        return Outlook(unsure=later, blind=True)
    return _Seen(evidence, correction, to, eyes).told(later)


def mended(evidence: Evidence, correction: Correction, to: int) -> Again:
    """The correction carried out on the whole table, and the rest judged again. Raises Refused, Unknown."""
    return judged_again(evidence, to, correction.made(evidence.entry(correction.skip)), correction.skip)


def _whole(evidence: Evidence, correction: Correction, to: int) -> Outlook:
    try:
        again = mended(evidence, correction, to)
    except (Refused, Unknown):
        return Outlook(illegal=True)
    stay = piles_stay(evidence.match, again.after)
    return Outlook(again.keeps, again.drops, no_move=again.no_move, piles_stay=stay, after=again.after)


def piles_stay(before: Match, after: Match) -> bool:
    """Whether what is hidden from all lies as it did, so that nobody knows more of it by a correction."""
    return _piles(before) == _piles(after)


def _piles(match: Match) -> Piles:
    return {place: cards for place, cards in _zones(match).items() if place.endswith(":")}


def _zones(match: Match) -> Piles:
    zones: Piles = getattr(match.state, "zones", {})
    return zones


class _Seen:
    """A correction tried on the log as some eyes were shown it."""

    def __init__(self, evidence: Evidence, correction: Correction, to: int, eyes: int) -> None:
        self.correction, self.to, self.eyes = correction, to, eyes
        self.pairs = [(entry, _shown(entry, eyes)) for entry in evidence.course]
        self.then = evidence.read_as(folded(Match(), (seen for entry, seen in self.pairs if entry.version <= to)))

    def told(self, later: tuple[int, ...]) -> Outlook:
        """What is known of it; `later` are the versions that would be made again."""
        skipped = next((seen for entry, seen in self.pairs if entry.version == self.correction.skip), None)
        match, then, keeps = self.then, self.then, list[int]()
        trails = [[_piles(then)], [_piles(then)]]  # how the piles changed, as it was and as it would be
        try:
            if self.correction.seat is not None:
                match = _trailed(match, _follows(match, *self._made(skipped)), trails[1])
        except Refused:
            return Outlook(illegal=True)
        except Untold:
            return self._untold((), later)
        for entry, seen in self.pairs:
            if entry.version <= self.to:
                continue
            if entry.version in later:
                try:
                    match = _trailed(match, self._again(match, then, entry, seen), trails[1])
                except Refused:
                    return Outlook(tuple(keeps), drops=later[len(keeps) :], after=self._ends(match))
                except Untold:
                    return self._untold(tuple(keeps), later[len(keeps) :])
                keeps.append(entry.version)
            then = folded(then, [seen])
            _trail(then, trails[0])
        return Outlook(tuple(keeps), piles_stay=trails[0] == trails[1], after=self._ends(match))

    def _made(self, skipped: Logged | None) -> tuple[Seat, Move]:
        """What is made in place of what is disputed. Raises Untold."""
        made = self.correction.made(skipped)
        if made is None:
            raise Untold
        return made

    def _untold(self, keeps: tuple[int, ...], unsure: tuple[int, ...]) -> Outlook:
        """What these eyes cannot tell to the end. Real cards lie where people lay them, in an order that no correction
        can tell."""
        return Outlook(keeps, unsure=unsure, piles_stay=self.then.rules.holds_real_cards(self.then.setup))

    def _ends(self, match: Match) -> Match | None:
        """The match that it comes to; None where something has come to it that these eyes would see and cannot know."""
        if match.rules.holds_real_cards(match.setup):
            return match
        drawn = any(open_to(place, self.eyes) and any(map(is_back, cards)) for place, cards in _zones(match).items())
        return None if drawn or _asks_chance(match) else match

    def _again(self, match: Match, then: Match, entry: Logged, seen: Logged) -> Facts:
        """The facts of an entry made again. Raises Refused where it cannot be made, Untold."""
        left = to_do(seen.facts)
        if not is_play(entry) and all(isinstance(fact, Ended) for fact in left) and match.status not in OVER:
            return left  # by the word of the table, which does not rest on play
        if not is_play(entry) or any(isinstance(fact, Corrected | MadeAgain | MadeAfterAll) for fact in left):
            raise Untold  # what a court put right is put right anew, which may rest on hidden cards
        if _asks_chance(match) and entry.seat != CHANCE and not match.rules.holds_real_cards(match.setup):
            raise Untold  # the server knows what would be turned up there, and does not ask
        if not askable(match, then, seen):
            raise Refused("court.not_offered", "TABLE-REMEDY-2")
        if seen.move is None:
            raise Untold
        return _follows(match, Seat(entry.seat), seen.move)


class Untold(Exception):
    """What follows from a move rests on cards that these eyes do not see."""


def _shown(entry: Logged, eyes: int) -> Logged:
    """An entry as these eyes were shown it."""
    move, facts = entry.seen_by(eyes)
    return replace(entry, move=move, facts=facts)


def _trailed(match: Match, facts: Facts, trail: list[Piles]) -> Match:
    """The match after these facts; the trail of its piles goes on."""
    match = after_all(match, facts)
    _trail(match, trail)
    return match


def _trail(match: Match, trail: list[Piles]) -> None:
    if (piles := _piles(match)) != trail[-1]:
        trail.append(piles)


# -- what is known of one move -----------------------------------------------------------------------------------------


def _follows(match: Match, seat: Seat, move: Move) -> Facts:
    """What follows from a move upon a match as some eyes see it.

    Raises Refused where they see that it cannot be made, Untold where that rests on cards they do not see.
    """
    held, names = not _by_hand(match, seat), list(strings(encode(move)))
    cards = {str(card["id"]) for card in match.rules.cards}
    named = {name.partition("#")[0] for name in names} & cards
    if any(map(is_back, names)) or (held and named - set(strings(encode(match.state)))):
        raise Untold
    try:
        facts = moved(match, seat, move)
    except Refused as refused:
        if held and named and not ASKED_OTHERWISE & set(refused.ruling.clauses):
            raise Untold from None  # somebody may hold the card of which these eyes see another copy
        raise
    except (Unknown, *BROKEN):  # the rules are written for a whole table, of which some see only a part
        raise Untold from None
    if held and _uncovers(match, facts):
        raise Untold
    return facts


def _asks_chance(match: Match) -> bool:
    return match.state is not None and CHANCE in awaited(match.state)


def _by_hand(match: Match, seat: Seat) -> bool:
    """Whether real cards are moved, of which the referee knows no more than what it is told of them; it knows those of
    bots at every table."""
    return match.rules.holds_real_cards(match.setup) and (seat == CHANCE or seat not in match.setup.named)


def _uncovers(match: Match, facts: Facts) -> bool:
    """Whether these facts name a card that lay hidden from these eyes, or would, were it known which."""
    for fact in facts:
        after = after_all(match, [fact])
        was, now = _lying(match), _lying(after)
        if now - was:
            return True
        match = after
    return False


def _lying(match: Match) -> Counter[str]:
    """The cards that lie by name."""
    return Counter(card for cards in _zones(match).values() for card in cards if not is_back(card))


def strings(data: object) -> Iterable[str]:
    """All texts in JSON data."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict):
        for part in data.values():
            yield from strings(part)
    elif isinstance(data, list | tuple):
        for part in data:
            yield from strings(part)
