"""Where the rulebook leaves something open: the reading that the referee takes, and the others that it knows.

A reading that can be chosen is a numbered one, which a position names under `readings`, or a setting of the game, whose
description names the clause that it switches. The others are tried: the same position and the same move, judged once
more.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from referee.engine.codec import encode
from referee.engine.events import Event, Move
from referee.engine.game import Game, describe_expected_value, matches_schema
from referee.engine.referee import rule_on_move
from referee.engine.rulebook.book import Clause, Text
from referee.engine.rulebook.interpretations import CLAUSE_REFERENCE, FIRST_INTERPRETATION, Interpretation
from referee.engine.rulings import MalformedInput, Ruling
from referee.engine.seats import Seat
from referee.position_rulings.request import MalformedQuestion
from referee.rendering import texts


@dataclass(frozen=True, slots=True)
class InterpretationSwitch:
    """What chooses between readings of a clause: a setting, with its values if they are few, or where that is empty the
    number of a reading. And the usual one."""

    clause: str
    setting: str
    values: tuple[Any, ...]
    usual: Any

    def value_in(self, position: Mapping[str, Any]) -> Any:
        """The value that holds in a position."""
        return self._find_values(position).get(self._key, self.usual)

    def is_chosen(self, position: Mapping[str, Any]) -> bool:
        """Whether a position says which holds."""
        return self._key in self._find_values(position)

    def with_value(self, position: Mapping[str, Any], value: Any) -> dict[str, Any]:
        """The position with this value."""
        return {**position, self._member_name: {**self._find_values(position), self._key: value}}

    @property
    def _member_name(self) -> str:
        return "settings" if self.setting else "readings"

    @property
    def _key(self) -> str:
        return self.setting or self.clause

    def _find_values(self, position: Mapping[str, Any]) -> Mapping[str, Any]:
        among: Mapping[str, Any] = position.get(self._member_name, {})
        return among


@dataclass(frozen=True, slots=True)
class AlternativeOutcome:
    """What another reading makes of the same move; no ruling where the position cannot be with it."""

    value: Any
    ruling: Ruling | None
    events: tuple[Event, ...] = ()


@dataclass(frozen=True, slots=True)
class SwitchTrial:
    """A switch, its value in this position, whether the table chose it, and what other readings make of the move."""

    switch: InterpretationSwitch
    value: Any
    chosen: bool
    others: tuple[AlternativeOutcome, ...]

    def changes_answer(self, claim: str, given: Ruling, events: tuple[Event, ...]) -> bool:
        """Whether the answer to a claim is another one with another reading."""
        return any(has_other_answer(other, claim, given, events) for other in self.others)


def has_other_answer(other: AlternativeOutcome, claim: str, given: Ruling, events: tuple[Event, ...]) -> bool:
    """Whether another reading answers a claim otherwise: that a move is illegal by the verdict, any other also by what
    follows."""
    if other.ruling is None:
        return False
    if other.ruling.verdict != given.verdict:
        return True
    return claim != "illegal_move" and encode(other.events) != encode(events)


def find_switches(game: Game) -> dict[str, InterpretationSwitch]:
    """What chooses between readings in a game, by the clause. Raises KeyError if a setting names no clause."""
    found = {}
    for name, schema in game.settings.get("properties", {}).items():
        values = tuple(schema.get("enum", (False, True) if schema.get("type") == "boolean" else ()))
        for clause in CLAUSE_REFERENCE.findall(schema.get("description", "")):
            texts.find_clause(game, clause)
            found[clause] = InterpretationSwitch(clause, name, values, schema.get("default"))
    for clause, known in game.numbered_interpretations.items():
        found[clause] = InterpretationSwitch(clause, "", tuple(each.number for each in known), FIRST_INTERPRETATION)
    return found


def apply_agreed_interpretations(game: Game, position: Mapping[str, Any], chosen: Mapping[str, Any]) -> dict[str, Any]:
    """The position with the readings on which the table agrees: as its settings, or by their numbers.

    Raises MalformedQuestion where a clause has no other reading that is carried out here, the value is none, or the
    position says another.
    """
    wrong, known, agreed = [], find_switches(game), dict(position)
    if not all(isinstance(position.get(name, {}), Mapping) for name in ("settings", "readings")):
        return agreed  # the game says what is wrong with it
    for clause, value in chosen.items():
        switch = known.get(clause)
        if switch is None:
            others = ", ".join(sorted(known)) or "of none"
            detail = f"No other reading of this clause is carried out here; there are others of: {others}."
            detail = detail.replace("of: of none", "of none")
        else:
            meant, detail = _resolve_value(game, switch, value)
        if switch is not None and not detail and switch.is_chosen(agreed) and switch.value_in(agreed) != meant:
            detail = f"The position has {switch.setting or clause} with another value."
        if detail or switch is None:
            wrong.append({"pointer": f"/readings/{clause}".replace("~", "~0"), "detail": detail})
        else:
            agreed = switch.with_value(agreed, meant)
    if wrong:
        raise MalformedQuestion(wrong)
    return agreed


def _resolve_value(game: Game, switch: InterpretationSwitch, value: Any) -> tuple[Any, str]:
    """The value of a switch that somebody means, who may always name a reading by its number; or what is wrong with it.

    No setting that takes a number chooses between numbered readings, so the two are never taken for each other.
    """
    readings = game.interpretations.get(switch.clause, ())
    by_number = {each.number: each.value if each.setting else each.number for each in readings}
    if type(value) is int and value in by_number:
        return by_number[value], ""
    if switch.setting and matches_schema(game.settings["properties"][switch.setting], value):
        return value, ""
    if switch.setting:
        return None, f"Expected {describe_expected_value(game.settings['properties'][switch.setting])}."
    return None, f"Expected a whole number from 1 to {len(readings)}."


def try_alternatives(game: Game, position: Mapping[str, Any], seat: Seat, move: Move) -> tuple[SwitchTrial, ...]:
    """Every switch of the game, with what its other values make of the move in this position."""
    found = []
    for switch in find_switches(game).values():
        value = switch.value_in(position)
        others = tuple(
            _try_value(game, switch.with_value(position, other), seat, move, other)
            for other in switch.values
            if other != value
        )
        found.append(SwitchTrial(switch, value, switch.is_chosen(position), others))
    return tuple(found)


def _try_value(game: Game, position: dict[str, Any], seat: Seat, move: Move, value: Any) -> AlternativeOutcome:
    try:
        state = game.decode_position(position)
    except MalformedInput:  # as with other cards in the box; a reading without this position answers nothing
        return AlternativeOutcome(value, None)
    return AlternativeOutcome(value, *rule_on_move(state, seat, move))


def find_open_clauses(game: Game, cited: Iterable[str]) -> dict[str, tuple[Clause, list[str]]]:
    """The readings that a ruling rests on, by the first of each: the clause, and the cited clauses that point to it."""
    found: dict[str, tuple[Clause, list[str]]] = {}
    for name in dict.fromkeys(cited):
        clause = texts.find_clause(game, name)
        for taken in (clause.id, *([clause.reading] if clause.reading else [])):
            reading = texts.find_clause(game, taken)
            if reading.open:
                found.setdefault(reading.reads or reading.id, (reading, []))[1].append(name)
    return found


def interpretations_response(
    game: Game,
    cited: Iterable[str],
    attempts: Iterable[SwitchTrial],
    claim: str,
    given: Ruling,
    events: tuple[Event, ...],
) -> list[dict[str, Any]]:
    """What a ruling rests on that the rulebook leaves open: the reading taken, why, and the others, as data. Those on
    which the answer hangs come first, then in the order of the clauses."""
    by_clause = {each.switch.clause: each for each in attempts}
    resting = find_open_clauses(game, cited)
    for name, each in by_clause.items():
        if name not in resting and (each.changes_answer(claim, given, events) or name in cited):
            resting[name] = (texts.find_clause(game, name), [])
    items = []
    for name, (clause, by) in resting.items():
        attempt = by_clause.get(name)
        hangs = attempt is not None and attempt.changes_answer(claim, given, events)
        others = () if attempt is None else attempt.others
        holds = clause if attempt is None else texts.find_clause(game, _find_cited_clause(game, attempt))
        items.append(
            {
                "clause": texts.clauses_response(game, [holds.id])[0],
                "open": holds.open or None,
                "why": holds.why or None,
                "by": [each for each in by if each not in (name, holds.id)],
                "hangs": hangs,
                "setting": None if attempt is None else _switch_response(attempt),
                "others": [
                    {
                        **_alternative_response(game, each, claim, given, events),
                        **_numbered_response(game, by_clause[name].switch, each.value),
                    }
                    for each in others
                ],
            }
        )
    return sorted(items, key=lambda item: not item["hangs"])


def _switch_response(attempt: SwitchTrial) -> dict[str, Any]:
    """What chooses the reading, and how it is chosen; without a name where the number of a reading does."""
    switch = attempt.switch
    return {"name": switch.setting or None, "value": attempt.value, "usual": switch.usual, "chosen": attempt.chosen}


def _find_cited_clause(game: Game, attempt: SwitchTrial) -> str:
    """The id under which the reading is cited that holds."""
    switch = attempt.switch
    return switch.clause if switch.setting else _find_interpretation(game, switch, attempt.value).name


def _find_interpretation(game: Game, switch: InterpretationSwitch, value: Any) -> Interpretation:
    """The reading that a value of a switch chooses, which is one of a few. Raises StopIteration where it is none."""
    known = game.interpretations.get(switch.clause, ())
    return next(each for each in known if value == (each.value if switch.setting else each.number))


def _numbered_response(game: Game, switch: InterpretationSwitch, value: Any) -> dict[str, Any]:
    """The number of the reading that a value chooses, and its text, if it has one of its own."""
    reading = _find_interpretation(game, switch, value)
    return {"reading": reading.number, "says": reading.says or None}


def _alternative_response(
    game: Game, other: AlternativeOutcome, claim: str, given: Ruling, events: tuple[Event, ...]
) -> dict[str, Any]:
    reason: Text | None = None if other.ruling is None else texts.describe_reason(game, other.ruling)
    verdict = None if other.ruling is None else other.ruling.verdict
    told = (texts.describe_event(game, event) for event in other.events)
    return {
        "value": other.value,
        "verdict": verdict,
        "reason": reason,
        "follows": [line for line in told if line] if claim != "illegal_move" else [],
        "differs": has_other_answer(other, claim, given, events),
    }
