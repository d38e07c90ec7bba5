"""Where the rulebook leaves something open: the reading that the referee takes, and the others that it knows.

A reading that can be chosen is a setting of the game, whose description names the clause that it switches. The others
are tried: the same position and the same move, judged once more.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from referee.desk import speech
from referee.desk.quarrels.asking import Misasked
from referee.desk.seeing import ruled
from referee.kernel.box import Game, Malformed, expected, fits
from referee.kernel.clauses import Clause, Text
from referee.kernel.codec import encode
from referee.kernel.facts import Event, Move
from referee.kernel.rulings import Ruling
from referee.kernel.seats import Seat

NAMES = re.compile(r"\(([A-Z]+-[A-Z0-9.-]*[0-9][a-z]?)\)")


@dataclass(frozen=True, slots=True)
class Switch:
    """A setting that chooses between readings of a clause: its values, if they are few, and the usual one."""

    clause: str
    setting: str
    values: tuple[Any, ...]
    usual: Any


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
    """The settings of a game that choose between readings, by the clause. Raises KeyError if one names no clause."""
    found = {}
    for name, schema in game.settings.get("properties", {}).items():
        values = tuple(schema.get("enum", (False, True) if schema.get("type") == "boolean" else ()))
        for clause in NAMES.findall(schema.get("description", "")):
            speech.clause(game, clause)
            found[clause] = Switch(clause, name, values, schema.get("default"))
    return found


def agreed(game: Game, position: Mapping[str, Any], chosen: Mapping[str, Any]) -> dict[str, Any]:
    """The position with the readings on which the table agrees as its settings.

    Raises Misasked where a clause has no other reading that is carried out here, the value is none, or the position
    says another.
    """
    wrong, known = [], switches(game)
    settings = position.get("settings", {})
    if not isinstance(settings, Mapping):
        return dict(position)  # the game says what is wrong with it
    settings = dict(settings)
    for clause, value in chosen.items():
        switch = known.get(clause)
        if switch is None:
            others = ", ".join(sorted(known)) or "of none"
            detail = f"No other reading of this clause is carried out here; there are others of: {others}."
            detail = detail.replace("of: of none", "of none")
        elif not fits(game.settings["properties"][switch.setting], value):
            detail = f"Expected {expected(game.settings['properties'][switch.setting])}."
        elif switch.setting in settings and settings[switch.setting] != value:
            detail = f"The position has {switch.setting} with another value."
        else:
            settings[switch.setting] = value
            continue
        wrong.append({"pointer": f"/readings/{clause}".replace("~", "~0"), "detail": detail})
    if wrong:
        raise Misasked(wrong)
    return {**position, "settings": settings} if settings else dict(position)


def tried(game: Game, position: Mapping[str, Any], seat: Seat, move: Move) -> tuple[Tried, ...]:
    """Every switch of the game, with what its other values make of the move in this position."""
    settings = position.get("settings", {})
    found = []
    for switch in switches(game).values():
        value = settings.get(switch.setting, switch.usual)
        others = tuple(
            _with(game, {**position, "settings": {**settings, switch.setting: other}}, seat, move, other)
            for other in switch.values
            if other != value
        )
        found.append(Tried(switch, value, switch.setting in settings, others))
    return tuple(found)


def _with(game: Game, position: dict[str, Any], seat: Seat, move: Move, value: Any) -> Other:
    try:
        state = game.position(position)
    except Malformed:  # as with other cards in the box; a reading without this position answers nothing
        return Other(value, None)
    return Other(value, *ruled(state, seat, move))


def leaves_open(game: Game, cited: Iterable[str]) -> dict[str, tuple[Clause, list[str]]]:
    """The readings that a ruling rests on: of each the clause, and the cited clauses that point to it."""
    found: dict[str, tuple[Clause, list[str]]] = {}
    for name in dict.fromkeys(cited):
        clause = speech.clause(game, name)
        for taken in (clause.id, *([clause.reading] if clause.reading else [])):
            reading = speech.clause(game, taken)
            if reading.open:
                found.setdefault(reading.id, (reading, []))[1].append(name)
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
            resting[name] = (speech.clause(game, name), [])
    items = []
    for name, (clause, by) in resting.items():
        attempt = by_clause.get(name)
        hangs = attempt is not None and attempt.hangs(claim, given, facts)
        others = () if attempt is None else attempt.others
        items.append(
            {
                "clause": speech.cited(game, [name])[0],
                "open": clause.open or None,
                "why": clause.why or None,
                "by": [each for each in by if each != name],
                "hangs": hangs,
                "setting": None if attempt is None else _setting(attempt),
                "others": [_other(game, each, claim, given, facts) for each in others],
            }
        )
    return sorted(items, key=lambda item: not item["hangs"])


def _setting(attempt: Tried) -> dict[str, Any]:
    switch = attempt.switch
    return {"name": switch.setting, "value": attempt.value, "usual": switch.usual, "chosen": attempt.chosen}


def _other(game: Game, other: Other, claim: str, given: Ruling, facts: tuple[Event, ...]) -> dict[str, Any]:
    reason: Text | None = None if other.ruling is None else speech.reason(game, other.ruling)
    verdict = None if other.ruling is None else other.ruling.verdict
    told = (speech.told(game, fact) for fact in other.facts)
    return {
        "value": other.value,
        "verdict": verdict,
        "reason": reason,
        "follows": [line for line in told if line] if claim != "illegal_move" else [],
        "differs": differs(other, claim, given, facts),
    }
