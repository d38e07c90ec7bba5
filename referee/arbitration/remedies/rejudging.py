"""The rest judged again: what was played after an entry, made once more upon a table that was put right.

Entries by which play went back lie in the course like any other: what they struck is gone from it, so going back is
done already, and only what they did besides is done again. A pile that was shuffled is shuffled, moves that a ruling
had made again are made again, and so is a ruling's correction by hand. What has no meaning upon another table is named.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from referee.arbitration import auto_ruling
from referee.arbitration.remedies.manual_corrections import put_right
from referee.arbitration.replay.divergence import is_play
from referee.engine.chance import Shuffle
from referee.engine.events import Event, Move
from referee.engine.game import Malformed
from referee.engine.referee import settle
from referee.engine.rulings import Refused, Unknown
from referee.engine.seats import CHANCE, Seat
from referee.engine.steps import Closed, Opened
from referee.match.aggregate import OVER, Ended, GoesBack, Match, OfTable
from referee.match.entries import Logged, folded
from referee.match.events.dispute_commands import Rule
from referee.match.events.dispute_events import Corrected, MadeAfterAll, MadeAgain, RulingIssued
from referee.match.events.dispute_state import Dispute
from referee.match.events.report_events import beside_play
from referee.match.evidence import Evidence
from referee.match.game_moves import after_all, moved

Facts = tuple[Event, ...]
Mark = MadeAgain | MadeAfterAll


class Meaningless(Exception):
    """What an entry did to the table is nothing that could be done to another one."""


@dataclass(frozen=True)
class Again:
    """What becomes of the entries after a version: the facts, the match then, the entries that stay and those that
    cannot. `left_out`: nothing is made in place of the first. `no_move`: what could not be made again is nothing whose
    meaning upon another table is clear."""

    facts: Facts
    after: Match
    keeps: tuple[int, ...] = ()
    drops: tuple[int, ...] = ()
    left_out: bool = False
    no_move: bool = False


def judged_again(evidence: Evidence, to: int, first: tuple[Seat, Move] | None, skip: int) -> Again:
    """The moves after entry `to` made again, entry `skip` left out and `first` made in its place, down to the first
    that is not legal any more. What chance gave is kept.

    Raises Refused where `first` itself is not legal, and Unknown.
    """
    then, later = evidence.at(to), evidence.since(to)
    facts: Facts = ()
    if first is not None:
        seat = int(first[0])
        facts = (MadeAgain(skip, seat) if skip else MadeAfterAll(seat), *moved(then, *first))
    again = Again(facts, after_all(then, facts), left_out=first is None)
    for at, entry in enumerate(later):
        if entry.version != skip and of_game(entry):
            try:
                more, no_move = _made_again(evidence, again.after, then, entry), False
            except Meaningless:
                more, no_move = None, True
            if more is None:
                dropped = tuple(each.version for each in later[at:] if each.version != skip and of_game(each))
                return replace(again, drops=dropped, no_move=no_move)
            kept = (*again.keeps, entry.version) if more else again.keeps
            again = replace(again, facts=(*again.facts, *more), after=after_all(again.after, more), keeps=kept)
        then = folded(then, [entry])
    return again


def shuffled_again(match: Match, piles: Iterable[str]) -> Facts:
    """Lays these piles to shuffle, of which somebody has come to know cards (TABLE-REMEDY-3). The ordinary chance step
    draws them; piles of real cards are shuffled by hand, so nobody is awaited."""
    opened = tuple(Opened(Shuffle(pile)) for pile in piles)
    then = after_all(match, opened).state
    assert then is not None
    return (*opened, *settle(then)) if opened else ()


def of_game(entry: Logged) -> bool:
    """Whether something of an entry would have to be done again: what stays by itself is table business."""
    return any(not isinstance(fact, OfTable) for fact in entry.facts)


def to_do(facts: Facts) -> Facts:
    """Of the facts of an entry those that would have to be done again: of the game, and the table's own of its end."""
    return tuple(fact for fact in beside_play(facts)[1] if not isinstance(fact, OfTable | GoesBack))


def _made_again(evidence: Evidence, match: Match, then: Match, entry: Logged) -> Facts | None:
    """The facts of an entry made again on a match, with a mark before those of each move; None if it cannot be.
    `then`: the match that it was made on. Raises Meaningless."""
    left = to_do(entry.facts)
    if not left and not is_play(entry):
        return ()
    if match.status in OVER or match.state is None:
        return None
    if any(isinstance(fact, Mark) for fact in left):
        return _as_ruled(evidence, match, then, entry)
    more = _redone(match, then, entry)
    return None if more is None else (MadeAgain(entry.version, entry.seat), *more)


