"""Numbers and where they come from: each with the card and the clause that it rests on, and what it is made of."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from typing import Any

from referee.engine.events import Event
from referee.engine.zones import Moved, is_back

COUNTED_FIELDS = ("count", "total", "value", "points", "left", "hearts")  # fields of facts that count something


@dataclass(frozen=True, slots=True)
class Term:
    """One number of a fact. `says` is a key of the texts that players read, `params` fills its placeholders.

    `card` is the card it comes from, empty where it comes from none; `parts`, where there are any, add up to `value`.
    """

    value: int
    says: str
    clause: str
    card: str = ""
    params: dict[str, Any] = field(default_factory=dict)
    parts: tuple[Term, ...] = ()


def sum_terms(says: str, clause: str, parts: Iterable[Term], card: str = "", **params: Any) -> Term:
    """A number that is the sum of others."""
    made = tuple(parts)
    return Term(sum(part.value for part in made), says, clause, card, params, made)


def count_event_fields(fact: Event) -> tuple[Term, ...]:
    """What a fact counts, as far as its fields tell: for games that say no more of their numbers.

    A fact that rests on no clause counts nothing that would have to be explained.
    """
    clauses, found = fact.applied_clauses(), []
    if not clauses:
        return ()
    said: dict[str, Any] = {part.name: getattr(fact, part.name) for part in fields(fact)}  # type: ignore[arg-type]
    for name in COUNTED_FIELDS:
        if type(said.get(name)) is int:
            found.append(Term(said[name], f"number.{name}", clauses[0], _find_named_card(said), said))
    if isinstance(fact, Moved) and len(fact.put) > 1:
        found.append(Term(len(fact.put), "number.cards", clauses[0], "", said))
    return tuple(found)


def _find_named_card(said: dict[str, Any]) -> str:
    """The card that a fact is about, as far as it is named."""
    card = next((said[name] for name in ("card", "source", "monster") if isinstance(said.get(name), str)), "")
    return "" if is_back(card) else card
