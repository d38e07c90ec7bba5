"""The rest judged again: what was played after an entry, made once more upon a table that was put right."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from referee.desk.court.divergence import is_play
from referee.desk.court.evidence import Evidence
from referee.desk.court.facts import Corrected, MadeAfterAll, MadeAgain
from referee.desk.court.report_facts import beside_play
from referee.desk.entries import Logged, folded
from referee.desk.matches import OVER, Ended, Match, OfTable, Rewound
from referee.desk.moving import after_all, moved
from referee.kernel.agenda import Opened
from referee.kernel.chance import Shuffle
from referee.kernel.facts import Event, Move
from referee.kernel.play import settle
from referee.kernel.rulings import Refused, Unknown
from referee.kernel.seats import CHANCE, Seat


@dataclass(frozen=True)
class Again:
    """What becomes of the entries after a version: the facts, the match then, the entries that stay and those that
    cannot. `left_out`: nothing is made in place of the first."""

    facts: tuple[Event, ...]
    after: Match
    keeps: tuple[int, ...] = ()
    drops: tuple[int, ...] = ()
    left_out: bool = False


def judged_again(evidence: Evidence, to: int, first: tuple[Seat, Move] | None, skip: int) -> Again:
    """The moves after entry `to` made again, entry `skip` left out and `first` made in its place, down to the first
    that is not legal any more. What chance gave is kept.

    Raises Refused where `first` itself is not legal, and Unknown.
    """
    then, later = evidence.at(to), evidence.since(to)
    facts: tuple[Event, ...] = ()
    if first is not None:
        seat = int(first[0])
        facts = (MadeAgain(skip, seat) if skip else MadeAfterAll(seat), *moved(then, *first))
    again = Again(facts, after_all(then, facts), left_out=first is None)
    for at, entry in enumerate(later):
        if entry.version != skip and _of_game(entry):
            more = _made_again(again.after, then, entry)
            if more is None:
                dropped = tuple(each.version for each in later[at:] if each.version != skip and _of_game(each))
                return replace(again, drops=dropped)
            made = (*again.facts, MadeAgain(entry.version, entry.seat), *more)
            again = replace(again, facts=made, after=after_all(again.after, more), keeps=(*again.keeps, entry.version))
        then = folded(then, [entry])
    return again


def shuffled_again(match: Match, piles: Iterable[str]) -> tuple[Event, ...]:
    """Lays these piles to shuffle, of which somebody has come to know cards (TABLE-REMEDY-3). The ordinary chance step
    draws them; piles of real cards are shuffled by hand, so nobody is awaited."""
    opened = tuple(Opened(Shuffle(pile)) for pile in piles)
    then = after_all(match, opened).state
    assert then is not None
    return (*opened, *settle(then)) if opened else ()


def _of_game(entry: Logged) -> bool:
    """Whether something of an entry would have to be done again: all that stays by itself is table business."""
    return any(not isinstance(fact, OfTable) for fact in entry.facts)


def _game_facts(facts: Iterable[Event]) -> tuple[Event, ...]:
    _, played, _ = beside_play(tuple(facts))
    return tuple(fact for fact in played if not isinstance(fact, OfTable))


def _made_again(match: Match, then: Match, entry: Logged) -> tuple[Event, ...] | None:
    """The facts of an entry made again on a match; None if it cannot be. `then`: the match that it was made on."""
    if match.status in OVER or match.state is None:
        return None
    if not is_play(entry):
        left = _game_facts(entry.facts)
        ends = all(isinstance(fact, Ended) for fact in left)  # by the word of the table, which does not rest on play
        return left if ends else None
    assert entry.move is not None
    if any(isinstance(fact, Corrected | Rewound) for fact in beside_play(entry.facts)[1]):
        return None
    if entry.seat == CHANCE and not _same_question(match, then):
        return None
    try:
        return moved(match, Seat(entry.seat), entry.move)
    except (Refused, Unknown):
        return None


def _same_question(match: Match, then: Match) -> bool:
    """Whether chance is asked for what it gave then: a die that fell for one thing is no answer to another."""
    if then.state is None or match.state is None or not then.state.agenda or not match.state.agenda:
        return False
    return type(then.state.agenda[-1]) is type(match.state.agenda[-1])