def _redone(match: Match, then: Match, entry: Logged) -> Facts | None:
    """What an entry did by itself, done again on a match; None if it cannot be. Raises Meaningless."""
    if is_play(entry):
        assert entry.move is not None
        if entry.seat == CHANCE and not _same_question(match, then):
            return None
        try:
            return moved(match, Seat(entry.seat), entry.move)
        except (Refused, Unknown):
            return None
    left = to_do(entry.facts)
    if all(isinstance(fact, Ended) for fact in left) and then.status not in OVER:
        return left  # by the word of the table, which does not rest on play
    if isinstance(entry.move, Rule) and entry.move.fix and left and isinstance(left[0], Corrected):
        try:
            return put_right(match, entry.move.fix)
        except (Refused, Malformed):
            return None
    return shuffled_again(match, _piles(left))


def _piles(facts: Facts) -> list[str]:
    """The piles that these facts lay to shuffle. Raises Meaningless where they do anything else."""
    piles = list[str]()
    for fact in facts:
        if isinstance(fact, Opened) and isinstance(fact.step, Shuffle):
            piles.append(fact.step.where)
        elif not isinstance(fact, Closed):  # a pile in which nothing is to be shuffled closes at once
            raise Meaningless
    return piles


def askable(match: Match, then: Match, entry: Logged) -> bool:
    """Whether the move of an entry can be tried on a match at all, whatever it is: the match goes on, and chance is
    asked for what it was asked then. `then`: the match that it was made on."""
    if match.status in OVER or match.state is None:
        return False
    return entry.seat != CHANCE or _same_question(match, then)


def _same_question(match: Match, then: Match) -> bool:
    """Whether chance is asked for what it gave then: a die that fell for one thing is no answer to another."""
    if then.state is None or match.state is None or not then.state.agenda or not match.state.agenda:
        return False
    return type(then.state.agenda[-1]) is type(match.state.agenda[-1])


# -- what a ruling had made again --------------------------------------------------------------------------------------


def _as_ruled(evidence: Evidence, match: Match, then: Match, entry: Logged) -> Facts | None:
    """The moves that a ruling made again, made again once more in their order, and its shuffling after them."""
    marks = [at for at, fact in enumerate(entry.facts) if isinstance(fact, Mark)]
    then, facts = after_all(then, entry.facts[: marks[0]]), list[Event]()
    for start, end in pairwise([*marks, len(entry.facts)]):
        mark, made = entry.facts[start], tuple(f for f in entry.facts[start + 1 : end] if not isinstance(f, OfTable))
        assert isinstance(mark, Mark)
        way = _way(evidence, then, entry, mark, made)
        if way is None:
            raise Meaningless
        right, moving, due = way
        more = _redone(match, then, moving)
        if more is None:
            return None
        match = after_all(match, more)
        if piles := _piles(made[due:]):
            again = shuffled_again(match, piles)
            more, match = (*more, *again), after_all(match, again)
        facts += [replace(mark, right=right), *more]
        then = after_all(then, (mark, *made))
    return tuple(facts)


def _way(evidence: Evidence, then: Match, entry: Logged, mark: Mark, made: Facts) -> tuple[int, Logged, int] | None:
    """How a move was made that a ruling marks: the dispute by which it reads otherwise than it was logged (0: as it
    was), the entry as it reads then, and how many facts of the ruling are its own; None if none of that led to them."""
    for right, moving in _ways(evidence, then, entry, mark):
        due = _redone(then, then, moving)
        if due is not None and made[: len(due)] == due:
            return right, moving, len(due)
    return None


def _ways(evidence: Evidence, then: Match, entry: Logged, mark: Mark) -> Iterator[tuple[int, Logged]]:
    own = next((fact.dispute for fact in entry.facts if isinstance(fact, RulingIssued)), 0)
    dispute = next((each for each in then.disputes if each.number == (mark.right or own)), None)
    if isinstance(mark, MadeAfterAll):
        if dispute is not None and dispute.claim == "wrong_refusal":
            refused = auto_ruling.named_move(dispute.move)
            yield dispute.number, replace(entry, seat=mark.seat, actor="player", move=refused, facts=())
        return
    written = evidence.entries[mark.entry - 1]
    if dispute is not None and (move := read_as(dispute, written.version)) is not None:
        yield dispute.number, replace(written, move=move)
    if not mark.right:
        yield 0, written


def read_as(dispute: Dispute, about: int) -> Move | None:
    """How the report of entry `about` should have read by a dispute; None if that says nothing of it."""
    return auto_ruling.said(dispute) if dispute.claim == "misreported" and dispute.about == about else None
