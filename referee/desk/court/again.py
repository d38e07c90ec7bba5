"""The rest judged again: what was played after an entry, made once more upon a table that was put right."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from referee.desk.court.divergence import is_play
from referee.desk.court.evidence import Evidence
from referee.desk.court.facts import Corrected
from referee.desk.court.report_facts import beside_play
from referee.desk.entries import Logged
from referee.desk.matches import OVER, Ended, Match, OfTable, Rewound
from referee.desk.moving import after_all, moved
from referee.kernel.facts import Event, Move
from referee.kernel.rulings import Refused, Unknown
from referee.kernel.seats import CHANCE, Seat


@dataclass(frozen=True)
class Again:
    """What becomes of the entries after a version: the facts, the match then, the entries that stay and those that
    cannot. `same`: the facts of those that stay are what they were."""

    facts: tuple[Event, ...]
    after: Match
    keeps: tuple[int, ...] = ()
    drops: tuple[int, ...] = field(default=())
    same: bool = True


def judged_again(
    evidence: Evidence, to: int, first: tuple[Seat, Move] | None, skip: int, before: Match | None = None
) -> Again:
    """The moves after entry `to` made again, entry `skip` left out and `first` made in its place, down to the first
    that is not legal any more. What chance gave is kept. `before`: the match to go on from, if not that of `to`.

    Raises Refused where `first` itself is not legal, and Unknown.
    """
    start = evidence.at(to) if before is None else before
    facts = () if first is None else moved(start, *first)
    again = Again(facts, after_all(start, facts))
    later = [entry for entry in evidence.since(to) if entry.version != skip and _of_game(entry)]
    for at, entry in enumerate(later):
        more = _made_again(again.after, evidence, entry)
        if more is None:
            dropped = tuple(each.version for each in later[at:])
            return Again(again.facts, again.after, again.keeps, dropped, again.same)
        same = again.same and more == _game_facts(entry.facts)
        keeps = (*again.keeps, entry.version)
        again = Again((*again.facts, *more), after_all(again.after, more), keeps, (), same)
    return again


def _of_game(entry: Logged) -> bool:
    """Whether something of an entry would have to be done again: all that stays by itself is table business."""
    return any(not isinstance(fact, OfTable) for fact in entry.facts)


def _game_facts(facts: Iterable[Event]) -> tuple[Event, ...]:
    _, played, _ = beside_play(tuple(facts))
    return tuple(fact for fact in played if not isinstance(fact, OfTable))


def _made_again(match: Match, evidence: Evidence, entry: Logged) -> tuple[Event, ...] | None:
    """The facts of an entry made again; None if it cannot be."""
    if match.status in OVER or match.state is None:
        return None
    if not is_play(entry):
        left = _game_facts(entry.facts)
        ends = all(isinstance(fact, Ended) for fact in left)  # by the word of the table, which does not rest on play
        return left if ends else None
    assert entry.move is not None
    if any(isinstance(fact, Corrected | Rewound) for fact in beside_play(entry.facts)[1]):
        return None
    if entry.seat == CHANCE and not _same_question(match, evidence, entry):
        return None
    try:
        return moved(match, Seat(entry.seat), entry.move)
    except (Refused, Unknown):
        return None


def _same_question(match: Match, evidence: Evidence, entry: Logged) -> bool:
    """Whether chance is asked for what it gave then: a die that fell for one thing is no answer to another."""
    then, now = evidence.at(entry.version - 1).state, match.state
    if then is None or now is None or not then.agenda or not now.agenda:
        return False
    return type(then.agenda[-1]) is type(now.agenda[-1])
