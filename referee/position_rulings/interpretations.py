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
from referee.engine.game import Game, Malformed, expected, fits
from referee.engine.referee import ruled
from referee.engine.rulebook.book import Clause, Text
from referee.engine.rulebook.interpretations import NAMES, USUAL, Reading
from referee.engine.rulings import Ruling
from referee.engine.seats import Seat
from referee.position_rulings.request import Misasked
from referee.rendering import texts


@dataclass(frozen=True, slots=True)
class Switch:
    """What chooses between readings of a clause: a setting, with its values if they are few, or where that is empty the
    number of a reading. And the usual one."""

    clause: str
    setting: str
    values: tuple[Any, ...]
    usual: Any

    def value(self, position: Mapping[str, Any]) -> Any:
        """The value that holds in a position."""
        return self._among(position).get(self._name, self.usual)

    def chosen(self, position: Mapping[str, Any]) -> bool:
        """Whether a position says which holds."""
        return self._name in self._among(position)

    def set(self, position: Mapping[str, Any], value: Any) -> dict[str, Any]:
        """The position with this value."""
        return {**position, self._member: {**self._among(position), self._name: value}}

    @property
    def _member(self) -> str:
        return "settings" if self.setting else "readings"

    @property
    def _name(self) -> str:
        return self.setting or self.clause

    def _among(self, position: Mapping[str, Any]) -> Mapping[str, Any]:
        among: Mapping[str, Any] = position.get(self._member, {})
        return among


@dataclass(frozen=True, slots=True)
class Other:
    """What another reading makes of the same move; no ruling where the position cannot be with it."""

    value: Any
    ruling: Ruling | None
    facts: tuple[Event, ...] = ()


@dataclass(frozen=True, slots=True)
class Tried:
    """A switch, its value in this position, whether the table chose it, and what other readings make of the move."""

    switch: Switch
    value: Any
    chosen: bool
    others: tuple[Other, ...]

    def hangs(self, claim: str, given: Ruling, facts: tuple[Event, ...]) -> bool:
        """Whether the answer to a claim is another one with another reading."""
        return any(differs(other, claim, given, facts) for other in self.others)


def differs(other: Other, claim: str, given: Ruling, facts: tuple[Event, ...]) -> bool:
    """Whether another reading answers a claim otherwise: that a move is illegal by the verdict, any other also by what
    follows."""
    if other.ruling is None:
        return False
    if other.ruling.verdict != given.verdict:
        return True
    return claim != "illegal_move" and encode(other.facts) != encode(facts)


def switches(game: Game) -> dict[str, Switch]:
    """What chooses between readings in a game, by the clause. Raises KeyError if a setting names no clause."""
    found = {}
    for name, schema in game.settings.get("properties", {}).items():
        values = tuple(schema.get("enum", (False, True) if schema.get("type") == "boolean" else ()))
        for clause in NAMES.findall(schema.get("description", "")):
            texts.clause(game, clause)
            found[clause] = Switch(clause, name, values, schema.get("default"))
    for clause, known in game.numbered_readings.items():
        found[clause] = Switch(clause, "", tuple(each.number for each in known), USUAL)
    return found


def agreed(game: Game, position: Mapping[str, Any], chosen: Mapping[str, Any]) -> dict[str, Any]:
    """The position with the readings on which the table agrees: as its settings, or by their numbers.

    Raises Misasked where a clause has no other reading that is carried out here, the value is none, or the position
    says another.
    """
    wrong, known, agreed = [], switches(game), dict(position)
    if not all(isinstance(position.get(name, {}), Mapping) for name in ("settings", "readings")):
        return agreed  # the game says what is wrong with it
    for clause, value in chosen.items():
        switch = known.get(clause)
        if switch is None:
            others = ", ".join(sorted(known)) or "of none"
            detail = f"No other reading of this clause is carried out here; there are others of: {others}."
            detail = detail.replace("of: of none", "of none")
        else:
            meant, detail = _meant(game, switch, value)
        if switch is not None and not detail and switch.chosen(agreed) and switch.value(agreed) != meant:
            detail = f"The position has {switch.setting or clause} with another value."
        if detail or switch is None:
            wrong.append({"pointer": f"/readings/{clause}".replace("~", "~0"), "detail": detail})
        else:
            agreed = switch.set(agreed, meant)
    if wrong:
        raise Misasked(wrong)
    return agreed


