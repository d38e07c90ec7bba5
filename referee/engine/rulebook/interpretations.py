"""Numbered interpretations: how a match reads what the rulebook leaves open.

Interpretation 1 of a clause is that of the first release. A later one is either a clause beside it, whose id says so
(`SM-AMB-12-R2`, with `reads: SM-AMB-12`), or a value of a setting whose description names the clause. The default
value of the setting is interpretation 1. A ruleset chooses interpretations by their numbers. Clauses that it leaves
out are read by interpretation 1. Nothing here changes a log: a match keeps its ruleset and its host's choice, and its
state carries whatever differs from interpretation 1.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from referee.engine.rulebook.book import Clause, Rulebook, Text

ChosenInterpretations = Mapping[str, int]  # numbers of interpretations by clause
CLAUSE_REFERENCE = re.compile(r"\(([A-Z]+-[A-Z0-9.-]*[0-9][a-z]?)\)")
FIRST_INTERPRETATION = 1


@dataclass(frozen=True, slots=True)
class Interpretation:
    """One interpretation of a clause. `name` is the id under which rulings cite it.

    One that a setting chooses has that setting and its value, and is cited by the clause itself.
    """

    clause: str
    number: int
    name: str
    says: Text = field(default_factory=dict)
    why: Text = field(default_factory=dict)
    setting: str = ""
    value: Any = None


def collect_numbered(book: Rulebook) -> dict[str, tuple[Interpretation, ...]]:
    """Return the clauses with numbered interpretations, each with all in order."""
    found: dict[str, list[Interpretation]] = {}
    later = [clause for clause in book.clauses.values() if clause.reads]
    for clause in sorted(later, key=lambda clause: clause.interpretation_number):
        first = book.clauses[clause.reads]
        found.setdefault(first.id, [_build_interpretation(first.id, first)]).append(
            _build_interpretation(first.id, clause)
        )
    return {name: tuple(readings) for name, readings in sorted(found.items())}


def _build_interpretation(clause: str, entry: Clause) -> Interpretation:
    return Interpretation(clause, entry.interpretation_number, entry.id, entry.says, entry.why)


def collect_by_setting(settings: Mapping[str, Any]) -> dict[str, tuple[Interpretation, ...]]:
    """Return the clauses that a setting interprets, each with its default first.

    Only settings with a few values count.
    """
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
    """Return the chosen interpretations that are not the first, as a state keeps them.

    Later choices go before earlier ones.
    """
    held: dict[str, int] = {}
    for each in chosen:
        held |= each
    return {clause: number for clause, number in sorted(held.items()) if number != FIRST_INTERPRETATION}


def cite_by_interpretation(names: Iterable[str], held: ChosenInterpretations) -> tuple[str, ...]:
    """Return clause ids as they are cited, each by the interpretation that holds."""
    return tuple(f"{name}-R{held[name]}" if name in held else name for name in names)
