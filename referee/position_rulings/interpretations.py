"""What the rulebook leaves open: the interpretation in force, and alternatives.

An interpretation that can be chosen is a numbered one, which a position names under `readings`, or a setting of the
game, whose description names the clause that it switches. Alternatives are tried: the same position and the same move,
judged again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from referee.engine.codec import encode, escape_name
from referee.engine.events import Event, Move
from referee.engine.game import Game, describe_expected_value
from referee.engine.positions.form import find_schema_errors
from referee.engine.rulebook.book import Clause, Text
from referee.engine.rulebook.interpretations import CLAUSE_REFERENCE, Interpretation
from referee.engine.rulings import MalformedInput, Ruling
from referee.engine.seats import Seat
from referee.position_rulings.request import MalformedQuestion
from referee.position_rulings.written_moves import decode_position, rule_on_written_move
from referee.rendering import texts


@dataclass(frozen=True, slots=True)
class InterpretationSwitch:
    """What chooses between the interpretations of a clause."""

    clause: str
    setting: str  # the name of a setting; empty: the number of an interpretation chooses
    values: tuple[Any, ...]  # the values of the setting, if they are few, or the numbers
    usual: Any

    def value_in(self, position: Mapping[str, Any]) -> Any:
        """Return the value in force in a position."""
        return self._find_values(position).get(self._key, self.usual)

    def is_chosen(self, position: Mapping[str, Any]) -> bool:
        """Tell whether a position says which value is in force."""
        return self._key in self._find_values(position)

    def with_value(self, position: Mapping[str, Any], value: Any) -> dict[str, Any]:
        """Return the position with this value."""
        return {**position, self._member_name: {**self._find_values(position), self._key: value}}

    @property
    def pointer(self) -> str:
        """Where a position says which value is in force."""
        return f"/{self._member_name}/{escape_name(self._key)}"

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
    """What another interpretation makes of the same move.

    There is no ruling if the position is impossible with it.
    """

    value: Any
    ruling: Ruling | None
    events: tuple[Event, ...] = ()


@dataclass(frozen=True, slots=True)
class SwitchTrial:
    """A switch with its value in a position, and what other values make of the move.

    `chosen`: the table chose the value.
    """

    switch: InterpretationSwitch
    value: Any
    chosen: bool
    others: tuple[AlternativeOutcome, ...]

    def changes_answer(self, claim: str, given: Ruling, events: tuple[Event, ...]) -> bool:
        """Tell whether another interpretation changes the answer to a claim."""
        return any(has_other_answer(other, claim, given, events) for other in self.others)


def has_other_answer(other: AlternativeOutcome, claim: str, given: Ruling, events: tuple[Event, ...]) -> bool:
    """Tell whether another interpretation answers a claim otherwise.

    That a move is illegal depends on the verdict; every other claim depends also on what follows.
    """
    if other.ruling is None:
        return False
    if other.ruling.verdict != given.verdict:
        return True
    return claim != "illegal_move" and encode(other.events) != encode(events)


def find_switches(game: Game) -> dict[str, InterpretationSwitch]:
    """Return the switches of a game by clause.

    Raises KeyError if a setting names no clause of the game.
    """
    found = {}
    for name, schema in game.settings.get("properties", {}).items():
        values = tuple(schema.get("enum", (False, True) if schema.get("type") == "boolean" else ()))
        for clause in CLAUSE_REFERENCE.findall(schema.get("description", "")):
            texts.find_clause(game, clause)
            usual = (
                game.find_newest_interpretation(clause).value
                if clause in game.interpretations
                else schema.get("default")
            )
            found[clause] = InterpretationSwitch(clause, name, values, usual)
    for clause, numbered in game.numbered_interpretations.items():
        newest = game.find_newest_interpretation(clause).number
        found[clause] = InterpretationSwitch(clause, "", tuple(each.number for each in numbered), newest)
    return found


def apply_agreed_interpretations(game: Game, position: Mapping[str, Any], chosen: Mapping[str, Any]) -> dict[str, Any]:
    """Return the position with the interpretations on which the table agrees.

    Raises MalformedQuestion if a clause has no alternative here, the value is none, or the position says another.
    """
    wrong, switches, agreed = [], find_switches(game), dict(position)
    if not all(isinstance(position.get(name, {}), Mapping) for name in ("settings", "readings")):
        return agreed  # the game says what is wrong with it
    for clause, value in chosen.items():
        switch = switches.get(clause)
        if switch is None:
            others = ", ".join(sorted(switches)) or "of none"
            detail = f"No other reading of this clause is carried out here; there are others of: {others}."
            detail = detail.replace("of: of none", "of none")
        else:
            meant, detail = resolve_value(game, switch, value)
        if switch is not None and not detail and switch.is_chosen(agreed) and switch.value_in(agreed) != meant:
            detail = f"The position has {switch.setting or clause} with another value."
        if detail or switch is None:
            wrong.append({"pointer": f"/readings/{escape_name(clause)}", "detail": detail})
        else:
            agreed = switch.with_value(agreed, meant)
    if wrong:
        raise MalformedQuestion(wrong)
    return agreed


def resolve_value(game: Game, switch: InterpretationSwitch, value: Any) -> tuple[Any, str]:
    """Return the value of a switch that is meant, and what is wrong with it, or "".

    The number of an interpretation is always accepted. No setting that takes a number chooses between numbered
    interpretations, so the two cannot be confused.
    """
    readings = game.interpretations.get(switch.clause, ())
    by_number = {each.number: each.value if each.setting else each.number for each in readings}
    if type(value) is int and value in by_number:
        return by_number[value], ""
    if switch.setting:
        schema = game.settings["properties"][switch.setting]
        fits = not any(find_schema_errors(schema, value))
        return (value, "") if fits else (None, f"Expected {describe_expected_value(schema)}.")
    return None, f"Expected a whole number from 1 to {len(readings)}."


def try_alternatives(
    game: Game, position: Mapping[str, Any], written: Mapping[str, Any], seat: Seat, move: Move
) -> tuple[SwitchTrial, ...]:
    """Return every switch of the game, with what its other values make of the move.

    `written` is the position as the table wrote it, which says what the table chose.
    """
    found = []
    for switch in find_switches(game).values():
        value = switch.value_in(position)
        others = tuple(
            _try_value(game, switch.with_value(position, other), seat, move, other)
            for other in switch.values
            if other != value
        )
        found.append(SwitchTrial(switch, value, switch.is_chosen(written), others))
    return tuple(found)


def _try_value(game: Game, position: dict[str, Any], seat: Seat, move: Move, value: Any) -> AlternativeOutcome:
    try:
        state = decode_position(game, position)
    except MalformedInput:  # impossible with this value, for example because it changes the cards in the box
        return AlternativeOutcome(value, None)
    return AlternativeOutcome(value, *rule_on_written_move(game, state, seat, move))


def find_open_clauses(game: Game, cited: Iterable[str]) -> dict[str, tuple[Clause, list[str]]]:
    """Return the open clauses that a ruling rests on, by their first interpretation.

    With each clause stand the cited clauses that point to it.
    """
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
    """Return as data what a ruling rests on that the rulebook leaves open.

    For each it gives the interpretation in force, why, and the alternatives. Those that decide the answer come first,
    the others in the order of the clauses.
    """
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
    """Return what chooses the interpretation, and how it is chosen.

    It has no name if the number of an interpretation chooses.
    """
    switch = attempt.switch
    return {"name": switch.setting or None, "value": attempt.value, "usual": switch.usual, "chosen": attempt.chosen}


def _find_cited_clause(game: Game, attempt: SwitchTrial) -> str:
    """Return the id under which the interpretation in force is cited."""
    switch = attempt.switch
    return switch.clause if switch.setting else _find_interpretation(game, switch, attempt.value).name


def _find_interpretation(game: Game, switch: InterpretationSwitch, value: Any) -> Interpretation:
    """Return the interpretation that a value of a switch chooses.

    Raises StopIteration if the value chooses none.
    """
    readings = game.interpretations.get(switch.clause, ())
    return next(each for each in readings if value == (each.value if switch.setting else each.number))


def _numbered_response(game: Game, switch: InterpretationSwitch, value: Any) -> dict[str, Any]:
    """Return the number of the interpretation that a value chooses, and its own text."""
    reading = _find_interpretation(game, switch, value)
    return {"reading": reading.number, "says": reading.says or None}


def _alternative_response(
    game: Game, other: AlternativeOutcome, claim: str, given: Ruling, events: tuple[Event, ...]
) -> dict[str, Any]:
    reason: Text | None = None if other.ruling is None else texts.describe_reason(game, other.ruling)
    verdict = None if other.ruling is None else other.ruling.verdict
    lines = (texts.describe_event(game, event) for event in other.events)
    return {
        "value": other.value,
        "verdict": verdict,
        "reason": reason,
        "follows": [line for line in lines if line] if claim != "illegal_move" else [],
        "differs": has_other_answer(other, claim, given, events),
    }