def _meant(game: Game, switch: Switch, value: Any) -> tuple[Any, str]:
    """The value of a switch that somebody means, who may always name a reading by its number; or what is wrong with it.

    No setting that takes a number chooses between numbered readings, so the two are never taken for each other.
    """
    readings = game.readings.get(switch.clause, ())
    by_number = {each.number: each.value if each.setting else each.number for each in readings}
    if type(value) is int and value in by_number:
        return by_number[value], ""
    if switch.setting and fits(game.settings["properties"][switch.setting], value):
        return value, ""
    if switch.setting:
        return None, f"Expected {expected(game.settings['properties'][switch.setting])}."
    return None, f"Expected a whole number from 1 to {len(readings)}."


def tried(game: Game, position: Mapping[str, Any], seat: Seat, move: Move) -> tuple[Tried, ...]:
    """Every switch of the game, with what its other values make of the move in this position."""
    found = []
    for switch in switches(game).values():
        value = switch.value(position)
        others = tuple(
            _with(game, switch.set(position, other), seat, move, other) for other in switch.values if other != value
        )
        found.append(Tried(switch, value, switch.chosen(position), others))
    return tuple(found)


def _with(game: Game, position: dict[str, Any], seat: Seat, move: Move, value: Any) -> Other:
    try:
        state = game.position(position)
    except Malformed:  # as with other cards in the box; a reading without this position answers nothing
        return Other(value, None)
    return Other(value, *ruled(state, seat, move))


def leaves_open(game: Game, cited: Iterable[str]) -> dict[str, tuple[Clause, list[str]]]:
    """The readings that a ruling rests on, by the first of each: the clause, and the cited clauses that point to it."""
    found: dict[str, tuple[Clause, list[str]]] = {}
    for name in dict.fromkeys(cited):
        clause = texts.clause(game, name)
        for taken in (clause.id, *([clause.reading] if clause.reading else [])):
            reading = texts.clause(game, taken)
            if reading.open:
                found.setdefault(reading.reads or reading.id, (reading, []))[1].append(name)
    return found


def shown(
    game: Game, cited: Iterable[str], attempts: Iterable[Tried], claim: str, given: Ruling, facts: tuple[Event, ...]
) -> list[dict[str, Any]]:
    """What a ruling rests on that the rulebook leaves open: the reading taken, why, and the others, as data. Those on
    which the answer hangs come first, then in the order of the clauses."""
    by_clause = {each.switch.clause: each for each in attempts}
    resting = leaves_open(game, cited)
    for name, each in by_clause.items():
        if name not in resting and (each.hangs(claim, given, facts) or name in cited):
            resting[name] = (texts.clause(game, name), [])
    items = []
    for name, (clause, by) in resting.items():
        attempt = by_clause.get(name)
        hangs = attempt is not None and attempt.hangs(claim, given, facts)
        others = () if attempt is None else attempt.others
        holds = clause if attempt is None else texts.clause(game, _name(game, attempt))
        items.append(
            {
                "clause": texts.cited(game, [holds.id])[0],
                "open": holds.open or None,
                "why": holds.why or None,
                "by": [each for each in by if each not in (name, holds.id)],
                "hangs": hangs,
                "setting": None if attempt is None else _setting(attempt),
                "others": [
                    {**_other(game, each, claim, given, facts), **_numbered(game, by_clause[name].switch, each.value)}
                    for each in others
                ],
            }
        )
    return sorted(items, key=lambda item: not item["hangs"])


def _setting(attempt: Tried) -> dict[str, Any]:
    """What chooses the reading, and how it is chosen; without a name where the number of a reading does."""
    switch = attempt.switch
    return {"name": switch.setting or None, "value": attempt.value, "usual": switch.usual, "chosen": attempt.chosen}


def _name(game: Game, attempt: Tried) -> str:
    """The id under which the reading is cited that holds."""
    switch = attempt.switch
    return switch.clause if switch.setting else _reading(game, switch, attempt.value).name


def _reading(game: Game, switch: Switch, value: Any) -> Reading:
    """The reading that a value of a switch chooses, which is one of a few. Raises StopIteration where it is none."""
    known = game.readings.get(switch.clause, ())
    return next(each for each in known if value == (each.value if switch.setting else each.number))


def _numbered(game: Game, switch: Switch, value: Any) -> dict[str, Any]:
    """The number of the reading that a value chooses, and its text, if it has one of its own."""
    reading = _reading(game, switch, value)
    return {"reading": reading.number, "says": reading.says or None}


def _other(game: Game, other: Other, claim: str, given: Ruling, facts: tuple[Event, ...]) -> dict[str, Any]:
    reason: Text | None = None if other.ruling is None else texts.reason(game, other.ruling)
    verdict = None if other.ruling is None else other.ruling.verdict
    told = (texts.told(game, fact) for fact in other.facts)
    return {
        "value": other.value,
        "verdict": verdict,
        "reason": reason,
        "follows": [line for line in told if line] if claim != "illegal_move" else [],
        "differs": differs(other, claim, given, facts),
    }
