"""Numbers explained by their parts, each with the card and the clause it rests on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from typing import Any

from referee.engine.events import Event
from referee.engine.zones import Moved, is_back

COUNTED_FIELDS = ("count", "total", "value", "points", "left", "hearts")  # fields of events that count something


@dataclass(frozen=True, slots=True)
class Term:
    """One number of an event. `says` is a text key, `params` fills its placeholders.

    `card` is the card it comes from, or empty. The `parts`, if any, add up to `value`.
    """

    value: int
    says: str
    clause: str
    card: str = ""
    params: dict[str, Any] = field(default_factory=dict)
    parts: tuple[Term, ...] = ()


def sum_terms(says: str, clause: str, parts: Iterable[Term], card: str = "", **params: Any) -> Term:
    """Return a number that is the sum of others."""
    made = tuple(parts)
    return Term(sum(part.value for part in made), says, clause, card, params, made)


def count_event_fields(event: Event) -> tuple[Term, ...]:
    """Return the numbers of an event that its fields show.

    This serves games that explain no more. An event that rests on no clause has no number that needs explaining.
    """
    clauses, found = event.applied_clauses(), []
    if not clauses:
        return ()
    values: dict[str, Any] = {part.name: getattr(event, part.name) for part in fields(event)}  # type: ignore[arg-type]
    for name in COUNTED_FIELDS:
        if type(values.get(name)) is int:
            found.append(Term(values[name], f"number.{name}", clauses[0], _find_named_card(values), values))
    if isinstance(event, Moved) and len(event.put) > 1:
        found.append(Term(len(event.put), "number.cards", clauses[0], "", values))
    return tuple(found)


def _find_named_card(values: dict[str, Any]) -> str:
    """Return the card that an event is about, or an empty string if it is not named."""
    card = next((values[name] for name in ("card", "source", "monster") if isinstance(values.get(name), str)), "")
    return "" if is_back(card) else card
