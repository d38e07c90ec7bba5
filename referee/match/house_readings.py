"""Readings of a match that change while it is played, by house rulings.

A reading that holds is part of the state, so the one predicate behind listing, refusal and play follows it, and so do
views, bots and replay.

TABLE-HOUSE-1: A ruling that is kept as a house ruling may choose a numbered reading of a clause that the rulebook
leaves open. From its entry on the match is played by it, also after going back; what was played before is judged by
the reading of its time. If the ruling is undone, so is the reading.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from referee.engine.codec import named
from referee.engine.events import Move
from referee.engine.game import Game
from referee.engine.referee import judge_move
from referee.engine.rulebook.interpretations import FIRST_INTERPRETATION, select_departures
from referee.engine.rulings import Ruling
from referee.engine.seats import Seat
from referee.match.aggregate import FINAL_STATUSES, LastingTableEvent, Match, TableEvent
from referee.match.events.dispute_state import Precedent


def apply_readings(match: Match, changes: Mapping[str, int]) -> Match:
    """Return a match under changed readings, as if it had been played so."""
    if not changes or not match.id:
        return match
    rules, readings, settings = match.rules, dict(match.readings), dict(match.settings)
    for clause, number in changes.items():
        reading = rules.interpretations[clause][number - FIRST_INTERPRETATION]
        if reading.setting:
            settings[reading.setting] = reading.value
        else:
            readings[clause] = number
    held = select_departures(rules.find_departures(match.ruleset, {}), readings)
    state = None if match.state is None else rules.apply_interpretations(match.state, held, settings)
    return replace(match, readings=readings, settings=settings, state=state)


@named("table.HouseReading")
@dataclass(frozen=True)
class HouseReadingAdopted(LastingTableEvent):
    """From here on the match is played by this reading, as its house ruling says."""

    clause: str
    number: int
    clauses = ("TABLE-HOUSE-1",)

    def apply(self, state: Match) -> Match:
        return apply_readings(state, {self.clause: self.number})


@named("table.ReadingOfItsTime")
@dataclass(frozen=True)
class ReadingFollowed(TableEvent):
    """What is judged again after this is judged by the reading of its time."""

    clause: str
    number: int
    clauses = ("TABLE-HOUSE-1",)

    def apply(self, state: Match) -> Match:
        return apply_readings(state, {self.clause: self.number})


@named("table.HouseRulingFollowed")
@dataclass(frozen=True)
class HouseRulingFollowed(LastingTableEvent):
    """A house ruling allows a move against the rules, so nobody was asked."""

    entry: int
    clauses = ("TABLE-HOUSE-2",)

    def apply(self, state: Match) -> Match:
        return state


def follow_readings(match: Match, then: Match) -> tuple[ReadingFollowed, ...]:
    """Return the events by which a match is read as another one is."""
    if (match.readings, match.settings) == (then.readings, then.settings):
        return ()
    now, wanted = (
        each.rules.effective_interpretations(each.ruleset, each.readings, each.settings) for each in (match, then)
    )
    return tuple(ReadingFollowed(clause, number) for clause, number in wanted.items() if now[clause] != number)


def cite_reading(game: Game, clause: str, number: int) -> str:
    """Return the id under which rulings cite a reading."""
    return game.interpretations[clause][number - FIRST_INTERPRETATION].name


def find_chosen_readings(precedents: Iterable[Precedent]) -> dict[str, Precedent]:
    """Return by clause the last house ruling that chooses its reading."""
    return {clause: each for each in precedents for clause in each.readings}


def find_house_rulings(match: Match) -> dict[str, Precedent]:
    """Return the house rulings whose readings hold, by the clause as rulings cite it."""
    chosen = find_chosen_readings(match.precedents)
    if not chosen:
        return {}
    held = match.rules.effective_interpretations(match.ruleset, match.readings, match.settings)
    return {
        cite_reading(match.rules, clause, each.readings[clause]): each
        for clause, each in chosen.items()
        if held.get(clause) == each.readings[clause]
    }


def find_allowing_ruling(match: Match, entry: int) -> Precedent | None:
    """Return the house ruling of an entry; None if there is none.

    One of this match goes before one that was taken over.
    """
    found = [each for each in match.precedents if each.entry == entry]
    return min(found, key=lambda each: each.match != match.id, default=None)


def find_deciding_readings(match: Match, seat: Seat, move: Move) -> tuple[str, ...]:
    """Return the readings of house rulings that decide whether a move is legal.

    They are named as rulings cite them. With another reading of the clause the move would be refused where it is legal,
    or the other way round. Of the match only what its reader may see is used.
    """
    held, found = find_house_rulings(match), list[str]()
    if not held or match.state is None or not match.state.agenda or match.status in FINAL_STATUSES:
        return ()
    verdicts = {"granted", "refused"} - {judge_move(match.state, seat, move).verdict}
    opposite = verdicts.pop() if len(verdicts) == 1 else ""
    for clause, kept in find_chosen_readings(match.precedents).items():
        name = cite_reading(match.rules, clause, kept.readings[clause])
        others = (each.number for each in match.rules.interpretations[clause] if each.number != kept.readings[clause])
        states = (apply_readings(match, {clause: other}).state for other in others) if name in held else ()
        if any(state is not None and judge_move(state, seat, move).verdict == opposite for state in states):
            found.append(name)
    return tuple(found)


def cite_deciding_readings(match: Match, seat: Seat, move: Move, given: Ruling) -> Ruling:
    """Return a ruling on a move that cites the house rulings which decide it too."""
    return replace(given, clauses=tuple(dict.fromkeys((*given.clauses, *find_deciding_readings(match, seat, move)))))
