"""Numbered readings: where the rulebook leaves something open, and which of its readings a match is judged by.

Reading 1 of a clause is the one of the first release. A later one is a clause beside it, whose id says so
(`SM-AMB-12-R2`, with `reads: SM-AMB-12`), or a value of a setting, whose description names the clause: its usual value
is reading 1. A ruleset is a choice of readings by their numbers; what it leaves out is read as ever. Nothing here
changes a log: a match keeps its ruleset and what its host chose, and its state carries what departs from reading 1.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from referee.engine.rulebook.book import Clause, Rulebook, Text

ChosenInterpretations = Mapping[str, int]  # readings by the clause
CLAUSE_REFERENCE = re.compile(r"\(([A-Z]+-[A-Z0-9.-]*[0-9][a-z]?)\)")
FIRST_INTERPRETATION = 1


@dataclass(frozen=True, slots=True)
class Interpretation:
    """One reading of a clause. `name` is the id under which rulings cite it. A reading that a setting chooses names
    the setting and its value; it is cited by the clause itself."""

    clause: str
    number: int
    name: str
    says: Text = field(default_factory=dict)
    why: Text = field(default_factory=dict)
    setting: str = ""
    value: Any = None


def collect_numbered(book: Rulebook) -> dict[str, tuple[Interpretation, ...]]:
    """The clauses of a game's book that have numbered readings, each with all of them, the first first."""
    found: dict[str, list[Interpretation]] = {}
    later = [clause for clause in book.clauses.values() if clause.reads]
    for clause in sorted(later, key=lambda clause: clause.interpretation_number):
        first = book.clauses[clause.reads]
        found.setdefault(first.id, [_build_interpretation(first.id, first)]).append(
            _build_interpretation(first.id, clause)
        )
    return {name: tuple(readings) for name, readings in sorted(found.items())}


def _build_interpretation(clause: str, said: Clause) -> Interpretation:
    return Interpretation(clause, said.interpretation_number, said.id, said.says, said.why)


def collect_by_setting(settings: Mapping[str, Any]) -> dict[str, tuple[Interpretation, ...]]:
    """The clauses whose readings a setting chooses by one of a few values, each with all of them, the usual first."""
    found = {}
    for name, schema in settings.get("properties", {}).items():
        usual = schema.get("default")
        values = tuple(schema.get("enum", (False, True) if schema.get("type") == "boolean" else ()))
        ordered = (usual, *(value for value in values if value != usual))
        for clause in CLAUSE_REFERENCE.findall(schema.get("description", "")) if usual in values else ():
            found[clause] = tuple(
                Interpretation(clause, number, clause, setting=name, value=value)
                for number, value in enumerate(ordered, FIRST_INTERPRETATION)
            )
    return found


def select_departures(*chosen: ChosenInterpretations) -> dict[str, int]:
    """Of these choices, the later going before the earlier, the readings that are not the first: what a state keeps."""
    held: dict[str, int] = {}
    for each in chosen:
        held |= each
    return {clause: number for clause, number in sorted(held.items()) if number != FIRST_INTERPRETATION}


def cite_by_interpretation(names: Iterable[str], held: ChosenInterpretations) -> tuple[str, ...]:
    """Ids of clauses as they are cited where these readings hold: a clause by the reading that does."""
    return tuple(f"{name}-R{held[name]}" if name in held else name for name in names)
